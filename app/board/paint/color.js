/**
 * The colors of cells, read from the page's custom properties. A table of CSS strings is
 * precomputed, because to mix a color for each cell would take longer than to draw the cell.
 */

import { intensity } from "../../components/shared/color_scale.js";
import { make } from "../../components/shared/dom.js";
import { MASKED } from "../data/flags.js";
import { contextOf } from "./near_canvas.js";

/** @typedef {[red: number, green: number, blue: number]} Rgb 0 … 255 */

export const STEPS = 160; // more shades than the eye can distinguish
const NO_SHADE = 2 * STEPS + 1; // masked cells, −∞ and NaN have a gray ground
const SHARES = NO_SHADE + 1; // from here, the shades of shares, 0 to 1
/** The strength of gray links that are not in focus, 0 … 1. */
const GRAY = { few: 0.75, many: 0.4 };
/** The least strength of a cell with digits, which keep a contrast of 4.5 : 1 in all shades. */
export const READABLE = 0.8;
const READS = 4.5; // least contrast of readable digits
export const HEAD_COLORS = 8; // from the ninth head on, colors repeat

// A table of intensity by |v|/m in 4096 steps, denser near 0 (the index is √share): to compute the
// intensity of a thousand cells in each frame would be slow.
const SHADES = Uint16Array.from({ length: 4097 }, (_, k) =>
  Math.round(STEPS * intensity((k / 4096) ** 2, 1)),
);

/**
 * @param {number} v @param {number} maximum
 * @returns {number} index of the shade of v: 0 … 2 · STEPS, or NO_SHADE
 */
function shade(v, maximum) {
  const share = Math.abs(v) / maximum;
  if (!(share < 1)) {
    if (Number.isNaN(v) || v === -Infinity) return NO_SHADE;
    return maximum > 0 && v !== 0 ? (v < 0 ? 0 : 2 * STEPS) : STEPS;
  }
  const s = SHADES[(Math.sqrt(share) * 4096) | 0];
  return v < 0 ? STEPS - s : STEPS + s;
}

/**
 * The shade of a cell on its matrix's scale.
 * @param {{maximum: number, isShare: boolean}} matrix as set by `Matrix.rescale`
 * @param {number} v @param {number} [mark] flags of the cell
 * @returns {number} index into the tables of `Theme`
 */
export function shadeOf({ maximum, isShare }, v, mark = 0) {
  if (mark & MASKED) return NO_SHADE;
  // The user can set a share to a negative number, which has the color of its sign.
  if (!isShare || !(v >= 0)) return shade(v, maximum);
  if (v >= maximum) return maximum > 0 ? SHARES + STEPS : SHARES;
  return SHARES + Math.round((v / maximum) * STEPS);
}

/** @type {CanvasRenderingContext2D | null} */
let probe = null;

/** Converts any CSS color to numbers. @param {string} css @returns {Rgb} */
function rgb(css) {
  probe ??= contextOf(make("canvas"), { willReadFrequently: true });
  probe.clearRect(0, 0, 1, 1);
  probe.fillStyle = "#888";
  probe.fillStyle = css;
  probe.fillRect(0, 0, 1, 1);
  const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

/**
 * @param {Rgb} a @param {Rgb} b @param {number} t fraction of the way from a to b @returns {Rgb}
 */
export const mix = (a, b, t) => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
];

/** @param {Rgb} color */
const cssColor = (color) => `rgb(${color.map(Math.round).join(",")})`;

