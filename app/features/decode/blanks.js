/** Shows the predictions of an encoder-only model at each position, and the filling of blanks. */

import { html } from "../../components/shared/lit-html.js";
import { probabilityText } from "../../components/shared/number_format.js";
import { inUnits } from "../../components/shared/units.js";
import { bars } from "./bars.js";
import { attentionLink, part, TokenLine } from "./parts.js";

/** @import {DecodeData, Filling, Send} from "./types.js" */

const LEAD =
  "An encoder reads the whole text at once, left and right, and gives a distribution over the " +
  "vocabulary at each position. It fills a blank with the likeliest word. With several " +
  "blanks it fills the surest one first, and the next pass reads that word.";

const BLANK = "The model no longer reads this word, and predicts it instead.";

/** @type {Filling} */
const NOTHING = { rows: [], text: "", opens: 0, can_blank: false, notes: [] };

export class BlanksView {
  /** @param {Send} send @param {() => void} show */
  constructor(send, show) {
    this.send = send;
    this.show = show;
    this.at = 0;
    this.found = NOTHING;
    this.line = new TokenLine("Positions of the text", (at) => this.walk(at), "position");
  }

  template() {
    const { at } = this;
    const { rows, text, can_blank: canBlank } = this.found;
    const { token, word, p, turn, bars: distribution } = rows[at];
    const blanks = rows.filter((row) => row.turn !== null).length;
    const order =
      blanks > 1 && turn !== null ? `, filled ${ORDER[turn] ?? `as ${turn + 1}th`}` : "";
    const stands = turn === null ? `reads “${token}”` : `is a blank${order}`;
    // Not `disabled`: a focused button that becomes disabled loses the keyboard focus.
    return html`<div class="way">
      <p class="verdict" role="status">Position ${at} ${stands}: the likeliest word is “${word}”,
        probability ${probabilityText(p)}.</p>
      <div class="halves">
        ${part(
          "What it fills in",
          this.line.node,
          html`<output class="text" aria-label="Text with its blanks filled">${
            blanks ? text : ""
          }</output>
          <div class="buttons">
            <button type="button" class="button" aria-disabled=${turn !== null} ?hidden=${!canBlank}
              title=${BLANK}
              @click=${() => this.send({ type: "blank", at: this.at })}>Make it a blank</button>
            ${attentionLink(
              () => this.send({ type: "attention", step: this.at }),
              "Attention opens at this position of the last layer.",
            )}
          </div>`,
        )}
        ${part(
          turn === null ? "Its words here" : "What it chose from",
          bars(`Distribution at position ${at}`, distribution, { chosen: "likeliest" }),
        )}
      </div>
      <p class="lead">${inUnits(LEAD)}</p>
    </div>`;
  }

  /** @param {DecodeData} data */
  take({ fill }) {
    if (!fill) return;
    const before = this.found;
    const isSame =
      before.rows.length === fill.rows.length &&
      before.rows.every(({ turn }, at) => (turn === null) === (fill.rows[at].turn === null));
    this.found = fill;
    this.go(isSame ? this.at : fill.opens);
  }

  /** Goes to a position and follows it in the picture. @param {number} at */
  walk(at) {
    this.go(at);
    followPosition(this.at);
  }

  /** @param {number} at the position followed on the page */
  follow(at) {
    if (this.found.rows.length) this.go(at);
  }

  /** @param {number} at */
  go(at) {
    const { rows } = this.found;
    this.at = Math.min(Math.max(at, 0), rows.length - 1);
    this.line.show({
      tokens: rows.map(({ token, word, turn }) => (turn === null ? token : word)),
      kinds: rows.map(({ turn }) => (turn === null ? "" : "blank")),
      at: this.at,
    });
    this.show();
  }
}

/** @param {number} at */
function followPosition(at) {
  const board = window.tinkerformer;
  const now = board?.look()?.following;
  if (now?.stack !== "encoder" || now.index !== at) board?.follow("encoder", at);
}

const ORDER = ["first", "second", "third", "fourth", "fifth"];
