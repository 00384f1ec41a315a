import { make, setText } from "../shared/dom.js";
import { probabilityText } from "./parts.js";

/**
 * A distribution over the vocabulary as bars with numbers; with what is left of it after filtering, in two columns.
 * @typedef {{word: string, p: number, q?: number, chosen: boolean, cut?: boolean}} BarRow
 */
export class Bars {
  /** @param {{before?: string, after?: string, chosen?: string}} names of the columns and of the mark */
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

  /** @param {string} caption @param {{rows: BarRow[], others: {count: number, p: number, q?: number, cut?: number}}} bars */
  show(caption, { rows, others }) {
    setText(this.caption, caption);
    const lines = rows.map((row) =>
      this.line(row.word, row, row.chosen ? this.chosen : "", row.cut ? "cut" : ""),
    );
    if (others.count) {
      const all = others.cut === others.count;
      const note = others.cut && !all ? `${others.cut} cut` : "";
      const name = others.count === 1 ? "and 1 other" : `and ${others.count} others`;
      const line = this.line(name, others, note, all ? "cut" : "");
      line.classList.add("others");
      lines.push(line);
    }
    this.body.replaceChildren(...lines);
  }

  line(word, { p, q, chosen }, note, cut) {
    return make(
      "tr",
      { class: chosen ? "chosen" : "" },
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
      this.cell(p, ""),
      this.two ? this.cell(q, cut) : null,
    );
  }

  cell(p, cut) {
    const bar = make("span", { class: "bar" });
    bar.style.transform = `scaleX(${p})`;
    return make(
      "td",
      { class: cut ? "cut" : "" },
      make(
        "div",
        { class: "measure" },
        make("span", { class: "track", "aria-hidden": "true" }, bar),
        make("span", { class: "number" }, cut || probabilityText(p)),
      ),
    );
  }
}
