/**
 * Sizes of matrices and their cells. The available space determines one of three styles: numbers on
 * one line, numbers on two lines (mantissa over exponent), or a picture without numbers. If even
 * the smallest picture is too large, a scrolling window shows the matrix; its labels are painted
 * last, so that they stay visible.
 */

import { make } from "../../components/shared/dom.js";
import { contextOf } from "./near_canvas.js";

/** @import {MatrixEntry} from "../data/types.js" */

/**
 * @typedef {object} CellStyle
 * @property {"line" | "stack" | "picture"} mode
 * @property {number} cell width of a cell in CSS px, including 1 px of gap
 * @property {number} height of a cell in CSS px, including 1 px of gap
 * @property {number} head font size of the first part of a number
 * @property {number} tail font size of the second part
 *
 * @typedef {object} Extent in CSS px
 * @property {number} label width of the row labels
 * @property {number} top height of the column labels
 * @property {boolean} upright whether column labels are rotated
 * @property {boolean} above whether an operator is above the matrix instead of beside it
 * @property {number} full the total width
 * @property {number} tall the total height
 * @property {number} windowWidth the visible width
 * @property {number} windowHeight
 *
 * @typedef {CellStyle & Extent} Geometry
 */

/** @type {CellStyle} */
const ROOMY = { mode: "line", cell: 45, height: 25, head: 11.5, tail: 8 };
/** @type {CellStyle} */
const LINE = { mode: "line", cell: 40, height: 23, head: 10.5, tail: 7.5 };
/** @type {CellStyle} */
const COMPACT = { mode: "line", cell: 36, height: 22, head: 10, tail: 7.2 };
/** @type {CellStyle} */
const STACK = { mode: "stack", cell: 24, height: 28, head: 10, tail: 8.5 };
/** @type {CellStyle} */
const TIGHT = { mode: "stack", cell: 22, height: 28, head: 9.5, tail: 8 };
/** Larger styles for cells seen at high zoom, in descending order. @type {CellStyle[]} */
const NEAR = [2.6, 2.1, 1.7, 1.35].map((by) => ({
  ...{ mode: /** @type {const} */ ("line"), cell: ROOMY.cell * by, height: ROOMY.height * by },
  ...{ head: ROOMY.head * by, tail: ROOMY.tail * by },
}));
/** The styles of the picture, in descending order. @type {CellStyle[]} */
const CLOSE_UP = [
  ...NEAR,
  ROOMY,
  { mode: "stack", cell: 31, height: 28, head: 11, tail: 9 },
  STACK,
];
/** The least width of a cell of the picture that shows digits, in CSS px. */
export const DIGITS = STACK.cell;
const MAX_STACK = 34;
const MIN_PICTURE_CELL = 3;
const MAX_PICTURE_CELL = 18;
const PICTURE_WIDTH = 580;

export const LABEL_FONT = 11.5;
const MAX_LABEL = 118;
const MAX_TOP = 84;
const MAX_CELLS_WITH_TEXT = 4096;
const MAX_HEIGHT = 620;

/**
 * The style with the largest numbers that fit in a cell of the picture.
 * @param {number} width CSS px @param {number} height
 * @param {boolean} isOneLine whether numbers take one line only
 * @returns {CellStyle | null} null if the cell is too small for any numbers
 */
export function styleWithin(width, height, isOneLine) {
  const tall = (/** @type {CellStyle} */ { head, height: two }) => (isOneLine ? head + 2 : two);
  return CLOSE_UP.find((style) => style.cell <= width && tall(style) <= height) ?? null;
}

/**
 * Whether a label is a letter and the index k, such as d0 or k12, which is set as a subscript.
 * @param {string} label @param {number} k
 */
export const isIndexLabel = (label, k) =>
  /^[a-zA-Z]\d+$/.test(label) && Number(label.slice(1)) === k;

/**
 * The first row and column that a view shows; (0, 0) except for a window.
 * @param {MatrixEntry} entry @returns {[row: number, column: number]}
 */
export const firstOf = ({ overview, origin }) =>
  overview && origin ? [origin[1], origin[2]] : [0, 0];

/** @type {CanvasRenderingContext2D | null} */
let measurer = null;

/** Measured widths by font and text. @type {Map<string, number>} */
const widths = new Map();
const MOST_WIDTHS = 5000;

