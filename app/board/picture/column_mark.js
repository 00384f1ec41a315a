/** The word of the column under the pointer, shown below or above the column. */

import { make, setText } from "../../components/shared/dom.js";

/**
 * @import {ColumnNames} from "./column_names.js"
 * @import {Tile} from "./tile.js"
 */

const APART = 3; // CSS px from the cells

export class ColumnMark {
  /** @param {ColumnNames} names */
  constructor(names) {
    this.names = names;
    this.at = /** @type {{tile: Tile, j: number} | null} */ (null);
    this.word = make("span");
    this.el = make("div", { class: "column-mark", "aria-hidden": "true", hidden: true }, this.word);
  }

  /** @param {Tile | null} tile @param {number} [j] */
  point(tile, j = 0) {
    const word = tile?.placed.names ? tile.matrix.entry.col_labels.at(j) : undefined;
    this.at = tile && word !== undefined ? { tile, j } : null;
    if (word !== undefined) setText(this.word, word || "∅");
    this.place();
  }

  place() {
    this.el.hidden = !this.at?.tile.isInSight;
    if (!this.at || this.el.hidden) return;
    const { tile, j } = this.at;
    const isUnder = this.names.isUnder(tile);
    const first = tile.boxOf(0, j);
    const last = tile.boxOf(tile.matrix.rows - 1, j);
    const x = first.x + first.width / 2;
    const y = isUnder ? last.y + last.height + APART : first.y - APART;
    this.el.classList.toggle("under", isUnder);
    this.el.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }
}
