/** Exports the Bokeh charts of the page as pictures. */

import { rasterize } from "../../components/shared/files.js";

/**
 * The parts of Bokeh's views that are used here.
 * @typedef {{axis_label?: string}} BokehAxis
 * @typedef {object} BokehModel
 * @property {string} [type] @property {{text?: string}} [title] @property {BokehAxis[]} [below]
 * @property {BokehAxis[]} [left]
 *
 * @typedef {object} BokehView
 * @property {BokehModel} [model] @property {HTMLElement} [el] @property {BokehView[]} [child_views]
 * @property {{width: number, height: number}} bbox
 * @property {(type: "svg", hidpi: boolean) => {to_blob: () => Promise<Blob>}} export
 */

/** Returns every visible chart. */
export function chartsInView() {
  /** @type {BokehView[]} */
  const found = [];
  /** @param {BokehView} view */
  const collect = (view) => {
    if (/(^|\.)(Figure|Plot)$/.test(view.model?.type ?? "")) {
      if (view.el?.getBoundingClientRect().width) found.push(view);
    } else for (const child of view.child_views ?? []) collect(child);
  };
  for (const view of window.Bokeh?.index ?? []) collect(view);
  return found;
}

/** Returns a chart's title, or its axis labels. @param {BokehView} view @param {number} number */
export function chartTitle({ model }, number) {
  if (model?.title?.text) return model.title.text;
  const [x, y] = [model?.below, model?.left].map(
    (axes) => axes?.find((axis) => axis.axis_label)?.axis_label,
  );
  return x && y ? `${y} by ${x}` : `chart ${number + 1}`;
}

/** Converts a chart's title to a file name. @param {string} title */
export const chartFile = (title) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "chart";

/** @param {BokehView} view @param {"svg" | "png"} type @returns {Promise<Blob>} */
export async function chartPicture(view, type) {
  const svg = await view.export("svg", false).to_blob();
  const { width, height } = view.bbox;
  return type === "svg" ? svg : rasterize({ width, height, text: await svg.text() });
}
