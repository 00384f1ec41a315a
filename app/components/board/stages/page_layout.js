/** Everything is put in its place: after a new structure, in another room, for another head. */

/**
 * @import {Painter} from "../paint/painter.js"
 * @import {Rings} from "../paint/rings.js"
 * @import {LayerChooser} from "./layer_chooser.js"
 * @import {Reading} from "./reading.js"
 * @import {StageList} from "./stage_list.js"
 * @import {Tip} from "./tip.js"
 */

/**
 * @typedef {object} Placed what stands on the page, or lies over it
 * @property {StageList} stages
 * @property {Reading} reading
 * @property {LayerChooser} chooser
 * @property {Painter} painter
 * @property {Rings} rings
 * @property {Tip} tip
 */

export class PageLayout {
  /** @param {HTMLElement} root the board's @param {Placed} placed */
  constructor(root, placed) {
    this.root = root;
    this.placed = placed;
  }

  layOut() {
    const { stages, chooser } = this.placed;
    stages.room = this.root.clientWidth;
    if (!stages.room) return;
    chooser.stick();
    stages.layOut();
    this.placeRings();
  }

  /** What they lie round has moved. */
  placeRings() {
    this.placed.tip.hide();
    this.placed.rings.placeAgain();
  }

  /** @param {boolean} zoomed */
  resized(zoomed) {
    const { stages, reading, painter } = this.placed;
    if (!zoomed && this.root.clientWidth === stages.room) return;
    const before = reading.place();
    this.layOut();
    reading.goOn(before);
    painter.touchAll();
  }

  /** @param {string} id of a stage @param {number | "all"} head */
  chooseHead(id, head) {
    const stage = this.placed.stages.get(id);
    if (!stage) return;
    stage.showHead(head);
    this.layOut();
    this.placed.painter.touchAll();
  }
}
