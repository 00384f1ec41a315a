/** The appearance of numbers: the user's settings, the theme, and the sprites based on both. */

import {
  decimalFormat,
  decimalText,
  gradientText,
  SCIENTIFIC,
  scientificText,
} from "../../components/shared/number_format.js";
import { Theme } from "./color.js";
import { Sprites } from "./sprites.js";

/**
 * @import {NumberFormat} from "../../components/shared/number_format.js"
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
      all_numbers: false,
    };
    this.theme = new Theme(root);
    this.sprites = /** @type {Map<string, Sprites>} */ (new Map());
  }

  /** @param {ViewSettings} settings */
  take({ palette, scale, numbers, plane, all_numbers }) {
    this.settings = { palette, scale, numbers, plane, all_numbers };
    this.root.classList.toggle("shows-change", plane === "change");
    this.root.classList.toggle("shows-gradient", this.showsGradients);
    // The palette applies to the whole page: a rule for [data-palette=safe] sets the colors.
    document.documentElement.dataset.palette = palette;
    this.root.dataset.scale = this.ownScales ? "matrix" : "fixed";
    this.renew();
  }

  /** Reads the custom properties again after they have changed. */
  renew() {
    this.theme = new Theme(this.root);
    this.sprites.clear();
  }

  get plane() {
    return this.settings.plane;
  }

  /** Whether weights and symbols are shown: if chosen, or with gradients, which update weights. */
  get showsAll() {
    return this.settings.all_numbers || this.showsGradients;
  }

  get showsGradients() {
    return this.plane === "gradient";
  }

  /** Whether the cells show numbers other than values, which Python then sends, too. */
  get hasSecond() {
    return this.plane === "gradient" || this.plane === "patch";
  }

  /** Returns a gradient, or the share of a patch, as text. @param {number} v */
  secondText(v) {
    if (this.showsGradients) return `gradient ${gradientText(v)}`;
    return Number.isNaN(v) ? "not patched" : `patched: share ${decimalText(Number(v.toFixed(3)))}`;
  }

  /**
   * Whether each matrix has its own color scale. Gradients always do, because they are small and
   * differ widely in magnitude.
   */
  get ownScales() {
    return (this.settings.scale === "matrix" && this.plane !== "patch") || this.showsGradients;
  }

  get inDecimals() {
    return this.settings.numbers === "decimal";
  }

  /** Whether cells show decimals. Gradients do not: two decimals would show most as 0. */
  get cellsInDecimals() {
    return this.inDecimals && !this.showsGradients;
  }

  /**
   * Returns the format of a matrix's numbers in its cells.
   * @param {{largest: number, isShare: boolean}} matrix as set by `Matrix.rescale`
   * @param {number} characters that fit in a cell
   */
  formatOf({ largest, isShare }, characters) {
    return this.cellsInDecimals ? decimalFormat(largest, isShare, characters) : SCIENTIFIC;
  }

  /** @param {number} v */
  spokenNumber(v) {
    return this.inDecimals ? decimalText(v) : scientificText(v);
  }

  /**
   * Returns the sprites of a cell style; views with the same style share them.
   * @param {CellStyle} style @param {number} ratio device pixels per CSS pixel
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
