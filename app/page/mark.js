/** In another page: the small mark that opens the full page, with the view and the link of this. */
(() => {
  const root = document.documentElement;
  const mark = document.getElementById("mark");
  if (!(mark instanceof HTMLAnchorElement) || root.dataset.embed === undefined) return;
  const full = new URL(location.href);
  for (const name of ["embed", "show", "lock", "theme", "height"]) full.searchParams.delete(name);
  mark.href = full.href;
  mark.hidden = full.protocol === "about:"; // in a notebook there is no other page
})();
