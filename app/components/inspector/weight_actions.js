/** Actions on an attention weight's row: attend to one key alone, and undo that. */

import { action } from "./action.js";

/** @import {CellDetails, Send} from "./types.js" */

export class WeightActions {
  /** @param {Send} send */
  constructor(send) {
    /** @param {boolean} everywhere */
    const look = (everywhere) => () => send({ type: "look_only", everywhere });
    /** @param {boolean} everywhere */
    const release = (everywhere) => () => send({ type: "release_row", everywhere });
    this.look = action(
      "Look only here",
      "Set this weight to 1 and the others of its row to 0, in this head",
      look(false),
    );
    this.lookEverywhere = action(
      "… in every head",
      "The same row in every head of this sublayer: this weight 1, the others 0",
      look(true),
    );
    this.release = action(
      "Restore row",
      "Let every weight of this row be computed again, in this head",
      release(false),
    );
    this.releaseEverywhere = action(
      "Restore all heads",
      "Let every weight of this row be computed again, in every head of this sublayer",
      release(true),
    );
    this.lookEverywhere.setAttribute("aria-label", "Look only here in every head");
    this.releaseEverywhere.setAttribute("aria-label", "Restore row in every head");
    this.renormalize = action(
      "Let its row sum to 1",
      "Scale the others of this row, so that all of them sum to 1 again",
      () => send({ type: "renormalize" }),
    );
    this.renormalize.classList.add("wide");
    this.nodes = [
      this.look,
      this.lookEverywhere,
      this.release,
      this.releaseEverywhere,
      this.renormalize,
    ];
  }

  /**
   * Enables the actions; those that undo are shown once there is something to undo.
   * @param {CellDetails} details
   */
  take({ looks, heads = 1, row_edited, row_edited_elsewhere, renormalizes }) {
    const isThere = new Map([
      [this.look, true],
      [this.lookEverywhere, heads > 1],
      [this.release, row_edited],
      [this.releaseEverywhere, row_edited_elsewhere],
      [this.renormalize, renormalizes],
    ]);
    for (const [node, there] of isThere) node.hidden = !looks || !there;
  }
}
