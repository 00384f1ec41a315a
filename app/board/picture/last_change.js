/**
 * Describes the last change and its effect on the written words, and offers to undo the change.
 * While a number is dragged, describes what would be written on release.
 */

import { setNames } from "../../components/shared/cell_name.js";
import { make } from "../../components/shared/dom.js";

/**
 * @import {Send} from "../data/types.js"
 *
 * @typedef {{cause?: string, effect?: string, is_traced?: boolean, train?: string, compared?:
 *   boolean}} Changed empty without a change. Without `cause` the change is still in progress;
 *   `is_traced`: whether its path to the shown row is marked; `train`: label of a button that
 *   trains the resulting model; `compared`: whether numbers show their changes
 */

export class LastChange {
  /** @param {Send} send @param {() => boolean} isLocked */
  constructor(send, isLocked) {
    this.isLocked = isLocked;
    this.isTold = false;
    /** Whether there is a text to show. */
    this.isSaid = false;
    this.effect = make("strong");
    this.cause = make("span", { class: "cause" });
    const train = () => send({ type: "train" }).catch(() => {});
    this.train = make("button", { type: "button", class: "train", onclick: train });
    const undo = () => send({ type: "undo" }).catch(() => {}); // Python shows the reason
    this.undo = make("button", { type: "button", class: "undo", onclick: undo }, "Undo");
    const changes = () => send({ type: "changes" }).catch(() => {});
    const title = "Show by how much each number differs from before the change";
    const every = { type: "button", class: "every", title, onclick: changes };
    this.every = make("button", every, "Compare");
    const parts = [this.train, "\u2003", this.undo, "\u2003", this.every];
    const buttons = make("span", { "data-unrecorded": "" }, ...parts);
    this.second = make("span", {}, this.cause, "\u2003", buttons);
    const sentences = [this.effect, this.second];
    this.el = make("div", { class: "last-change", role: "note", hidden: true }, ...sentences);
  }

  /** @param {Changed} changed */
  tell({ cause = "", effect = "", train = "", compared = false }) {
    this.isTold = cause !== "";
    this.isSaid = this.isTold || effect !== "";
    // Without an effect, show the cause in its place.
    setNames(this.effect, effect || cause);
    setNames(this.cause, effect ? cause : "");
    this.second.hidden = !this.isTold;
    this.undo.hidden = this.isLocked();
    this.every.hidden = compared;
    this.train.textContent = train;
    this.train.hidden = this.isLocked() || !train;
    this.el.hidden = !this.isSaid;
  }
}
