/** Places the labels of points without overlaps; some labels may be left out. */

/**
 * @import {PlaneFigure, Point} from "./plane_figure.js"
 *
 * @typedef {object} Labeled
 * @property {Point} at @property {number} rank highest first; ranks ≥ 2 are always placed
 * @property {Point} [away] the direction from the point that suits its label best
 *
 * @typedef {{left: number, right: number, top: number, bottom: number}} Box
 */

const HEIGHT = 15; // CSS px
const AWAY = 8; // CSS px from the point to a label at one of its four sides
const DOT = 5; // CSS px, the radius
const LINE_STEP = 6; // CSS px between the boxes along a line
const SIDE = 6; // CSS px from the point to a diagonal label, horizontally and vertically
const LAST = Number.NEGATIVE_INFINITY; // the rank of the diagonal places

export class LabelPlaces {
  /** @param {PlaneFigure} figure */
  constructor(figure) {
    this.figure = figure;
    /** The width of each label in CSS px, by its text. @type {Map<string, number>} */
    this.widths = new Map();
  }

  /**
   * @param {Labeled[]} labels
   * @param {string} texts a selector of the text elements in the figure, each in a group at its
   *   point
   * @param {[Point, Point][]} [lines] lines that labels must not cover
   */
  place(labels, texts, lines = []) {
    /** @type {NodeListOf<SVGTextElement>} */
    const found = this.figure.svg.querySelectorAll(texts);
    const dots = labels.map(({ at }) => {
      const [x, y] = this.figure.toPixels(at);
      return { left: x - DOT, right: x + DOT, top: y - DOT, bottom: y + DOT };
    });
    /** @type {Box[]} */
    const taken = [];
    const struck = lines.flatMap(([from, to]) => this.along(from, to));
    const order = labels.map((_, k) => k).sort((a, b) => labels[b].rank - labels[a].rank);
    for (const k of order) {
      const { at, rank, away } = labels[k];
      const text = found[k];
      const width = this.width(text);
      if (!width) continue;
      const places = around(this.figure.toPixels(at), width, away ?? [0, 0]);
      const free = places.find(
        ({ box }) =>
          this.holds(box) &&
          !struck.some((other) => meet(box, other)) &&
          !taken.some((other) => meet(box, other)) &&
          !dots.some((dot, j) => j !== k && meet(box, dot)),
      );
      const chosen = free ?? (rank >= 2 ? places[0] : null);
      text.classList.toggle("crowded", !chosen);
      const { x, y, anchor, box } = chosen ?? places[0];
      text.setAttribute("x", String(x));
      text.setAttribute("y", String(y));
      text.setAttribute("text-anchor", anchor);
      if (chosen) taken.push(box);
    }
  }

  /** Returns small boxes along a line. @param {Point} from @param {Point} to @returns {Box[]} */
  along(from, to) {
    const [[x1, y1], [x2, y2]] = [this.figure.toPixels(from), this.figure.toPixels(to)];
    const count = Math.max(1, Math.ceil(Math.hypot(x2 - x1, y2 - y1) / LINE_STEP));
    return Array.from({ length: count }, (_, k) => {
      const [x, y] = [x1 + (k * (x2 - x1)) / count, y1 + (k * (y2 - y1)) / count];
      return { left: x - 1, right: x + 1, top: y - 1, bottom: y + 1 };
    });
  }

  /** @param {Box} box */
  holds({ left, right, top, bottom }) {
    const { width, height } = this.figure.size;
    return left >= 0 && right <= width && top >= 0 && bottom <= height;
  }

  /** @param {SVGTextElement} text */
  width(text) {
    const said = text.textContent ?? "";
    let width = said ? this.widths.get(said) : 0;
    if (width === undefined) {
      width = text.getComputedTextLength();
      if (width) this.widths.set(said, width);
    }
    return width;
  }
}

/**
 * Returns the positions of a label around a point, best first.
 * @param {Point} at @param {number} width @param {Point} away
 */
function around([left, top], width, [across, up]) {
  const half = width / 2;
  return [
    { x: AWAY, y: 4, anchor: "start", from: AWAY, fits: across },
    { x: -AWAY, y: 4, anchor: "end", from: -AWAY - width, fits: -across },
    { x: 0, y: -AWAY, anchor: "middle", from: -half, fits: up },
    { x: 0, y: AWAY + 10, anchor: "middle", from: -half, fits: -up },
    // The diagonal places, for labels that fit at no side.
    { x: SIDE, y: -SIDE, anchor: "start", from: SIDE, fits: LAST },
    { x: SIDE, y: SIDE + 8, anchor: "start", from: SIDE, fits: LAST },
    { x: -SIDE, y: -SIDE, anchor: "end", from: -SIDE - width, fits: LAST },
    { x: -SIDE, y: SIDE + 8, anchor: "end", from: -SIDE - width, fits: LAST },
  ]
    .sort((a, b) => b.fits - a.fits)
    .map(({ x, y, anchor, from }) => ({
      ...{ x, y, anchor },
      box: {
        left: left + from,
        right: left + from + width,
        top: top + y - HEIGHT + 4,
        bottom: top + y + 3,
      },
    }));
}

/** @param {Box} a @param {Box} b */
const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
