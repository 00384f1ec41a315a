/**
 * Computes the strength, 0 … 1, with which each cell is painted. During an edit that changes any
 * cell, the strength depends on the change of the cell. Otherwise it depends on the marks of a
 * search, if they are shown and no number is selected; on gradients, if the picture shows them; or
 * else on the connection to the focus, as it does while a model learns. Without a focus all cells
 * are equal. While a sentence describes the last change and the focus stays the same, the rows,
 * links and words on its path to the shown row are emphasized.
 */

import { prefersStillness } from "../../components/shared/motion.js";
import { isSameLane } from "../data/cursors.js";
import { Backward } from "./backward.js";
import { ChangeExplanation } from "./change_explanation.js";
import { pathOf } from "./flow_sources.js";
import { FocusFlow } from "./focus_flow.js";
import {
  atLeast,
  byCarried,
  byFlow,
  byLane,
  byMarks,
  byReach,
  byReachOfLinks,
  FAINT,
  FAINTEST,
  isReached,
  mostReached,
  rowOf,
} from "./strengths.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {SwingFrames} from "../data/swing_frames.js"
 * @import {CellOf, Lane, WholeEntry} from "../data/types.js"
 * @import {Numbers} from "../numbers.js"
 * @import {Column} from "./flow.js"
 * @import {FilmHighlight} from "./film_highlight.js"
 * @import {Focus} from "./flow_sources.js"
 *
 * @typedef {Pick<Numbers, "store" | "trail" | "painter"> & EmphasisOnly} EmphasisServices
 * @typedef {object} EmphasisOnly
 * @property {() => SwingFrames | null} orbit the current oscillation
 * @property {() => Focus | null} focus
 * @property {() => CellOf | null} selection the selected number
 * @property {() => number} row the row that the page shows, see row.py
 * @property {() => {matrix: Matrix, query: number, key: number, lane: Lane}[]} named the links that
 *   a text names, and the lanes of the words at their other ends
 * @property {() => boolean} isEditing whether the user is editing a number
 * @property {() => boolean} hasLearned whether training made the last change
 * @property {() => boolean} marksSearched whether marks show the results of a search
 * @property {() => boolean} showsGradients whether the cells show gradients
 */

/** The strength of parameters, which all rows share. */
const WEIGHTS = 0.55;
/** The largest strength of a read word that a text does not name, while it names others. */
const ASIDE = 0.5;
/** The duration of the transition from the change to the focus, in ms. */
const SETTLES = 400;
/** ms between two paints of the transition, which leave time for the next edit. */
const PAUSE = 30;

export class Emphasis {
  /** @param {EmphasisServices} services */
  constructor(services) {
    this.services = services;
    this.backward = new Backward(services);
    this.flow = new FocusFlow(services);
    this.explanation = new ChangeExplanation(services, this.flow);
    /** The highlight of a film, which replaces the emphasis while the film plays. */
    this.light = /** @type {FilmHighlight | null} */ (null);
    /** The mix of change and focus: 1 shows the change, 0 the focus. */
    this.level = 0;
    this.changes = -1; // number of changes of the trail that `known` takes into account
    this.painted = 0; // time of the last change of the level, ms
    this.ended = Number.NEGATIVE_INFINITY; // time when the last edit ended, ms
    /** The cached strengths of each matrix. @type {Map<Matrix, Float32Array | null>} */
    this.known = new Map();
    /** Whether marks show which cells the selected number reaches; null: not computed yet. */
    this.marksReach = /** @type {boolean | null} */ (null);
    this.most = /** @type {number | null} */ (null); // the largest reach level of a link
    /** The lanes of the words named beside the followed one; null: not computed yet. */
    this.namedLanes = /** @type {Lane[] | null} */ (null);
  }

  /** @param {WholeEntry | null} entry the picture that is shown, if any */
  show(entry) {
    this.flow.show(entry);
    this.backward.show(this.flow);
    this.forget();
  }

