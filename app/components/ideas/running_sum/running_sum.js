/** A logit as a running sum: each step begins where the last one ended. */

import { asControl } from "../../shared/control.js";
import { make, oncePerFrame, setAttribute, setText } from "../../shared/dom.js";
import { shortText } from "../../shared/number_format.js";
import { BarAxis } from "../bars.js";
import { sayHandle } from "../handle.js";

/**
 * @import {ControlProperties} from "../../shared/control.js"
 * @import {Model} from "../../shared/model.js"
 *
 * @typedef {object} Row
 * @property {string} label @property {number} level
 * @property {number} part −1: the whole step @property {number} from @property {number} to
 * @property {number} value @property {number | null} length of what is added
 * @property {number | null} stream length of the stream @property {boolean} pulls
 * @property {boolean} unfolded @property {string} title
 *
 * @typedef {object} SumData
 * @property {Row[]} rows @property {number} low @property {number} high @property {number} longest
 * @property {string} total @property {{of: string, sum: string}[]} sums
 * @property {[name: string, texts: string[]][]} numbers of the row @property {string[]} columns
 * @property {number} hidden @property {string} of
 */

/** @param {{model: Model<{data: SumData} & ControlProperties>}} component */
export function render({ model }) {
  const view = new SumView(model);
  const later = oncePerFrame(() => view.show());
  model.on("data", later);
  view.show();
  return asControl(model, view.node);
}

class SumView {
  /** @param {Model<{data: SumData}>} model */
  constructor(model) {
    this.model = model;
    this.axis = new BarAxis(model);
    this.lines = /** @type {Line[]} */ ([]);
    this.list = make("ol", { class: "sum" });
    this.sums = make("dl", { class: "figures" });
    this.numbers = make("table", { class: "numbers" });
    /** @param {string} kind @param {string} text */
    const key = (kind, text) => make("span", {}, make("i", { class: kind }), `${text} `);
    const lengths = make("input", {
      type: "checkbox",
      onchange: () => this.node.classList.toggle("with-lengths", lengths.checked),
    });
    this.node = make(
      "section",
      { class: "control idea", "aria-label": "The logit as a running sum" },
      make(
        "div",
        { class: "head" },
        make("span", {}, "step along the stream"),
        make("span", {}, "the logit, from step to step"),
        make("span", { class: "value" }, "adds"),
        make(
          "span",
          { class: "lengths-key" },
          key("added", "length of what is added"),
          key("stream", "of the stream after it"),
        ),
      ),
      this.list,
      make("label", { class: "switch-lengths" }, lengths, " lengths of the vectors, too"),
      this.sums,
      this.numbers,
    );
  }

  show() {
    const { data } = this.model;
    if (!data.rows) return;
    this.axis.show(this.list, data.low, data.high);
    while (this.lines.length < data.rows.length) {
      const line = new Line(this);
      this.lines.push(line);
      this.list.append(line.node);
    }
    for (const { node } of this.lines.splice(data.rows.length)) node.remove();
    for (const [k, line] of this.lines.entries()) line.show(data.rows[k], data);
    fill(
      this.sums,
      data.sums.flatMap(({ of, sum }) => [
        make("dt", {}, of),
        make("dd", { class: "number" }, sum),
      ]),
    );
    this.showNumbers(data);
  }

  /** The row itself at the unfolded step, number by number. @param {SumData} data */
  showNumbers({ numbers, columns, hidden, of }) {
    const rest = hidden ? `; ${hidden.toLocaleString("en")} more are not shown` : "";
    const row = numbers.map(([name, texts]) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, name),
        ...texts.map((text) => make("td", { class: "number" }, text)),
      ),
    );
    fill(this.numbers, [
      make("caption", {}, `The numbers of the row themselves, at ${of}${rest}`),
      make(
        "thead",
        {},
        make("tr", {}, make("td"), ...columns.map((text) => make("th", { scope: "col" }, text))),
      ),
      make("tbody", {}, ...row),
    ]);
  }
}

/** Puts nodes into another one. @param {HTMLElement} node @param {HTMLElement[]} inside */
function fill(node, inside) {
  const now = [...node.children];
  if (now.length === inside.length && now.every((each, k) => each.isEqualNode(inside[k]))) return;
  node.replaceChildren(...inside);
}

/** A step, or a part of one. */
class Line {
  /** @param {SumView} view */
  constructor(view) {
    this.view = view;
    this.row = /** @type {Row | null} */ (null);
    this.name = make("span");
    this.button = make(
      "button",
      {
        type: "button",
        onclick: () => view.model.send_msg({ type: "unfold", level: this.row?.level ?? 0 }),
      },
      this.name,
    );
    this.text = make("span");
    this.label = make("div", { class: "label" }, this.button, this.text);
    this.bar = make("span", { class: "bar" });
    const { track, grip } = view.axis.track(
      () => this.row?.value ?? 0,
      (value, press) => {
        const { level, part } = this.row ?? {};
        view.axis.say({ type: "pull", level, part, value, ...press });
      },
      this.bar,
    );
    this.grip = grip;
    this.value = make("span", { class: "value" });
    this.added = make("i", { class: "added" });
    this.stream = make("i", { class: "stream" });
    this.said = make("span", { class: "number" });
    this.lengths = make(
      "div",
      { class: "lengths" },
      make("div", {}, this.added, this.stream),
      this.said,
    );
    this.node = make("li", {}, this.label, track, this.value, this.lengths);
  }

  /** @param {Row} row @param {SumData} data */
  show(row, { longest }) {
    const { view } = this;
    this.row = row;
    const isPart = row.part >= 0;
    const isStep = !isPart && row.level >= 0;
    setAttribute(this.node, "class", isPart ? "part" : isStep ? "step" : "total");
    this.button.hidden = !isStep;
    this.text.hidden = isStep;
    setText(isStep ? this.name : this.text, row.label);
    setAttribute(this.label, "title", row.title);
    setAttribute(this.button, "aria-expanded", String(row.unfolded));
    view.axis.place(this.bar, row.from, row.to);
    this.grip.hidden = !row.pulls;
    this.grip.style.left = view.axis.at(row.to);
    const value = `${row.value >= 0 ? "+" : ""}${shortText(Number(row.value.toFixed(3)))}`;
    sayHandle(this.grip, `${row.label}, what it adds to the logit`, row.value, value);
    setText(this.value, isStep || isPart ? value : shortText(Number(row.to.toFixed(3))));
    this.added.style.width = `${(100 * (row.length ?? 0)) / longest}%`;
    this.stream.style.width = `${(100 * (row.stream ?? 0)) / longest}%`;
    const lengths = { added: row.length, stream: row.stream };
    const said = Object.entries(lengths).filter(([, x]) => x !== null);
    setText(this.said, said.map(([of, x]) => `${of} ${x?.toFixed(2)}`).join(" · "));
  }
}
