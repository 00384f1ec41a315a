/**
 * Moves items that are dragged in a plane. A dropped item stays in place until Python has sent the
 * new position.
 */

import { Paced } from "../../components/shared/paced.js";
import { nextPress } from "./press.js";

/**
 * @import {Connection} from "../../components/shared/model.js"
 * @import {Point} from "./plane_figure.js"
 */

export class PlaneMoves {
  /** @param {Connection} model @param {() => void} show redraws the figure */
  constructor(model, show) {
    this.paced = new Paced(model);
    this.show = show;
    this.press = 0;
    this.isDragged = false;
    /** The item that is held or whose move is pending. @type {{index: number, to: Point} | null} */
    this.held = null;
  }

  begin() {
    this.press = nextPress();
    this.isDragged = true;
  }

  /** @param {number} index of the item @param {Point} to @param {boolean} held by the pointer */
  move(index, to, held) {
    this.held = { index, to };
    const press = held ? this.press : 0;
    this.paced.say({ type: "move", index, x: to[0], y: to[1], press, held });
    if (!held) this.letGo();
    this.show();
  }

  /** Ends a drag. */
  end() {
    this.isDragged = false;
    this.paced.end({ type: "release" });
    this.letGo();
  }

  letGo() {
    this.paced.settled(() => {
      this.held = null;
      this.show();
    });
  }
}
