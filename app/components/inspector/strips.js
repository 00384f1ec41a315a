/** Draws a cell of a matrix product: the row, the column, and a bar for each product of the sum. */

import { nameTspans } from "../shared/cell_name.js";
import { cellColor } from "../shared/color_scale.js";
import { make, makeSvg, setAttribute, setText } from "../shared/dom.js";
import { bindKeys } from "../shared/keys.js";
import { narrowText, shortText } from "../shared/number_format.js";

/** @import {Strip, Strips as Given} from "./types.js" */

/** In units of the SVG, about CSS px. */
const WIDTH = 300;
const NAME = 15;
const CELL = 15;
const DIGITS = 18;
const BARS = 46;
/** The least width of a column that has digits. */
const LEGIBLE = 30;

export class StripDrawing {
  constructor() {
    this.given = /** @type {Given | null} */ (null);
    this.at = -1;
    this.lens = makeSvg("rect", { class: "strip-lens", y: 0 });
    this.svg = makeSvg("svg", { class: "strips", role: "img", tabindex: 0 });
    this.readout = make("p", { class: "small", role: "status" });
    this.node = make("div", { class: "strip-box" }, this.svg, this.readout);
    this.svg.addEventListener("pointermove", (event) => this.point(this.columnAt(event)));
    this.svg.addEventListener("pointerdown", (event) => this.point(this.columnAt(event)));
    this.svg.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse") this.point(-1); // a finger leaves with every tap
    });
    this.svg.addEventListener("blur", () => this.point(-1));
    const step = (/** @type {number} */ by) => () => this.step(by);
    bindKeys(this.svg, "On the products", [
      { keys: ["ArrowLeft"], does: "the product before", run: step(-1) },
      { keys: ["ArrowRight"], does: "the next product", run: step(1) },
    ]);
  }

  /** @param {Given | null} given @param {string} of the number's symbol */
  take(given, of) {
    this.given = given;
    this.node.hidden = !given;
    if (!given) return;
    const { row, column, labels, bias, rest } = given;
    const wide = WIDTH / labels.length;
    const hasDigits = wide >= LEGIBLE;
    const high = NAME + CELL + (hasDigits ? DIGITS : 4);
    this.svg.replaceChildren(
      ...strip(row, wide, 0, hasDigits),
      ...strip(column, wide, high, hasDigits),
      ...bars(productsOf(given), wide, 2 * high, hasDigits),
      this.lens,
    );
    const height = 2 * high + NAME + BARS + (hasDigits ? DIGITS : 0);
    this.svg.setAttribute("viewBox", `0 0 ${WIDTH} ${height}`);
    this.lens.setAttribute("width", String(wide));
    this.lens.setAttribute("height", String(height));
    const plus = [
      rest ? ` and ${rest[0]} smaller products, ${numberText(rest[1])}` : "",
      bias ? ` and ${bias[0]}, ${numberText(bias[1])}` : "",
    ];
    setAttribute(
      this.svg,
      "aria-label",
      `${of}: the sum of ${labels.length} products of ${row.name} and ${column.name}` +
        `${plus.join("")}. ` +
        "Arrow keys read them one by one.",
    );
    this.point(Math.min(this.at, labels.length - 1));
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

  /** Writes one product in full, or else the remaining terms of the sum. @param {number} k */
  point(k) {
    this.at = k;
    const { given } = this;
    this.lens.style.display = k < 0 ? "none" : "";
    if (!given) return;
    if (k < 0) {
      setText(this.readout, sumText(given));
      return;
    }
    this.lens.setAttribute("x", String((k * WIDTH) / given.labels.length));
    const [a, b] = [given.row.values[k], given.column.values[k]];
    const product = a === null || b === null ? null : a * b;
    setText(
      this.readout,
      `${given.labels[k]}: ${numberText(a)} · ${numberText(b)} = ${numberText(product)}`,
    );
  }
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
  makeSvg("text", { class: "strip-name", x: 0, y: y + 11 }, ...nameTspans(name));

/**
 * @param {Strip} strip @param {number} wide @param {number} y @param {boolean} hasDigits
 */
function strip({ name, values }, wide, y, hasDigits) {
  const gap = wide > 4 ? 1 : 0;
  const cells = values.map((v, k) => {
    const cell = makeSvg("rect", {
      x: k * wide,
      y: y + NAME,
      width: wide - gap,
      height: CELL - 1,
    });
    cell.style.fill = cellColor(v);
    return cell;
  });
  const digits = hasDigits
    ? values.map((v, k) =>
        numberAt(v === null ? "−∞" : narrowText(v), k, wide, y + NAME + CELL + 10),
      )
    : [];
  return [nameText(name, y), ...cells, ...digits];
}

/**
 * @param {number[]} products @param {number} wide @param {number} y @param {boolean} hasDigits
 */
function bars(products, wide, y, hasDigits) {
  const most = Math.max(...products.map(Math.abs)) || 1;
  const isBelow = products.some((p) => p < 0);
  const isAbove = products.some((p) => p > 0);
  const up = isAbove ? (isBelow ? BARS / 2 : BARS) : 0;
  const unit = (isAbove && isBelow ? BARS / 2 : BARS) / most;
  const base = y + NAME + up;
  const drawn = products.map((p, k) => {
    const height = Math.max(0.6, Math.abs(p) * unit);
    return makeSvg("rect", {
      class: p < 0 ? "strip-bar negative" : "strip-bar",
      x: k * wide + Math.max(0, (wide - 18) / 2),
      y: p < 0 ? base : base - height,
      width: Math.min(18, wide > 4 ? wide - 1 : wide),
      height,
    });
  });
  const axis = makeSvg("line", { class: "curve-axis", x1: 0, x2: WIDTH, y1: base, y2: base });
  const digits = hasDigits
    ? products.map((p, k) => numberAt(narrowText(p), k, wide, y + NAME + BARS + 11))
    : [];
  return [nameText("their products", y), axis, ...drawn, ...digits];
}

/** @param {string} text @param {number} k @param {number} wide @param {number} y */
const numberAt = (text, k, wide, y) =>
  makeSvg("text", { class: "strip-number", x: (k + 0.5) * wide, y, "text-anchor": "middle" }, text);
