/**
 * The chain rule at one number: how the loss changes with each number that is computed from it, how
 * each of them changes with it, and the products, which add up to its own gradient.
 */

import { asControl } from "../../shared/control.js";
import { make, oncePerFrame, setAttribute, setText } from "../../shared/dom.js";
import { scientificText, shortText } from "../../shared/number_format.js";
import { BarAxis } from "../bars.js";
import { sayHandle } from "../handle.js";
import { TrialView } from "./trial.js";

/**
 * @import {ControlProperties} from "../../shared/control.js"
 * @import {Model} from "../../shared/model.js"
 * @import {Trial} from "./trial.js"
 *
 * @typedef {object} ChainLink
 * @property {string} name in words @property {string} label @property {string} place and where
 * @property {number} slope of the one before it @property {number} gradient
 *
 * @typedef {object} Term
 * @property {number} term −1: all others @property {string} name @property {string} label
 * @property {string} place @property {string} words what it is
 * @property {string} reads the line, read out @property {number | null} gradient
 * @property {number | null} slope null for the others
 * @property {number} from @property {number} to where its product begins and ends in the sum
 *
 * @typedef {object} ChainData
 * @property {ChainLink[]} links @property {number} at @property {boolean} is_loss
 * @property {string} name @property {string} label @property {string} words
 * @property {string} next what is next to it @property {string} all what all products come to
 * @property {Trial | null} trial @property {number} value
 * @property {number} low @property {number} high
 * @property {boolean} settable @property {Term[]} rows @property {[number, number]} ends
 * @property {number} gradients @property {number} slopes @property {number} total
 * @property {{name: string, label: string, words: string, slope: number}[]} made_of
 * @property {number} more
 * @property {string} why
 */

/** @param {{model: Model<{data: ChainData} & ControlProperties>}} component */
export function render({ model }) {
  const view = new ChainView(model);
  const later = oncePerFrame(() => view.show());
  model.on("data", later);
  view.show();
  return asControl(model, view.node);
}

class ChainView {
  /** @param {Model<{data: ChainData}>} model */
  constructor(model) {
    this.model = model;
    this.number = new BarAxis(model);
    this.gradients = new BarAxis(model);
    this.slopes = new BarAxis(model);
    this.products = new BarAxis(model);
    this.lines = /** @type {Line[]} */ ([]);
    this.read = 0; // the line that is read out
    this.trial = new TrialView();
    this.links = make("ol", { class: "links", "aria-label": "The chain" });
    this.name = make("strong");
    this.symbol = make("span", { class: "place" });
    this.bar = make("span");
    const { track, grip } = this.number.track(
      () => model.data.value,
      (value, press) => this.number.say({ type: "value", value, ...press }),
      this.bar,
    );
    this.grip = grip;
    this.field = make("input", {
      type: "number",
      step: "any",
      onchange: () => {
        const value = this.field.valueAsNumber;
        if (Number.isFinite(value))
          this.number.say({ type: "value", value, press: 0, held: false });
      },
    });
    this.list = make("ul", { class: "terms", role: "list" });
    this.total = new Line(this, -1);
    this.total.node.classList.add("total");
    this.reads = make("p", { class: "reads" });
    this.all = make("p", { class: "reads" });
    this.next = make("span");
    this.back = make("div", { class: "back", role: "group", "aria-label": "Computed from" });
    /** @param {string} words @param {string} [sign] */
    const column = (words, sign) =>
      make("span", {}, words, sign ? make("span", { class: "place" }, ` ${sign}`) : null);
    this.head = make(
      "div",
      { class: "head", "aria-hidden": "true" },
      this.next,
      column("this number moves it by, for each 1", "∂y/∂x"),
      column("it moves the loss by, for each 1", "∂loss/∂y"),
      column("multiplied; each bar begins where the last ended"),
    );
    this.tries = make("h3", {}, "Try it: move the number, and look at the loss");
    this.why = make("h3", {}, "Why: how far it moves its neighbors × how far these move the loss");
    this.node = make(
      "section",
      { class: "control idea", "aria-label": "The chain rule" },
      ...[this.tries, this.trial.node, this.why, this.links],
      make("div", { class: "moved" }, make("div", {}, this.name, this.symbol), track, this.field),
      ...[this.reads, this.head, this.list, this.all, this.back],
    );
  }

