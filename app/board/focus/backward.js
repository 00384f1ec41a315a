/**
 * Emphasizes cells and links by the size of their gradients, in a wave that runs from the loss
 * along the lanes back to the inputs.
 */

import { prefersStillness } from "../../components/shared/motion.js";
import { largestOf } from "../data/matrix.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {WholeEntry} from "../data/types.js"
 * @import {EmphasisServices} from "./emphasis.js"
 * @import {Column} from "./flow.js"
 * @import {FocusFlow} from "./focus_flow.js"
 *
 * @typedef {Pick<EmphasisServices, "store" | "painter" | "showsGradients">} BackwardServices
 */

/** The durations of the wave, and of the rise of one column, in ms. */
const LASTS = 2500;
const RISES = 300;
/** Gradients differ by orders of magnitude; this power keeps small gradients visible. */
const POWER = 0.4;
/** The power for links, which overlap: it emphasizes only those that carry most of the gradient. */
const POWER_OF_LINKS = 0.8;

export class Backward {
  /** @param {BackwardServices} services */
  constructor(services) {
    this.services = services;
    /** The time at which the wave reaches a matrix, in ms after it began. */
    this.arrivals = /** @type {Map<Matrix, number>} */ (new Map());
    this.computed = /** @type {Matrix[]} */ ([]); // all matrices except parameters
    this.isDue = false; // whether the wave begins when the first gradients arrive
    this.begun = /** @type {number | null} */ (null);
    this.passed = LASTS; // ms since the wave began
    this.largest = /** @type {number | null} */ (null);
    /** Attention weights that are drawn as links. */
    this.linked = /** @type {Set<Matrix>} */ (new Set());
    this.mostThrough = /** @type {number | null} */ (null);
  }

  /** @param {FocusFlow} flow the picture that is shown */
  show(flow) {
    const { entry, columns } = flow;
    const { byIndex } = this.services.store;
    this.arrivals = new Map();
    // The gradient of weights shared by two parts is complete once the wave has left both parts.
    for (const [index, at] of entry ? arrivals(entry, columns, LASTS - RISES) : [])
      this.arrivals.set(byIndex[index], Math.max(at, this.arrivals.get(byIndex[index]) ?? 0));
    this.computed = columns.flatMap((column) => flow.matricesOf(column));
    this.linked = new Set(this.computed.filter((matrix) => flow.isLinks(matrix)));
    this.end();
  }

  /** Starts the wave, after the cells have switched to gradients. */
  begin() {
    this.end();
    if (!this.isOn || prefersStillness()) return;
    this.isDue = true;
    this.passed = 0;
  }

  /** Ends the wave; all matrices count as reached. */
  end() {
    this.isDue = false;
    this.begun = null;
    this.passed = LASTS;
  }

  /** Clears the caches computed from earlier gradients. */
  forget() {
    this.largest = this.mostThrough = null;
  }

  get isOn() {
    return this.arrivals.size > 0 && this.services.showsGradients();
  }

  /**
   * Advances the wave; called in each display frame.
   * @param {number} now ms
   * @returns {Matrix[]} the matrices whose strengths have changed
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

  /** The arrival time of the wave; for a window, at the large matrix. @param {Matrix} matrix */
  arrivalOf(matrix) {
    const { overview } = matrix.entry;
    const all = overview === undefined ? matrix : this.services.store.matrices.get(overview);
    return this.arrivals.get(all ?? matrix) ?? 0;
  }

  /**
   * The strength of each cell, 0 … 1: the size of its gradient relative to the largest gradient of
   * any computed number; 0 before the wave arrives.
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

  /** The largest value of `throughOf` for any link. */
  get through() {
    this.mostThrough ??= Math.max(0, ...[...this.linked].map(mostThroughOf));
    return this.mostThrough;
  }

  /** The largest gradient of any computed number. */
  get most() {
    this.largest ??= Math.max(
      ...this.computed.map(({ gradients }) => (gradients ? largestOf(gradients) : 0)),
    );
    return this.largest;
  }
}

/**
 * The part of the gradient that flows through a link: the weight times its gradient. To first
 * order, this is by how much the loss would change without the link.
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

/** A gradient's size, by `POWER`, 0 … 1. @param {number} gradient @param {number} most */
function sizeOf(gradient, most) {
  if (Number.isNaN(gradient)) return 0;
  return Math.min(1, (Math.abs(gradient) / most) ** POWER);
}

/**
 * The time at which the wave reaches each matrix, column by column from the last to the first. The
 * wave reaches parameters when it leaves their part.
 * @param {WholeEntry} entry @param {readonly Column[]} columns @param {number} lasts ms
 * @returns {Map<number, number>}
 */
export function arrivals({ parts }, columns, lasts) {
  const found = new Map();
  const left = new Map(); // the time at which the wave leaves each part
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
