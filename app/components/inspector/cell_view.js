/** The selected cell: what it is, how it was computed, and controls that change it. */

import { setNames, withNames } from "../shared/cell_name.js";
import { make, setAttribute, setText } from "../shared/dom.js";
import { ideaLinks } from "../shared/idea_links.js";
import { typeset } from "../shared/katex.js";
import { bindKeys } from "../shared/keys.js";
import {
  codes,
  decimalText,
  exactText,
  headText,
  SCIENTIFIC,
  scientificText,
  tailText,
} from "../shared/number_format.js";
import { spoken } from "../shared/spoken_math.js";
import { action, enable } from "./action.js";
import { BaselineActions } from "./baseline_actions.js";
import { Gradient } from "./gradient.js";
import { NumberField } from "./number_field.js";
import { Operands } from "./operands.js";
import { ResponseCurve } from "./response_curve.js";
import { roundBelow } from "./round_numbers.js";
import { Silencing } from "./silencing.js";
import { StripDrawing } from "./strips.js";
import { ValueSlider } from "./value_slider.js";
import { WeightActions } from "./weight_actions.js";
import { Wish } from "./wish.js";
import { allBorders } from "./word_borders.js";

/**
 * @import {Model} from "../shared/model.js"
 * @import {CellDetails, Curve, FromInspector, Words} from "./types.js"
 *
 * @typedef {{reach: boolean, watched: [row: number, column: number], locked: boolean,
 *   swing: [amplitude: number, period: number] | []}} Chosen
 */

const LIMIT = 1000;
const SMALL = 1e-4;
/** Between these a decimal says all that scientific notation does. */
const PLAIN = [1e-3, 1e5];
const SWINGING = "It swings, overridden: everything after it follows.";
const USUAL_PERIOD = 2;
const MOST = 10; // the largest amplitude

