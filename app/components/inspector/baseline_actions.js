/** Actions that copy the number, its row or its matrix from the pinned baseline. */

import { make } from "../shared/dom.js";
import { action } from "./action.js";

/** @import {CellDetails, Send} from "./types.js" */

export class BaselineActions {
  /** @param {Send} send */
  constructor(send) {
    /** @param {"number" | "row" | "matrix"} part */
    const take = (part) =>
      action(
        `this ${part}`,
        `Put what stands here in the baseline in the place of this ${part}`,
        () => send({ type: "patch", part }),
      );
    const label = make("span", { class: "from-baseline-label" }, "From the baseline:");
    const buttons = /** @type {const} */ (["number", "row", "matrix"]).map(take);
    this.node = make(
      "div",
      { class: "from-baseline", role: "group", "aria-label": "From the baseline", hidden: true },
      label,
      ...buttons,
    );
  }

  /** @param {CellDetails} details */
  take({ patches }) {
    this.node.hidden = !patches;
  }
}