  show() {
    const { data } = this.model;
    if (!data.rows) return;
    const canTry = Boolean(data.trial) || this.number.isHeld;
    this.tries.hidden = this.trial.node.hidden = !canTry;
    this.trial.show(data.trial, data.total, data.name);
    this.showLinks(data);
    this.showNumber(data);
    for (const axis of [this.gradients, this.slopes, this.products])
      axis.isHeld = this.number.isHeld;
    this.gradients.show(this.node, -data.gradients, data.gradients);
    this.slopes.show(this.node, -data.slopes, data.slopes);
    const [low, high] = data.ends;
    const room = 0.04 * (high - low || 1);
    this.products.show(this.list, low - room, high + room);
    while (this.lines.length < data.rows.length) {
      const line = new Line(this, this.lines.length);
      this.lines.push(line);
      this.list.append(line.node);
    }
    for (const { node } of this.lines.splice(data.rows.length)) node.remove();
    for (const [k, line] of this.lines.entries()) line.show(data.rows[k]);
    this.total.show({
      ...{ term: -1, name: "added up: the gradient", label: "", place: "", words: "", reads: "" },
      ...{ gradient: null, slope: null, from: 0, to: data.total },
    });
    this.list.append(this.total.node);
    for (const node of [this.list, this.head, this.why]) node.hidden = !data.rows.length;
    setText(this.next, data.next);
    setText(this.all, data.all);
    this.readOut(Math.min(this.read, data.rows.length - 1));
    this.showBack(data);
  }

  /** Reads a line out, and marks it. @param {number} at */
  readOut(at) {
    this.read = Math.max(0, at);
    const row = this.model.data.rows[this.read];
    setText(this.reads, row?.reads ?? "");
    this.reads.hidden = !row?.reads;
    for (const [k, line] of this.lines.entries())
      line.node.classList.toggle("read", k === this.read && Boolean(row?.reads));
  }

  /** @param {ChainData} data */
  showLinks({ links, at, is_loss }) {
    const nodes = links.map(({ name, label, place, slope, gradient }, k) =>
      make(
        "li",
        {},
        k ? make("span", { class: "slope" }, `× ${threeDigits(slope)} →`) : null,
        make(
          "button",
          {
            type: "button",
            class: "button",
            title: place,
            "aria-current": k === at ? "step" : null,
            onclick: () => this.model.send_msg({ type: "link", index: k }),
          },
          make("span", {}, name),
          make("span", { class: "number" }, `${label} · gradient ${threeDigits(gradient)}`),
        ),
      ),
    );
    if (!is_loss) nodes.push(make("li", { class: "muted" }, "→ … → the loss"));
    this.links.hidden = links.length < 2;
    replaceUnlessSame(this.links, nodes);
  }

  /** @param {ChainData} data */
  showNumber({ name, label, words, value, low, high, settable }) {
    const { number } = this;
    const track = /** @type {HTMLElement} */ (this.grip.parentElement);
    number.show(track, low, high);
    setText(this.name, name);
    setText(this.symbol, `${label}, this number; drag it, and the model has another one`);
    setAttribute(this.name, "title", words);
    number.place(this.bar, 0, value);
    this.grip.hidden = !settable;
    this.field.disabled = !settable;
    this.grip.style.left = number.at(value);
    sayHandle(this.grip, label, value, shortText(value));
    setAttribute(this.field, "aria-label", `${label}, as a number`);
    const root = /** @type {ShadowRoot | Document} */ (this.field.getRootNode());
    if (root.activeElement !== this.field) this.field.value = String(Number(value.toPrecision(4)));
  }

  /** @param {ChainData} data */
  showBack({ made_of, more, why }) {
    const nodes = made_of.map(({ name, label, words, slope }, k) =>
      make(
        "button",
        {
          type: "button",
          class: "button",
          title: `Go back to ${label}: ${words}`,
          onclick: () => this.model.send_msg({ type: "back", index: k }),
        },
        make("span", {}, name),
        make("span", { class: "number" }, `${label} × ${threeDigits(slope)}`),
      ),
    );
    const said = why || "← It is computed from";
    const rest = more ? `and ${more.toLocaleString("en")} others` : "";
    replaceUnlessSame(this.back, [
      make("span", { class: "muted" }, said),
      ...nodes,
      make("span", { class: "muted" }, rest),
    ]);
  }
}

