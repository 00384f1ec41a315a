/** The charts that Bokeh has on the page, as pictures. */

import { rasterize } from "../shared/files.js";

/** Every figure that is in sight. @returns {object[]} Bokeh's views of them */
export function chartsInView() {
  const found = [];
  const visit = (view) => {
    if (/(^|\.)(Figure|Plot)$/.test(view.model?.type ?? "")) {
      if (view.el?.getBoundingClientRect().width) found.push(view);
    } else for (const child of view.child_views ?? []) visit(child);
  };
  for (const view of window.Bokeh?.index ?? []) visit(view);
  return found;
}

/** What it is called: its title, or what is drawn over what. @param {object} view @param {number} number */
export function chartTitle({ model }, number) {
  if (model.title?.text) return model.title.text;
  const [x, y] = [model.below, model.left].map(
    (axes) => axes?.find((axis) => axis.axis_label)?.axis_label,
  );
  return x && y ? `${y} by ${x}` : `chart ${number + 1}`;
}

/** The same as the name of a file. @param {string} title */
export const chartFile = (title) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "chart";

/** @param {object} view @param {'svg'|'png'} type @returns {Promise<Blob>} */
export async function chartPicture(view, type) {
  const svg = await view.export("svg", false).to_blob();
  const { width, height } = view.bbox;
  return type === "svg" ? svg : rasterize({ width, height, text: await svg.text() });
}