export class CellView {
  /** @param {Model<Chosen>} model properties shared with Python */
  constructor(model) {
    const send = (/** @type {FromInspector} */ message) => model.send_msg(message);
    this.model = model;
    this.details = /** @type {CellDetails} */ ({});
    this.numbers = "decimal";
    this.moving = false;
    this.last = /** @type {number | undefined} */ (undefined);
    /** Whether the reader typed the amplitude; otherwise it is fitted to the number. */
    this.hasOwnAmplitude = false;
    this.at = "";

    this.path = make("p", { class: "path" });
    this.symbol = make("span", { class: "symbol" });
    this.title = make("span", { class: "title" });
    this.where = make("p", { class: "where" });
    this.beside = make("p", { class: "note beside" });
    this.head = make("span");
    this.tail = make("span", { class: "exponent" });
    this.small = make("p", { class: "small kept" });
    this.curve = new ResponseCurve(
      (value) => this.set(value),
      (row, column) => {
        model.watched = [row, column];
      },
    );
    this.slider = new ValueSlider(
      (value) => this.set(value),
      (low, high) => this.curve.along(low, high),
    );
    this.exact = new NumberField(
      {
        label: "exact value",
        id: "exact",
        minimum: -LIMIT,
        maximum: LIMIT,
        sentence: "Type a number from −1000 to 1000.",
      },
      (value) => this.set(value),
    );
    // Typing a number while the slider has the focus edits the value, as in a spreadsheet.
    const begin = (/** @type {KeyboardEvent} */ { key }) => this.exact.begin(key);
    bindKeys(this.slider.input, "On the slider", [
      { keys: [..."0123456789-−.,"], shown: "0 … 9", does: "begins to type the value", run: begin },
    ]);
    this.swing = make(
      "button",
      { type: "button", class: "button primary", onclick: () => this.oscillate(!this.moving) },
      "Oscillate",
    );
    this.restore = action("Restore", "", () => this.putBack());
    this.original = make("p", { class: "small kept original" });
    const again = () => {
      if (this.moving) this.oscillate(true);
    };
    this.amplitude = new NumberField(
      {
        label: "amplitude",
        id: "amplitude",
        minimum: 0.01,
        maximum: MOST,
        sentence: "Type an amplitude from 0.01 to 10.",
      },
      (value) => {
        this.hasOwnAmplitude = true;
        this.amplitude.show(String(value));
        again();
      },
    );
    this.period = new NumberField(
      {
        label: "period, s",
        id: "period",
        minimum: 0.5,
        maximum: 20,
        sentence: "Type a period from 0.5 to 20 seconds.",
      },
      (value) => {
        this.period.show(String(value));
        again();
      },
    );
    this.period.show(String(USUAL_PERIOD));

    this.wish = new Wish(send);
    this.weights = new WeightActions(send);
    this.baseline = new BaselineActions(send);
    this.controls = make(
      "div",
      { class: "controls" },
      this.slider.node,
      this.curve.node,
      make("div", { class: "buttons pairs" }, this.swing, this.restore, ...this.weights.nodes),
      this.wish.select,
      this.curve.more,
      this.original,
      this.baseline.node,
      make(
        "div",
        { class: "fields" },
        make("div", { class: "trio" }, this.exact.node, this.amplitude.node, this.period.node),
        this.exact.error,
        this.amplitude.error,
        this.period.error,
      ),
    );
    this.reach = make(
      "button",
      {
        type: "button",
        class: "button",
        title: "Mark every number that moves when this one does",
        "aria-pressed": "false",
        onclick: () => this.toggleReach(),
      },
      "Show what it reaches",
    );
    this.restoreMatrix = action("Restore this matrix", "", () => send({ type: "restore_matrix" }));
    this.more = make("div", { class: "buttons pairs more" }, this.reach, this.restoreMatrix);
    this.silencing = new Silencing(send);
    this.ideas = make("p", { class: "ideas" });
    this.override = make("p", { class: "where" });
    this.pinned = make("p", { class: "small pinned" });
    this.operands = new Operands();
    this.gradient = new Gradient(send);
    this.symbols = make("div", { class: "set" });
    this.formula = make(
      "div",
      { class: "formula", role: "group", "aria-label": "formula" },
      this.symbols,
    );
    // A scrolling formula must be focusable for the keyboard to scroll it; any other would be a
    // needless Tab stop. KaTeX's fonts may load later and change its width.
    const measure = new ResizeObserver(() => {
      const scrolls = this.formula.scrollWidth > this.formula.clientWidth;
      setAttribute(this.formula, "tabindex", scrolls ? 0 : null);
    });
    measure.observe(this.formula);
    measure.observe(this.symbols);
    this.arithmetic = make("div", {
      class: "arithmetic",
      role: "group",
      "aria-label": "arithmetic",
    });
    this.result = make("strong", { class: "result" });
    this.inNumbers = make("span");
    this.overridden = make("p", { class: "small kept" });
    this.strips = new StripDrawing();
    this.note = make("p", { class: "note kept" });
    this.explanation = make(
      "section",
      {},
      make("h2", {}, "Where it comes from"),
      this.formula,
      this.arithmetic,
      this.strips.node,
      this.note,
      this.operands.node,
    );
    this.cell = make(
      "div",
      { class: "cell", tabindex: "-1" },
      make("p", { class: "name" }, this.symbol, this.title),
      this.where,
      this.beside,
      this.ideas,
      make(
        "div",
        { class: "number" },
        make("p", { class: "value" }, this.head, this.tail),
        this.small,
      ),
      this.pinned,
      this.override,
      this.controls,
      this.more,
      this.silencing.node,
      this.path,
    );
    this.node = make(
      "div",
      { class: "selected" },
      make("section", {}, make("h2", {}, "Selected"), this.cell),
      this.explanation,
      this.gradient.node,
    );
    this.curve.takeNone(false);
  }

  /** The words that change with the value. @param {Words | {coming?: boolean}} words */
  takeWords(words) {
    this.curve.takeWords(words);
    this.slider.mark("rows" in words ? allBorders(words.rows).map(({ at }) => at) : []);
  }

  /** @param {Curve | {coming?: boolean}} curve `coming` while it is being computed */
  takeCurve(curve) {
    const found = "probabilities" in curve ? curve : null;
    if (found) this.curve.take(found);
    else this.curve.takeNone("coming" in curve && Boolean(curve.coming));
    this.wish.take(found);
  }

  toggleReach() {
    this.model.reach = this.reach.getAttribute("aria-pressed") !== "true";
  }

  /** @param {boolean} on */
  reaches(on) {
    setAttribute(this.reach, "aria-pressed", String(on));
    setText(this.reach, on ? "Hide what it reaches" : "Show what it reaches");
  }

