/**
 * The layout of the whole picture, in units: a unit is about one CSS px when the whole picture fits
 * a laptop's screen. The layout is computed from the manifest alone, for any number of layers,
 * heads and tokens. The lanes of a stack run from left to right, with strips of cells on them;
 * weights are tiles under the part that uses them.
 */

import { VECTOR, weightTiles } from "./weight_tiles.js";

/**
 * @import {LanesItem, PartEntry, StripItem, WholeEntry} from "../data/types.js"
 * @import {Gap} from "./folds.js"
 */

export const LANE = 22; // distance between lanes
export const LANE_ENDS = 8; // between a lane and the word at its end
export const LANE_GAP = 3; // part of LANE between the cells of two lanes
const CELL = 9; // width of a cell in a strip of eight columns
const VECTORS_APART = 3; // between a strip and the vectors under it
const WORDS = { before: 24, after: 24 };
const GAP = { item: 13, part: 24, sign: 14, stack: 26 };
/** Distance from the left edge of a strip to where a residual connection joins it. */
export const ARC_ENDS = 4;
/** Heights of the lines above the lanes. */
export const HEAD = { formula: 24, title: 18, words: 16, strip: 20, arc: 12 };
const UNDER_FORMULA = HEAD.title + HEAD.words + HEAD.strip + HEAD.arc;
/** The height kept under the lanes, and between two stacks, when weights are left out. */
const UNDER_LANES = { links: 2, stacks: 14 };
const STEP = 16; // under a strip, for the word that names its step
const NAMES = 38; // under a strip, for the names of its columns if these are words
/** The least width of one column, and of all columns, of attention weights with names. */
const NAMED = { cell: 12, all: 108 };
const LENS = 46; // least room for the word beside a row
/** CSS px of a word beside a row, and of the lanes, in a narrow view of the whole picture. */
const WORD = 30;
const NARROW_VIEW = 590;
/** Width in CSS px of the next words beside a row, and of a wide view of the whole picture. */
const NEXT_WORDS = 196;
const WIDE_VIEW = 990;
const PROBABILITIES = "output.probabilities";
const LINKS = { attention: 118, cross: 136 }; // widths
/** @type {readonly PartEntry["kind"][]} */
export const SUBLAYERS = ["attention", "cross", "feed_forward"];
const UNFOLDED = 3; // factor on the width of the links of an unfolded part

/**
 * @typedef {{x: number, y: number, width: number, height: number}} Rect
 *
 * @typedef {object} PlacedMatrix
 * @property {number} index of the matrix
 * @property {"strip" | "tile"} kind
 * @property {string} part
 * @property {string | null} stack the stack on whose lanes the rows are; null for a tile
 * @property {number} x @property {number} y
 * @property {number} cell width of a column
 * @property {number} height of a row
 * @property {number} rows @property {number} cols
 * @property {number} [names] height below the matrix for the names of its columns
 *
 * @typedef {object} PlacedLinks
 * @property {string} part
 * @property {LanesItem} item
 * @property {number} left x of the end at the keys
 * @property {number} right x of the end at the queries
 * @property {Rect} box
 *
 * @typedef {object} Label
 * @property {"stack" | "part" | "close" | "read" | "words" | "strip" | "symbol" | "vector" |
 *   "sign" | "add" | "formula" | "step"} kind
 * @property {string} text words, or LaTeX
 * @property {boolean} tex
 * @property {number} x middle of the label; for a stack, the left edge of the picture
 * @property {number} y baseline of the label
 * @property {number} room width that the label may take
 * @property {string} part
 * @property {Rect} [over] what it names
 * @property {PartEntry["kind"] | null} [sublayer] the kind of the sublayer whose title it is
 * @property {string} [path] of the matrix that it names
 * @property {string} [meaning] what the numbers of that matrix are
 * @property {string} [symbol] of that matrix in LaTeX, if the label has words instead
 * @property {string} [backward] the text shown instead while gradients are shown
 *
 * @typedef {{index: number, part: string, stack: string, x: number, top: number, rows: number,
 *   room: number}} PlacedLens words beside the rows of a matrix
 * @typedef {{stack: string, top: number, left: number, right: number, count: number, bottom:
 *   number, isWritten: boolean}} Lanes `bottom`: the bottom of the last lane that has room;
 *   `isWritten`: whether the right ends have words
 * @typedef {Rect & {stack: string}} NextWords the strip of probabilities, over which the likeliest
 *   words of a row are shown as bars
 * @typedef {{part: string, from: number, to: number, y: number, top: number}} Arc a residual
 *   connection, from the strip before a sublayer to the one after it
 * @typedef {Rect & {entry: PartEntry, lanes: Rect}} PlacedPart
 *
 * @typedef {object} Sized
 * @property {number} rows @property {number} cols
 * @property {string} tex @property {string} [path] @property {string} [meaning]
 * @property {[number, number]} [whole]
 * @property {boolean} [ofWords] whether the names of its columns are words
 *
 * @typedef {object} Plan
 * @property {number} width @property {number} height
 * @property {Map<string, Lanes>} lanes
 * @property {PlacedPart[]} parts
 * @property {PlacedMatrix[]} matrices
 * @property {PlacedLinks[]} links
 * @property {Label[]} labels
 * @property {Arc[]} arcs
 * @property {PlacedLens[]} lens
 * @property {NextWords | null} nextWords
 * @property {number} widest the width of the widest cell
 * @property {{cell: number, row: number}} least the width of the narrowest cell, including cells
 *   drawn as blocks, and the height of the lowest row of a tile
 * @property {Record<"formulas" | "lines" | "strips" | "weights", Gap[]>} secondary the heights that
 *   may be left out: formulas above the titles, lines under the titles, names of strips, weights
 */

