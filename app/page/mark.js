/** In another page: the small mark that opens the full page, with what this one shows. */
(() => {
  const root = document.documentElement;
  const mark = document.getElementById("mark");
  if (!(mark instanceof HTMLAnchorElement) || root.dataset.embed === undefined) return;
  const full = new URL(location.href);
  for (const name of ["embed", "show", "lock", "theme", "height"]) full.searchParams.delete(name);
  mark.href = full.href;
  mark.hidden = full.protocol === "about:"; // in a notebook there is no other page

  // What was done here goes along: its link is there by the time that the mark is pressed.
  const ask = () => document.dispatchEvent(new CustomEvent("tinkerformer:ask-link"));
  for (const type of ["pointerenter", "focus", "touchstart"])
    mark.addEventListener(type, ask, { passive: true });
  document.addEventListener("tinkerformer:link", ({ detail }) => {
    if (detail.code === null) return;
    full.hash = `s=${detail.code}`;
    mark.href = full.href;
  });
})();
