/** In an iframe, shows a small link that opens the full page in the same state. */
export function showMark() {
  const root = document.documentElement;
  const mark = document.getElementById("mark");
  if (!(mark instanceof HTMLAnchorElement) || root.dataset.embed === undefined) return;
  const full = new URL(location.href);
  for (const name of ["embed", "show", "lock", "theme", "height"]) full.searchParams.delete(name);
  mark.href = full.href;
  mark.hidden = full.protocol === "about:"; // an iframe in a notebook has no full page

  // Request the link when the pointer arrives, so that it is up to date at a press.
  const ask = () => document.dispatchEvent(new CustomEvent("tinkerformer:ask-link"));
  for (const type of ["pointerenter", "focus", "touchstart"])
    mark.addEventListener(type, ask, { passive: true });
  document.addEventListener("tinkerformer:link", ({ detail }) => {
    if (detail.code === null) return;
    full.searchParams.delete("s");
    full.hash = `s=${detail.code}`;
    mark.href = full.href;
  });
}