/**
 * The place of a matrix.
 * @param {Pick<PlacedMatrix, "x" | "y" | "cell" | "height" | "rows" | "cols">} placed
 * @returns {Rect}
 */
export const rectOf = ({ x, y, cell, height, rows, cols }) => ({
  ...{ x, y, width: cell * cols, height: height * rows },
});

/** The cell width of a strip: more columns are wider only in total. @param {number} cols */
const stripCell = (cols) => (cols <= 8 ? CELL : CELL * (8 / cols) ** 0.62);

/** @param {StripItem | LanesItem} item */
const isLinks = (item) => "lanes" in item;

/**
 * Lays out a structure.
 * @param {WholeEntry} entry
 * @param {(index: number) => Sized} matrixOf
 * @param {boolean} [isWide] whether the window has room for the next words beside a row
 * @returns {Plan}
 */
export function planOf(entry, matrixOf, isWide = false) {
  const plan = new Planner(entry, matrixOf).plan();
  const lens = lensRoom(plan);
  const next = isWide ? nextRoom(plan) : 0;
  return lens > LENS || next ? new Planner(entry, matrixOf, lens, next).plan() : plan;
}

/** The width of the probabilities that leaves room for the next words. @param {Plan} plan */
function nextRoom({ nextWords, width }) {
  const others = width - (nextWords?.width ?? width);
  return (NEXT_WORDS * others) / (WIDE_VIEW - NEXT_WORDS);
}

/**
 * The width of the words beside the rows: wide enough to read them when the whole picture is in
 * sight, or the least width if there are too many columns of words.
 * @param {Plan} plan
 */
function lensRoom({ lens, lanes, width }) {
  const counts = [...lanes.keys()].map((on) => lens.filter(({ stack }) => stack === on).length);
  const columns = Math.max(0, ...counts);
  const rest = NARROW_VIEW - columns * WORD;
  if (!columns || rest < NARROW_VIEW / 2) return LENS;
  return ((width - columns * LENS) * WORD) / rest;
}

