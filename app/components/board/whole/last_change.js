/** Says what the last change did to the words that are written, what it was, and takes it back. */

import { setNames } from "../../shared/cell_name.js";
import { make } from "../../shared/dom.js";

/**
 * @import {Send} from "../data/types.js"
 *
 * @typedef {{cause?: string, effect?: string}} Changed empty: there is no change to tell
 */

export class LastChange {
  /** @param {Send} send @param {() => boolean} isLocked */
  constructor(send, isLocked) {
    this.isLocked = isLocked;
    this.isTold = false;
    this.effect = make("strong");
    this.cause = make("span", { class: "cause" });
    const undo = () => send({ type: "undo" }).catch(() => {}); // Python says why
    this.undo = make("button", { type: "button", class: "undo", onclick: undo }, "Undo");
    this.el = make(
      "div",
      { class: "last-change", role: "note", hidden: true },
      this.effect,
      make("span", {}, this.cause, "\u2003", this.undo),
    );
  }

  /** @param {Changed} changed */
  tell({ cause = "", effect = "" }) {
    this.isTold = cause !== "";
    // What has no effect that can be said is the news itself.
    setNames(this.effect, effect || cause);
    setNames(this.cause, effect ? cause : "");
    this.undo.hidden = this.isLocked();
    this.el.hidden = !this.isTold;
  }
}
