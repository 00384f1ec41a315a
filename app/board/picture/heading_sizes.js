/** The sizes of headings: fonts, scales by the camera, and the width that they may take. */

import { textWidth } from "../paint/layout.js";
import { scales } from "./camera.js";
import { HEAD, partName, SUBLAYERS } from "./plan.js";

/**
 * @import {PartEntry} from "../data/types.js"
 * @import {Camera} from "./camera.js"
 * @import {Label} from "./plan.js"
 *
 * @typedef {{text: string, wide: number}} Wording `wide`: unscaled width, CSS px
 */

/** Size of letters and lines in CSS px, before scaling. */
export const BASE = 13;
export const LINE = 20;
export const LEGIBLE = 11.5; // CSS px of the smallest letters
export const QUIET = 13; // the same while weights and symbols are left out
/** The same for kinds that have their own. @type {Partial<Record<Label["kind"], number>>} */
const LEAST = { vector: 13, formula: 13, words: LEGIBLE, add: 6 }; // the canvas has the sign ⊕
/** Sizes relative to that of titles. @type {Partial<Record<Label["kind"], number>>} */
const SIZES = { symbol: 0.86, words: 0.94, strip: 0.94, step: 0.9 };
/** Fonts without family, if unusual. @type {Partial<Record<Label["kind"], string>>} */
const FONTS = { part: "600 13px", stack: "680 13px" };
const SPACED = 0.78; // CSS px of letter spacing in the name of a stack
const PADDED = 6; // CSS px of padding of a title
const TIGHT = 1.03; // largest size of letters, as a share of the height of their line
const STRETCH = 1.12; // largest horizontal stretch of the picture that letters follow
/** The share of its room that a label may take. @type {Partial<Record<Label["kind"], number>>} */
const BETWEEN = { formula: 0.92, words: 0.98 };
export const WIDER = 1.3; // largest width of a label, relative to its room
export const LEAST_ROOM = 6; // CSS px; a smaller part or matrix has no label
/** The last form of titles with an arrow, and the last with a title for each part. */
export const LONG = 1;
export const OWN = 2;
/** Short names of parts, if there is no room for the title. */
const SHORT = {
  input: "embed",
  attention: "attn",
  cross: "cross-attn",
  feed_forward: "FFN",
  norm: "norm",
  output: "next",
};

/** Whether a label is a button beside a title. @param {Label["kind"]} kind */
export const isButton = (kind) => kind === "close" || kind === "read";

/**
 * The unscaled width of a text in CSS px.
 * @param {Label["kind"]} kind @param {string} text @param {string} family of its font
 */
export function widthOf(kind, text, family) {
  const font = `${FONTS[kind] ?? "13px"} ${family}`;
  if (kind !== "stack") return textWidth(text, font);
  return textWidth(text.toUpperCase(), font) + SPACED * text.length;
}

/**
 * The wordings of a part's title, from full to short, with the number of its layer. Where the parts
 * of a layer have no room each, one of them has the name of the layer: the first one, or the one
 * between the links of two layers. At last, the first part of all has the name of all layers.
 * @param {string} title @param {PartEntry} part
 * @param {{layers: number, crosses: boolean}} of its stack, which other words may cross
 * @param {string} family @returns {(Wording | null)[]} null: the part has no title of this form
 */
export function wordingsOf(title, { kind, layer, stack, unfolds }, { layers, crosses }, family) {
  const brief = kind === "output" && stack === "encoder" ? "word" : SHORT[kind];
  const wordingOf = (/** @type {string} */ text, arrow = "") => ({
    ...{ text, wide: widthOf("part", text + arrow, family) + PADDED },
  });
  const short = partName({ title: brief, layer });
  const wordings = [title, title.replace("attention", "attn"), short].map((text, k) =>
    wordingOf(text, unfolds && k <= LONG ? " ▸" : ""),
  );
  if (layer === null || !SUBLAYERS.includes(kind)) return wordings;
  const names = { [crosses ? "feed_forward" : "attention"]: "layer", cross: "cross" };
  /** @type {Partial<Record<PartEntry["kind"], string>>} */
  const all = layer > 1 ? {} : { attention: `${layers} layers`, cross: brief };
  const named = [names[kind] && `${names[kind]} ${layer}`, all[kind]];
  return [...wordings, ...named.map((text) => (text ? wordingOf(text) : null))];
}

/**
 * The scale of a label's letters.
 * @param {Label} label @param {number} wide unscaled width, CSS px @param {Camera} camera
 * @param {number} legible CSS px of the smallest letters
 */
export function scaleOf({ kind, room }, wide, camera, legible) {
  const { zoom, wide: stretch } = camera;
  // The vertical scale limits the height of lines above each other.
  const unit = (zoom / stretch) * Math.min(stretch, STRETCH);
  const line = HEAD.words * scales(camera).down * TIGHT;
  const size = Math.max(legible, Math.min(16, 15.7 * unit ** 0.45, line)) / BASE;
  if (kind === "stack") return Math.min(1, size);
  const inside = (room * (BETWEEN[kind] ?? 1) * zoom) / wide;
  if (kind === "add") return Math.min(size, inside);
  const wanted = Math.max(size * (SIZES[kind] ?? 1), legible / BASE);
  // A label may be wider than its room: it is placed only if its neighbors leave space.
  const least = Math.min(LEAST[kind] ?? legible, legible) / BASE;
  return Math.max(least, Math.min(wanted, inside));
}

/**
 * Whether a label is large enough to read and fits its room.
 * @param {Label["kind"]} kind @param {number} scale @param {number} room CSS px
 * @param {number} wide unscaled width, CSS px @param {number} legible CSS px of smallest letters
 */
export function isShown(kind, scale, room, wide, legible) {
  if (isButton(kind)) return true;
  const isLarge = scale * BASE >= (LEAST[kind] ?? legible) - 0.01;
  return isLarge && room >= LEAST_ROOM && wide * scale <= WIDER * room;
}