class Planner {
  /**
   * @param {WholeEntry} entry @param {(index: number) => Sized} matrixOf
   * @param {number} lensRoom width for the word beside a row
   * @param {number} nextRoom width for the next words beside a row
   */
  constructor(entry, matrixOf, lensRoom = LENS, nextRoom = 0) {
    this.entry = entry;
    this.matrixOf = matrixOf;
    this.lensRoom = lensRoom;
    this.nextRoom = nextRoom;
    this.nextWords = /** @type {NextWords | null} */ (null);
    this.lanes = /** @type {Map<string, Lanes>} */ (new Map());
    this.parts = /** @type {PlacedPart[]} */ ([]);
    this.matrices = /** @type {PlacedMatrix[]} */ ([]);
    this.links = /** @type {PlacedLinks[]} */ ([]);
    this.labels = /** @type {Label[]} */ ([]);
    this.arcs = /** @type {Arc[]} */ ([]);
    this.lens = /** @type {PlacedLens[]} */ ([]);
    /** @type {Plan["secondary"]} */
    this.secondary = { formulas: [], lines: [], strips: [], weights: [] };
    this.right = 0;
  }

  plan() {
    let y = 0;
    let memory = 0; // right end of the encoder's lanes
    for (const [k, { stack, title, words, right, room }] of this.entry.stacks.entries()) {
      const above = HEAD.formula + UNDER_FORMULA;
      const top = y + above;
      const isWritten = right.some((word) => word !== null && word !== undefined);
      const ends = { left: WORDS.before, right: WORDS.before };
      let bottom = top + room * LANE;
      const lanes = { stack, top, ...ends, count: words.length, bottom, isWritten };
      this.lanes.set(stack, lanes);
      this.label("stack", title, 0, y + HEAD.formula + HEAD.title - 4, WORDS.before, "");
      let x = WORDS.before;
      let stream = 0; // right end of the previous strip
      for (const part of this.entry.parts) {
        if (part.stack !== stack) continue;
        if (part.kind === "cross") x = Math.max(x, memory + GAP.part);
        const placed = this.part(part, x, lanes, stream);
        stream = placed.stream;
        x = placed.right + GAP.part;
        bottom = Math.max(bottom, placed.bottom);
      }
      lanes.right = x - GAP.part;
      memory = lanes.right;
      this.right = Math.max(this.right, lanes.right);
      const isLast = k === this.entry.stacks.length - 1;
      this.gaps(lanes, y, isLast ? bottom : bottom + GAP.stack - UNDER_LANES.stacks);
      y = bottom + GAP.stack;
    }
    const width = this.right + WORDS.after;
    const height = Math.max(1, y - GAP.stack);
    const { lanes, parts, matrices, links, labels, arcs, lens, nextWords, secondary } = this;
    const least = this.least();
    const widest = Math.max(...matrices.map(({ cell }) => cell));
    const placed = { lanes, parts, matrices, links, labels, arcs, lens, nextWords };
    return { width, height, ...placed, least, widest, secondary };
  }

  /**
   * Collects the secondary heights of a stack.
   * @param {Lanes} lanes @param {number} above top of its room
   * @param {number} below bottom of the room of its weights
   */
  gaps({ top, bottom }, above, below) {
    const { formulas, lines, strips, weights } = this.secondary;
    const title = above + HEAD.formula;
    const line = title + HEAD.title + HEAD.words;
    formulas.push({ from: above, to: title });
    lines.push({ from: title + HEAD.title, to: line });
    strips.push({ from: line, to: top - HEAD.arc });
    const from = bottom + UNDER_LANES.links;
    if (below > from) weights.push({ from, to: below });
  }

  /** The smallest cell width and row height. */
  least() {
    const wholeOf = (/** @type {PlacedMatrix} */ { index, rows, cols }) =>
      this.matrixOf(index).whole ?? [rows, cols];
    const cells = this.matrices.map((each) => (each.cell * each.cols) / wholeOf(each)[1]);
    const tiles = this.matrices.filter(({ kind }) => kind === "tile");
    const rows = tiles.map((each) => (each.height * each.rows) / wholeOf(each)[0]);
    return { cell: Math.min(CELL, ...cells), row: Math.min(VECTOR, ...rows) };
  }