  /**
   * @param {CellDetails} details from Python
   * @param {"scientific" | "decimal"} numbers
   */
  take(details, numbers) {
    const at = `${details.path}[${details.i},${details.j}]`;
    if (at !== this.at) {
      this.exact.say("");
      this.slider.goal = null;
    }
    this.at = at;
    this.details = details;
    this.numbers = numbers;
    this.last = undefined;
    const some = Boolean(details.path);
    this.cell.hidden = !some;
    this.gradient.take(some && !details.covered ? details : {});
    this.explanation.hidden =
      !some || !(details.formula || details.arithmetic?.length || details.note);
    if (!some) return;
    this.showName(details);
    this.showControls(details);
    this.showExplanation(details);
    this.show();
  }

  /** @param {CellDetails} details */
  showName(details) {
    // Heads and layers count from 1 in words, as in the paper, and from 0 in code.
    setText(this.path, `In code, all from 0: ${details.path}[${details.i}, ${details.j}]`);
    typeset(this.symbol, details.symbol ?? "");
    this.symbol.hidden = !details.symbol;
    setText(this.title, details.title ?? "");
    const { where = "" } = details;
    setNames(this.where, where && `${where}, counted from 0`);
    setText(this.beside, details.beside ?? "");
    // Only where they are others, since one of them may have the focus.
    const ideas = details.ideas ?? [];
    const shown = JSON.stringify(ideas);
    if (this.ideas.dataset.shown !== shown) {
      this.ideas.replaceChildren(...ideaLinks(ideas, "idea"));
      this.ideas.dataset.shown = shown;
    }
    this.ideas.hidden = ideas.length === 0;
    const symbol = spoken(details.symbol ?? "");
    const label = [symbol, details.title ?? details.path, details.where].filter(Boolean).join(", ");
    setAttribute(this.slider.input, "aria-label", `value of ${label}`);
  }

  /** @param {CellDetails} details */
  showControls(details) {
    const isEditable = Boolean(details.editable);
    this.controls.hidden = !isEditable;
    this.more.hidden = !isEditable;
    this.slider.take(details);
    this.showSwing(details);
    this.weights.take(details);
    this.silencing.take(details, this.model.locked);
    this.baseline.take(details);
    this.showRestoring(details);
    this.showState(details);
    setText(
      this.original,
      (details.edited || details.silenced) && details.original !== undefined
        ? `${details.parameter ? "was" : "computed"} ${decimalText(details.original)}`
        : "",
    );
  }

  /** Whether the number is its own or overridden. @param {CellDetails} details */
  showState({ parameter, editable, edited, silenced }) {
    const isOwn = parameter || !editable || this.model.locked;
    const state = edited
      ? "Overridden: everything after it follows."
      : (silenced ?? "Computed. Slide it to override it.");
    setText(this.override, isOwn ? "" : this.moving ? SWINGING : state);
  }

  /**
   * Updates the buttons that restore numbers; they keep their places.
   * @param {CellDetails} details
   */
  showRestoring({ parameter, edited, edited_here }) {
    const back = parameter
      ? "what it was before you set it"
      : "what is computed here, from the numbers before it";
    this.restore.title = `Back to ${back}`;
    enable(this.restore, edited);
    this.restoreMatrix.title = `Every number of this matrix that you set back to ${back}`;
    enable(this.restoreMatrix, edited_here);
  }

  /** @param {CellDetails} details */
  showExplanation(details) {
    this.operands.take(details.operands ?? [], details.more_operands);
    this.strips.take(details.strips ?? null, details.title ?? "");
    this.formula.hidden = !details.formula;
    typeset(this.symbols, details.formula ?? "");
    const { arithmetic: [name = "", symbols = "", numbers = symbols] = [] } = details;
    this.arithmetic.hidden = !name;
    setText(this.inNumbers, ` ${numbers}`);
    // The result first, then the terms.
    this.arithmetic.replaceChildren(
      make("p", {}, this.result, this.inNumbers),
      // The drawing of the products shows the symbols itself.
      details.strips ? "" : make("p", { class: "symbols" }, ...withNames(`${name} ${symbols}`)),
      this.overridden,
    );
    setText(this.note, details.note ?? "");
  }

