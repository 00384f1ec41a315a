/** How numbers are drawn: what the user chose, the page's theme, and the pictures made of both. */

import {
  decimalFormat,
  decimalText,
  gradientText,
  SCIENTIFIC,
  scientificText,
} from "../../shared/number_format.js";
import { Theme } from "./color.js";
import { Sprites } from "./sprites.js";

/**
 * @import {NumberFormat} from "../../shared/number_format.js"
 * @import {ViewSettings} from "../data/types.js"
 * @import {CellStyle} from "./layout.js"
 */

export class Appearance {
  /** @param {HTMLElement} root the board's */
  constructor(root) {
    this.root = root;
    /** @type {ViewSettings} */
    this.settings = {
      palette: "blue-red",
      scale: "fixed",
      numbers: "decimal",
      plane: "value",
    };
    this.theme = new Theme(root);
    this.sprites = /** @type {Map<string, Sprites>} */ (new Map());
  }

  /** @param {ViewSettings} settings */
  take({ palette, scale, numbers, plane }) {
    this.settings = { palette, scale, numbers, plane };
    this.root.classList.toggle("shows-change", plane === "change");
    this.root.classList.toggle("shows-gradient", this.showsGradients);
    // The palette is the page's: a rule for [data-palette=safe] sets the custom properties.
    document.documentElement.dataset.palette = palette;
    this.root.dataset.scale = this.ownScales ? "matrix" : "fixed";
    this.renew();
  }

  /** The custom properties have changed. */
  renew() {
    this.theme = new Theme(this.root);
    this.sprites.clear();
  }

  get plane() {
    return this.settings.plane;
  }

  get showsGradients() {
    return this.plane === "gradient";
  }

  /** Whether numbers are shown that travel beside the values. */
  get hasSecond() {
    return this.plane === "gradient" || this.plane === "patch";
  }

  /** What is said of such a number. @param {number} v */
  secondText(v) {
    if (this.showsGradients) return `gradient ${gradientText(v)}`;
    return Number.isNaN(v) ? "not patched" : `patched: share ${decimalText(Number(v.toFixed(3)))}`;
  }

  /** Gradients are small and of many sizes: each matrix of them has a scale of its own. */
  get ownScales() {
    return (this.settings.scale === "matrix" && this.plane !== "patch") || this.showsGradients;
  }

  get inDecimals() {
    return this.settings.numbers === "decimal";
  }

  /** In the cells. Two decimals would leave nothing of a gradient. */
  get cellsInDecimals() {
    return this.inDecimals && !this.showsGradients;
  }

  /**
   * How the numbers of a matrix are set in its cells.
   * @param {{largest: number, isShare: boolean}} matrix as `Matrix.rescale` leaves it
   * @param {number} characters that fit into a cell
   * @returns {NumberFormat}
   */
  formatOf({ largest, isShare }, characters) {
    return this.cellsInDecimals ? decimalFormat(largest, isShare, characters) : SCIENTIFIC;
  }

  /** @param {number} v */
  spokenNumber(v) {
    return this.inDecimals ? decimalText(v) : scientificText(v);
  }

  /**
   * Sprites depend on the size of the text and on the theme only, so views share them.
   * @param {CellStyle} style @param {number} ratio device pixels a CSS pixel
   */
  spritesFor(style, ratio) {
    const scientific = !this.cellsInDecimals;
    const key = `${style.mode} ${style.cell} ${style.head} ${ratio} ${scientific}`;
    let sprites = this.sprites.get(key);
    if (!sprites) {
      sprites = new Sprites(this.theme, style, ratio, scientific);
      this.sprites.set(key, sprites);
    }
    return sprites;
  }
}
