/** Who may look at whom: a table of attention weights that grows as the sentence is written. */

import { asControl } from "../../shared/control.js";
import { make, oncePerFrame, setAttribute, setText } from "../../shared/dom.js";
import { prefersStillness } from "../../shared/motion.js";
import { asHandle, sayHandle } from "../handle.js";
import { Paced } from "../paced.js";

/**
 * @import {ControlProperties} from "../../shared/control.js"
 * @import {Press} from "../handle.js"
 * @import {Model} from "../../shared/model.js"
 *
 * @typedef {{label: string, writes: string, weights: number[], hidden: boolean[]}} Row
 * @typedef {{keys: string[], rows: Row[], shown: number, settable: boolean}} LooksData
 */

const MS_A_ROW = 1000;
const ACROSS = 160; // px from 0 to 1
/** Of a share, from which on its cell needs light ink in the light theme. */
const STRONG = 0.5;
const PALE = 0.42; // the fill of a weight up to STRONG
const DARK = 0.78; // and of one above it, at least

/** @param {{model: Model<{data: LooksData} & ControlProperties>}} component */
export function render({ model }) {
  const view = new LooksView(model);
  const later = oncePerFrame(() => view.take());
  model.on("data", later);
  model.on("remove", () => view.stop());
  view.take();
  return asControl(model, view.node);
}

class LooksView {
  /** @param {Model<{data: LooksData}>} model */
  constructor(model) {
    this.model = model;
    this.sender = new Paced(model);
    this.rows = new Paced(model);
    this.cells = /** @type {Cell[][]} */ ([]);
    this.lines = /** @type {{row: HTMLTableRowElement, writes: HTMLElement}[]} */ ([]);
    this.heads = /** @type {HTMLElement[]} */ ([]);
    this.shape = "";
    this.timer = 0;
    this.play = make("button", { type: "button", class: "button play", onclick: () => this.run() });
    this.scrub = make("input", {
      type: "range",
      min: 1,
      step: 1,
      "aria-label": "rows that are written",
      oninput: () => {
        this.stop();
        this.showRows(this.scrub.valueAsNumber);
      },
    });
    this.said = make("span", { class: "number" });
    this.more = make(
      "p",
      { class: "muted more", hidden: true },
      "Swipe the table sideways for more.",
    );
    this.table = make("table", { "aria-label": "Attention weights" });
    this.node = make(
      "section",
      { class: "control idea", "aria-label": "Who may look at whom" },
      make("div", { class: "scrub" }, this.play, this.scrub, this.said),
      make("p", { class: "muted" }, "A row looks, a column is looked at; each row adds up to 1."),
      make("div", { class: "scroll", tabindex: 0, role: "group" }, this.table),
      this.more,
    );
  }

  take() {
    const { data } = this.model;
    if (!data.rows) return;
    requestAnimationFrame(() => this.showMore());
    const shape = JSON.stringify([data.keys, data.rows.map(({ label }) => label), data.settable]);
    if (shape !== this.shape) this.build(data);
    this.shape = shape;
    setAttribute(this.scrub, "max", data.rows.length);
    this.scrub.value = String(data.shown);
    setText(this.said, `${data.shown} of ${data.rows.length}`);
    setText(this.play, this.timer ? "❚❚ Pause" : "▶ Play");
    // A word that no row may look at yet is not written yet.
    for (const [j, head] of this.heads.entries()) {
      const isThere = data.rows.slice(0, data.shown).some(({ hidden }) => !hidden[j]);
      head.style.opacity = isThere ? "" : "0";
    }
    for (const [i, row] of data.rows.entries()) {
      const { row: node, writes } = this.lines[i];
      const isShown = i < data.shown;
      setAttribute(node, "aria-hidden", isShown ? null : "true");
      node.classList.toggle("newest", i === data.shown - 1);
      setText(writes, row.writes ? `→ ${row.writes}` : "");
      for (const [j, cell] of this.cells[i].entries()) cell.show(row, data.keys[j]);
    }
  }

