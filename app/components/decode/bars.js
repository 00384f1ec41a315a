/**
 * A distribution over the vocabulary as bars with numbers; a second column shows it after
 * filtering.
 */

import { make, setText } from "../shared/dom.js";
import { probabilityText } from "./parts.js";

/** @import {Distribution} from "./types.js" */

/**
 * @typedef {{p: number, q?: number, note: string, cut: boolean, kind: "" | "chosen" | "others"}}
 *   Line
 */

export class Bars {
  /**
   * @param {{before?: string, after?: string, chosen?: string}} names captions of the columns and
   *   of the mark
   */
  constructor({ before = "probability", after, chosen = "written" } = {}) {
    this.two = Boolean(after);
    this.chosen = chosen;
    this.body = make("tbody");
    this.caption = make("caption", { class: "visually-hidden" });
    const head = make(
      "tr",
      {},
      make("th", { scope: "col" }, "word"),
      make("th", { scope: "col" }, before),
      this.two ? make("th", { scope: "col" }, after) : null,
    );
    this.node = make(
      "table",
      { class: this.two ? "bars two" : "bars" },
      this.caption,
      make("thead", {}, head),
      this.body,
    );
  }

  /** @param {string} caption @param {Distribution} distribution */
  show(caption, { rows, others }) {
    setText(this.caption, caption);
    const lines = rows.map(({ word, p, q, chosen, cut = false }) => {
      const note = chosen ? this.chosen : "";
      return this.line(word, { p, q, note, cut, kind: chosen ? "chosen" : "" });
    });
    if (others.count) {
      const { p, q, count } = others;
      const cut = others.cut === count;
      const note = others.cut && !cut ? `${others.cut} cut` : "";
      const name = count === 1 ? "and 1 other" : `and ${count} others`;
      lines.push(this.line(name, { p, q, note, cut, kind: "others" }));
    }
    this.body.replaceChildren(...lines);
  }

  /** @param {string} word @param {Line} line */
  line(word, { p, q, note, cut, kind }) {
    return make(
      "tr",
      { class: kind },
      make(
        "th",
        { scope: "row" },
        make(
          "div",
          { class: "named" },
          note ? make("span", { class: "mark" }, note) : null,
          make("span", { class: "word", title: word }, word),
        ),
      ),
      cell(p, false),
      this.two ? cell(q ?? 0, cut) : null,
    );
  }
}

/** @param {number} p @param {boolean} cut */
function cell(p, cut) {
  const bar = make("span", { class: "bar" });
  bar.style.transform = `scaleX(${p})`;
  return make(
    "td",
    { class: cut ? "cut" : "" },
    make(
      "div",
      { class: "measure" },
      make("span", { class: "track", "aria-hidden": "true" }, bar),
      make("span", { class: "number" }, cut ? "cut" : probabilityText(p)),
    ),
  );
}
