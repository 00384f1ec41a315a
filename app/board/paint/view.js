/**
 * The interface of views: what is drawn on the board, and repainted when one of its matrices
 * changes.
 * @import {Matrix} from "../data/matrix.js"
 * @import {AttentionFocus, Cell, CellOf, FollowedLane} from "../data/types.js"
 * @import {Geometry} from "./layout.js"
 *
 * @typedef {object} Shows
 * @property {HTMLElement} el
 * @property {Matrix[]} matrices all matrices that it draws
 * @property {boolean} near whether it is near the screen; it has a canvas only there
 * @property {boolean} repaint whether the next paint has to repaint all of it
 * @property {() => boolean} paint returns whether anything was drawn
 * @property {(near: boolean) => void} approach called when it nears or leaves the screen
 * @property {() => void} remove
 *
 * @typedef {Shows & PictureOnly} PictureView a picture of matrices that is not a grid of cells
 * @typedef {object} PictureOnly
 * @property {"picture"} kind
 * @property {(available: number) => void} place lays it out in a width in CSS px
 * @property {(focus?: AttentionFocus) => void} [describe] updates it to a new manifest
 * @property {(lane: FollowedLane | null) => void} [follow] another word is followed, or none
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
 * @property {boolean} [isFolded] whether it has no room now
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
