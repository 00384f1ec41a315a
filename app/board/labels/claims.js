/** Registry of the occupied boxes in the view, by owner: no label may be placed there. */

/** @import {Box} from "../paint/view.js" */

export class Claims {
  constructor() {
    this.boxes = /** @type {Map<string, readonly Box[]>} */ (new Map());
    this.version = 0; // increases with each change
  }

  /** @param {string} owner @param {readonly Box[]} boxes CSS px of the view */
  set(owner, boxes) {
    const before = this.boxes.get(owner) ?? [];
    if (before.length === boxes.length && before.every((box, k) => isSame(box, boxes[k]))) return;
    this.boxes.set(owner, boxes);
    this.version++;
  }

  /** The boxes of one owner. @param {string} owner */
  of(owner) {
    return this.boxes.get(owner) ?? [];
  }

  /** The boxes of all other owners. @param {string[]} owners */
  without(...owners) {
    return [...this.boxes].flatMap(([owner, boxes]) => (owners.includes(owner) ? [] : boxes));
  }
}

/** @param {Box} a @param {Box} b */
const isSame = (a, b) => a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
