/** Shows the parts of the model that contain the selected number, with buttons to silence them. */

import { html } from "../../components/shared/lit-html.js";

/** @import {CellDetails, Send, SilenceChoice} from "./types.js" */

/** @type {[to: "zero" | "mean", label: string, words: string][]} */
const VALUES = [
  ["zero", "0", "to 0: it adds nothing"],
  ["mean", "mean", "to its mean, so that it does not depend on this text"],
];

/** @param {CellDetails} details @param {boolean} isLocked @param {Send} send */
export function silencing({ silence = [] }, isLocked, send) {
  return html`<div class="silencing" role="group" aria-label="Silence"
    title="Its output is replaced, and everything after it is recomputed"
    ?hidden=${isLocked || !silence.length}>${silence.map((choice) => line(choice, send))}</div>`;
}

/** Shows a part; a second press restores it. @param {SilenceChoice} choice @param {Send} send */
const line = ({ name, label, to: now }, send) => html`<div class="silence-line">
  <span class="silenced-part"><span>Silence</span> ${label}</span>${VALUES.map(
    ([to, text, words]) => html`<button type="button" class="button" aria-pressed=${now === to}
      aria-label="Silence ${label} ${words.split(/[:,]/)[0]}"
      title=${
        now === to ? `${label} is silenced: press to restore it` : `Silence ${label} ${words}`
      }
      @click=${() => send({ type: "silence", name, to: now === to ? null : to })}
      >${text}</button>`,
  )}
</div>`;