  /** @param {LooksData} data */
  build({ keys, rows, settable }) {
    this.cells = rows.map((_, i) => keys.map((_key, j) => new Cell(this, i, j, settable)));
    this.lines = rows.map(({ label }, i) => {
      const writes = make("td", { class: "writes" });
      const cells = this.cells[i].map(({ node }) => node);
      const row = make("tr", {}, make("th", { scope: "row" }, label), ...cells, writes);
      return { row, writes };
    });
    const heads = keys.map((key) => make("th", { scope: "col" }, key));
    this.heads = heads;
    this.table.replaceChildren(
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          make("td", { class: "axis", "aria-hidden": "true" }, "looks ↓  at →"),
          ...heads,
        ),
      ),
      make("tbody", {}, ...this.lines.map(({ row }) => row)),
    );
  }

  /** @param {number} count */
  showRows(count) {
    this.rows.say({ type: "rows", count });
  }

  run() {
    const { rows, shown } = this.model.data;
    if (this.timer) {
      this.stop();
      return;
    }
    const first = shown >= rows.length ? 1 : shown + 1;
    this.showRows(first);
    if (prefersStillness() || first >= rows.length) return;
    let count = first;
    this.timer = setInterval(() => {
      count += 1;
      if (count >= this.model.data.rows.length) this.stop();
      this.showRows(Math.min(count, this.model.data.rows.length));
    }, MS_A_ROW);
    setText(this.play, "❚❚ Pause");
  }

  /** Says that the table goes on beyond its room. */
  showMore() {
    const room = this.table.parentElement;
    this.more.hidden = !room || room.scrollWidth <= room.clientWidth + 1;
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    setText(this.play, "▶ Play");
  }

  /** @param {number} row @param {number} column @param {number} value @param {Press} press */
  set(row, column, value, { press, held }) {
    const share = Math.min(1, Math.max(0, value));
    this.sender.say({ type: "weight", row, column, value: share, press, held });
  }

  release() {
    this.sender.end({ type: "release" });
  }
}

/** One weight. */
class Cell {
  /** @param {LooksView} view @param {number} i @param {number} j @param {boolean} settable */
  constructor(view, i, j, settable) {
    this.row = /** @type {Row | null} */ (null);
    this.j = j;
    this.fill = make("span", { class: "fill" });
    this.text = make("span", { class: "text" });
    const box = make("div", {}, this.text);
    this.box = box;
    this.node = make("td", {}, this.fill, box);
    this.isHandle = settable;
    if (settable)
      asHandle(box, {
        value: () => this.row?.weights[j] ?? 0,
        // To the right and up are more.
        at: ({ clientX, clientY }, start) =>
          start.value + (clientX - start.x + start.y - clientY) / ACROSS,
        step: () => 0.02,
        set: (value, press) => {
          if (!this.row?.hidden[j]) view.set(i, j, value, press);
        },
        release: () => view.release(),
      });
  }

  /** @param {Row} row @param {string} key */
  show(row, key) {
    this.row = row;
    const weight = row.weights[this.j];
    const isHidden = row.hidden[this.j];
    const kind = isHidden ? "hidden-by-mask" : weight > STRONG ? "strong" : "weak";
    setAttribute(this.node, "class", kind);
    this.fill.style.opacity = String(isHidden ? 0 : strength(weight));
    setText(this.text, isHidden ? "" : weight.toFixed(2));
    const said = isHidden ? "hidden by the mask" : weight.toFixed(3);
    if (this.isHandle) sayHandle(this.box, `${row.label} looks at ${key}`, weight, said);
    else setAttribute(this.node, "title", said);
  }
}

/**
 * How strong a cell is filled: neither ink is read well on a fill of middling strength.
 * @param {number} weight
 */
function strength(weight) {
  const over = (Math.min(1, weight) - STRONG) / (1 - STRONG);
  return over > 0 ? DARK + (1 - DARK) * over : (PALE / STRONG) * weight;
}