  /** Updates after the focus changed. */
  refocus() {
    this.forget();
    this.services.painter.touchAll();
  }

  /** Starts the transition back to the focus, after the last edit has ended. */
  end() {
    this.ended = performance.now();
    this.services.painter.schedule();
  }

  /** @param {boolean} isTold whether a sentence states the effect of the last change on a word */
  tell(isTold) {
    if (isTold === this.explanation.isTold) return;
    this.explanation.isTold = isTold;
    this.refocus();
  }

  /** Updates after the plane changed, such as from values to gradients. */
  replane() {
    this.backward.begin();
    this.refocus();
  }

  /** Updates after new values arrived, because their attention weights determine the flow. */
  renew() {
    if (this.differsAtRest) this.refocus();
  }

  forget() {
    this.backward.forget();
    this.explanation.forget();
    this.flow.known = this.namedLanes = null;
    this.marksReach = this.most = null;
    this.known.clear();
  }

  /** Updates the state; called in every frame, before the paint. @param {number} now ms */
  tick(now) {
    const { painter, trail, orbit, isEditing } = this.services;
    const level = this.levelAt(now);
    if (level > 0 && !orbit() && !isEditing()) painter.schedule(); // until it has settled
    for (const matrix of this.backward.tick(now)) this.known.delete(matrix);
    this.explanation.tick();
    if (level > 0 && level === this.level) {
      // A larger change makes all others relatively smaller. An oscillation counts as one change.
      const changes = orbit()?.spreads.size ?? trail.changes;
      if (changes !== this.changes) this.known.clear();
      this.changes = changes;
      return;
    }
    if (level === this.level) return;
    if (level > 0 && level < this.level && now - this.painted < PAUSE) return;
    this.level = level;
    this.painted = now;
    this.forget();
    painter.touchAll();
  }

  /** The mix of change and focus at a time; see `level`. @param {number} now ms */
  levelAt(now) {
    const { trail, orbit, isEditing, hasLearned } = this.services;
    if (orbit()) return 1;
    // Training moves all numbers, so the focus stays emphasized.
    if (hasLearned()) return 0;
    // If nothing changed, do not dim.
    if (!trail.differs) return 0;
    if (isEditing()) return 1;
    const since = now - Math.max(this.ended, trail.last);
    return prefersStillness() ? 0 : Math.min(1, Math.max(0, 1 - since / SETTLES));
  }

  /**
   * The strength of each cell of a matrix; null if all are at full strength.
   * @param {Matrix} matrix @returns {Float32Array | null}
   */
  of(matrix) {
    const { light } = this;
    // A change that the user makes during a film is shown as usual.
    if (!light || (this.level > 0 && !light.swings)) return this.own(matrix);
    return light.over(matrix, () => this.own(matrix));
  }

  /** The strength of each cell without the highlight of a film. @param {Matrix} matrix */
  own(matrix) {
    const known = this.known.get(matrix);
    if (known !== undefined && (known === null || known.length === matrix.cells)) return known;
    const found = this.found(matrix);
    if (found) this.showSelected(matrix, found);
    this.known.set(matrix, found);
    return found;
  }

  /** Sets the selected number to 1. @param {Matrix} matrix @param {Float32Array} found */
  showSelected(matrix, found) {
    const { store, selection } = this.services;
    const cell = selection();
    if (!cell) return;
    const { path, i, j } = cell;
    for (const [part, row, column] of store.parts(path, i, j, i, j))
      if (part === matrix) found[row * matrix.cols + column] = 1;
  }

