/**
 * Functions that compute the strengths, 0 … 1, with which the cells of a matrix are painted. Each
 * uses one criterion: marks, the reach of the selected number, the flow of the focus, or a change.
 */

import { REACH_LEVELS, REACHED, reachOf } from "../data/flags.js";
import { READABLE } from "../paint/color.js";
import { firstOf } from "../paint/layout.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {Lane} from "../data/types.js"
 * @import {Column} from "./flow.js"
 */

/** The strength of cells that are not connected to the focus, or did not change. */
export const FAINT = 0.32;
/** The same strength for links, which overlap, and for gradients, most of which are small. */
export const FAINTEST = 0.2;
/** The least strength of a cell that the selected cell reaches; the largest is 1. */
const REACHES = 0.5;
/** The least strength of a link that carried part of the explained change. */
const CARRIES = 0.6;
/** The largest strength of any other link to a row that a carrying link reaches. */
const READS = 0.45;
/** The least flow for full strength. */
const FULL = 0.4;

/** @param {Matrix} matrix @param {(k: number) => number} of the strength of a cell */
const each = ({ cells }, of) => Float32Array.from({ length: cells }, (_, k) => of(k));

/** @param {number} share 0 … 1 @param {number} least the strength of a share of 0 */
export const atLeast = (least, share) => least + (1 - least) * share;

/** Whether the selected number reaches any cell. @param {Matrix} matrix */
export const isReached = ({ flags }) => flags?.some((mark) => (mark & REACHED) > 0) ?? false;

/** The largest reach level of any cell. @param {Matrix} matrix */
export const mostReached = ({ flags }) =>
  flags?.reduce((most, mark) => Math.max(most, reachOf(mark)), 0) ?? 0;

/** Strengths by how strongly the selected number reaches each cell. @param {Matrix} matrix */
export const byReach = (matrix) =>
  each(matrix, (k) => {
    const mark = matrix.flags?.[k] ?? 0;
    return mark & REACHED ? atLeast(REACHES, reachOf(mark) / REACH_LEVELS) : FAINT;
  });

/**
 * Strengths of links by reach and weight. Links overlap, so only the most reached are emphasized.
 * @param {Matrix} matrix @param {number} most the largest reach level of any link
 */
export const byReachOfLinks = (matrix, most) =>
  each(matrix, (k) => {
    const reached = (reachOf(matrix.flags?.[k] ?? 0) / Math.max(1, most)) ** 2;
    return atLeast(FAINTEST, reached * Math.sqrt(matrix.weight(k)));
  });

/** Strengths by the levels of marks. @param {Matrix} matrix */
export const byMarks = (matrix) =>
  each(matrix, (k) => atLeast(FAINT, reachOf(matrix.flags?.[k] ?? 0) / REACH_LEVELS));

/**
 * Strengths outside the picture: full in rows and columns of the word; null if there are none.
 * @param {Matrix} matrix @param {Lane} lane
 */
export function byLane(matrix, { stack, index }) {
  const { entry, cols } = matrix;
  const [above, before] = firstOf(entry);
  const [ofRows = null, ofColumns = null] = entry.lanes ?? [];
  if (ofRows !== stack && ofColumns !== stack) return null;
  return each(matrix, (k) => {
    const isRow = ofRows === stack && above + Math.floor(k / cols) === index;
    const isColumn = ofColumns === stack && before + (k % cols) === index;
    return isRow || isColumn ? 1 : READABLE;
  });
}

/**
 * Expands a column's flow to cells. A row of a strip has one strength; the flow of a link is
 * multiplied by the attention weight of the head.
 * @param {Matrix} matrix @param {Pick<Column, "keys">} column @param {Float32Array} flow
 */
export function byFlow(matrix, { keys }, flow) {
  const { cols, entry } = matrix;
  const left = entry.origin?.[2] ?? 0;
  const block = entry.block?.[1] ?? 1;
  const whole = entry.whole?.[1] ?? cols;
  return each(matrix, (k) => {
    if (matrix.isToRead(k)) return 1;
    const i = rowOf(matrix, k);
    if (keys === null) return atLeast(FAINT, Math.min(1, flow[i] / FULL));
    const j = left + (k % cols) * block;
    return atLeast(FAINTEST, Math.min(1, (flow[i * whole + j] * matrix.weight(k)) / FULL));
  });
}

/**
 * The strengths of links by the part of a change that they carried. Other links to the rows that
 * the change reached stay visible according to their weights, so that no head hides another.
 * @param {Matrix} matrix @param {readonly Matrix[]} heads all heads of the attention
 * @param {ReadonlyMap<Matrix, Map<number, number>>} carried by matrix and cell, 0 … 1
 */
export function byCarried(matrix, heads, carried) {
  const rows = (/** @type {Matrix} */ head) =>
    [...(carried.get(head)?.keys() ?? [])].map((k) => rowOf(head, k));
  const reached = new Set(heads.flatMap(rows));
  return each(matrix, (k) => {
    const by = carried.get(matrix)?.get(k);
    if (by !== undefined) return atLeast(CARRIES, by);
    const isRead = reached.has(rowOf(matrix, k));
    return isRead ? FAINTEST + (READS - FAINTEST) * matrix.weight(k) : FAINTEST;
  });
}

/** The row of a cell in the whole matrix. @param {Matrix} matrix @param {number} k */
export const rowOf = ({ cols, entry }, k) => (entry.origin?.[1] ?? 0) + Math.floor(k / cols);
