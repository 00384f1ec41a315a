/** Draws the small picture of a lesson: numbers of its model, in the colors of the board. */

import { shiftOf, strength, thickness, trace } from "../../board/links/curve.js";
import { cellColor, strengthColor } from "../../components/shared/color_scale.js";
import { html, nothing, svg } from "../../components/shared/lit-html.js";

/**
 * @import {LinkDrawing} from "../../board/links/curve.js"
 *
 * @typedef {object} Matrix
 * @property {number} columns @property {(number | null)[]} values row by row; null for −∞
 * @property {boolean} share whether the values are shares of 1
 *
 * @typedef {{draw: "rows", matrices: Matrix[]}} Rows
 * @typedef {{draw: "ribbons", heads: number[][], queries: string[], keys: string[],
 *   row: number | null}} Ribbons
 * @typedef {{draw: "bars", values: number[], words: string[]}} Bars
 * @typedef {{draw: "points", x: number[], y: number[], words: string[]}} Points
 * @typedef {Rows | Ribbons | Bars | Points} Picture
 */

const WIDTH = 152;
const HEIGHT = 96;
const MARGIN = 4;
const WORDS = 42; // px for the words beside ribbons
const LARGEST_CELL = 13;
const HEADS = 8; // number of head colors
const LEAST = 0.03; // thinner ribbons are invisible at this size

