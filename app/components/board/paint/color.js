/**
 * Colors of cells. All come from the page's custom properties, so the page keeps them in one place; here they become
 * a table of 2 · STEPS + 1 ready strings, since mixing a color for each cell of each frame would cost more than drawing it.
 */

export const STEPS = 160; // more shades than an eye tells apart
const NO_SHADE = 2 * STEPS + 1; // −∞ and NaN stand on a gray ground

/** sin(π/2 · √(|v|/m)): steep near 0, so that small values show, flat near the end. */
export function intensity(v, maximum) {
  const share = Math.abs(v) / maximum;
  return share >= 1 ? 1 : Math.sin((Math.PI / 2) * Math.sqrt(share));
}

// sin and sqrt of a thousand cells a frame are worth a table, too: intensity as a function of |v|/m in 4096 steps,
// denser near 0 (the index is √share).
const SHADES = Uint16Array.from({ length: 4097 }, (_, k) =>
  Math.round(STEPS * Math.sin(((Math.PI / 2) * k) / 4096)),
);

/** @returns {number} index of the shade of v: 0 … 2 · STEPS, or NO_SHADE */
export function shade(v, maximum) {
  const share = Math.abs(v) / maximum;
  if (!(share < 1)) {
    if (v !== v || v === -Infinity) return NO_SHADE;
    return maximum > 0 && v !== 0 ? (v < 0 ? 0 : 2 * STEPS) : STEPS;
  }
  const s = SHADES[(Math.sqrt(share) * 4096) | 0];
  return v < 0 ? STEPS - s : STEPS + s;
}

const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

/** Any CSS color as [r, g, b]. @param {string} css */
function rgb(css) {
  probe.clearRect(0, 0, 1, 1);
  probe.fillStyle = "#888";
  probe.fillStyle = css;
  probe.fillRect(0, 0, 1, 1);
  return [...probe.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}

export const mix = (a, b, t) => a.map((x, k) => x + (b[k] - x) * t);
const cssColor = (c) => `rgb(${c.map(Math.round).join(",")})`;

function luminance(c) {
  const [r, g, b] = c.map((x) =>
    (x /= 255) <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
  const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
}

/** Everything the canvases need of the page's theme, read once and again when it changes. */
export class Theme {
  /** @param {Element} el any element of the board */
  constructor(el) {
    const style = getComputedStyle(el);
    const read = (name, otherwise) => style.getPropertyValue(name).trim() || otherwise;
    this.fontText = read("--font-text", "system-ui, sans-serif");
    this.fontNumber = read("--font-number", "ui-monospace, monospace");
    this.ink = read("--ink", "#1f222b");
    this.muted = read("--muted", "#5f6470");
    this.card = read("--card", "#fff");
    this.line = read("--line", "#ddd");
    this.hatch = read("--hatch", "#888");
    this.accent = read("--accent", "#c2127f");
    this.operand = read("--operand", "#e39a00");
    this.attention = read("--role-attention", "#7a3db4");
    /** @type {string[]} one color a head, as CSS and as [r, g, b]; they begin again after the eighth */
    this.heads = Array.from({ length: 8 }, (_, k) => read(`--head-${k + 1}`, this.attention));
    this.headRgb = this.heads.map(rgb);
    this.zeroRgb = rgb(read("--zero", "#f7f7f4"));
    this.inks = [read("--cell-ink", "#000"), read("--cell-ink-inverse", "#fff")];
    const zero = rgb(read("--zero", "#f7f7f4"));
    const ends = [rgb(read("--negative", "#d5182b")), rgb(read("--positive", "#1536e0"))];
    const inks = this.inks.map(rgb),
      edge = rgb(this.ink);
    const shades = Array.from({ length: 2 * STEPS + 1 }, (_, k) =>
      mix(zero, ends[k < STEPS ? 0 : 1], Math.abs(k - STEPS) / STEPS),
    );
    shades.push(mix(zero, rgb(this.muted), 0.3));
    /** @type {string[]} by shade: the ground of a cell, the line under an editable one, which ink reads better */
    this.ground = shades.map(cssColor);
    this.edge = shades.map((c) => cssColor(mix(c, edge, 0.36)));
    this.inkOf = shades.map((c) => (contrast(c, inks[0]) >= contrast(c, inks[1]) ? 0 : 1));
    /** The same as pixels of an ImageData, for pictures. */
    this.pixels = Uint32Array.from(shades, (c) => {
      const [r, g, b] = c.map(Math.round);
      return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
    });
  }
}
