/**
 * The strength, 0 … 1, with which each cell is painted. While numbers move, and for two seconds
 * after, it is by how much the cell changed; otherwise by its marks, where those of a search are
 * shown and no number is selected, or by its connection to the focus. Without a focus all cells are
 * equal.
 */

import { prefersStillness } from "../../shared/motion.js";
import { REACH_LEVELS, reachOf } from "../data/flags.js";
import { firstOf } from "../paint/layout.js";
import { columnsOf, flow } from "./flow.js";
import { pathOf, seedsOf } from "./seeds.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {Orbit} from "../data/orbit.js"
 * @import {Trail} from "../data/trail.js"
 * @import {Lane, WholeEntry} from "../data/types.js"
 * @import {Painter} from "../paint/painter.js"
 * @import {Column, WeightOf} from "./flow.js"
 * @import {Focus} from "./seeds.js"
 *
 * @typedef {object} EmphasisServices
 * @property {MatrixStore} store
 * @property {Trail} trail
 * @property {Painter} painter
 * @property {() => Orbit | null} orbit the current oscillation
 * @property {() => Focus | null} focus
 * @property {() => boolean} marksSearched whether marks show what a search has found
 */

/** The strength of cells that are not connected to the focus, or did not change. */
const FAINT = 0.2;
/** The flow from which on a cell is painted at full strength. */
const FULL = 0.4;
/**
 * How long a change is shown after the last move, and how long the transition to the focus takes;
 * ms.
 */
const LASTS = 2000;
const SETTLES = 400;
/** ms between two paints of the transition; pauses leave time for the next edit. */
const PAUSE = 30;

export class Emphasis {
  /** @param {EmphasisServices} services */
  constructor(services) {
    this.services = services;
    this.entry = /** @type {WholeEntry | null} */ (null);
    this.columns = /** @type {Column[]} */ ([]);
    /** The mix of the two: 1 shows the change, 0 the focus. */
    this.level = 0;
    this.changes = -1; // number of changes of the trail already taken into account
    this.painted = 0; // time of the last change of the level, ms
    this.timer = 0;
    /**
     * Cached strengths by matrix, until the focus or a value changes.
     * @type {Map<Matrix, Float32Array | null>}
     */
    this.known = new Map();
    this.flows = /** @type {Map<number, {column: Column, strengths: Float32Array}> | null} */ (
      null
    );
  }

  /** @param {WholeEntry | null} entry the picture that is shown, if any */
  show(entry) {
    this.entry = entry;
    this.columns = entry ? columnsOf(entry) : [];
    this.forget();
  }

  /** Updates to another focus. */
  refocus() {
    this.forget();
    this.services.painter.touchAll();
  }

  /** Updates to new values, since attention weights determine the flow. */
  renew() {
    if (this.services.focus() || this.isByMarks) this.refocus();
  }

  forget() {
    this.flows = null;
    this.known.clear();
  }

  /** Whether a change is shown. */
  get showsChange() {
    return this.level > 0;
  }

  /** Called in every display frame, before the paint. @param {number} now ms */
  tick(now) {
    const { painter, trail, orbit } = this.services;
    const { level, wait } = this.levelAt(now);
    clearTimeout(this.timer);
    if (wait > 0) this.timer = setTimeout(() => painter.schedule(), wait);
    if (level > 0 && level === this.level) {
      // A larger change makes the others relatively smaller.
      if (orbit() || trail.changes !== this.changes) this.known.clear();
      this.changes = trail.changes;
      return;
    }
    if (level === this.level) return;
    if (level > 0 && level < 1) painter.schedule();
    if (level > 0 && level < this.level && now - this.painted < PAUSE) return;
    this.level = level;
    this.painted = now;
    this.forget();
    painter.touchAll();
  }

  /**
   * @param {number} now ms @returns {{level: number, wait: number}} `wait`: ms until the level
   *   changes
   */
  levelAt(now) {
    const { trail, orbit } = this.services;
    if (orbit()) return { level: 1, wait: 0 };
    const since = now - trail.last;
    if (since < LASTS) return { level: 1, wait: LASTS - since };
    const left = prefersStillness() ? 0 : 1 - (since - LASTS) / SETTLES;
    return { level: Math.max(0, left), wait: 0 };
  }

  /**
   * The strength of each cell of a matrix; null if all are at full strength.
   * @param {Matrix} matrix
   * @returns {Float32Array | null}
   */
  of(matrix) {
    const known = this.known.get(matrix);
    if (known !== undefined && (known === null || known.length === matrix.cells)) return known;
    const found = this.found(matrix);
    this.known.set(matrix, found);
    return found;
  }

  /** @param {Matrix} matrix */
  found(matrix) {
    const { level } = this;
    const atRest = this.isByMarks ? ofMarks(matrix) : this.focused(matrix);
    const focused = level < 1 ? atRest : null;
    if (level === 0) return focused;
    return Float32Array.from({ length: matrix.cells }, (_, k) => {
      const change = FAINT + (1 - FAINT) * this.change(matrix, k);
      return level * change + (1 - level) * (focused?.[k] ?? 1);
    });
  }

  /**
   * The strength of the word at an end of a row: that of the row's first or last strip.
   * @param {Lane} lane @param {"read" | "written"} end
   */
  ofWord({ stack, index }, end) {
    const strips = this.columns.filter((column) => column.stack === stack && column.keys === null);
    const strip = strips.at(end === "read" ? 0 : -1);
    const matrix = strip && this.services.store.byIndex[strip.matrices[0]];
    const strengths = matrix ? this.of(matrix) : null;
    if (!matrix || !strengths) return 1;
    const begin = index * matrix.cols;
    return Math.max(0, ...strengths.subarray(begin, begin + matrix.cols));
  }

