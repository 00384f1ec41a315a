/** Draws attention into an SVG: keys on the left, queries on the right, and links between them. */

import { MIN_WEIGHT } from "../links/curve.js";
import { LABEL_FONT, widest } from "../paint/layout.js";
import { hundredths } from "./svg.js";

/**
 * @import {Shown} from "./matrix_drawing.js"
 * @import {SvgDrawing} from "./svg.js"
 */

const STEP = 24;
const LINKS = 164;

/**
 * @param {SvgDrawing} on @param {Shown[]} heads one over the other
 * @param {number} x @param {number} y
 */
export function drawLinks(on, heads, x, y) {
  const { theme } = on;
  const { rows, cols, row_labels: queries, col_labels: keys } = heads[0].entry;
  const height = Math.max(rows, cols) * STEP;
  /** @param {number} k @param {number} n */
  const at = (k, n) => y + (height - n * STEP) / 2 + (k + 0.5) * STEP;
  const font = `${LABEL_FONT}px ${theme.fontText}`;
  /** @param {string[]} labels */
  const side = (labels) => 12 + widest(labels, font, Number.POSITIVE_INFINITY);
  const [left, right] = [side(keys), side(queries)];
  const across = left + LINKS + right;
  const style = { size: LABEL_FONT, fill: theme.muted };
  keys.forEach((label, j) => {
    on.text(label || "∅", x + left - 8, at(j, cols) + 4, { ...style, anchor: "end" });
  });
  queries.forEach((label, i) => {
    on.text(label || "∅", x + across - right + 8, at(i, rows) + 4, style);
  });
  const a = x + left;
  const b = x + across - right;
  const middle = (a + b) / 2;
  for (const { entry, weights } of heads) {
    const color = heads.length > 1 ? theme.headColor(entry.head ?? 0) : theme.attention;
    weights.forEach((weight, k) => {
      if (!(weight >= MIN_WEIGHT)) return;
      const start = hundredths(at(k % cols, cols));
      const end = hundredths(at(Math.floor(k / cols), rows));
      const width = hundredths(0.5 + 6 * Math.min(1, weight));
      const opacity = hundredths(Math.min(1, 0.12 + 0.8 * Math.sqrt(weight)));
      on.path(
        `M${a} ${start}C${middle} ${start} ${middle} ${end} ${b} ${end}`,
        `fill="none" stroke="${color}" stroke-width="${width}" stroke-opacity="${opacity}"`,
      );
    });
  }
  on.reach(x + across, y + height);
  return { width: across, height };
}
