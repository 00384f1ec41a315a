/**
 * Computes the strength, 0 … 1, with which each cell is painted. During an edit, it depends on the
 * change of the cell, if any cell changed. Otherwise it depends on marks, if those of a search are
 * shown and no number is selected; on gradients, if the picture shows them; or on the connection to
 * the focus, also while a model learns. Without a focus all cells are equal. While a sentence
 * describes the last change and the focus stays the same, the rows, links and words on its path to
 * the changed word are emphasized.
 */

import { prefersStillness } from "../../components/shared/motion.js";
import { REACH_LEVELS, REACHED, reachOf } from "../data/flags.js";
import { READABLE } from "../paint/color.js";
import { firstOf } from "../paint/layout.js";
import { Backward } from "./backward.js";
import { carried } from "./change_path.js";
import { columnsOf, flow } from "./flow.js";
import { flowSourcesOf, pathOf } from "./flow_sources.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {SwingFrames} from "../data/swing_frames.js"
 * @import {CellOf, Lane, WholeEntry} from "../data/types.js"
 * @import {Numbers} from "../numbers.js"
 * @import {Carried} from "./change_path.js"
 * @import {Column, WeightOf} from "./flow.js"
 * @import {FilmHighlight} from "./film_highlight.js"
 * @import {Focus} from "./flow_sources.js"
 *
 * @typedef {Pick<Numbers, "store" | "trail" | "painter"> & EmphasisOnly} EmphasisServices
 * @typedef {object} EmphasisOnly
 * @property {() => SwingFrames | null} orbit the current oscillation
 * @property {() => Focus | null} focus
 * @property {() => CellOf | null} selection the selected number
 * @property {() => Lane | null} followed the word that is followed, also beside a selected number
 * @property {() => {matrix: Matrix, query: number, key: number, lane: Lane}[]} named links that
 *   words name, and the lane of the word at the other end
 * @property {() => boolean} isEditing whether an edit by hand goes on
 * @property {() => boolean} hasLearned whether training made the last change
 * @property {() => boolean} marksSearched whether marks show the results of a search
 * @property {() => boolean} showsGradients whether the cells show gradients
 */

/** The strength of cells that are not connected to the focus, or did not change. */
const FAINT = 0.32;
/** The same for links, which overlap, and for gradients, most of which are small. */
const FAINTEST = 0.2;
/** The strength of weights, which are applied to all rows alike. */
const WEIGHTS = 0.55;
/** The least strength of a cell that the selected one reaches; the most is 1. */
const REACHES = 0.5;
/** The least strength of a link that carried part of the explained change. */
const CARRIES = 0.6;
/** The most strength of any other link to a row that a carrying link reaches. */
const READS = 0.45;
/** The most strength of a read word that is not named, if others are. */
const ASIDE = 0.5;
/** The least flow for full strength. */
const FULL = 0.4;
/** The duration of the transition from the change to the focus; ms. */
const SETTLES = 400;
/** ms between two paints of the transition; pauses leave time for the next edit. */
const PAUSE = 30;

export class Emphasis {
  /** @param {EmphasisServices} services */
  constructor(services) {
    this.services = services;
    this.backward = new Backward(services);
    this.entry = /** @type {WholeEntry | null} */ (null);
    this.columns = /** @type {Column[]} */ ([]);
    this.linked = /** @type {Set<number>} */ (new Set()); // indices of weights drawn as links
    /** The highlight of a film, which replaces the emphasis while the film plays. */
    this.light = /** @type {FilmHighlight | null} */ (null);
    /** The mix of change and focus: 1 shows the change, 0 the focus. */
    this.level = 0;
    this.changes = -1; // number of changes of the trail already taken into account
    /** Whether a sentence describes the last change, so that the picture keeps explaining it. */
    this.isTold = false;
    this.row = /** @type {number | null} */ (null); // whose word changed, by that sentence
    /** The focus at the last change, and the number of changes by then. */
    this.changed = { focus: "", at: -1 };
    /** The cache of `explanation`, and its key. */
    this.explained = { at: "", by: /** @type {Carried | null} */ (null) };
    this.painted = 0; // time of the last change of the level, ms
    this.ended = Number.NEGATIVE_INFINITY; // time when the last edit ended, ms
    /** Strengths while nothing changes. @type {Map<Matrix, Float32Array | null>} */
    this.known = new Map();
    /** Whether marks show which cells the selected number reaches; null: not computed yet. */
    this.marksReach = /** @type {boolean | null} */ (null);
    this.most = /** @type {number | null} */ (null); // the largest reach level of a link
    /** The lanes of the words named beside the followed one; null: not computed yet. */
    this.namedLanes = /** @type {Lane[] | null} */ (null);
    /** @type {Map<number, {column: Column, strengths: Float32Array}> | null} */
    this.flows = null;
  }

