/** Delays other words on the lanes until their numbers are painted. */

/**
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {WholeEntry} from "../data/types.js"
 * @import {Drawing} from "./drawing.js"
 */

/** Milliseconds for the numbers of the new words. */
export const PATIENCE = 1500;

export class Renaming {
  /** @param {MatrixStore} store @param {(entry: WholeEntry) => void} apply */
  constructor(store, apply) {
    this.store = store;
    this.apply = apply;
    this.coming = /** @type {WholeEntry | null} */ (null);
    this.patience = 0; // timer
  }

  /** @param {WholeEntry} entry with the other words */
  begin(entry) {
    this.end();
    this.coming = entry;
    this.patience = setTimeout(() => this.finish(), PATIENCE);
  }

  /** After something was painted: the numbers may be there. @param {Drawing} drawing */
  look(drawing) {
    if (this.coming && drawing.isFresh(this.store)) this.finish();
  }

  finish() {
    const { coming } = this;
    this.end();
    if (coming) this.apply(coming);
  }

  end() {
    clearTimeout(this.patience);
    this.coming = null;
  }
}