  /** @param {Matrix} matrix */
  found(matrix) {
    const { level } = this;
    const explaining = this.explains ? this.explaining(matrix) : null;
    if (explaining) return explaining;
    const atRest = level < 1 ? this.atRest(matrix) : null;
    if (level === 0) return atRest;
    const found = new Float32Array(matrix.cells);
    const { columns } = this.flow;
    const column = columns[this.flow.placeOf(matrix)];
    const isLinks = column !== undefined && column.keys !== null;
    // In the stack that writes words, only links to the shown row are emphasized.
    const row = isLinks && column.stack === columns.at(-1)?.stack ? this.services.row() : null;
    return found.map((_, k) => {
      const isShown = row === null || rowOf(matrix, k) === row;
      const change = atLeast(isLinks ? FAINTEST : FAINT, isShown ? this.change(matrix, k) : 0);
      return level * change + (1 - level) * (atRest?.[k] ?? 1);
    });
  }

  /** Strengths while no number moves. @param {Matrix} matrix @returns {Float32Array | null} */
  atRest(matrix) {
    if (this.isByMarks) return byMarks(matrix);
    if (!this.isByGradients) return this.focused(matrix);
    const least = this.flow.isLinks(matrix) ? 0 : FAINTEST;
    return this.backward.of(matrix).map((size) => atLeast(least, size));
  }

  /**
   * Whether a change is explained: not if it began in many rows or did not reach the shown row, and
   * at rest only if a sentence describes it. No sentence describes a training run.
   */
  get explains() {
    const { explanation, light, level } = this;
    const { trail, orbit, isEditing, focus } = this.services;
    if (!this.flow.entry || (light && (level === 0 || light.swings))) return false;
    const isMoving = level > 0 && (orbit() !== null || isEditing());
    if (!explanation.isTold && !isMoving) return false;
    const isOther = this.isByMarks || this.isByGradients;
    const isKept = explanation.isOfFocus && !orbit() && !isOther && trail.differs;
    if (level === 0 && !isKept) return false;
    const { to, links } = explanation.now;
    // At rest, a change without links does not replace the ribbons of a followed word.
    const isTraced = links.size > 0 || level > 0 || focus()?.kind !== "word";
    return to !== null && isTraced;
  }

  /**
   * Strengths by the explanation of a change: for links the part that they carried, for rows
   * whether they are on the path. Null for other matrices, and for rows at rest without a focus.
   * @param {Matrix} matrix
   */
  explaining(matrix) {
    const { flow, explanation, level } = this;
    const n = flow.placeOf(matrix);
    const column = flow.columns[n];
    const { links, rows } = explanation.now;
    if (column && column.keys !== null) return byCarried(matrix, flow.matricesOf(column), links);
    if (!column || (level === 0 && !this.services.focus())) return null;
    return byFlow(matrix, column, rows[n]);
  }

  /** The row whose written word is marked as the end of the change's path. */
  get changedLane() {
    return this.explains ? this.explanation.now.to : null;
  }

  /** The heads whose links carried the explained change, the strongest first. */
  get carriers() {
    if (!this.explains) return [];
    const all = [...this.explanation.now.links].map(([{ entry }, cells]) => ({
      head: entry.head ?? 0,
      by: Math.max(...cells.values()),
    }));
    return [...new Set(all.sort((a, b) => b.by - a.by).map(({ head }) => head))];
  }

  /**
   * The strength of the word at an end of a row: the strength of the row in its first or last
   * strip. For gradients, the last two strips count, because the loss is computed from logits, not
   * from probabilities. While a change is explained, only the words of its first rows and the word
   * that it changed are emphasized.
   * @param {Lane} lane @param {"read" | "written"} end
   * @returns {number | null} null if no word is emphasized
   */
  ofWord(lane, end) {
    if (!this.light && !this.differsAtRest) return null;
    if (this.explains) {
      const { from, to } = this.explanation.now;
      const words = end === "read" ? from : [to];
      return words.some((each) => isSameLane(each, lane)) ? 1 : FAINT;
    }
    const strength = this.atEnd(lane, end);
    return end === "read" ? this.asNamed(lane, strength) : strength;
  }