  /** @param {WholeEntry | null} entry the picture that is shown, if any */
  show(entry) {
    this.entry = entry;
    this.columns = entry ? columnsOf(entry) : [];
    const links = this.columns.filter(({ keys }) => keys !== null);
    this.linked = new Set(links.flatMap(({ matrices }) => matrices));
    this.backward.show(entry, this.columns);
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

  /** @param {number | null} row whose word changed, by the sentence on the last change, if any */
  tell(row) {
    if (row === this.row) return;
    this.isTold = row !== null;
    this.row = row;
    this.refocus();
  }

  /** Updates after the plane changed, such as from values to gradients. */
  replane() {
    this.backward.begin();
    this.refocus();
  }

  /** Updates after new values arrived, since attention weights determine the flow. */
  renew() {
    if (this.differsAtRest) this.refocus();
  }

  forget() {
    this.backward.forget();
    this.flows = this.explained.by = this.namedLanes = null;
    this.marksReach = this.most = null;
    this.known.clear();
  }

  /** Called in every display frame, before the paint. @param {number} now ms */
  tick(now) {
    const { painter, trail, orbit, isEditing } = this.services;
    const level = this.levelAt(now);
    if (level > 0 && !orbit() && !isEditing()) painter.schedule(); // until it has settled
    for (const matrix of this.backward.tick(now)) this.known.delete(matrix);
    if (this.changed.at !== trail.changes)
      this.changed = { focus: this.focusKey, at: trail.changes };
    if (level > 0 && level === this.level) {
      // A larger change makes the others relatively smaller. An oscillation is one change.
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

  /** The mix of change and focus; see `level`. @param {number} now ms */
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
    // A change by the reader during the film is shown as usual.
    if (!light || (this.level > 0 && !light.swings)) return this.own(matrix);
    return light.over(matrix, () => this.own(matrix));
  }

  /** The same without the highlight of a film. @param {Matrix} matrix */
  own(matrix) {
    const known = this.known.get(matrix);
    if (known !== undefined && (known === null || known.length === matrix.cells)) return known;
    const found = this.found(matrix);
    if (found) this.showSelected(matrix, found);
    this.known.set(matrix, found);
    return found;
  }

  /** The selected number keeps its color. @param {Matrix} matrix @param {Float32Array} strengths */
  showSelected(matrix, strengths) {
    const { store, selection } = this.services;
    const cell = selection();
    if (!cell) return;
    const { path, i, j } = cell;
    for (const [part, row, column] of store.parts(path, i, j, i, j))
      if (part === matrix) strengths[row * matrix.cols + column] = 1;
  }

  /** @param {Matrix} matrix */
  found(matrix) {
    const { level } = this;
    const explaining = this.explains ? this.explaining(matrix) : null;
    if (explaining) return explaining;
    const atRest = level < 1 ? this.atRest(matrix) : null;
    if (level === 0) return atRest;
    const found = new Float32Array(matrix.cells);
    const least = this.leastOf(matrix);
    for (let k = 0; k < found.length; k++) {
      const change = least + (1 - least) * this.change(matrix, k);
      found[k] = level * change + (1 - level) * (atRest?.[k] ?? 1);
    }
    return found;
  }

  /** Strengths while no number moves. @param {Matrix} matrix @returns {Float32Array | null} */
  atRest(matrix) {
    if (this.isByMarks) return ofMarks(matrix);
    if (!this.isByGradients) return this.focused(matrix);
    const least = this.linked.has(matrix.index) ? 0 : FAINTEST;
    return this.backward.of(matrix).map((size) => least + (1 - least) * size);
  }

  /**
   * Whether a change is explained; never if it began in many rows. At rest, only if a sentence
   * describes it, which is never the case for a training run.
   */
  get explains() {
    const { trail, orbit, isEditing } = this.services;
    if (!this.entry || (this.light && (this.level === 0 || this.light.swings))) return false;
    if (!this.isTold && !orbit() && !isEditing()) return false;
    if (this.level === 0) {
      const isSame = this.changed.focus === this.focusKey && !orbit();
      if (!this.isTold || !isSame || this.isByMarks || this.isByGradients || !trail.differs)
        return false;
    }
    const { from, links } = this.explanation;
    // At rest, a change without a ribbon to the followed word leaves that word's own ribbons.
    const isTraced = links.size > 0 || this.level > 0 || this.services.focus()?.kind !== "word";
    return from.length > 0 && isTraced;
  }

  get focusKey() {
    return JSON.stringify(this.services.focus()?.of ?? null);
  }

  /** The explanation of the last change, or of the oscillation. */
  get explanation() {
    const { trail, orbit, store, isEditing } = this.services;
    const swing = orbit();
    const isMoving = swing !== null || isEditing();
    const row = isMoving ? this.followedRow : this.row;
    const at = `${swing?.spreads.size ?? trail.changes} ${row}`;
    if (this.explained.by && this.explained.at === at) return this.explained.by;
    const to = (/** @type {number | null} */ said) =>
      carried(this.columns, this.rowCounts, store.byIndex, swing ?? trail, said);
    let by = to(row);
    // A change that does not reach the followed word is traced to the word that changes most.
    if (isMoving && row !== null && !by.links.size) by = to(null);
    this.explained = { at, by };
    return by;
  }

  /** The row of the followed word, if the model writes a word there. */
  get followedRow() {
    const lane = this.services.followed();
    const last = this.columns.at(-1);
    return lane && last?.keys === null && lane.stack === last.stack ? lane.index : null;
  }

  /** The number of rows of each stack. */
  get rowCounts() {
    return new Map(this.entry?.stacks.map(({ stack, words }) => [stack, words.length]));
  }

  /**
   * Strengths by the explanation of a change: for links the part they carried, for rows whether
   * they are on its path. Null for other matrices, and for rows at rest if nothing is in focus.
   * @param {Matrix} matrix
   */
  explaining(matrix) {
    if (this.linked.has(matrix.index)) return this.ofLinks(matrix);
    if (this.level === 0 && !this.services.focus()) return null;
    const n = this.columns.findIndex(({ matrices }) => matrices.includes(matrix.index));
    return n < 0 ? null : this.painting(matrix, this.columns[n], this.explanation.rows[n]);
  }

  /**
   * The strengths of links by the part of a change that they carried. The other links to the rows
   * that the change reached stay visible, by their weights, so that no head hides another.
   * @param {Matrix} matrix
   */
  ofLinks(matrix) {
    const { links } = this.explanation;
    const column = this.columns.find(({ matrices }) => matrices.includes(matrix.index));
    const reached = new Set(
      column?.matrices.flatMap((index) => {
        const head = this.services.store.byIndex[index];
        return [...(links.get(head)?.keys() ?? [])].map((k) => queryOf(head, k));
      }),
    );
    const found = new Float32Array(matrix.cells).map((_, k) =>
      reached.has(queryOf(matrix, k)) ? FAINTEST + (READS - FAINTEST) * matrix.weight(k) : FAINTEST,
    );
    for (const [k, by] of links.get(matrix) ?? []) found[k] = CARRIES + (1 - CARRIES) * by;
    return found;
  }

  /** The row whose written word is marked as changed. */
  get changedLane() {
    return this.explains ? this.explanation.to : null;
  }

  /** The heads whose links carried the explained change, the strongest first. */
  get carriers() {
    if (!this.explains) return [];
    const all = [...this.explanation.links].map(([{ entry }, cells]) => ({
      head: entry.head ?? 0,
      by: Math.max(...cells.values()),
    }));
    return [...new Set(all.sort((a, b) => b.by - a.by).map(({ head }) => head))];
  }

  /** The strength of cells that are not in focus. @param {Matrix} matrix */
  leastOf({ index }) {
    return this.linked.has(index) ? FAINTEST : FAINT;
  }

  /**
   * The strength of the word at an end of a row: that of the row's first or last strip. For
   * gradients, the last two strips count, because the loss is computed from logits, not from
   * probabilities. If a change is explained, the words of the rows in which it began and the word
   * that it changed are emphasized; otherwise those of the focus.
   * @param {Lane} lane @param {"read" | "written"} end
   * @returns {number | null} null if no word is emphasized
   */
  ofWord({ stack, index }, end) {
    if (!this.light && !this.differsAtRest) return null;
    if (this.explains) {
      const { from, to } = this.explanation;
      const words = end === "read" ? from : [to];
      return words.some((each) => each?.stack === stack && each.index === index) ? 1 : FAINT;
    }
    const strength = this.atEnd(stack, index, end);
    return end === "read" ? this.asNamed({ stack, index }, strength) : strength;
  }

  /**
   * Emphasizes only the named words beside a followed word.
   * @param {Lane} lane of a word that is read @param {number} strength by its row
   */
  asNamed({ stack, index }, strength) {
    const focus = this.services.focus();
    if (this.light || this.level > 0 || this.isByMarks || this.isByGradients) return strength;
    if (focus?.kind !== "word") return strength;
    this.namedLanes ??= this.services.named().map(({ lane }) => lane);
    const is = (/** @type {Lane} */ lane) => lane.stack === stack && lane.index === index;
    if (!this.namedLanes.length || is(focus.of)) return strength;
    return this.namedLanes.some(is) ? 1 : Math.min(strength, ASIDE);
  }

  /**
   * The strength of the first or last strip of a row.
   * @param {string} stack @param {number} index @param {"read" | "written"} end
   */
  atEnd(stack, index, end) {
    const strips = this.columns.filter((column) => column.stack === stack && column.keys === null);
    const last = this.isByGradients ? strips.slice(-2) : strips.slice(-1);
    return Math.max(
      ...(end === "read" ? strips.slice(0, 1) : last).map((x) => this.ofRow(x, index)),
    );
  }

  /** The strength of a row of a strip. @param {Column} strip @param {number} i */
  ofRow({ matrices: [index] }, i) {
    const matrix = this.services.store.byIndex[index];
    if (!matrix) return 1;
    const isMixed = this.level > 0 && !this.light;
    const strengths = isMixed ? this.atRest(matrix) : this.of(matrix);
    if (!strengths) return 1;
    return Math.max(0, ...strengths.subarray(i * matrix.cols, (i + 1) * matrix.cols));
  }

  /**
   * The number that affects the word in focus most: the largest of the first strip's row with the
   * strongest flow.
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
    return this.light !== null || this.level > 0 || this.differsAtRest;
  }

  get differsAtRest() {
    const isFocused = this.services.focus() !== null;
    return isFocused || this.isByMarks || this.isByGradients || this.explains;
  }

  /** Whether strengths are by gradients; marks of cells reached from a selection have priority. */
  get isByGradients() {
    if (!this.backward.isOn) return false;
    this.marksReach ??= this.services.store.byIndex.some(isReached);
    return !this.marksReach || this.services.focus()?.kind !== "number";
  }

  /** Whether strengths are by the marks of a search; a selected number has priority. */
  get isByMarks() {
    return this.services.marksSearched() && this.services.focus()?.kind !== "number";
  }

  /**
   * The change of a cell, 0 … 1, relative to the largest change; for a share, relative to 1 if that
   * is more, as when other numbers moved by far more.
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
    if (this.entry && this.marksReach)
      return this.linked.has(matrix.index)
        ? ofReachedLinks(matrix, this.mostLinked())
        : ofReach(matrix);
    if (!this.entry) return focus.kind === "word" ? ofLane(matrix, focus.of) : null;
    const flows = this.flowing(this.entry, focus);
    if (!flows) return null;
    const found = flows.get(matrix.index);
    const isIt = focus.kind === "number" && pathOf(matrix.entry) === focus.of.path;
    if (!found) return isIt ? null : new Float32Array(matrix.cells).fill(WEIGHTS);
    return this.painting(matrix, found.column, found.strengths);
  }

  /**
   * Expands a column's strengths to cells. A row of a strip has one strength; that of a link is
   * multiplied by the attention weight of the head.
   * @param {Matrix} matrix @param {Column} column @param {Float32Array} strengths
   */
  painting(matrix, { keys }, strengths) {
    const { cols, entry } = matrix;
    const [, top, left] = entry.origin ?? ["", 0, 0];
    const block = entry.block?.[1] ?? 1;
    const whole = entry.whole?.[1] ?? cols;
    const found = new Float32Array(matrix.cells);
    for (let k = 0; k < found.length; k++) {
      const i = top + Math.floor(k / cols);
      const j = left + (k % cols) * block;
      found[k] = matrix.isToRead(k)
        ? 1
        : keys === null
          ? shown(strengths[i], FAINT)
          : shown(strengths[i * whole + j] * matrix.weight(k), FAINTEST);
    }
    return found;
  }

  /** The largest reach level of any link. */
  mostLinked() {
    if (this.most !== null) return this.most;
    let most = 0;
    for (const index of this.linked)
      for (const mark of this.services.store.byIndex[index].flags ?? [])
        most = Math.max(most, reachOf(mark));
    this.most = most;
    return most;
  }

  /** The flow of the focus, for all matrices. @param {WholeEntry} entry @param {Focus} focus */
  flowing(entry, focus) {
    if (this.flows) return this.flows;
    const { byIndex } = this.services.store;
    const entries = byIndex.map((matrix) => matrix.entry);
    const seeds = flowSourcesOf(focus, entry, this.columns, entries);
    if (!seeds) return null;
    const strengths = flow(this.columns, this.rowCounts, weightsOf(byIndex), seeds);
    this.flows = new Map(
      this.columns.flatMap((column, k) =>
        column.matrices.map((index) => [index, { column, strengths: strengths[k] }]),
      ),
    );
    return this.flows;
  }
}

/** The row that a link writes to. @param {Matrix} matrix @param {number} k */
const queryOf = ({ cols, entry }, k) => (entry.origin?.[1] ?? 0) + Math.floor(k / cols);

/** @param {Matrix} matrix */
const isReached = ({ flags }) => flags?.some((mark) => (mark & REACHED) > 0) ?? false;

/** Strengths by how strongly the selected number reaches each cell. @param {Matrix} matrix */
const ofReach = ({ cells, flags }) =>
  Float32Array.from({ length: cells }, (_, k) => {
    const mark = flags?.[k] ?? 0;
    return mark & REACHED ? REACHES + ((1 - REACHES) * reachOf(mark)) / REACH_LEVELS : FAINT;
  });

/**
 * Strengths of links by reach and weight. Links overlap, so only the most reached are emphasized.
 * @param {Matrix} matrix @param {number} most the largest reach level of any link
 */
const ofReachedLinks = (matrix, most) =>
  Float32Array.from({ length: matrix.cells }, (_, k) => {
    const reached = (reachOf(matrix.flags?.[k] ?? 0) / Math.max(1, most)) ** 2;
    return FAINTEST + (1 - FAINTEST) * reached * Math.sqrt(matrix.weight(k));
  });

/** @param {number} strength @param {number} least */
const shown = (strength, least) => least + (1 - least) * Math.min(1, strength / FULL);

/** Strengths by marks. @param {Matrix} matrix */
const ofMarks = ({ cells, flags }) =>
  Float32Array.from(
    { length: cells },
    (_, k) => FAINT + (1 - FAINT) * (reachOf(flags?.[k] ?? 0) / REACH_LEVELS),
  );

/**
 * Strengths outside the picture, by the rows and columns of the word; null without any.
 * @param {Matrix} matrix @param {Lane} lane
 */
function ofLane({ entry, rows, cols }, { stack, index }) {
  const [above, before] = firstOf(entry);
  const [ofRows = null, ofColumns = null] = entry.lanes ?? [];
  if (ofRows !== stack && ofColumns !== stack) return null;
  return Float32Array.from({ length: rows * cols }, (_, k) => {
    const isRow = ofRows === stack && above + Math.floor(k / cols) === index;
    const isColumn = ofColumns === stack && before + (k % cols) === index;
    return isRow || isColumn ? 1 : READABLE;
  });
}

/**
 * The mean weight of all heads. In an overview, a dot represents the cells of its block.
 * @param {readonly Matrix[]} matrices @returns {WeightOf}
 */
const weightsOf =
  (matrices) =>
  ({ matrices: heads }, i, j) => {
    let sum = 0;
    for (const head of heads) {
      const { cols, entry } = matrices[head];
      sum += matrices[head].weight(i * cols + Math.floor(j / (entry.block?.[1] ?? 1)));
    }
    return sum / heads.length;
  };

/** @param {Float32Array} numbers */
const indexOfMost = (numbers) => numbers.indexOf(Math.max(...numbers));
