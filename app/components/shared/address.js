/** Reads the page's URL. A notebook's page has none of its own, so its document carries one. */

const root = document.documentElement;

export const addressQuery = () => new URLSearchParams(root.dataset.query ?? location.search);

/** The parameter of a shared link: in the query, which a server receives, or in the hash. */
const LINK = "s";
const HASH = new RegExp(`^#${LINK}=(.*)$`);

/** The code of the shared link in the URL. */
export const linkCode = () =>
  HASH.exec(location.hash)?.[1] ?? (new URLSearchParams(location.search).get(LINK) || null);

/** The URL's query without a shared link, as it was written if there is none. */
export function queryWithoutLink() {
  const query = new URLSearchParams(location.search);
  if (!query.has(LINK)) return location.search;
  query.delete(LINK);
  return query.size ? `?${query}` : "";
}

/** The longest code of a link that a server reads, in characters. */
const READ = 2_000;

/**
 * The URL of this page with a shared link. For a server that draws pictures of links, the link is
 * in the query, unless it is longer than the server reads; for any other host, in the hash.
 * @param {string} code
 */
export function addressWithLink(code) {
  const address = new URL(location.href);
  address.search = queryWithoutLink();
  for (const name of ["view", "step"]) address.searchParams.delete(name); // they are in the code
  address.hash = "";
  if (root.dataset.link === "query" && code.length <= READ) address.searchParams.set(LINK, code);
  else address.hash = `${LINK}=${code}`;
  return address.href;
}

/** Whether the page has a URL that can be shared or kept by a tab. */
export const hasAddress = () => location.protocol !== "about:";

/** Whether the page is embedded in another one, without its header. */
export const isEmbedded = () => root.dataset.embed !== undefined;

/**
 * Identifies an iframe by its position among its parent's iframes, and so on outward; an empty
 * string for a page in no iframe.
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
