/**
 * The interface of views: objects that draw matrices on the board, and are repainted when one of
 * their matrices changes.
 * @import {Matrix} from "../data/matrix.js"
 * @import {AttentionFocus, Cell, CellOf, FollowedLane} from "../data/types.js"
 * @import {Geometry} from "./layout.js"
 *
 * @typedef {object} Shows
 * @property {HTMLElement} el
 * @property {Matrix[]} matrices all matrices that the view draws
 * @property {boolean} near whether the view is near the screen; elsewhere it has no canvas
 * @property {boolean} repaint whether the next paint has to repaint the whole view
 * @property {() => boolean} paint returns whether anything was drawn
 * @property {(near: boolean) => void} [approach] called when the view nears or leaves the screen
 * @property {() => void} remove
 *
 * @typedef {Shows & PictureOnly} PictureView a picture of matrices that is not a grid of cells
 * @typedef {object} PictureOnly
 * @property {"picture"} kind
 * @property {(available: number) => void} [place] lays out the picture in a width, in CSS px
 * @property {(focus?: AttentionFocus) => void} [describe] updates the picture after a new manifest
 * @property {(lane: FollowedLane | null) => void} [follow] shows the followed word, if any
 * @property {(head: number | "all", heads: number) => void} [showHead] shows one of the heads
 *
 * @typedef {Shows & GridOnly} GridView the cells of a matrix, or the dots of its overview
 * @typedef {object} GridOnly
 * @property {"cells" | "dots"} kind
 * @property {Matrix} matrix
 * @property {HTMLElement} grid the element that the pointer is on
 * @property {HTMLElement} sheet the element that contains the rings
 * @property {Cell} active the active cell for the keyboard
 * @property {Cell | null} heading the keyboard's goal while a window scrolls, in the whole matrix
 * @property {Geometry | null} geometry
 * @property {boolean} [isFolded] whether the view is folded now
 * @property {(i: number, j: number, i2?: number, j2?: number) => Box} boxOf on the sheet, in CSS px
 * @property {(clientX: number, clientY: number) => Cell | null} cellAt
 * @property {(i: number, j: number) => CellOf | null} origin the cell in the whole matrix
 * @property {(cell: Cell | null) => void} [mark] emphasizes the labels of a cell
 * @property {(i: number, j: number) => void} [reveal] scrolls within the view to a cell
 * @property {() => void} [materialize] creates the element of the active cell, for screen readers
 * @property {(i: number, j: number) => string} sentence
 * @property {() => void} [relabel] updates labels after the cells have got other rows or columns
 * @property {() => void} [showFrame] shows the position of the window on its overview
 * @property {() => void} [takeTab] makes the view the Tab stop of its stage
 * @property {(i: number, j: number) => void} [bring] brings a cell into view, if the view does not
 *   scroll with the page
 * @property {(dy: number, dx: number) => {view: GridView, i: number, j: number} | null} [beyond]
 *   the goal of the arrow keys beyond the view's edge
 * @property {() => number} topOf the top of the view in the viewport, CSS px
 *
 * @typedef {PictureView | GridView} View
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 */
