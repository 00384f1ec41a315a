/** Builds the actions that copy the number, its row or its matrix from the pinned baseline. */

import { html } from "../../components/shared/lit-html.js";
import { action } from "./action.js";

/** @import {CellDetails, Send} from "./types.js" */

const PARTS = /** @type {const} */ (["number", "row", "matrix"]);

/** @param {CellDetails} details @param {Send} send */
export const baselineActions = ({ patches }, send) =>
  html`<div class="from-baseline" role="group" aria-label="From the baseline" ?hidden=${!patches}>
    <span class="from-baseline-label">From the baseline:</span>
    ${PARTS.map((part) =>
      action(
        `this ${part}`,
        `Put what stands here in the baseline in the place of this ${part}`,
        () => send({ type: "patch", part }),
      ),
    )}
  </div>`;
