/**
 * Draws accuracy on unseen data and the loss in one chart over the steps, each with its own axis.
 * Learning rate and gradient norm are in thin strips below the chart.
 */

import { nothing, svg } from "../../components/shared/lit-html.js";
import { counted } from "../../components/shared/number_format.js";

/**
 * @import {TimeAxis} from "./time_axis.js"
 *
 * @typedef {"right" | "loss" | "rate" | "norm"} Name
 * @typedef {[step: number, value: number]} Point
 * @typedef {{step: number[], loss: number[], rate: number[], norm: number[], right: Point[]}} Drawn
 *
 * @typedef {object} Band a strip of the drawing, in CSS px
 * @property {Name} name @property {number} top @property {number} height
 * @property {number} highest the value at the upper edge
 */

const NICE = [0.25, 0.5, 1, 2, 5, 10, 20, 50, 100];
const MOST_TICKS = 5;
const HEAD = 8; // CSS px of an arrowhead
const MARK_ROOM = 7; // CSS px per letter of a mark's text

/** @param {Drawn | {}} drawn @param {Name} name @returns {Point[]} */
export function points(drawn, name) {
  if (!("step" in drawn)) return [];
  if (name === "right") return drawn.right;
  return drawn.step.map((step, k) => [step, drawn[name][k]]);
}

/** Returns the last point at or before a step. @param {Point[]} list @param {number} step */
export const pointAt = (list, step) => list.findLast(([at]) => at <= step);

/** Returns a few round values, starting at 0. @param {number} highest */
export function levels(highest) {
  const apart = NICE.find((each) => highest / each < MOST_TICKS) ?? highest;
  return Array.from({ length: Math.floor(highest / apart + 1e-9) + 1 }, (_, k) => k * apart);
}

/** Returns a value's height, in px from the top. @param {Band} band @param {number} value */
export const heightIn = ({ top, height, highest }, value) =>
  top + height * (1 - Math.min(1, Math.max(0, value / highest)));

/** @param {TimeAxis} axis @param {Band} band @param {Point[]} list @param {string} kind */
export function line(axis, band, list, kind) {
  const places = list.map(
    ([step, value]) => `${axis.x(step).toFixed(1)},${heightIn(band, value).toFixed(1)}`,
  );
  return svg`<polyline class=${kind} points=${places.join(" ")}></polyline>`;
}

/** @param {TimeAxis} axis @param {Band} band */
export const ground = ({ left, right }, { top, height }) =>
  svg`<rect class="ground" x=${left} y=${top} width=${right - left} height=${height}></rect>`;

/** @param {TimeAxis} axis @param {Band} band @param {number} value @param {string} kind */
export function level({ left, right }, band, value, kind) {
  const y = heightIn(band, value).toFixed(1);
  return svg`<line class=${kind} x1=${left} x2=${right} y1=${y} y2=${y}></line>`;
}

/** @param {string} kind @param {number | string} x @param {number} from @param {number} to */
export const upright = (kind, x, from, to) =>
  svg`<line class=${kind} x1=${x} x2=${x} y1=${from} y2=${to}></line>`;

/**
 * @param {string} text @param {string} kind @param {number} x
 * @param {number} y @param {string} anchor
 */
export const words = (text, kind, x, y, anchor) =>
  svg`<text class=${kind} x=${x} y=${y} text-anchor=${anchor}>${text}</text>`;

/**
 * Returns a vertical arrow that shows the direction of a curve.
 * @param {number} x @param {number} from @param {number} to the tip, CSS px from the top
 * @param {Name} name
 */
export function arrow(x, from, to, name) {
  const back = to + Math.sign(from - to) * HEAD;
  const tip = `${x - HEAD / 2},${back} ${x},${to} ${x + HEAD / 2},${back}`;
  return svg`${upright(`arrow ${name}`, x, from, to)}
    <polyline class="arrow ${name}" points=${tip}></polyline>`;
}

/**
 * Returns the tick labels at a side of a band.
 * @param {TimeAxis} axis @param {Band} band @param {"left" | "right"} side
 * @param {(value: number) => string} text
 */
export function scale({ left, right }, band, side, text) {
  const [x, anchor] = side === "left" ? [left - 6, "end"] : [right + 6, "start"];
  return levels(band.highest).map((value) =>
    words(text(value), `tick ${band.name}`, x, heightIn(band, value) + 4, anchor),
  );
}

/** @param {TimeAxis} axis @param {number} y the upper edge */
export const timeAxis = (axis, y) =>
  axis.ticks.map((step) => {
    const x = axis.x(step);
    const anchor = step === 0 ? "start" : step === axis.steps ? "end" : "middle";
    const text = step === 0 ? "step 0" : counted(step);
    return [upright("stroke", x, y, y + 4), words(text, "tick", x, y + 15, anchor)];
  });

/**
 * Marks steps at which the user changed something: a line, and a text where there is space.
 * @param {TimeAxis} axis @param {Band} band @param {[step: number, said: string][]} marks
 */
export function marked(axis, band, marks) {
  let free = Number.NEGATIVE_INFINITY;
  return marks.map(([step, said]) => {
    const x = axis.x(step);
    const room = said.length * MARK_ROOM;
    const isBefore = x + room > axis.right;
    const start = isBefore ? x - room : x;
    const fits = start >= free;
    if (fits) free = start + room;
    const [aside, anchor] = isBefore ? [-4, "end"] : [4, "start"];
    return [
      upright("mark", x, band.top, band.top + band.height),
      fits ? words(said, "mark-words", x + aside, band.top + band.height / 2, anchor) : nothing,
    ];
  });
}
