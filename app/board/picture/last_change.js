/**
 * Says what the last change did to the words that are written, what it was, and takes it back.
 * While a number is dragged, it says what letting go of it will write.
 */

import { setNames } from "../../components/shared/cell_name.js";
import { make } from "../../components/shared/dom.js";

/**
 * @import {Send} from "../data/types.js"
 *
 * @typedef {{cause?: string, effect?: string, row?: number | null, train?: string}} Changed empty:
 *   there is no change to tell; without a cause it goes on; `row`: whose word it changed, to which
 *   it is traced; `train`: the label of the button that trains the model that it made
 */

export class LastChange {
  /** @param {Send} send @param {() => boolean} isLocked */
  constructor(send, isLocked) {
    this.isLocked = isLocked;
    this.isTold = false;
    /** Whether there is something to say. */
    this.isSaid = false;
    this.effect = make("strong");
    this.cause = make("span", { class: "cause" });
    const train = () => send({ type: "train" }).catch(() => {});
    this.train = make("button", { type: "button", class: "train", onclick: train });
    const undo = () => send({ type: "undo" }).catch(() => {}); // Python says why
    this.undo = make("button", { type: "button", class: "undo", onclick: undo }, "Undo");
    const buttons = make("span", { "data-unrecorded": "" }, this.train, "\u2003", this.undo);
    this.second = make("span", {}, this.cause, "\u2003", buttons);
    this.el = make(
      "div",
      { class: "last-change", role: "note", hidden: true },
      this.effect,
      this.second,
    );
  }

  /** @param {Changed} changed */
  tell({ cause = "", effect = "", train = "" }) {
    this.isTold = cause !== "";
    this.isSaid = this.isTold || effect !== "";
    // What has no effect that can be said is the news itself.
    setNames(this.effect, effect || cause);
    setNames(this.cause, effect ? cause : "");
    this.second.hidden = !this.isTold;
    this.undo.hidden = this.isLocked();
    this.train.textContent = train;
    this.train.hidden = this.isLocked() || !train;
    this.el.hidden = !this.isSaid;
  }
}
