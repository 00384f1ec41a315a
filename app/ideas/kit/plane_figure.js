/**
 * Draws a plane with equal scales on both axes as SVG, and converts between plane coordinates and
 * pixels. The caller provides the templates of the contents.
 */

import { html, nothing, svg } from "../../components/shared/lit-html.js";
import { decimalText } from "../../components/shared/number_format.js";
import { drawn } from "../../components/shared/template.js";

/** @typedef {[x: number, y: number]} Point across and up */

const TALLEST = 620; // CSS px
const FLATTEST = 0.9; // the largest height, relative to the width
const LEAST = 300; // CSS px, the least height
const LEAST_OVER_CURVES = 210;
const BELOW = 24; // CSS px of the window kept free below the figure
const MARGIN = { left: 38, right: 16, top: 14, bottom: 34 }; // CSS px around the plane
const ROOM = 0.09; // the margin on each side, relative to the extent of the fitted points
const TICKS = 6; // approximate number of ticks across

export class PlaneFigure {
  /**
   * @param {string} label @param {() => void} onResize
   * @param {() => unknown} layers the templates of the contents, drawn once the plane has a size
   */
  constructor(label, onResize, layers) {
    this.size = { width: 0, height: 0 };
    /** The center of the plane, and CSS px per unit. */
    this.center = /** @type {Point} */ ([0, 0]);
    this.scale = 100;
    this.names = /** @type {readonly string[]} */ (["", ""]); // of the axes
    const { node, show } = drawn(() => {
      const { width, height } = this.size;
      return html`<div class="plane-box"><svg class="plane" role="group" aria-label=${label}
        viewBox="0 0 ${width} ${height}" height=${height}>${
          width ? [svg`<g class="grid" aria-hidden="true">${this.grid()}</g>`, layers()] : nothing
        }</svg></div>`;
    });
    this.node = node;
    this.show = show;
    this.svg = /** @type {SVGSVGElement} */ (node.firstElementChild);
    const observer = new ResizeObserver(() => {
      if (this.measure()) onResize();
    });
    // The available space also depends on the elements above and below the figure.
    for (const each of [this.node, ...document.querySelectorAll(".frame, #curves")])
      observer.observe(each);
  }

  /** Adapts to the available space. @returns {boolean} whether the size has changed */
  measure() {
    const { width, top } = this.node.getBoundingClientRect();
    if (!width) return false;
    // In Train, the curves of the run are below the figure.
    const curves = document.getElementById("curves")?.offsetHeight ?? 0;
    // The figure should be fully visible if the window is tall enough.
    const free = innerHeight - top - scrollY - BELOW - curves;
    const height = Math.max(
      curves ? LEAST_OVER_CURVES : LEAST,
      Math.min(TALLEST, width * FLATTEST, free),
    );
    const size = { width: Math.round(width), height: Math.round(height) };
    if (size.width === this.size.width && size.height === this.size.height) return false;
    this.size = size;
    return true;
  }

  /** The space for the plane in CSS px. */
  get room() {
    const { width, height } = this.size;
    return {
      width: Math.max(1, width - MARGIN.left - MARGIN.right),
      height: Math.max(1, height - MARGIN.top - MARGIN.bottom),
    };
  }

  /** Scales the plane so that all these points are visible. @param {Point[]} points */
  fit(points) {
    if (!points.length || !this.size.width) return;
    const [[left, right], [low, high]] = [0, 1].map((k) => {
      const all = points.map((point) => point[k]);
      return [Math.min(...all), Math.max(...all)];
    });
    const { width, height } = this.room;
    const span = Math.max((right - left) / width, (high - low) / height, 1e-6 / width);
    this.scale = (1 - 2 * ROOM) / span;
    this.center = /** @type {Point} */ ([(left + right) / 2, (low + high) / 2]);
  }

  /** Returns whether a point is visible. @param {Point} point */
  shows(point) {
    const [x, y] = this.toPixels(point);
    const { width, height } = this.size;
    return (
      x >= MARGIN.left &&
      x <= width - MARGIN.right &&
      y >= MARGIN.top &&
      y <= height - MARGIN.bottom
    );
  }

  /** @param {Point} point @returns {Point} CSS px from the upper left corner */
  toPixels([x, y]) {
    const { width, height } = this.room;
    return [
      MARGIN.left + width / 2 + (x - this.center[0]) * this.scale,
      MARGIN.top + height / 2 - (y - this.center[1]) * this.scale,
    ];
  }

  /** @param {Point} pixels @returns {Point} */
  toPlane([x, y]) {
    const { width, height } = this.room;
    return [
      this.center[0] + (x - MARGIN.left - width / 2) / this.scale,
      this.center[1] - (y - MARGIN.top - height / 2) / this.scale,
    ];
  }

  /** Returns a pointer's position in the plane. @param {PointerEvent} event @returns {Point} */
  pointAt(event) {
    const box = this.svg.getBoundingClientRect();
    return this.toPlane([event.clientX - box.left, event.clientY - box.top]);
  }

  /** Returns the grid lines, their numbers, and the names of the axes. */
  grid() {
    const { names } = this;
    const { width, height } = this.size;
    const step = roundStep(this.room.width / this.scale / TICKS);
    const [left, top] = this.toPlane([MARGIN.left, MARGIN.top]);
    const [right, bottom] = this.toPlane([width - MARGIN.right, height - MARGIN.bottom]);
    const [bottomEdge, rightEdge] = [height - MARGIN.bottom, width - MARGIN.right];
    const nodes = [];
    for (const at of multiples(step, left, right)) {
      const [x] = this.toPixels([at, 0]);
      nodes.push(line(x, MARGIN.top, x, bottomEdge, at));
      nodes.push(text(tick(at, step), x, bottomEdge + 14, "middle"));
    }
    for (const at of multiples(step, bottom, top)) {
      const [, y] = this.toPixels([0, at]);
      nodes.push(line(MARGIN.left, y, rightEdge, y, at));
      nodes.push(text(tick(at, step), MARGIN.left - 5, y + 4, "end"));
    }
    if (names[0]) nodes.push(text(`${names[0]} →`, rightEdge, height - 4, "end", "axis"));
    if (names[1])
      nodes.push(text(`↑ ${names[1]}`, MARGIN.left + 4, MARGIN.top + 6, "start", "axis"));
    return nodes;
  }
}

/** @param {number} least @returns {number} the smallest of …, 1, 2, 5, 10, … not below `least` */
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((each) => each * power >= least) ?? 10);
}

/** @param {number} step @param {number} from @param {number} to @returns {number[]} */
function multiples(step, from, to) {
  const first = Math.ceil(from / step);
  const count = Math.max(0, Math.floor(to / step) - first + 1);
  return Array.from({ length: count }, (_, k) => (first + k) * step);
}

/** @param {number} at @param {number} step */
const tick = (at, step) =>
  decimalText(Math.round(at / step) * step === 0 ? 0 : Number(at.toPrecision(6)));

/**
 * @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {number} at
 */
const line = (x1, y1, x2, y2, at) =>
  svg`<line x1=${x1} y1=${y1} x2=${x2} y2=${y2}
    class=${Math.abs(at) < 1e-12 ? "zero" : nothing}></line>`;

/**
 * @param {string} label @param {number} x @param {number} y @param {string} anchor
 * @param {string} [className]
 */
const text = (label, x, y, anchor, className) =>
  svg`<text x=${x} y=${y} text-anchor=${anchor} class=${className ?? nothing}>${label}</text>`;
