/** Builds the actions on an attention weight's row: attend to only one key, and undo that. */

import { action } from "./action.js";

/** @import {CellDetails, Send} from "./types.js" */

/** Hides an undo that has no effect. @param {CellDetails} details @param {Send} send */
export function weightActions(details, send) {
  const { looks, heads = 1, row_edited, row_edited_elsewhere, renormalizes } = details;
  /** @param {"look_only" | "release_row"} type @param {boolean} everywhere */
  const tell = (type, everywhere) => () => send({ type, everywhere });
  return [
    action(
      "Look only here",
      "Set this weight to 1 and the others of its row to 0, in this head",
      tell("look_only", false),
      { isHidden: !looks },
    ),
    action(
      "… in every head",
      "The same row in every head of this sublayer: this weight 1, the others 0",
      tell("look_only", true),
      { isHidden: !looks || heads === 1, name: "Look only here in every head" },
    ),
    action(
      "Restore row",
      "Compute every weight of this row again, in this head",
      tell("release_row", false),
      { isHidden: !looks || !row_edited },
    ),
    action(
      "Restore all heads",
      "Compute every weight of this row again, in every head of this sublayer",
      tell("release_row", true),
      { isHidden: !looks || !row_edited_elsewhere, name: "Restore row in every head" },
    ),
    action(
      "Let its row sum to 1",
      "Scale the others of this row, so that all of them sum to 1 again",
      () => send({ type: "renormalize" }),
      { isHidden: !looks || !renormalizes, className: "button wide" },
    ),
  ];
}
