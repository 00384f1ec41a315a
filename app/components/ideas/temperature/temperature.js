/** Softmax at a temperature: logits at the left, the shares that they become at the right. */

import { asControl } from "../../shared/control.js";
import { make, oncePerFrame, setAttribute, setText } from "../../shared/dom.js";
import { MINUS, shortText } from "../../shared/number_format.js";
import { BarAxis } from "../bars.js";
import { sayHandle } from "../handle.js";
import { Paced } from "../paced.js";

/**
 * @import {ControlProperties} from "../../shared/control.js"
 * @import {Model} from "../../shared/model.js"
 *
 * @typedef {object} Row
 * @property {string} label @property {number} column −1: all others together
 * @property {number | null} logit null where a mask hides it
 * @property {number} share @property {number} own its share at the model's own temperature
 *
 * @typedef {{name: string, value: number | null, text: string}} Limit
 *
 * @typedef {object} HeatData
 * @property {Row[]} rows @property {number} low @property {number} high
 * @property {number} temperature @property {number} own @property {string} own_text
 * @property {boolean} settable @property {Limit[]} limits
 */

const EVEN = 1000; // a temperature that stands for ∞
/** Of the slider, whose middle is T = 1 and whose ends are 0 and ∞. */
const STEPS = 200;
const DECADES = 1.6;
const TICKS = [0, 0.1, 0.3, 1, 3, 10, EVEN]; // values that are written under the slider

/** @param {{model: Model<{data: HeatData} & ControlProperties>}} component */
export function render({ model }) {
  const view = new HeatView(model);
  const later = oncePerFrame(() => view.show());
  model.on("data", later);
  view.show();
  return asControl(model, view.node);
}

class HeatView {
  /** @param {Model<{data: HeatData}>} model */
  constructor(model) {
    this.model = model;
    this.axis = new BarAxis(model);
    this.heat = new Paced(model);
    this.lines = /** @type {Line[]} */ ([]);
    this.range = make("input", {
      type: "range",
      min: 0,
      max: STEPS,
      step: 1,
      "aria-label": "temperature",
      oninput: () => {
        const value = temperatureAt(this.range.valueAsNumber);
        setText(this.now, temperatureText(value));
        this.heat.say({ type: "temperature", value });
      },
    });
    this.now = make("strong");
    this.list = make("ul", { class: "bars", role: "list" });
    this.limits = make("div", { class: "limits" });
    this.buttons = /** @type {HTMLButtonElement[]} */ ([]);
    /** @param {string} text */
    const column = (text) => make("span", {}, text);
    this.shareHead = column("");
    this.node = make(
      "section",
      { class: "control idea", "aria-label": "Softmax at a temperature" },
      make(
        "div",
        { class: "heat" },
        make("span", {}, "temperature T"),
        this.range,
        this.now,
        make("div", { class: "ticks", "aria-hidden": "true" }, ...TICKS.map(tick)),
      ),
      this.limits,
      make(
        "div",
        { class: "head", "aria-hidden": "true" },
        column(""),
        column("logits; drag an end"),
        column(""),
        this.shareHead,
      ),
      this.list,
    );
  }

  show() {
    const { data } = this.model;
    if (!data.rows) return;
    this.axis.show(this.list, data.low, data.high);
    if (!this.heat.underWay) {
      this.range.value = String(placeOf(data.temperature));
      setText(this.now, temperatureText(data.temperature));
    }
    setAttribute(this.range, "aria-valuetext", temperatureText(data.temperature));
    setText(this.shareHead, `softmax of logits ÷ T; dashed: at ${data.own_text}`);
    while (this.lines.length < data.rows.length) {
      const line = new Line(this);
      this.lines.push(line);
      this.list.append(line.node);
    }
    for (const { node } of this.lines.splice(data.rows.length)) node.remove();
    const best = Math.max(...data.rows.map(({ share, column }) => (column < 0 ? 0 : share)));
    for (const [k, line] of this.lines.entries())
      line.show(data.rows[k], data.settable, data.rows[k].share === best);
    this.showLimits(data);
  }

