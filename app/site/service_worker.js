/**
 * Caches the site for offline visits. The name of every file except the page itself changes with
 * its content, so a cached file is never outdated. A new version waits until all pages of the old
 * version are closed.
 */
(() => {
  /**
   * @typedef {{waitUntil: (done: Promise<unknown>) => void}} Lasting
   * @typedef {Lasting & {request: Request,
   *   respondWith: (answer: Promise<Response>) => void}} Asking
   * @typedef {object} Scope
   * @property {{version: string, files: string[]}} SITE
   * @property {{scope: string}} registration
   * @property {{claim: () => Promise<void>}} clients
   * @property {(kind: string, listener: (event: any) => void) => void} addEventListener
   */
  const worker = /** @type {Scope} */ (/** @type {unknown} */ (self));
  const { version, files } = worker.SITE;
  const mine = `tinkerformer ${worker.registration.scope} `;
  const name = mine + version;

  async function keep() {
    const cache = await caches.open(name);
    // Files that the page has just loaded need not be loaded again.
    const requests = files.map(
      (file) => new Request(file, { cache: file === "./" ? "no-cache" : "force-cache" }),
    );
    await cache.addAll(requests);
  }

  async function forget() {
    for (const other of await caches.keys())
      if (other.startsWith(mine) && other !== name) await caches.delete(other);
    await worker.clients.claim();
  }

  /** @param {Request} request */
  async function answer(request) {
    const cache = await caches.open(name);
    const kept = await cache.match(request, { ignoreSearch: true });
    return kept ?? fetch(request);
  }

  worker.addEventListener("install", (/** @type {Lasting} */ event) => event.waitUntil(keep()));
  worker.addEventListener("activate", (/** @type {Lasting} */ event) => event.waitUntil(forget()));
  worker.addEventListener("fetch", (/** @type {Asking} */ event) => {
    if (event.request.method === "GET") event.respondWith(answer(event.request));
  });
})();