/** Draws a decorative picture; the text beside it is complete. @param {Picture} picture */
export function pictured(picture) {
  const parts =
    picture.draw === "rows"
      ? rows(picture)
      : picture.draw === "ribbons"
        ? ribbons(picture)
        : picture.draw === "bars"
          ? bars(picture)
          : points(picture);
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" class="small-picture" aria-hidden="true"
    >${parts}</svg>`;
}

/** Draws matrices side by side, in cells of one size. @param {Rows} picture */
function rows({ matrices }) {
  const wide = matrices.reduce((sum, { columns }) => sum + columns, 0);
  const high = Math.max(...matrices.map(({ columns, values }) => values.length / columns));
  const gap = matrices.length > 1 ? 8 : 0;
  const room = WIDTH - 2 * MARGIN - gap * (matrices.length - 1);
  const cell = {
    x: Math.min(LARGEST_CELL, room / wide),
    y: Math.min(LARGEST_CELL, (HEIGHT - 2 * MARGIN) / high),
  };
  let left = (WIDTH - gap * (matrices.length - 1) - wide * cell.x) / 2;
  const top = (HEIGHT - high * cell.y) / 2;
  const [width, height] = [cell.x, cell.y].map((size) => Math.max(0.5, size - 0.8).toFixed(2));
  return matrices.map(({ columns, values, share }) => {
    const start = left;
    left += columns * cell.x + gap;
    return values.map(
      (value, k) => svg`<rect x=${(start + (k % columns) * cell.x).toFixed(2)}
        y=${(top + Math.floor(k / columns) * cell.y).toFixed(2)} width=${width} height=${height}
        fill=${share ? shareColor(value) : cellColor(value)}></rect>`,
    );
  });
}

/** @param {number | null} value a share of 1 */
const shareColor = (value) => strengthColor("--share", Math.sqrt(value ?? 0));

/** Draws ribbons from keys at the left to queries at the right. @param {Ribbons} picture */
function ribbons({ heads, queries, keys, row }) {
  const side = row === null ? 10 : WORDS;
  const at = (/** @type {number} */ count) => (/** @type {number} */ k) =>
    MARGIN + ((HEIGHT - 2 * MARGIN) * (k + 0.5)) / count;
  /** @type {LinkDrawing} */
  const drawing = {
    layers: [],
    rows: queries.length,
    cols: keys.length,
    a: WIDTH - side,
    b: side,
    height: HEIGHT,
    step: (HEIGHT - 2 * MARGIN) / Math.max(queries.length, keys.length),
    yFrom: at(queries.length),
    yTo: at(keys.length),
    shown: (i) => row === null || i === row,
    which: "",
  };
  const cells = heads.flatMap((weights, head) =>
    weights.map((weight, k) => ({
      head,
      weight,
      i: Math.floor(k / keys.length),
      j: k % keys.length,
    })),
  );
  const links = cells.filter(({ weight }) => weight >= LEAST);
  const isInFocus = (/** @type {{i: number, j: number}} */ { i, j }) => drawing.shown(i, j);
  // Draw the links in focus above the others.
  links.sort((a, b) => Number(isInFocus(a)) - Number(isInFocus(b)));
  const found = links.map((link) => ribbon(link, drawing, heads.length));
  if (row === null) return found;
  const read = new Set(links.filter(isInFocus).flatMap(({ weight, j }) => (weight < 0.3 ? [] : j)));
  return [
    ...found,
    word(drawing.a + 4, drawing.yFrom(row), queries[row], "start"),
    ...[...read].map((j) => word(drawing.b - 4, drawing.yTo(j), keys[j], "end")),
  ];
}

/**
 * @param {{head: number, weight: number, i: number, j: number}} link
 * @param {LinkDrawing} drawing @param {number} heads the number of heads
 */
function ribbon({ head, weight, i, j }, drawing, heads) {
  const path = new PathText();
  trace(path, drawing, i, j, shiftOf(head, heads, drawing.step));
  const isFaint = !drawing.shown(i, j);
  return svg`<path d=${path.text} fill="none"
    stroke=${isFaint ? "var(--line-strong)" : `var(--head-${(head % HEADS) + 1})`}
    stroke-width=${thickness(weight, drawing.step).toFixed(2)}
    opacity=${((isFaint ? 0.3 : 1) * strength(weight)).toFixed(2)}></path>`;
}

/** Builds the path data of an SVG path. */
class PathText {
  text = "";

  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.text += `M${x.toFixed(1)} ${y.toFixed(1)}`;
  }

  /** @param {...number} at */
  bezierCurveTo(...at) {
    this.text += `C${at.map((x) => x.toFixed(1)).join(" ")}`;
  }
}

/** @param {Bars} picture */
function bars({ values, words }) {
  const step = Math.min(16, (HEIGHT - 2 * MARGIN) / values.length);
  const top = (HEIGHT - step * values.length) / 2;
  const most = Math.max(...values);
  const left = 48;
  return values.map(
    (value, k) => svg`${word(left - 5, top + step * (k + 0.5), words[k], "end")}
      <rect x=${left} y=${(top + step * k + step * 0.15).toFixed(2)} rx="1.5"
        width=${(((WIDTH - left - MARGIN) * value) / most).toFixed(2)}
        height=${(step * 0.7).toFixed(2)}
        fill=${value === most ? "var(--ink)" : "var(--line-strong)"}></rect>`,
  );
}

/** @param {Points} picture */
function points({ x, y, words }) {
  const place = (/** @type {number[]} */ all, /** @type {number} */ size) => {
    const low = Math.min(...all);
    const span = Math.max(...all) - low || 1;
    const room = size - 20;
    return (/** @type {number} */ value) => 10 + (room * (value - low)) / span;
  };
  const [across, down] = [place(x, WIDTH - 24), place(y, HEIGHT)];
  return x.map((value, k) => {
    const [cx, cy] = [across(value), HEIGHT - down(y[k])];
    return svg`<circle cx=${cx.toFixed(1)} cy=${cy.toFixed(1)} r="2.5"
      fill=${words[k] ? "var(--ink)" : "var(--line-strong)"}></circle>${
        words[k] ? word(cx + 5, cy, words[k], "start") : nothing
      }`;
  });
}

/** @param {number} x @param {number} y @param {string} text @param {"start" | "end"} anchor */
const word = (x, y, text, anchor) =>
  svg`<text x=${x.toFixed(1)} y=${(y + 3.5).toFixed(1)} text-anchor=${anchor}>${text}</text>`;
