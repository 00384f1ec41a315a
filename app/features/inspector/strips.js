/** Draws a cell of a matrix product: the row, the column, and a bar for each product of the sum. */

import { nameTspans } from "../../components/shared/cell_name.js";
import { cellColor } from "../../components/shared/color_scale.js";
import { bindKeys } from "../../components/shared/keys.js";
import { html, nothing, svg } from "../../components/shared/lit-html.js";
import { narrowText, shortText } from "../../components/shared/number_format.js";
import { FromTemplate } from "../../components/shared/template.js";

/** @import {Strip, Strips as Given} from "./types.js" */

/** Sizes in units of the SVG, which are about CSS px. */
const WIDTH = 300;
const NAME = 15;
const CELL = 15;
const DIGITS = 18;
const BARS = 46;
/** The least width of a column that has digits. */
const LEGIBLE = 30;

export class StripDrawing extends FromTemplate {
  constructor() {
    super();
    this.given = /** @type {Given | null} */ (null);
    this.of = "";
    this.at = -1;
    this.svg = /** @type {SVGElement} */ (this.node.firstElementChild);
    const step = (/** @type {number} */ by) => () => this.step(by);
    bindKeys(this.svg, "On the products", [
      { keys: ["ArrowLeft"], does: "the product before", run: step(-1) },
      { keys: ["ArrowRight"], does: "the next product", run: step(1) },
    ]);
  }

  template() {
    const { given } = this;
    const point = (/** @type {PointerEvent} */ event) => this.point(this.columnAt(event));
    const leave = (/** @type {PointerEvent} */ { pointerType }) => {
      if (pointerType === "mouse") this.point(-1); // a touch pointer leaves with every tap
    };
    const hasDigits = given !== null && WIDTH / given.labels.length >= LEGIBLE;
    const high = NAME + CELL + (hasDigits ? DIGITS : 4);
    const height = 2 * high + NAME + BARS + (hasDigits ? DIGITS : 0);
    return html`<div class="strip-box" ?hidden=${!given}><svg class="strips" role="img" tabindex="0"
      viewBox="0 0 ${WIDTH} ${height}" aria-label=${given ? labelOf(given, this.of) : nothing}
      @pointermove=${point} @pointerdown=${point} @pointerleave=${leave}
      @blur=${() => this.point(-1)}>${
        given ? this.picture(given, hasDigits, high, height) : nothing
      }</svg><p class="small" role="status">${given ? this.reading(given) : ""}</p></div>`;
  }

  /** @param {Given} given @param {boolean} hasDigits @param {number} high @param {number} height */
  picture(given, hasDigits, high, height) {
    const wide = WIDTH / given.labels.length;
    return svg`${strip(given.row, wide, 0, hasDigits)}${strip(given.column, wide, high, hasDigits)}
      ${bars(productsOf(given), wide, 2 * high, hasDigits)}${
        this.at < 0
          ? nothing
          : svg`<rect class="strip-lens" x=${this.at * wide} y="0" width=${wide}
              height=${height}></rect>`
      }`;
  }

  /** @param {Given | null} given @param {string} of the number's symbol */
  take(given, of) {
    this.given = given;
    this.of = of;
    this.point(Math.min(this.at, (given?.labels.length ?? 0) - 1));
  }

  /** @param {MouseEvent} event */
  columnAt(event) {
    const box = this.svg.getBoundingClientRect();
    const count = this.given?.labels.length ?? 0;
    return Math.min(count - 1, Math.floor(((event.clientX - box.left) / box.width) * count));
  }

  /** @param {number} by */
  step(by) {
    const last = (this.given?.labels.length ?? 0) - 1;
    this.point(Math.max(0, Math.min(last, this.at + by)));
  }

  /** Marks a product. @param {number} k −1 for none */
  point(k) {
    this.at = k;
    this.draw();
  }

