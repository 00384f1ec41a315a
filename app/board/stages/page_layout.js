/** Lays out the page after a new manifest, a change of width, or a choice of head. */

/**
 * @import {Formulas} from "../formulas.js"
 * @import {Inputs} from "../inputs.js"
 * @import {Numbers} from "../numbers.js"
 *
 * @typedef {Pick<Formulas, "stages" | "reading" | "chooser"> & Pick<Numbers, "painter">
 *   & Pick<Inputs, "rings" | "tip">} PageElements the elements on the page and over it
 */

export class PageLayout {
  /** @param {HTMLElement} root the board's @param {PageElements} placed */
  constructor(root, placed) {
    this.root = root;
    this.placed = placed;
  }

  layOut() {
    const { stages, chooser } = this.placed;
    stages.availableWidth = this.root.clientWidth;
    if (!stages.availableWidth) return;
    chooser.stick();
    stages.layOut();
    this.placeRings();
  }

  /** Moves the elements that lie over cells, after a layout. */
  placeRings() {
    const { rings, tip } = this.placed;
    rings.placeAgain();
    // Keep the tooltip if another component points at the cell: the mouse may now be elsewhere.
    if (rings.isLed) tip.follow();
    else tip.hide();
  }

  /** @param {boolean} zoomed */
  resized(zoomed) {
    const { stages, reading, painter } = this.placed;
    if (!zoomed && this.root.clientWidth === stages.availableWidth) return;
    const before = reading.place();
    this.layOut();
    reading.goOn(before);
    painter.repaintAll();
  }

  /** @param {string} id of a stage @param {number | "all"} head */
  chooseHead(id, head) {
    const stage = this.placed.stages.get(id);
    if (!stage) return;
    stage.showHead(head);
    this.layOut();
    this.placed.painter.repaintAll();
  }
}
