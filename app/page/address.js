/**
 * What the address says of how the page looks, before the first paint: light or dark, and in
 * another page what of the frame is there. What nobody may change, and what is drawn, Python sees
 * to.
 */
(() => {
  const root = document.documentElement;
  const asked = new URLSearchParams(root.dataset.query ?? location.search);

  let kept = null;
  try {
    kept = localStorage.getItem("tinkerformer-theme");
  } catch {
    /* storage refused: follow the system */
  }
  const wished = asked.get("theme") ?? "";
  const theme = ["light", "dark"].find((each) => each === (wished || kept));
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  root.dataset.theme = theme ?? system;
  // Who embeds a page decides; what this reader chose elsewhere does not count there.
  if (wished) root.dataset.wished = wished;
  if (wished === "auto") root.dataset.theme = system;

  const isOn = (/** @type {string | null} */ raw) =>
    raw !== null && !["0", "false", "no"].includes(raw.toLowerCase());
  if (!isOn(asked.get("embed"))) return;
  const parts = (asked.get("show") ?? "tokens,answer").split(",").map((part) => part.trim());
  root.dataset.embed = parts.join(" ");
  root.dataset.height = asked.get("height") === "auto" ? "auto" : "frame";
  // A stage or a matrix by itself is read as the stages are; else the tabs say which view is open.
  if (/[.:]|^(source|unprojected|target|output)$/.test(asked.get("view") ?? ""))
    root.dataset.view = "stages";
  root.classList.toggle("no-inspector", !parts.includes("inspector"));
})();
