/** Reads the page's URL. In a notebook, the root element has the query instead. */

const root = document.documentElement;

export const addressQuery = () => new URLSearchParams(root.dataset.query ?? location.search);

/** The parameter with the code of a shared link, in the query (for the server) or in the hash. */
const LINK = "s";
const HASH = new RegExp(`^#${LINK}=(.*)$`);

/** Returns the code of the shared link in the URL; null if there is none. */
export const linkCode = () =>
  HASH.exec(location.hash)?.[1] ?? (new URLSearchParams(location.search).get(LINK) || null);

/** Returns the URL's query without the code of a shared link. */
export function queryWithoutLink() {
  const query = new URLSearchParams(location.search);
  if (!query.has(LINK)) return location.search;
  query.delete(LINK);
  return query.size ? `?${query}` : "";
}

/** The longest code of a link that a server reads, in characters. */
const READ = 2_000;

/**
 * Returns the page's URL with the code of a shared link. A server that draws pictures of links
 * reads a short code from the query; in all other cases the code is in the hash.
 * @param {string} code
 */
export function addressWithLink(code) {
  const address = new URL(location.href);
  address.search = queryWithoutLink();
  for (const name of ["view", "step"]) address.searchParams.delete(name); // the code contains them
  address.hash = "";
  if (root.dataset.link === "query" && code.length <= READ) address.searchParams.set(LINK, code);
  else address.hash = `${LINK}=${code}`;
  return address.href;
}

/** Returns whether the page has a URL that can be shared or kept by a tab. */
export const hasAddress = () => location.protocol !== "about:";

/** Returns whether the page is embedded in another page, without its own header. */
export const isEmbedded = () => root.dataset.embed !== undefined;

/**
 * Returns an identifier of this iframe: its index among the iframes of its parent, and the index of
 * each ancestor, joined by dots. Empty outside iframes.
 */
export function frameName() {
  const places = [];
  /** @type {Window} */
  let frame = window;
  while (frame !== frame.parent) {
    const { parent } = frame;
    let at = 0;
    while (at < parent.length && parent[at] !== frame) at += 1;
    places.push(at);
    frame = parent;
  }
  return places.join(".");
}