  /**
   * Places a part: its items, links, residual connection, weights and headings.
   * @param {PartEntry} part @param {number} left @param {Lanes} lanes
   * @param {number} stream right end of the strip that enters it
   */
  part(part, left, lanes, stream) {
    const { id } = part;
    /** The x of the next item on the lanes of each stack. @type {Map<string, number>} */
    const next = new Map();
    const at = (/** @type {string} */ stack) => next.get(stack) ?? left;
    let right = left;
    let deepest = lanes.bottom;
    let joins = stream;
    let after = stream;
    for (const item of part.items) {
      if (isLinks(item)) {
        const x = Math.max(at(item.stack), at(item.keys));
        const own = item.stack === item.keys ? LINKS.attention : LINKS.cross;
        const wide = part.unfolded ? own * UNFOLDED : own;
        this.links.push(this.linksAt(id, item, x, wide));
        right = x + wide;
        next.set(item.stack, right + GAP.item);
        next.set(item.keys, right + GAP.item);
        continue;
      }
      const on = this.lanes.get(item.stack) ?? lanes;
      let x = at(item.stack);
      if (item.sign) {
        this.label("sign", item.sign, x - GAP.item / 2 + 4, on.top - HEAD.arc - 4, GAP.sign, id);
        x += GAP.sign - 6;
      }
      const strip = this.strip(item, x, on, part);
      const end = this.words(item, strip.right, on, id);
      next.set(item.stack, end + GAP.item);
      right = Math.max(right, end);
      deepest = Math.max(deepest, strip.bottom);
      if (item.stack === part.stack) {
        joins = x;
        after = strip.right;
      }
    }
    if (part.adds && stream) this.residual(id, part.adds, stream, joins, lanes.top);
    const tiles = weightTiles(part, left, deepest, this.matrixOf);
    this.matrices.push(...tiles.matrices);
    this.labels.push(...tiles.labels);
    right = Math.max(right, tiles.right);
    const top = lanes.top - UNDER_FORMULA;
    // Between two stacks a title would cover its own links: place the title above them.
    const over = part.items.find(isLinks);
    const head = over && over.keys !== over.stack ? this.lanes.get(over.keys) : undefined;
    const above = head ? head.top - UNDER_FORMULA : top;
    const box = { x: left, width: right - left };
    const inner = { ...box, y: lanes.top, height: lanes.count * LANE };
    this.headings(part, { ...box, y: above, height: tiles.bottom - above });
    const y = Math.min(top, above);
    this.parts.push({ ...box, y, height: tiles.bottom - y, entry: part, lanes: inner });
    return { right, bottom: tiles.bottom, stream: after };
  }

  /**
   * Adds a residual connection.
   * @param {string} part @param {string} meaning
   * @param {number} from the x at which the stream enters @param {number} to the x of its end
   * @param {number} y top of the lanes
   */
  residual(part, meaning, from, to, y) {
    this.arcs.push({ part, from, to, y, top: y - HEAD.arc });
    this.labels.push({
      ...{ kind: "add", text: "⊕", tex: false, part, meaning },
      ...{ x: to + ARC_ENDS, y: y - 1, room: GAP.item },
    });
  }

  /**
   * Adds the title of a part, the labels beside and under it, and the formulas.
   * @param {PartEntry} part @param {Rect} over the box of the whole part
   */
  headings(part, over) {
    const { id, kind, words, tex, unfolded } = part;
    const { x: left, y: above, width } = over;
    const [x, y] = [left + width / 2, above + HEAD.title - 4];
    const room = width + GAP.part;
    const line = { x, y, room, part: id, tex: false };
    const sublayer = SUBLAYERS.includes(kind) ? kind : null;
    this.labels.push({ ...line, kind: "part", text: partName(part), over, sublayer });
    if (unfolded)
      this.labels.push({ ...line, kind: "close", text: "" }, { ...line, kind: "read", text: "" });
    if (words) this.labels.push({ ...line, kind: "words", text: words, y: y + HEAD.words + 1 });
    // Let formulas of all attentions appear at the same zoom, although cross-attention is wider.
    const own = kind === "cross" && !unfolded ? room + LINKS.attention - LINKS.cross : room;
    if (tex.length) this.label("formula", tex.join(",\\quad "), x, above - 5, own, id, true);
  }