  /** Returns the marked product in full, or else the terms of the sum. @param {Given} given */
  reading(given) {
    const { at } = this;
    if (at < 0) return sumText(given);
    const [a, b] = [given.row.values[at], given.column.values[at]];
    const product = a === null || b === null ? null : a * b;
    return `${given.labels[at]}: ${numberText(a)} · ${numberText(b)} = ${numberText(product)}`;
  }
}

/** @param {Given} given @param {string} of */
function labelOf({ row, column, labels, bias, rest }, of) {
  const plus = [
    rest ? ` and ${rest[0]} smaller products, ${numberText(rest[1])}` : "",
    bias ? ` and ${bias[0]}, ${numberText(bias[1])}` : "",
  ];
  const products = `${labels.length} products of ${row.name} and ${column.name}`;
  return `${of}: the sum of ${products}${plus.join("")}. Arrow keys read them one by one.`;
}

/** @param {Given} given */
const productsOf = ({ row, column }) =>
  row.values.map((a, k) => {
    const b = column.values[k];
    return a === null || b === null ? 0 : a * b;
  });

/** @param {Given} given */
function sumText(given) {
  if (!given.rest && !given.bias) return "Press a product to read it.";
  const sum = productsOf(given).reduce((a, b) => a + b, 0);
  const parts = [`products: ${numberText(sum)}`];
  if (given.rest) parts.push(`${given.rest[0]} smaller ones: ${numberText(given.rest[1])}`);
  if (given.bias) parts.push(`${given.bias[0]}: ${numberText(given.bias[1])}`);
  return parts.join(" + ");
}

/** @param {number | null} v */
const numberText = (v) => (v === null ? "−∞" : shortText(v));

/** @param {string} name @param {number} y */
const nameText = (name, y) =>
  svg`<text class="strip-name" x="0" y=${y + 11}>${nameTspans(name)}</text>`;

/** @param {Strip} strip @param {number} wide @param {number} y @param {boolean} hasDigits */
function strip({ name, values }, wide, y, hasDigits) {
  const gap = wide > 4 ? 1 : 0;
  const cells = values.map(
    (v, k) => svg`<rect style="fill: ${cellColor(v)}" x=${k * wide} y=${y + NAME}
      width=${wide - gap} height=${CELL - 1}></rect>`,
  );
  const digits = values.map((v, k) =>
    numberAt(v === null ? "−∞" : narrowText(v), k, wide, y + NAME + CELL + 10),
  );
  return [nameText(name, y), cells, hasDigits ? digits : nothing];
}

/** @param {number[]} products @param {number} wide @param {number} y @param {boolean} hasDigits */
function bars(products, wide, y, hasDigits) {
  const most = Math.max(...products.map(Math.abs)) || 1;
  const isBelow = products.some((p) => p < 0);
  const isAbove = products.some((p) => p > 0);
  const up = isAbove ? (isBelow ? BARS / 2 : BARS) : 0;
  const unit = (isAbove && isBelow ? BARS / 2 : BARS) / most;
  const base = y + NAME + up;
  const drawn = products.map((p, k) => {
    const height = Math.max(0.6, Math.abs(p) * unit);
    return svg`<rect class=${p < 0 ? "strip-bar negative" : "strip-bar"}
      x=${k * wide + Math.max(0, (wide - 18) / 2)} y=${p < 0 ? base : base - height}
      width=${Math.min(18, wide > 4 ? wide - 1 : wide)} height=${height}></rect>`;
  });
  const axis = svg`<line class="curve-axis" x1="0" x2=${WIDTH} y1=${base} y2=${base}></line>`;
  const digits = products.map((p, k) => numberAt(narrowText(p), k, wide, y + NAME + BARS + 11));
  return [nameText("their products", y), axis, drawn, hasDigits ? digits : nothing];
}

/** @param {string} text @param {number} k @param {number} wide @param {number} y */
const numberAt = (text, k, wide, y) => svg`<text class="strip-number" x=${(k + 0.5) * wide} y=${y}
  text-anchor="middle">${text}</text>`;