  /** @param {HeatData} data */
  showLimits({ limits, temperature, own }) {
    while (this.buttons.length < limits.length) {
      const at = this.buttons.length;
      const button = make(
        "button",
        {
          type: "button",
          class: "button",
          onclick: () =>
            this.heat.say({ type: "temperature", value: this.model.data.limits[at].value }),
        },
        make("strong"),
        make("span"),
      );
      this.buttons.push(button);
      this.limits.append(button);
    }
    for (const [k, button] of this.buttons.entries()) {
      const { name, value, text } = limits[k];
      setText(button.children[0], name);
      setText(button.children[1], text);
      setAttribute(button, "aria-pressed", String((value ?? own) === temperature));
    }
  }
}

/** A word or a key. */
class Line {
  /** @param {HeatView} view */
  constructor(view) {
    this.row = /** @type {Row | null} */ (null);
    this.view = view;
    this.label = make("span", { class: "label" });
    this.bar = make("span", { class: "bar" });
    this.hidden = make("span", { class: "hidden-by-mask" }, "−∞, hidden by the mask");
    const { track, grip } = view.axis.track(
      () => this.row?.logit ?? 0,
      (value, press) => view.axis.say({ type: "logit", column: this.row?.column, value, ...press }),
      this.bar,
      this.hidden,
    );
    this.grip = grip;
    this.logit = make("span", { class: "text" });
    this.share = make("span", { class: "bar share" });
    this.own = make("span", { class: "own" });
    this.text = make("span", { class: "text share-text" });
    this.node = make(
      "li",
      {},
      this.label,
      track,
      this.logit,
      make("div", { class: "track shares", "aria-hidden": "true" }, this.share, this.own),
      this.text,
    );
  }

  /** @param {Row} row @param {boolean} settable @param {boolean} isBest */
  show(row, settable, isBest) {
    const { view } = this;
    this.row = row;
    const { label, column, logit, share, own } = row;
    const isOthers = column < 0;
    setAttribute(this.node, "class", isOthers ? "others" : isBest ? "best" : "");
    setText(this.label, label);
    setAttribute(this.label, "title", label);
    this.hidden.hidden = logit !== null || isOthers;
    this.bar.hidden = logit === null;
    this.grip.hidden = logit === null || !settable;
    setText(this.logit, logit === null ? "" : logitText(logit));
    if (logit !== null) {
      view.axis.place(this.bar, 0, logit);
      this.grip.style.left = view.axis.at(logit);
      sayHandle(
        this.grip,
        `logit of ${label}`,
        logit,
        `${shortText(logit)}, share ${share.toFixed(3)}`,
      );
    }
    this.share.style.width = `${100 * share}%`;
    this.own.style.left = `${100 * own}%`;
    setText(this.text, share.toFixed(3));
  }
}

/** A value under the slider, where its thumb would be. @param {number} temperature */
function tick(temperature) {
  const share = placeOf(temperature) / STEPS;
  const text = temperature >= EVEN ? "∞" : String(temperature);
  return make("span", { style: `left: calc(8px + ${share} * (100% - 16px))` }, text);
}

/** @param {number} place of the slider */
function temperatureAt(place) {
  if (place <= 0) return 0;
  if (place >= STEPS) return EVEN;
  return Number((10 ** ((DECADES * (place - STEPS / 2)) / (STEPS / 2))).toPrecision(3));
}

/** @param {number} temperature */
function placeOf(temperature) {
  if (temperature <= 0) return 0;
  if (temperature >= EVEN) return STEPS;
  const place = STEPS / 2 + (Math.log10(temperature) / DECADES) * (STEPS / 2);
  return Math.round(Math.min(STEPS - 1, Math.max(1, place)));
}

/** @param {number} temperature */
function temperatureText(temperature) {
  if (temperature >= EVEN) return "T → ∞";
  return temperature <= 0 ? "T → 0" : `T = ${shortText(Number(temperature.toPrecision(3)))}`;
}

/** Two digits after the point, so that points stand below one another. @param {number} logit */
function logitText(logit) {
  return Math.abs(logit) < 1000 ? logit.toFixed(2).replace("-", MINUS) : shortText(logit);
}