  /** @param {string} part @param {LanesItem} item @param {number} x @param {number} wide */
  linksAt(part, item, x, wide) {
    const to = this.lanes.get(item.stack);
    const from = this.lanes.get(item.keys);
    if (!to || !from) throw new Error(`no lanes for ${part}`);
    const top = Math.min(from.top, to.top);
    const bottom = Math.max(from.top + from.count * LANE, to.top + to.count * LANE);
    const box = { x, y: top - 4, width: wide, height: bottom - top + 6 };
    return { part, item, left: x, right: x + wide, box };
  }

  /** @param {StripItem} item @param {number} x @param {Lanes} on @param {PartEntry} of */
  strip({ strip, title, words, stack, under, backward }, x, on, { id: part, kind, unfolded }) {
    const { rows, cols, tex, path, meaning, ofWords } = this.matrixOf(strip);
    const names = ofWords && unfolded ? NAMES : 0;
    const isNamed = names > 0 && path?.endsWith(".weights");
    const least = isNamed ? Math.min(NAMED.cell, NAMED.all / cols) : 0;
    const isNext = path === PROBABILITIES;
    const cell = Math.max(stripCell(cols), least, isNext ? this.nextRoom / cols : 0);
    const width = cols * cell;
    if (isNext) this.nextWords = { stack, x, y: on.top, width, height: on.count * LANE };
    this.matrices.push({
      ...{ index: strip, kind: "strip", part, stack, x, y: on.top },
      ...{ cell, height: LANE, rows, cols, names },
    });
    this.labels.push({
      ...{ kind: "strip", text: title || tex, tex: !title, part, path, room: width + GAP.item },
      ...{ x: x + width / 2, y: on.top - HEAD.arc - 4 },
      symbol: title && kind === "input" ? tex : "",
      ...{ over: { x, y: on.top, width, height: on.count * LANE }, backward, meaning },
    });
    let bottom = on.bottom + names;
    for (const index of under) {
      const vector = this.matrixOf(index);
      bottom += VECTORS_APART;
      this.matrices.push({
        ...{ index, kind: "tile", part, stack: null, x, y: bottom },
        ...{ cell: width / vector.cols, height: VECTOR, rows: 1, cols: vector.cols },
      });
      this.labels.push({
        ...{ kind: "vector", text: vector.tex, tex: true, part, meaning: vector.meaning },
        ...{ x: x - 6, y: bottom + VECTOR, room: 10 },
      });
      bottom += VECTOR;
    }
    const right = x + width;
    return { right, bottom: words ? this.step(words, part, x, { right, bottom }) : bottom };
  }

  /**
   * Adds the word for a step of an unfolded part under its strips; heads of one tensor share it.
   * @param {string} text @param {string} part @param {number} x
   * @param {{right: number, bottom: number}} strip @returns {number} the bottom of the word
   */
  step(text, part, x, { right, bottom }) {
    const last = this.labels.findLast((label) => label.kind === "step" && label.part === part);
    const isSame = last?.text === text;
    const left = isSame ? last.x - (last.room - GAP.item) / 2 : x;
    if (isSame) this.labels.splice(this.labels.indexOf(last), 1);
    const y = bottom + STEP;
    this.label("step", text, (left + right) / 2, y, right - left + GAP.item, part);
    return y;
  }

  /**
   * Adds room for the words beside the rows of a strip, if it has any; returns its right end.
   * @param {StripItem} item @param {number} right end of the strip @param {Lanes} on
   * @param {string} part
   */
  words({ strip, stack, lens }, right, on, part) {
    if (!lens) return right;
    const { rows } = this.matrixOf(strip);
    const x = right + GAP.item / 3;
    this.lens.push({ ...{ index: strip, part, stack, x, top: on.top, rows }, room: this.lensRoom });
    return x + this.lensRoom;
  }

  /**
   * @param {Label["kind"]} kind @param {string} text @param {number} x @param {number} y
   * @param {number} room @param {string} part @param {boolean} [tex]
   */
  label(kind, text, x, y, room, part, tex = false) {
    this.labels.push({ kind, text, tex, x, y, room, part });
  }
}

/**
 * The name of a part, with the number of its layer if its stack has several.
 * @param {{title: string, layer: number | null}} part
 */
export const partName = ({ title, layer }) => (layer === null ? title : `${title} ${layer}`);
