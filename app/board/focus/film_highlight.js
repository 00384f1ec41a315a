/**
 * The highlight of a film: the strength of every cell and link at each moment. It moves through the
 * parts of a scene in the order of computation, along the row of one word. Rows highlighted by
 * earlier scenes stay at about half strength, so that at the end the whole path of the word is
 * visible. The rows of words that are not written yet are hidden.
 */

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {Lane} from "../data/types.js"
 * @import {Column} from "./flow.js"
 *
 * @typedef {object} LitScene the properties of a scene that the highlight needs
 * @property {string[]} parts to move through; if empty, the whole picture is shown evenly
 * @property {[stack: string, index: number] | null} lane of the word
 * @property {number} seconds
 * @property {boolean} writes whether it shows the next word of its row
 * @property {[path: string, row: number, column: number] | null} swing
 *
 * @typedef {object} Beam the highlight of one row of a strip, or of the links of one query
 * @property {Column} column
 * @property {Column | null} keys for links: the strip that they read
 * @property {number} row
 * @property {number} begin @property {number} end share of the scene
 */

const DARK = { cells: 0.16, weights: 0.28 };
const EVEN = { cells: 0.55, weights: 0.4 };
const TRAIL = 0.55; // strength of rows highlighted by an earlier scene
/** Fractions of a scene between which its highlight moves; the rest is time for reading. */
const MOVES = { begin: 0.2, end: 0.8 };
/** Fractions of a scene between which its word is typed. */
const TYPES = { from: 0.78, to: 0.92 };
const FADES = 0.6; // seconds of the transition between the highlights of two scenes
const CELL = 0.45; // fraction of a strip's time in which one of its cells brightens
const ALL = 0.35; // the least weight of a key at full strength

/** @param {number} x */
const clamp = (x) => Math.max(0, Math.min(1, x));
/** @param {number} x */
export const smooth = (x) => clamp(x) ** 2 * (3 - 2 * clamp(x));

/**
 * The beams of a scene, in the order of computation.
 * @param {LitScene} scene @param {readonly Column[]} columns of the picture
 * @returns {Beam[]}
 */
export function beamsOf({ parts, lane }, columns) {
  if (!lane) return [];
  const [stack, row] = lane;
  if (!parts.length) {
    // Highlight only the result for the word: its last strip.
    const last = columns.findLast((column) => column.stack === stack && column.keys === null);
    return last ? [{ column: last, keys: null, row, begin: 0, end: 0.2 }] : [];
  }
  const lit = columns.filter((column) => column.stack === stack && parts.includes(column.part));
  const share = (MOVES.end - MOVES.begin) / lit.length;
  return lit.map((column, n) => {
    const before = columns.slice(0, columns.indexOf(column));
    const isKeys = (/** @type {Column} */ each) => each.stack === column.keys && each.keys === null;
    const begin = MOVES.begin + n * share;
    const keys = column.keys === null ? null : (before.findLast(isKeys) ?? null);
    return { column, keys, row, begin, end: begin + share };
  });
}

export class FilmHighlight {
  /**
   * @param {readonly LitScene[]} scenes @param {readonly Column[]} columns of the picture
   * @param {(column: Column, query: number) => number[]} weightsOf the largest weight by key
   * @param {string | null} [writer] the stack whose rows predict the next word, if any
   */
  constructor(scenes, columns, weightsOf, writer = null) {
    this.scenes = scenes;
    this.writer = writer;
    this.weightsOf = weightsOf;
    this.columns = columns;
    this.beams = scenes.map((scene) => beamsOf(scene, columns));
    this.at = 0;
    this.share = 0;
    this.fade = 1;
    this.own = 0;
    this.known = /** @type {Map<Matrix, Float32Array | null>} */ (new Map());
  }

  /** @param {number} at index of the scene @param {number} share fraction of it that has passed */
  move(at, share) {
    const { seconds, swing } = this.scenes[at];
    this.at = at;
    this.share = share;
    this.fade = at ? smooth((share * seconds) / FADES) : 1;
    // While a number oscillates, show the numbers that it moves.
    this.own = swing ? smooth((share * seconds) / FADES - 0.5) : 0;
    this.known.clear();
  }

  /** Whether a number oscillates in the current scene. */
  get swings() {
    return this.scenes[this.at].swing !== null;
  }

  /** Whether the highlight rests, so that only an oscillation changes the strengths. */
  get isStill() {
    return this.own >= 1;
  }

  /**
   * The strengths of a matrix under this highlight.
   * @param {Matrix} matrix @param {() => Float32Array | null} own computes the strengths without it
   * @returns {Float32Array | null} null: full strength
   */
  over(matrix, own) {
    const known = this.known.get(matrix);
    if (known !== undefined) return known;
    const lit = mixed(matrix.cells, this.lit(matrix), this.own ? own() : null, this.own);
    const found = this.withoutLater(lit, matrix);
    if (!this.own) this.known.set(matrix, found); // with an oscillation they change all the time
    return found;
  }

  /** @param {Matrix} matrix */
  lit(matrix) {
    const now = this.ofScene(matrix, this.at, this.share);
    if (this.fade >= 1) return now;
    return mixed(matrix.cells, this.ofScene(matrix, this.at - 1, 1), now, this.fade);
  }