/** A number that is moved, all others of them, or the sum. */
class Line {
  /** @param {ChainView} view @param {number} index −1: the sum */
  constructor(view, index) {
    this.view = view;
    this.row = /** @type {Term | null} */ (null);
    this.name = make("span");
    this.place = make("span", { class: "place" });
    const read = () => {
      if (this.row?.reads) view.readOut(index);
    };
    this.button = make(
      "button",
      {
        type: "button",
        onclick: () => view.model.send_msg({ type: "onward", index: this.row?.term ?? 0 }),
      },
      this.name,
      this.place,
    );
    this.text = make("span");
    this.gradient = new Bar(view.gradients);
    this.slope = new Bar(view.slopes);
    this.product = new Bar(view.products);
    this.node = make(
      "li",
      { onpointerenter: read, onfocusin: read },
      make("div", { class: "label" }, this.button, this.text),
      this.slope.node,
      make("span", { class: "sign", "aria-hidden": "true" }, "×"),
      this.gradient.node,
      make("span", { class: "sign", "aria-hidden": "true" }, "≈"),
      this.product.node,
    );
  }

  /** @param {Term} row */
  show(row) {
    this.row = row;
    const { term, name, label, place, words, gradient, slope, from, to } = row;
    const isOne = term >= 0;
    this.node.classList.toggle("others", !isOne);
    this.button.hidden = !isOne;
    this.text.hidden = isOne;
    setText(isOne ? this.name : this.text, name);
    setText(this.place, [label, place].filter(Boolean).join(", "));
    setAttribute(this.button, "title", `Go on to ${label}: ${words}`);
    this.gradient.show(0, gradient);
    this.slope.show(0, slope);
    this.product.show(from, to);
  }
}

/** A bar, and its length as a number. */
class Bar {
  /** @param {BarAxis} axis */
  constructor(axis) {
    this.axis = axis;
    this.bar = make("span");
    this.text = make("span", { class: "text" });
    this.node = make(
      "div",
      { class: "pair" },
      make("div", { class: "track signed", "aria-hidden": "true" }, this.bar),
      this.text,
    );
  }

  /** @param {number} from @param {number | null} to null where there is no one number */
  show(from, to) {
    this.node.style.visibility = to === null ? "hidden" : "";
    if (to === null) return;
    /** @type {HTMLElement} */ (this.bar.parentElement).style.setProperty(
      "--zero-at",
      this.axis.at(0),
    );
    this.axis.place(this.bar, from, to);
    setText(this.text, alike(to - from, Math.max(this.axis.high, -this.axis.low)));
  }
}

/** @param {number} x */
function threeDigits(x) {
  const isHandy = x === 0 || (Math.abs(x) >= 1e-3 && Math.abs(x) < 1e4);
  return isHandy ? shortText(Number(x.toPrecision(3))) : scientificText(x, 1);
}

/**
 * A number with as many digits behind the point as all others of its column.
 * @param {number} x @param {number} largest of the column
 */
function alike(x, largest) {
  if (!largest || largest < 1e-6 || Math.max(largest, Math.abs(x)) >= 1e4) return threeDigits(x);
  const digits = Math.max(0, 3 - Math.floor(Math.log10(largest)) - 1);
  const rounded = Number(x.toFixed(digits)) || 0;
  return rounded.toFixed(digits).replace("-", "−");
}

/**
 * Puts nodes into another one, unless it has the same already: what is focused stays so.
 * @param {HTMLElement} node @param {HTMLElement[]} inside
 */
function replaceUnlessSame(node, inside) {
  const now = [...node.children];
  if (now.length === inside.length && now.every((each, k) => each.isEqualNode(inside[k]))) return;
  const root = /** @type {ShadowRoot | Document} */ (node.getRootNode());
  const buttons = () => [...node.querySelectorAll("button")];
  const at = buttons().indexOf(/** @type {HTMLButtonElement} */ (root.activeElement));
  node.replaceChildren(...inside);
  if (at >= 0) buttons()[Math.min(at, buttons().length - 1)]?.focus();
}
