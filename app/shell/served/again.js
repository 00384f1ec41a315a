/**
 * Reloads the page if one of its files fails to load, as while a new server replaces an old one:
 * the reloaded page names the new files. Reloads a few times, with growing pauses.
 */
(() => {
  const COUNT = "tinkerformer-incomplete"; // number of loads in a row with a failed file
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
      /* storage denied: reloads could not be counted */
    }
  };
  addEventListener("error", again, true);
  document.addEventListener("tinkerformer:ready", () => {
    removeEventListener("error", again, true);
    try {
      sessionStorage.removeItem(COUNT);
    } catch {
      /* storage denied */
    }
  });
})();
