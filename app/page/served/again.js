/**
 * A file of the page that does not come, as while one server takes the place of another: the page
 * is opened again, and names the files that are there then. A few times, each after longer.
 */
(() => {
  const COUNT = "tinkerformer-incomplete"; // pages in a row of which a file did not come
  const MOST = 4;
  const FIRST = 500; // ms

  let isAsked = false;
  /** @param {Event} event */
  const again = ({ target }) => {
    const isFile = target instanceof HTMLScriptElement || target instanceof HTMLLinkElement;
    if (!isFile || isAsked) return;
    try {
      const count = Number(sessionStorage.getItem(COUNT)) || 0;
      if (count >= MOST) return;
      sessionStorage.setItem(COUNT, String(count + 1));
      isAsked = true;
      setTimeout(() => location.reload(), FIRST * 2 ** count);
    } catch {
      /* storage refused: nobody would know how often */
    }
  };
  addEventListener("error", again, true);
  document.addEventListener("tinkerformer:ready", () => {
    removeEventListener("error", again, true);
    try {
      sessionStorage.removeItem(COUNT);
    } catch {
      /* storage refused */
    }
  });
})();
