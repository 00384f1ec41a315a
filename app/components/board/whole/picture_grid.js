/** What every grid of the whole picture has, whether its cells are drawn as cells or as links. */

import { cellWords } from "../data/cell_words.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {Cell} from "../data/types.js"
 * @import {Whole} from "./whole.js"
 */

export class PictureGrid {
  /** @param {Whole} whole the picture @param {Matrix} matrix */
  constructor(whole, matrix) {
    this.whole = whole;
    this.matrix = matrix;
    this.near = true;
    this.repaint = true;
    this.active = { i: 0, j: 0 };
    this.heading = /** @type {Cell | null} */ (null);
  }

  get el() {
    return this.whole.el;
  }

  get grid() {
    return this.whole.grid;
  }

  get sheet() {
    return this.whole.overlay;
  }

  get matrices() {
    return [this.matrix];
  }

  /** @param {number} i @param {number} j */
  sentence(i, j) {
    const { entry, values, cols, name } = this.matrix;
    const { appearance } = this.whole.services;
    const value = values ? `: ${appearance.spokenNumber(values[i * cols + j])}` : "";
    return `${name}, ${cellWords(entry, i, j)}${value}`;
  }

  showFrame() {}

  takeTab() {}

  approach() {}

  topOf() {
    return this.sheet.getBoundingClientRect().y;
  }
}
