/** The words of an encoder-only model at each position, and how it fills blanks. */

import { make, setAttribute, setText } from "../shared/dom.js";
import { Bars } from "./bars.js";
import { attentionLink, part, percentText, TokenLine } from "./parts.js";

/** @import {DecodeData, Filling, Send} from "./types.js" */

const LEAD =
  "An encoder reads the whole text at once, left and right, and gives a distribution over the " +
  "vocabulary at each position. Where a blank stands, its likeliest word is filled in; of " +
  "several blanks the surest comes first, and the next pass reads its word.";

/** @type {Filling} */
const NOTHING = { rows: [], text: "", opens: 0, can_blank: false, notes: [] };

export class BlanksView {
  /** @param {Send} send */
  constructor(send) {
    this.at = 0;
    this.found = NOTHING;
    this.line = new TokenLine("Positions of the text", (at) => this.walk(at), "position");
    this.text = make("output", { class: "text", "aria-label": "Text with its blanks filled" });
    this.verdict = make("p", { class: "verdict", role: "status" });
    this.bars = new Bars({ chosen: "likeliest" });
    this.heading = make("h2", {}, "");
    this.blank = make(
      "button",
      {
        type: "button",
        class: "button",
        title: "The model does not read this word any more, and says which one it expects here.",
        onclick: () => send({ type: "blank", at: this.at }),
      },
      "Make it a blank",
    );
    this.node = make(
      "div",
      { class: "way" },
      this.verdict,
      make(
        "div",
        { class: "halves" },
        part(
          "What it fills in",
          this.line.node,
          this.text,
          make(
            "div",
            { class: "buttons" },
            this.blank,
            attentionLink(
              () => send({ type: "attention", step: this.at }),
              "Attention opens at this position of the last layer.",
            ),
          ),
        ),
        make("section", { class: "part" }, this.heading, this.bars.node),
      ),
      make("p", { class: "lead" }, LEAD),
    );
  }

  /** @param {DecodeData} data */
  take({ fill }) {
    if (!fill) return;
    const before = this.found;
    const isSame =
      before.rows.length === fill.rows.length &&
      before.rows.every(({ turn }, at) => (turn === null) === (fill.rows[at].turn === null));
    this.found = fill;
    this.line.take(
      [],
      fill.rows.map(({ token, word, turn }) => (turn === null ? token : word)),
      fill.rows.map(({ turn }) => (turn === null ? "" : "blank")),
    );
    this.blank.hidden = !fill.can_blank;
    this.go(isSame ? this.at : fill.opens);
  }

  /** Goes to a position and follows it in the picture, too. @param {number} at */
  walk(at) {
    this.go(at);
    followPosition(this.at);
  }

  /** @param {number} at the position that is followed on the page */
  follow(at) {
    if (this.found.rows.length) this.go(at);
  }

  /** @param {number} at */
  go(at) {
    const { rows, text } = this.found;
    this.at = Math.min(Math.max(at, 0), rows.length - 1);
    const { token, word, p, turn, bars } = rows[this.at];
    const blanks = rows.filter((row) => row.turn !== null).length;
    this.line.show(this.at, false);
    setText(this.text, blanks ? text : "");
    const order =
      blanks > 1 && turn !== null ? `, filled ${ORDER[turn] ?? `as ${turn + 1}th`}` : "";
    const stands = turn === null ? `reads “${token}”` : `is a blank${order}`;
    setText(
      this.verdict,
      `Position ${this.at} ${stands}: the likeliest word is “${word}”, ` + `${percentText(p)}.`,
    );
    setText(this.heading, turn === null ? "Its words here" : "What it chose from");
    this.bars.show(`Distribution at position ${this.at}`, bars);
    // Not `disabled`: a focused button that becomes disabled loses the keyboard focus.
    setAttribute(this.blank, "aria-disabled", String(turn !== null));
  }
}

/** @param {number} at */
function followPosition(at) {
  const board = window.tinkerformer;
  const now = board?.look()?.following;
  if (now?.stack !== "encoder" || now.index !== at) board?.follow("encoder", at);
}

const ORDER = ["first", "second", "third", "fourth", "fifth"];
