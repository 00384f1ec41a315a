/** Lays out the page after a new manifest, a change of width, or a choice of head. */

/**
 * @import {Painter} from "../paint/painter.js"
 * @import {Rings} from "../paint/rings.js"
 * @import {LayerChooser} from "./layer_chooser.js"
 * @import {Reading} from "./reading.js"
 * @import {StageList} from "./stage_list.js"
 * @import {Tip} from "./tip.js"
 */

/**
 * @typedef {object} PageElements the elements on the page and over it
 * @property {StageList} stages
 * @property {Reading} reading
 * @property {LayerChooser} chooser
 * @property {Painter} painter
 * @property {Rings} rings
 * @property {Tip} tip
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

  /** Moves the elements positioned over cells, after a layout. */
  placeRings() {
    const { rings, tip } = this.placed;
    rings.placeAgain();
    // A resting pointer is over another cell now; a cell that another component points at is not.
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