  /** Shows the value that is on the page now. */
  show() {
    const { path, i = 0, j = 0 } = this.details;
    if (!path || !window.tinkerformer?.ready) return;
    this.gradient.show();
    const value = window.tinkerformer.value(path, i, j);
    if (value === this.last) return;
    this.last = value;
    if (value === undefined) return;
    if (this.details.covered) {
      setText(this.head, "?");
      for (const each of [this.tail, this.small, this.pinned, this.result]) setText(each, "");
      return;
    }
    const scientific = codes(value, SCIENTIFIC);
    const short = this.numbers === "scientific";
    // A number with many zeros is hard to read.
    const isSmall = !short && value !== 0 && Math.abs(value) < SMALL;
    setText(this.head, isSmall ? scientificText(value, 3) : decimalText(value));
    if (short) setText(this.head, headText(scientific.head));
    setText(this.tail, short ? tailText(scientific.tail) : "");
    const other = short || isSmall ? decimalText(value) : scientificText(value, 3);
    // Do not write a number twice if its exponent adds nothing.
    const size = Math.abs(value);
    const isPlain = value === 0 || (size >= PLAIN[0] && size < PLAIN[1]);
    const adds = short ? !/e0$/.test(scientificText(value, 3)) : !isPlain;
    setText(this.small, adds && other !== this.head.textContent ? `= ${other}` : "");
    // The terms above do not move while the cell oscillates, and would not add up to its value.
    this.showResult(value);
    setText(this.pinned, changeText(value, this.details.pinned ?? null));
    if (!this.details.editable) return;
    this.curve.show(value);
    this.slider.show(value, this.moving);
    this.exact.show(exactText(value));
  }

  /**
   * Shows the arithmetic's result, and the value in its place if the two differ.
   * @param {number} value
   */
  showResult(value) {
    const { edited, silenced, parameter, original, editable } = this.details;
    const isOverridden = (edited || silenced) && !parameter && original !== undefined;
    const result = isOverridden ? original : value;
    setText(this.result, this.moving ? "…" : decimalText(Number(result.toPrecision(4))));
    this.overridden.hidden = Boolean(parameter) || !editable;
    const what = silenced ? "silenced: set to" : "overridden with";
    setText(this.overridden, isOverridden ? `but ${what} ${decimalText(value)}` : "");
  }

  /** @param {number} value */
  set(value) {
    const { path, i = 0, j = 0 } = this.details;
    if (!path || this.model.locked) return;
    if (this.moving) this.oscillate(false);
    this.exact.say("");
    window.tinkerformer?.set(path, i, j, value);
  }

  /** @param {boolean} on */
  oscillate(on) {
    const amplitude = this.amplitude.read() ?? usualAmplitude(this.details);
    const period = this.period.read() ?? USUAL_PERIOD;
    if (on) window.tinkerformer?.oscillate(true, { amplitude, period });
    else window.tinkerformer?.oscillate(false);
  }

  /** Updates the oscillation controls. @param {CellDetails} details */
  showSwing(details) {
    const [amplitude, period] = this.model.swing;
    if (amplitude !== undefined) this.amplitude.show(String(amplitude));
    else if (!this.hasOwnAmplitude) this.amplitude.show(String(usualAmplitude(details)));
    if (period !== undefined) this.period.show(String(period));
  }

  putBack() {
    const { path, i = 0, j = 0, edited } = this.details;
    if (!path || !edited || this.model.locked) return;
    if (this.moving) this.oscillate(false);
    this.slider.goal = null;
    window.tinkerformer?.restore(path, i, j);
  }

  /** @param {boolean} on */
  swinging(on) {
    this.moving = on;
    this.last = undefined;
    setText(this.swing, on ? "Stop" : "Oscillate");
    this.gradient.swinging(on);
    this.curve.bands.swinging(on);
    this.showState(this.details);
    this.show();
  }

  focus() {
    if (!this.details.editable) this.cell.focus();
    else (this.model.locked ? this.swing : this.slider.input).focus();
  }
}

/** The default amplitude: half of the slider's range. @param {CellDetails} details */
const usualAmplitude = ({ high = 1 }) => Math.min(MOST, roundBelow(high / 2));

/** @param {number} value @param {number | null} pinned its value in the baseline */
function changeText(value, pinned) {
  if (pinned === null) return "";
  const change = Number((value - pinned).toPrecision(6));
  return `pinned ${decimalText(pinned)}\nchange ${decimalText(change)}`;
}
