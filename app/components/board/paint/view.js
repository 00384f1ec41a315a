/**
 * What stands on the board and is painted when a matrix that it shows changes.
 *
 * @import {Matrix} from "../data/matrix.js"
 * @import {Cell, CellOf, AttentionFocus} from "../data/types.js"
 * @import {Geometry} from "./layout.js"
 *
 * @typedef {object} Shows
 * @property {HTMLElement} el
 * @property {Matrix[]} matrices all that is drawn here
 * @property {boolean} near the screen: only there it has a canvas
 * @property {boolean} repaint all of it at the next paint
 * @property {() => boolean} paint whether anything was drawn
 * @property {(near: boolean) => void} approach the screen, or leave it
 * @property {() => void} remove
 *
 * @typedef {Shows & PictureOnly} PictureView a picture of matrices that is no grid of their cells
 * @typedef {object} PictureOnly
 * @property {"picture"} kind
 * @property {(room: number) => void} place in so many CSS px
 * @property {(focus?: AttentionFocus) => void} [describe] after a new manifest
 * @property {(head: number | "all", heads: number) => void} [showHead] of so many
 *
 * @typedef {Shows & GridOnly} GridView the cells of a matrix, or the dots of its overview
 * @typedef {object} GridOnly
 * @property {"cells" | "dots"} kind
 * @property {Matrix} matrix
 * @property {HTMLElement} grid what the pointer is on
 * @property {HTMLElement} sheet what rings lie on
 * @property {Cell} active the cell of the keyboard
 * @property {Cell | null} heading where the keys go while a window scrolls, in its whole matrix
 * @property {Geometry | null} geometry
 * @property {(i: number, j: number, i2?: number, j2?: number) => Box} boxOf on the sheet, in CSS px
 * @property {(clientX: number, clientY: number) => Cell | null} cellAt
 * @property {(i: number, j: number) => CellOf | null} origin the cell as its own matrix has it
 * @property {(cell: Cell | null) => void} mark emphasize its labels
 * @property {(i: number, j: number) => void} reveal scroll within the view
 * @property {() => void} materialize the active cell, for a screen reader
 * @property {(i: number, j: number) => string} sentence
 * @property {() => void} relabel other rows and columns are under the same cells
 * @property {() => void} showFrame where the window is, on its overview
 * @property {() => void} takeTab be what Tab reaches in its stage
 * @property {(i: number, j: number) => void} [bring] have a cell in sight, where a view does not
 *   scroll with the page
 * @property {(dy: number, dx: number) => {view: GridView, i: number, j: number} | null} [beyond]
 *   where the arrow keys lead from its edge
 * @property {() => number} topOf the view in the viewport, less what has scrolled
 *
 * @typedef {PictureView | GridView} View
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 */
