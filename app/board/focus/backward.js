/**
 * The way back: the strength of cells and links by the size of their gradient, and the wave in
 * which it arrives, from the loss back along the lanes to the inputs.
 */

import { prefersStillness } from "../../components/shared/motion.js";
import { largestOf } from "../data/matrix.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {WholeEntry} from "../data/types.js"
 * @import {Painter} from "../paint/painter.js"
 * @import {Column} from "./flow.js"
 *
 * @typedef {object} BackwardServices
 * @property {MatrixStore} store
 * @property {Painter} painter
 * @property {() => boolean} showsGradients
 */

/** How long the wave takes, and the part of it in which one column lights up; ms. */
const LASTS = 2500;
const RISES = 300;
/** Gradients differ by orders of magnitude: the power at which small ones are still visible. */
const POWER = 0.4;
/** Links lie over each other: only those stand out by which most of the gradient runs back. */
const POWER_OF_LINKS = 0.8;

export class Backward {
  /** @param {BackwardServices} services */
  constructor(services) {
    this.services = services;
    /** When the wave reaches a matrix; ms after it began. */
    this.arrivals = /** @type {Map<Matrix, number>} */ (new Map());
    this.computed = /** @type {Matrix[]} */ ([]); // those that are no weights
    this.isDue = false; // whether the wave begins with the first gradients
    this.begun = /** @type {number | null} */ (null);
    this.passed = LASTS; // ms of the wave
    this.largest = /** @type {number | null} */ (null);
    /** Attention weights that are drawn as links. */
    this.linked = /** @type {Set<Matrix>} */ (new Set());
    this.mostThrough = /** @type {number | null} */ (null);
  }

  /** @param {WholeEntry | null} entry @param {readonly Column[]} columns in order of computation */
  show(entry, columns) {
    const { byIndex } = this.services.store;
    this.arrivals = new Map();
    // Weights that two parts share have their gradient when both have been gone through.
    for (const [index, at] of entry ? arrivals(entry, columns, LASTS - RISES) : [])
      this.arrivals.set(byIndex[index], Math.max(at, this.arrivals.get(byIndex[index]) ?? 0));
    const matricesOf = (/** @type {readonly Column[]} */ some) =>
      some.flatMap(({ matrices }) => matrices.map((index) => byIndex[index]));
    this.computed = matricesOf(columns);
    this.linked = new Set(matricesOf(columns.filter(({ keys }) => keys !== null)));
    this.end();
  }

  /** Gradients are shown in place of other numbers. */
  begin() {
    this.end();
    if (!this.isOn || prefersStillness()) return;
    this.isDue = true;
    this.passed = 0;
  }

  /** All of it has been reached. */
  end() {
    this.isDue = false;
    this.begun = null;
    this.passed = LASTS;
  }

  /** Forgets what was computed of earlier gradients. */
  forget() {
    this.largest = this.mostThrough = null;
  }

  get isOn() {
    return this.arrivals.size > 0 && this.services.showsGradients();
  }

  /**
   * Goes on with the wave, in each display frame.
   * @param {number} now ms
   * @returns {Matrix[]} those whose strengths have changed
   */
  tick(now) {
    const { store, painter } = this.services;
    if (this.isDue && this.computed.some(({ gradients }) => gradients)) {
      this.isDue = false;
      this.begun = now;
    }
    if (this.begun === null) return [];
    const before = this.passed;
    this.passed = Math.min(LASTS, now - this.begun);
    if (this.passed < LASTS) painter.schedule();
    else this.begun = null;
    const rising = store.byIndex.filter((matrix) => {
      const at = this.arrivalOf(matrix);
      return at < this.passed && before < at + RISES;
    });
    for (const matrix of rising) painter.touchMatrix(matrix);
    return rising;
  }

  /** Of a window on a large matrix that of the matrix. @param {Matrix} matrix */
  arrivalOf(matrix) {
    const { overview } = matrix.entry;
    const all = overview === undefined ? matrix : this.services.store.matrices.get(overview);
    return this.arrivals.get(all ?? matrix) ?? 0;
  }

  /**
   * The strength of each cell, 0 … 1: its gradient's, relative to the largest of all numbers that
   * are computed, as far as the wave has come.
   * @param {Matrix} matrix
   */
  of(matrix) {
    const found = new Float32Array(matrix.cells);
    const { gradients, values } = matrix;
    const lit = Math.min(1, Math.max(0, (this.passed - this.arrivalOf(matrix)) / RISES));
    const { most } = this;
    if (!gradients || !lit || !most) return found;
    if (values && this.linked.has(matrix)) {
      const all = this.through || 1;
      for (let k = 0; k < found.length; k++)
        found[k] = lit * (throughOf(values[k], gradients[k]) / all) ** POWER_OF_LINKS;
      return found;
    }
    for (let k = 0; k < found.length; k++) found[k] = lit * sizeOf(gradients[k], most);
    return found;
  }

  /** The most that flows through a link. */
  get through() {
    this.mostThrough ??= Math.max(0, ...[...this.linked].map(mostThroughOf));
    return this.mostThrough;
  }

  /** The largest gradient of a number that is computed. */
  get most() {
    this.largest ??= Math.max(
      ...this.computed.map(({ gradients }) => (gradients ? largestOf(gradients) : 0)),
    );
    return this.largest;
  }
}

/**
 * How much a link takes part in the way back: its weight times the gradient of its weight, which is
 * by how much the loss would change, to first order, without it.
 * @param {number} weight @param {number} gradient
 */
const throughOf = (weight, gradient) => Math.abs(weight * gradient) || 0;

/** @param {Matrix} matrix of attention weights */
function mostThroughOf({ values, gradients }) {
  let most = 0;
  if (values && gradients)
    for (let k = 0; k < values.length; k++)
      most = Math.max(most, throughOf(values[k], gradients[k]));
  return most;
}

/**
 * Relative to the largest; 0 where there is no gradient.
 * @param {number} gradient @param {number} most
 */
function sizeOf(gradient, most) {
  if (Number.isNaN(gradient)) return 0;
  return Math.min(1, (Math.abs(gradient) / most) ** POWER);
}

/**
 * When each matrix is reached, column by column from the last to the first. What is learned has its
 * gradient once all of its part has been gone through.
 * @param {WholeEntry} entry @param {readonly Column[]} columns @param {number} lasts ms
 * @returns {Map<number, number>}
 */
export function arrivals({ parts }, columns, lasts) {
  const found = new Map();
  const left = new Map(); // when the wave leaves each part
  const last = columns.length - 1;
  columns.forEach(({ part, matrices }, k) => {
    const at = last ? (lasts * (last - k)) / last : 0;
    for (const index of matrices) found.set(index, at);
    left.set(part, Math.max(left.get(part) ?? 0, at));
  });
  for (const { id, items, tiles } of parts) {
    const under = items.flatMap((item) => ("strip" in item ? item.under : []));
    for (const index of [...under, ...tiles.flatMap((each) => each.tiles)])
      found.set(index, left.get(id) ?? 0);
  }
  return found;
}
