/**
 * What is right of what a run never trains on, and its loss, in one chart over the steps: each has
 * an axis of its own. Learning rate and gradient norm stand in thin strips under it.
 */

import { makeSvg } from "../shared/dom.js";

/**
 * @import {TimeAxis} from "./time_axis.js"
 *
 * @typedef {"right" | "loss" | "rate" | "norm"} Name
 * @typedef {[step: number, value: number]} Point
 * @typedef {{step: number[], loss: number[], rate: number[], norm: number[], right: Point[]}} Drawn
 *
 * @typedef {object} Band a strip of the drawing, in CSS px
 * @property {Name} name
 * @property {number} top @property {number} height
 * @property {number} highest the value at its upper edge
 */

const NICE = [0.25, 0.5, 1, 2, 5, 10, 20, 50, 100];
const MOST_TICKS = 5;
const HEAD = 8; // CSS px of an arrow
const MARK_ROOM = 7; // CSS px a letter of the words at a mark

/** @param {number} n */
export const counted = (n) => n.toLocaleString("en");

/** @param {Drawn | {}} drawn @param {Name} name @returns {Point[]} */
export function points(drawn, name) {
  if (!("step" in drawn)) return [];
  if (name === "right") return drawn.right;
  return drawn.step.map((step, k) => [step, drawn[name][k]]);
}

/** The last value up to a step. @param {Point[]} list @param {number} step */
export const valueAt = (list, step) => list.findLast(([at]) => at <= step)?.[1] ?? null;

/** Round values from 0 on, a few of them. @param {number} highest */
export function levels(highest) {
  const apart = NICE.find((each) => highest / each < MOST_TICKS) ?? highest;
  return Array.from({ length: Math.floor(highest / apart + 1e-9) + 1 }, (_, k) => k * apart);
}

/** CSS px from the top. @param {Band} band @param {number} value */
export const heightIn = ({ top, height, highest }, value) =>
  top + height * (1 - Math.min(1, Math.max(0, value / highest)));

/** @param {TimeAxis} axis @param {Band} band @param {Point[]} list @param {string} kind */
export function line(axis, band, list, kind) {
  const places = list.map(
    ([step, value]) => `${axis.x(step).toFixed(1)},${heightIn(band, value).toFixed(1)}`,
  );
  return makeSvg("polyline", { class: kind, points: places.join(" ") });
}

/** @param {TimeAxis} axis @param {Band} band */
export const ground = ({ left, right }, { top, height }) =>
  makeSvg("rect", { class: "ground", x: left, y: top, width: right - left, height });

/** @param {TimeAxis} axis @param {Band} band @param {number} value @param {string} kind */
export function level({ left, right }, band, value, kind) {
  const y = heightIn(band, value).toFixed(1);
  return makeSvg("line", { class: kind, x1: left, x2: right, y1: y, y2: y });
}

/**
 * @param {string} text @param {string} kind @param {number} x
 * @param {number} y @param {string} anchor
 */
export const words = (text, kind, x, y, anchor) =>
  makeSvg("text", { class: kind, x, y, "text-anchor": anchor }, text);

/**
 * Which way a curve goes: an upright arrow.
 * @param {number} x @param {number} from @param {number} to its tip, CSS px from the top
 * @param {Name} name
 */
export function arrow(x, from, to, name) {
  const back = to + Math.sign(from - to) * HEAD;
  const tip = `${x - HEAD / 2},${back} ${x},${to} ${x + HEAD / 2},${back}`;
  return [
    makeSvg("line", { class: `arrow ${name}`, x1: x, x2: x, y1: from, y2: to }),
    makeSvg("polyline", { class: `arrow ${name}`, points: tip }),
  ];
}

/**
 * The numbers at the side of a band.
 * @param {TimeAxis} axis @param {Band} band @param {"left" | "right"} side
 * @param {(value: number) => string} text
 */
export function scale({ left, right }, band, side, text) {
  const [x, anchor] = side === "left" ? [left - 6, "end"] : [right + 6, "start"];
  return levels(band.highest).map((value) =>
    words(text(value), `tick ${band.name}`, x, heightIn(band, value) + 4, anchor),
  );
}

/** @param {TimeAxis} axis @param {number} y its upper edge */
export function timeAxis(axis, y) {
  const nodes = [];
  for (const step of axis.ticks) {
    const x = axis.x(step);
    const anchor = step === 0 ? "start" : step === axis.steps ? "end" : "middle";
    nodes.push(makeSvg("line", { class: "stroke", x1: x, x2: x, y1: y, y2: y + 4 }));
    nodes.push(words(step === 0 ? "step 0" : counted(step), "tick", x, y + 15, anchor));
  }
  return nodes;
}

/**
 * Where the reader changed something: a line, and what it was where there is room for the words.
 * @param {TimeAxis} axis @param {Band} band @param {[step: number, said: string][]} marks
 */
export function marked(axis, band, marks) {
  let free = Number.NEGATIVE_INFINITY;
  return marks.flatMap(([step, said]) => {
    const x = axis.x(step);
    const bottom = band.top + band.height;
    /** @type {SVGElement[]} */
    const nodes = [makeSvg("line", { class: "mark", x1: x, x2: x, y1: band.top, y2: bottom })];
    const room = said.length * MARK_ROOM;
    const isBefore = x + room > axis.right;
    const start = isBefore ? x - room : x;
    if (start < free) return nodes;
    free = start + room;
    const anchor = isBefore ? "end" : "start";
    const aside = isBefore ? -4 : 4;
    nodes.push(words(said, "mark-words", x + aside, band.top + band.height / 2, anchor));
    return nodes;
  });
}