  /** @param {Matrix} matrix @param {number} at @param {number} share */
  ofScene(matrix, at, share) {
    const isEven = !this.scenes[at].parts.length;
    const kind = this.kindOf(matrix);
    const base = isEven ? EVEN : DARK;
    const plain = kind === "links" ? DARK.cells : kind ? base.cells : base.weights;
    const found = new Float32Array(matrix.cells).fill(plain);
    const first = isEven ? at : 0;
    for (let k = first; k <= at; k++)
      for (const beam of this.beams[k]) {
        const done = k < at ? 1 : (share - beam.begin) / (beam.end - beam.begin);
        if (done > 0) this.shine(found, matrix, beam, done, k < at ? TRAIL : 1);
      }
    return found;
  }

  /** The word that is typed now, next, or else last; see `typedBy`. */
  get typed() {
    return typedBy(this.scenes, this.at, this.share, this.writer);
  }

  /**
   * Hides the rows of words that are not written yet.
   * @param {Float32Array | null} strengths null: full strength @param {Matrix} matrix
   */
  withoutLater(strengths, { index, rows, cols, cells, entry }) {
    const { typed } = this;
    const column = this.columns.find(({ matrices }) => matrices.includes(index));
    if (!typed || column?.stack !== this.writer) return strengths;
    const written = typed.lane.index + 1 - (entry.origin?.[1] ?? 0);
    const shown = strengths ?? new Float32Array(cells).fill(1);
    return shown.slice().fill(0, Math.min(rows, Math.max(0, written)) * cols);
  }

  /** @param {Matrix} matrix @returns {"links" | "strip" | null} null: learned weights */
  kindOf({ index }) {
    const column = this.columns.find(({ matrices }) => matrices.includes(index));
    return column ? (column.keys === null ? "strip" : "links") : null;
  }

  /**
   * Highlights the cells that a beam has reached.
   * @param {Float32Array} found @param {Matrix} matrix @param {Beam} beam
   * @param {number} done fraction of the beam's time @param {number} strength
   */
  shine(found, matrix, { column, keys, row }, done, strength) {
    const { cols, index, entry, values } = matrix;
    const top = entry.origin?.[1] ?? 0;
    if (column.matrices.includes(index)) {
      const i = row - top;
      for (let j = 0; i >= 0 && i < matrix.rows && j < cols; j++) {
        const reached = keys ? linked(values?.[i * cols + j] ?? 0) : cellAt(j / cols, done);
        raise(found, i * cols + j, strength * reached);
      }
    } else if (keys?.matrices.includes(index)) {
      // Highlight the rows of the keys in proportion to their attention weights.
      const weights = this.weightsOf(column, row);
      for (const [i, weight] of weights.entries())
        for (let j = 0; i - top >= 0 && i - top < matrix.rows && j < cols; j++)
          raise(found, (i - top) * cols + j, strength * smooth(4 * done) * clamp(weight / ALL));
    }
  }

  /** The drawn share of the length of a part's links, 0 … 1. @param {string} part */
  grown(part) {
    const beam = this.beams[this.at].find(({ column, keys }) => keys && column.part === part);
    return beam ? smooth((this.share - beam.begin) / (beam.end - beam.begin)) : 1;
  }
}

/**
 * The row of the word that a film types now or next, or else typed last, and the typed share of it;
 * null if it types none.
 * @param {readonly LitScene[]} scenes
 * @param {number} at the scene @param {number} share fraction of it that has passed
 * @param {string | null} writer the stack whose rows predict the next word, if any
 * @returns {{lane: Lane, share: number} | null}
 */
export function typedBy(scenes, at, share, writer) {
  const isTyped = (/** @type {LitScene} */ { writes, parts, lane }) =>
    writes && parts.length > 0 && lane?.[0] === writer;
  const next = scenes.findIndex((scene, n) => n >= at && isTyped(scene));
  const found = scenes[next] ?? scenes.findLast(isTyped);
  if (!found?.lane) return null;
  const [stack, index] = found.lane;
  const passed = next < 0 ? 1 : next > at ? 0 : (share - TYPES.from) / (TYPES.to - TYPES.from);
  return { lane: { stack, index }, share: clamp(passed) };
}

/** @param {number} weight */
const linked = (weight) => (weight < 0.02 ? 0 : clamp(0.3 + Math.sqrt(weight)));

/** A cell's strength as a row brightens. @param {number} place 0 … 1 @param {number} done */
const cellAt = (place, done) => smooth((done - place * (1 - CELL)) / CELL);

/** @param {Float32Array} found @param {number} k @param {number} strength */
function raise(found, k, strength) {
  found[k] = Math.max(found[k], strength);
}

/**
 * Interpolates between two strengths; null means full strength everywhere.
 * @param {number} cells @param {Float32Array | null} a @param {Float32Array | null} b
 * @param {number} share fraction of b
 */
function mixed(cells, a, b, share) {
  if (share <= 0 || (a === null && b === null)) return a;
  if (share >= 1) return b;
  return Float32Array.from(
    { length: cells },
    (_, k) => (a?.[k] ?? 1) * (1 - share) + (b?.[k] ?? 1) * share,
  );
}
