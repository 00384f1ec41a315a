/**
 * Applies the parameters of the URL for the page's appearance before the first paint: the color
 * scheme and, in an iframe, the visible parts. Python handles the rest of the URL.
 */
(() => {
  const root = document.documentElement;
  const asked = new URLSearchParams(root.dataset.query ?? location.search);

  let kept = null;
  try {
    kept = localStorage.getItem("tinkerformer-theme");
  } catch {
    /* storage denied: follow the system */
  }
  const wished = asked.get("theme") ?? "";
  const theme = ["light", "dark"].find((each) => each === (wished || kept));
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  root.dataset.theme = theme ?? system;
  // A scheme in the URL, as of an embedding page, has priority over the user's stored choice.
  if (wished) root.dataset.wished = wished;
  if (wished === "auto") root.dataset.theme = system;

  // Set the view now, so that the outline has its final place; see open_view.js.
  const view = asked.get("view") ?? "picture";
  // The view of a single stage or matrix is laid out like the formulas.
  const isPart =
    !view.startsWith("idea:") && /[.:]|^(source|unprojected|target|output)$/.test(view);
  root.dataset.view = isPart ? "formulas" : view;
  root.dataset.room = ["lessons", "train"].includes(view) ? view : "explore";

  const isOn = (/** @type {string | null} */ raw) =>
    raw !== null && !["0", "false", "no"].includes(raw.toLowerCase());
  if (!isOn(asked.get("embed"))) return;
  const parts = (asked.get("show") ?? "tokens,answer").split(",").map((part) => part.trim());
  root.dataset.embed = parts.join(" ");
  root.dataset.height = asked.get("height") === "auto" ? "auto" : "frame";
})();