  /**
   * Emphasizes only the named words beside a followed word.
   * @param {Lane} lane of a read word @param {number} strength of its row
   */
  asNamed(lane, strength) {
    const focus = this.services.focus();
    if (this.light || this.level > 0 || this.isByMarks || this.isByGradients) return strength;
    if (focus?.kind !== "word") return strength;
    this.namedLanes ??= this.services.named().map((link) => link.lane);
    if (!this.namedLanes.length || isSameLane(focus.of, lane)) return strength;
    return this.namedLanes.some((each) => isSameLane(each, lane)) ? 1 : Math.min(strength, ASIDE);
  }

  /** The strength of the first or last strip of a row. @param {Lane} lane @param {string} end */
  atEnd({ stack, index }, end) {
    const strips = this.flow.columns.filter((each) => each.stack === stack && each.keys === null);
    const written = strips.slice(this.isByGradients ? -2 : -1);
    const at = end === "read" ? strips.slice(0, 1) : written;
    return Math.max(...at.map((strip) => this.ofRow(strip, index)));
  }

  /** The strength of a row of a strip. @param {Column} strip @param {number} i */
  ofRow({ matrices: [index] }, i) {
    const matrix = this.services.store.byIndex[index];
    if (!matrix) return 1;
    const isMixed = this.level > 0 && !this.light;
    const found = isMixed ? this.atRest(matrix) : this.of(matrix);
    if (!found) return 1;
    return Math.max(0, ...found.subarray(i * matrix.cols, (i + 1) * matrix.cols));
  }

  /** Whether the strengths of cells differ while no number moves. */
  get differsAtRest() {
    const isFocused = this.services.focus() !== null;
    return isFocused || this.isByMarks || this.isByGradients || this.explains;
  }

  /** Whether strengths depend on gradients; marks of cells that a selection reaches come first. */
  get isByGradients() {
    if (!this.backward.isOn) return false;
    this.marksReach ??= this.services.store.byIndex.some(isReached);
    return !this.marksReach || this.services.focus()?.kind !== "number";
  }

  /** Whether strengths depend on the marks of a search; a selected number has priority. */
  get isByMarks() {
    return this.services.marksSearched() && this.services.focus()?.kind !== "number";
  }

  /**
   * The change of a cell, 0 … 1, relative to the largest change; for shares, the change relative to
   * 1 if that is larger, as when other numbers moved much more.
   * @param {Matrix} matrix @param {number} k
   */
  change(matrix, k) {
    const { trail, orbit } = this.services;
    const mover = orbit() ?? trail;
    const share = mover.shareOf(matrix, k);
    if (matrix.entry.scale !== "share") return share;
    return Math.min(1, Math.max(share, Math.sqrt(mover.moved(matrix, k))));
  }

  /** Strengths by the focus. @param {Matrix} matrix @returns {Float32Array | null} */
  focused(matrix) {
    const focus = this.services.focus();
    if (!focus) return null;
    this.marksReach ??= this.services.store.byIndex.some(isReached);
    const { flow } = this;
    if (!flow.entry) return focus.kind === "word" ? byLane(matrix, focus.of) : null;
    if (this.marksReach)
      return flow.isLinks(matrix) ? byReachOfLinks(matrix, this.mostLinked) : byReach(matrix);
    const flows = flow.strengths;
    if (!flows) return null;
    const n = flow.placeOf(matrix);
    if (n >= 0) return byFlow(matrix, flow.columns[n], flows[n]);
    const isIt = focus.kind === "number" && pathOf(matrix.entry) === focus.of.path;
    return isIt ? null : new Float32Array(matrix.cells).fill(WEIGHTS);
  }

  /** The largest reach level of any link. */
  get mostLinked() {
    if (this.most !== null) return this.most;
    const heads = this.services.store.byIndex.filter((matrix) => this.flow.isLinks(matrix));
    this.most = Math.max(0, ...heads.map(mostReached));
    return this.most;
  }
}
