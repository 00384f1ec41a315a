/** The flow of the focus through the columns of the picture. */

import { columnsOf, flow } from "./flow.js";
import { flowSourcesOf } from "./flow_sources.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {WholeEntry} from "../data/types.js"
 * @import {EmphasisServices} from "./emphasis.js"
 * @import {Column} from "./flow.js"
 */

export class FocusFlow {
  /** @param {Pick<EmphasisServices, "store" | "focus">} services */
  constructor(services) {
    this.services = services;
    this.entry = /** @type {WholeEntry | null} */ (null);
    this.columns = /** @type {Column[]} */ ([]);
    this.known = /** @type {Float32Array[] | null} */ (null); // the strengths of each column
  }

  /** @param {WholeEntry | null} entry the picture that is shown, if any */
  show(entry) {
    this.entry = entry;
    this.columns = entry ? columnsOf(entry) : [];
    this.known = null;
  }

  /** The last column with a matrix: links after a strip; −1 without any. @param {Matrix} matrix */
  placeOf({ index }) {
    return this.columns.findLastIndex(({ matrices }) => matrices.includes(index));
  }

  /** The matrices of a column. @param {Column} column */
  matricesOf({ matrices }) {
    return matrices.map((index) => this.services.store.byIndex[index]);
  }

  /** Whether a matrix is drawn as links. @param {Matrix} matrix */
  isLinks(matrix) {
    return (this.columns[this.placeOf(matrix)]?.keys ?? null) !== null;
  }

  /** The number of rows of each stack. */
  get rowCounts() {
    return new Map(this.entry?.stacks.map(({ stack, words }) => [stack, words.length]));
  }

  /** The strengths of each column; null if the focus is not in the picture. */
  get strengths() {
    const { entry, columns, services } = this;
    const focus = services.focus();
    if (this.known || !entry || !focus) return this.known;
    const entries = services.store.byIndex.map((matrix) => matrix.entry);
    const seeds = flowSourcesOf(focus, entry, columns, entries);
    if (seeds)
      this.known = flow(columns, this.rowCounts, (...link) => this.weightOf(...link), seeds);
    return this.known;
  }

  /**
   * The mean weight of all heads. In an overview, all cells of a block have the weight of its dot.
   * @param {Column} column @param {number} i @param {number} j
   */
  weightOf(column, i, j) {
    let sum = 0;
    for (const index of column.matrices) {
      const head = this.services.store.byIndex[index];
      const { cols, entry } = head;
      sum += head.weight(i * cols + Math.floor(j / (entry.block?.[1] ?? 1)));
    }
    return sum / column.matrices.length;
  }

  /**
   * The number that affects the word in focus most: the largest number of the row of the first
   * strip that has the strongest flow.
   */
  get origin() {
    const first = this.columns.at(0);
    if (this.services.focus()?.kind !== "word" || !first || first.keys !== null) return null;
    const flows = this.strengths?.[0];
    const [matrix] = this.matricesOf(first);
    if (!flows || !matrix.values || matrix.entry.origin) return null;
    const i = indexOfMost(flows);
    const row = matrix.values.subarray(i * matrix.cols, (i + 1) * matrix.cols);
    return flows[i] > 0 ? { matrix, i, j: indexOfMost(row.map(Math.abs)) } : null;
  }
}

/** @param {Float32Array} numbers */
const indexOfMost = (numbers) => numbers.indexOf(Math.max(...numbers));