/** Encodes a color as one pixel of an ImageData. @param {Rgb} color */
export function pixel(color) {
  const [red, green, blue] = color.map(Math.round);
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** @param {Rgb} color */
function luminance(color) {
  const [red, green, blue] = color.map((x) =>
    x / 255 <= 0.03928 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @param {Rgb} a @param {Rgb} b */
function contrast(a, b) {
  const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
}

/** All colors and fonts for the canvases; a change of the page's theme creates a new object. */
export class Theme {
  /** @param {Element} el any element of the board */
  constructor(el) {
    const style = getComputedStyle(el);
    /** @param {string} name @param {string} otherwise */
    const read = (name, otherwise) => style.getPropertyValue(name).trim() || otherwise;
    this.fontText = read("--font-text", "system-ui, sans-serif");
    this.fontNumber = read("--font-number", "ui-monospace, monospace");
    this.ink = read("--ink", "#1f222b");
    this.muted = read("--muted", "#5f6470");
    this.hatch = read("--hatch", "#888");
    this.paper = read("--paper", "#fcfcfa");
    this.line = read("--line", "#deded8");
    this.lineStrong = read("--line-strong", "#8b909c");
    this.blockAttention = read("--block-attention", "#efe7f8");
    this.blockFeedForward = read("--block-feed-forward", "#e4f0f6");
    this.accent = read("--accent", "#c2127f");
    this.operand = read("--operand", "#e39a00");
    this.attention = read("--role-attention", "#7a3db4");
    /** The color of each head, as CSS and as numbers. */
    this.heads = Array.from({ length: HEAD_COLORS }, (_, k) =>
      read(`--head-${k + 1}`, this.attention),
    );
    this.headRgb = this.heads.map(rgb);
    /** Shades from the color of 0 to each head's color, as pixels; filled when first used. */
    this.headShades = /** @type {Uint32Array[]} */ ([]);
    this.zeroRgb = rgb(read("--zero", "#f7f7f4"));
    this.inks = [read("--cell-ink", "#000"), read("--cell-ink-inverse", "#fff"), this.muted];
    this.negative = read("--negative", "#d5182b");
    this.positive = read("--positive", "#1536e0");
    const [negative, positive] = [rgb(this.negative), rgb(this.positive)];
    const edge = rgb(this.ink);
    this.fading = Number(read("--fading", "1"));
    /** @param {Rgb} end of the scale @param {number} step 0 … STEPS */
    const towards = (end, step) => mix(this.zeroRgb, end, this.shareOf(step / STEPS));
    const shades = Array.from({ length: 2 * STEPS + 1 }, (_, k) =>
      towards(k < STEPS ? negative : positive, Math.abs(k - STEPS)),
    );
    shades.push(mix(this.zeroRgb, rgb(this.muted), 0.3));
    const share = rgb(read("--share", "#6a1fb0"));
    for (let k = 0; k <= STEPS; k++) shades.push(towards(share, k));
    /** By shade: the cell's ground, and the line under an editable cell. */
    this.ground = shades.map(cssColor);
    this.edge = shades.map((c) => cssColor(mix(c, edge, 0.36)));
    /** The shades as pixels, for heatmaps. */
    this.pixels = Uint32Array.from(shades, pixel);
    this.shades = shades;
    this.inksOf = /** @type {Map<number, number[]>} */ (new Map());
    this.paperPixel = pixel(rgb(this.paper));
    this.gray = /** @type {Map<boolean, Theme>} */ (new Map());
  }

  /**
   * The same theme with gray links for all heads, lighter if many links overlap.
   * @param {boolean} isMany @returns {Theme}
   */
  withGrayLinks(isMany) {
    const known = this.gray.get(isMany);
    if (known) return known;
    const share = this.shareOf(isMany ? GRAY.many : GRAY.few);
    const light = mix(rgb(this.paper), rgb(this.lineStrong), share);
    const heads = this.heads.map(() => cssColor(light));
    const headRgb = this.heads.map(() => light);
    const made = Object.assign(Object.create(this), { heads, headRgb });
    this.gray.set(isMany, made);
    return made;
  }

  /** The share of a color in its mix with the background. @param {number} strength 0 … 1 */
  shareOf(strength) {
    return this.fading === 1 ? strength : strength ** this.fading;
  }

  /** The opacity of the paper color that fades a cell. @param {number} strength 0 … 1 */
  coverOf(strength) {
    return 1 - this.shareOf(strength);
  }

  /**
   * Returns, by shade, the index of the more readable ink on a cell of this strength. The ink of
   * numbers that round to 0 is gray, where gray is readable.
   * @param {number} strength 0 … 1 @param {boolean} isTiny whether the number rounds to 0
   */
  inksOver(strength, isTiny) {
    const key = 2 * Math.round(32 * strength) + Number(isTiny);
    const known = this.inksOf.get(key);
    if (known) return known;
    const paper = rgb(this.paper);
    const [one, other, gray] = this.inks.map(rgb);
    const cover = this.coverOf(strength);
    const found = this.shades.map((shade) => {
      const ground = mix(shade, paper, cover);
      if (isTiny && contrast(ground, gray) >= READS) return 2;
      return contrast(ground, one) >= contrast(ground, other) ? 0 : 1;
    });
    this.inksOf.set(key, found);
    return found;
  }

  /** @param {number} head */
  headColor(head) {
    return this.heads[head % HEAD_COLORS];
  }
}