  /**
   * The number that the word in focus comes from most: the largest of the row that is read most.
   * @returns {{matrix: Matrix, i: number, j: number} | null}
   */
  get origin() {
    const focus = this.services.focus();
    const first = this.columns.at(0);
    if (focus?.kind !== "word" || !this.entry || !first || first.keys !== null) return null;
    const strengths = this.flowing(this.entry, focus)?.get(first.matrices[0])?.strengths;
    const matrix = this.services.store.byIndex[first.matrices[0]];
    if (!strengths || !matrix.values || matrix.entry.origin) return null;
    const i = indexOfMost(strengths);
    const row = matrix.values.subarray(i * matrix.cols, (i + 1) * matrix.cols);
    return strengths[i] > 0 ? { matrix, i, j: indexOfMost(row.map(Math.abs)) } : null;
  }

  /** Whether strengths differ at all. */
  get isOn() {
    return this.level > 0 || this.services.focus() !== null || this.isByMarks;
  }

  /** Whether cells are painted by what a search has found; a selected number comes first. */
  get isByMarks() {
    return this.services.marksSearched() && this.services.focus()?.kind !== "number";
  }

  /**
   * How much a cell changed, relative to the largest change.
   * @param {Matrix} matrix @param {number} k
   */
  change(matrix, k) {
    const { trail, orbit } = this.services;
    const swinging = orbit();
    return swinging ? swinging.spread(matrix, k) : trail.share(matrix, k);
  }

  /** Strengths by the focus. @param {Matrix} matrix @returns {Float32Array | null} */
  focused(matrix) {
    const focus = this.services.focus();
    if (!focus) return null;
    if (!this.entry) return focus.kind === "word" ? ofLane(matrix, focus.of) : null;
    const flows = this.flowing(this.entry, focus);
    if (!flows) return null;
    const found = flows.get(matrix.index);
    const isIt = focus.kind === "number" && pathOf(matrix.entry) === focus.of.path;
    if (!found) return isIt ? null : new Float32Array(matrix.cells).fill(FAINT);
    return this.painting(matrix, found.column, found.strengths);
  }

  /**
   * Expands a column's strengths to cells. A strip's row has one strength; a link's is multiplied
   * by the head's own attention weight.
   * @param {Matrix} matrix @param {Column} column @param {Float32Array} strengths
   */
  painting(matrix, { keys }, strengths) {
    const { cols, values, entry } = matrix;
    const [, top, left] = entry.origin ?? ["", 0, 0];
    const block = entry.block?.[1] ?? 1;
    const whole = entry.whole?.[1] ?? cols;
    return Float32Array.from({ length: matrix.cells }, (_, k) => {
      const i = top + Math.floor(k / cols);
      if (keys === null) return shown(strengths[i]);
      const j = left + (k % cols) * block;
      return shown(strengths[i * whole + j] * (values?.[k] ?? 0));
    });
  }

  /**
   * The flow of the focus, computed once for all matrices.
   * @param {WholeEntry} entry @param {Focus} focus
   */
  flowing(entry, focus) {
    if (this.flows) return this.flows;
    const { byIndex } = this.services.store;
    const entries = byIndex.map((matrix) => matrix.entry);
    const seeds = seedsOf(focus, entry, this.columns, entries);
    if (!seeds) return null;
    const counts = new Map(entry.stacks.map(({ stack, words }) => [stack, words.length]));
    const strengths = flow(this.columns, counts, weightsOf(byIndex), seeds);
    this.flows = new Map(
      this.columns.flatMap((column, k) =>
        column.matrices.map((index) => [index, { column, strengths: strengths[k] }]),
      ),
    );
    return this.flows;
  }

  remove() {
    clearTimeout(this.timer);
  }
}

/** @param {number} strength */
const shown = (strength) => FAINT + (1 - FAINT) * Math.min(1, strength / FULL);

/** Strengths by marks. @param {Matrix} matrix */
const ofMarks = ({ cells, flags }) =>
  Float32Array.from(
    { length: cells },
    (_, k) => FAINT + (1 - FAINT) * (reachOf(flags?.[k] ?? 0) / REACH_LEVELS),
  );

/**
 * Strengths for a matrix outside the picture: the rows and columns of the word itself.
 * @param {Matrix} matrix @param {Lane} lane
 */
function ofLane({ entry, rows, cols }, { stack, index }) {
  const [above, before] = firstOf(entry);
  const [ofRows = null, ofColumns = null] = entry.lanes ?? [];
  return Float32Array.from({ length: rows * cols }, (_, k) => {
    const isRow = ofRows === stack && above + Math.floor(k / cols) === index;
    const isColumn = ofColumns === stack && before + (k % cols) === index;
    return isRow || isColumn ? 1 : FAINT;
  });
}

/**
 * The mean weight of all heads. In the overview of a large matrix, a block represents its cells.
 * @param {readonly Matrix[]} matrices
 * @returns {WeightOf}
 */
const weightsOf =
  (matrices) =>
  ({ matrices: heads }, i, j) => {
    let sum = 0;
    for (const head of heads) {
      const { values, cols, entry } = matrices[head];
      sum += Math.min(1, values?.[i * cols + Math.floor(j / (entry.block?.[1] ?? 1))] ?? 0);
    }
    return sum / heads.length;
  };

/** @param {Float32Array} numbers */
const indexOfMost = (numbers) => numbers.indexOf(Math.max(...numbers));
