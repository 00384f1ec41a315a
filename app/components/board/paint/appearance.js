/** How numbers are drawn: what the user chose, the page's theme, and the pictures made of both. */

import { DECIMAL, decimalText, SCIENTIFIC, scientificText } from "../../shared/number_format.js";
import { Theme } from "./color.js";
import { Sprites } from "./sprites.js";

/**
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
      numbers: "scientific",
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

  /** Gradients are small and of many sizes: each matrix of them has a scale of its own. */
  get ownScales() {
    return this.settings.scale === "matrix" || this.showsGradients;
  }

  get notation() {
    return this.settings.numbers === "decimal" ? DECIMAL : SCIENTIFIC;
  }

  /** In the cells. Two decimals would leave nothing of a gradient. */
  get cellNotation() {
    return this.showsGradients ? SCIENTIFIC : this.notation;
  }

  /** @param {number} v */
  spokenNumber(v) {
    return this.notation === DECIMAL ? decimalText(v) : scientificText(v);
  }

  /**
   * Sprites depend on the size of the text and on the theme only, so views share them.
   * @param {CellStyle} style @param {number} ratio device pixels a CSS pixel
   */
  spritesFor(style, ratio) {
    const key = `${style.mode} ${style.cell} ${style.head} ${ratio}`;
    let sprites = this.sprites.get(key);
    if (!sprites) {
      sprites = new Sprites(this.theme, style, ratio);
      this.sprites.set(key, sprites);
    }
    return sprites;
  }
}