/** The width of a text in CSS px. @param {string} text @param {string} font */
export function textWidth(text, font) {
  const key = `${font} ${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  measurer ??= contextOf(make("canvas"));
  measurer.font = font;
  const { width } = measurer.measureText(text);
  if (widths.size >= MOST_WIDTHS) widths.clear();
  widths.set(key, width);
  return width;
}

/**
 * The width of the widest label, at most `cap`; the read-out has the full text. Measures only some
 * of thousands of labels.
 * @param {string[]} labels @param {string} font @param {number} cap @param {number} [first]
 */
export function widest(labels, font, cap, first = 0) {
  let most = 0;
  const step = Math.max(1, Math.floor(labels.length / 400));
  for (let k = 0; k < labels.length; k += step) {
    const label = labels[k] || "∅";
    if (isIndexLabel(label, first + k)) most = Math.max(most, 8 + 5 * (label.length - 1));
    else
      most = Math.max(most, Math.min(cap, label.length * 12) <= most ? 0 : textWidth(label, font));
    if (most >= cap) return cap;
  }
  return Math.ceil(most);
}

/**
 * The width of the labels on one side. For a window, the width suffices at every position.
 * @param {MatrixEntry} matrix @param {string[]} labels @param {0 | 1} axis @param {string} font
 * @param {number} cap
 */
function labelWidth(matrix, labels, axis, font, cap) {
  const first = firstOf(matrix)[axis];
  const count = matrix.whole?.[axis];
  if (!matrix.overview || count === undefined || labels.length === count)
    return widest(labels, font, cap, first);
  if (!isIndexLabel(labels[0], first)) return cap;
  return Math.min(cap, widest([`${labels[0][0]}${count - 1}`], font, cap, count - 1));
}

/**
 * @param {MatrixEntry} matrix
 * @param {CellStyle} style @param {number} available the available width, in CSS px
 * @param {string} fontText
 */
function geometry(matrix, style, available, fontText) {
  const font = `${LABEL_FONT}px ${fontText}`;
  const label =
    Math.ceil(labelWidth(matrix, matrix.row_labels, 0, font, Math.min(MAX_LABEL, available / 4))) +
    10;
  const across = labelWidth(matrix, matrix.col_labels, 1, font, MAX_TOP);
  const left = firstOf(matrix)[1];
  // Rotate words that are wider than their column.
  const upright =
    matrix.col_labels.some((l, k) => !isIndexLabel(l, left + k)) && across > style.cell - 1;
  const top = upright ? across + 8 : matrix.col_labels.length ? 19 : 4;
  const full = label + matrix.cols * style.cell;
  const tall = top + matrix.rows * style.height;
  return {
    ...style,
    label,
    top,
    upright,
    above: false,
    full,
    tall,
    windowWidth: Math.min(full, available),
    windowHeight: Math.min(tall, MAX_HEIGHT),
  };
}

/**
 * The style of a picture without numbers, no wider than the available space.
 * @param {MatrixEntry} matrix @param {number} available @returns {CellStyle}
 */
function pictureStyle(matrix, available) {
  const across = Math.min(available - 60, Math.max(PICTURE_WIDTH, matrix.cols * MIN_PICTURE_CELL));
  let cell = Math.floor(Math.min(across / matrix.cols, (MAX_HEIGHT - 24) / matrix.rows));
  cell = Math.max(MIN_PICTURE_CELL, Math.min(MAX_PICTURE_CELL, cell));
  // If there are few rows, cells may be taller than wide, so that each row has its label.
  const height = matrix.rows <= 24 ? Math.max(cell, 14) : cell;
  return { mode: "picture", cell, height, head: 0, tail: 0 };
}

/** @param {MatrixEntry} m */
const hasText = (m) => m.rows * m.cols <= MAX_CELLS_WITH_TEXT && m.cols <= 64 && m.rows <= 64;

/**
 * Sizes the matrices of one row. Formulas should fit on one line, so the row gets the largest style
 * in which all matrices fit side by side. Without such a style, each matrix gets the largest style
 * in which it fits alone, and the row wraps.
 * @param {MatrixEntry[]} matrices @param {number} available
 * @param {number} between width of operators and gaps, px
 * @param {string} fontText
 * @param {number} beside width of an operator beside a matrix on its own line, px
 * @returns {Geometry[]}
 */
export function fitRow(matrices, available, between, fontText, beside) {
  /** @param {Geometry[]} all */
  const total = (all) => all.reduce((sum, g) => sum + g.full, between);
  /** @param {CellStyle} style */
  const inStyle = (style) =>
    matrices.map((m) =>
      geometry(m, hasText(m) ? style : pictureStyle(m, available), available, fontText),
    );
  for (const style of [ROOMY, LINE, COMPACT, STACK]) {
    const all = inStyle(style);
    const spare = available - total(all);
    if (spare < 0) continue;
    if (style !== STACK) return all;
    const columns = matrices.reduce((sum, m) => sum + m.cols, 0);
    return inStyle({
      ...STACK,
      cell: Math.min(MAX_STACK, STACK.cell + Math.floor(spare / columns)),
    });
  }
  // Give each matrix a line, with the operator above it if it does not fit beside.
  const own = available - beside;
  return matrices.map((m) => {
    if (!hasText(m)) return geometry(m, pictureStyle(m, own), own, fontText);
    for (const width of [own, available])
      for (const style of [LINE, COMPACT, STACK, TIGHT]) {
        const g = geometry(m, style, width, fontText);
        if (g.full > width) continue;
        const cell =
          style === TIGHT
            ? Math.min(STACK.cell, TIGHT.cell + Math.floor((width - g.full) / m.cols))
            : style.cell;
        return { ...geometry(m, { ...style, cell }, width, fontText), above: width > own };
      }
    return geometry(m, pictureStyle(m, own), own, fontText);
  });
}

/**
 * Sizes matrices that are stacked, so that their columns are aligned.
 * @param {MatrixEntry[]} matrices @param {number} available @param {string} fontText
 * @returns {Geometry[]}
 */
export function fitStack(matrices, available, fontText) {
  /** @param {CellStyle} style */
  const inStyle = (style) => {
    const all = matrices.map((m) => geometry(m, style, available, fontText));
    const label = Math.max(...all.map((g) => g.label));
    return all.map((g) => {
      const full = g.full + label - g.label;
      return { ...g, label, full, windowWidth: Math.min(full, available) };
    });
  };
  const isText = matrices.every(hasText);
  const styles = isText ? [ROOMY, LINE, COMPACT, STACK, TIGHT] : [];
  const fitting = styles.map(inStyle).find((all) => all.every((g) => g.full <= available));
  if (fitting) return fitting;
  const widest = matrices.reduce((a, b) => (b.cols > a.cols ? b : a));
  return inStyle(pictureStyle(widest, available));
}
