/** Shows the selected cell: its place, its computation, and controls that change it. */

import { withNames } from "../../components/shared/cell_name.js";
import { make, setAttribute } from "../../components/shared/dom.js";
import { ideaLinks } from "../../components/shared/idea_links.js";
import { typeset } from "../../components/shared/katex.js";
import { bindKeys } from "../../components/shared/keys.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { exactText, movingText } from "../../components/shared/number_format.js";
import { spoken } from "../../components/shared/spoken_math.js";
import { FromTemplate } from "../../components/shared/template.js";
import { action } from "./action.js";
import { baselineActions } from "./baseline_actions.js";
import { Gradient } from "./gradient.js";
import { NumberField } from "./number_field.js";
import { operandBox } from "./operands.js";
import { ResponseCurve } from "./response_curve.js";
import { roundBelow } from "./round_numbers.js";
import { silencing } from "./silencing.js";
import { StripDrawing } from "./strips.js";
import { ValueSlider } from "./value_slider.js";
import { NO_TEXTS, originalText, valueTexts } from "./value_texts.js";
import { weightActions } from "./weight_actions.js";
import { Wish } from "./wish.js";
import { allBorders } from "./word_borders.js";

/**
 * @import {Model} from "../../components/shared/model.js"
 * @import {CellDetails, Curve, FromInspector, Words} from "./types.js"
 *
 * @typedef {{reach: boolean, watched: [row: number, column: number], locked: boolean,
 *   swing: [amplitude: number, period: number] | []}} Chosen
 */

const LIMIT = 1000;
const SWINGING = "It oscillates; everything after it is recomputed.";
const USUAL_PERIOD = 2;
const MOST = 10; // the largest amplitude
const TYPE_NUMBER = "Type a number from −1000 to 1000.";
const TYPE_AMPLITUDE = "Type an amplitude from 0.01 to 10.";
const TYPE_PERIOD = "Type a period from 0.5 to 20 seconds.";

export class CellView extends FromTemplate {
  /** @param {Model<Chosen>} model properties shared with Python */
  constructor(model) {
    super();
    this.model = model;
    this.details = /** @type {CellDetails} */ ({});
    this.numbers = "decimal";
    this.moving = false;
    this.last = /** @type {number | undefined} */ (undefined);
    /** Whether the user typed the amplitude; otherwise it is adapted to the number. */
    this.hasOwnAmplitude = false;
    this.at = "";
    this.send = (/** @type {FromInspector} */ message) => model.send_msg(message);
    this.value = NO_TEXTS;
    this.symbol = make("span", { class: "symbol" });
    const set = (/** @type {number} */ value) => this.set(value);
    this.curve = new ResponseCurve(set, (row, column) => {
      model.watched = [row, column];
    });
    this.slider = new ValueSlider(set, (low, high) => this.curve.along(low, high));
    this.exact = new NumberField("exact value", "exact", [-LIMIT, LIMIT], TYPE_NUMBER, set);
    // Typing a number while the slider has the focus edits the value, as in a spreadsheet.
    const begin = (/** @type {KeyboardEvent} */ { key }) => this.exact.begin(key);
    bindKeys(this.slider.input, "On the slider", [
      { keys: [..."0123456789-−.,"], shown: "0 … 9", does: "begins to type the value", run: begin },
    ]);
    this.amplitude = this.swingField("amplitude", "amplitude", [0.01, MOST], TYPE_AMPLITUDE);
    this.period = this.swingField("period, s", "period", [0.5, 20], TYPE_PERIOD);
    this.period.show(String(USUAL_PERIOD));

    this.wish = new Wish(this.send);
    this.gradient = new Gradient(this.send);
    this.symbols = make("div", { class: "set" });
    this.formula = formulaBox(this.symbols);
    this.strips = new StripDrawing();
    this.cell = /** @type {HTMLElement} */ (this.node.querySelector(".cell"));
    this.curve.takeNone(false);
  }

  /**
   * @param {string} label @param {"amplitude" | "period"} id
   * @param {[minimum: number, maximum: number]} range @param {string} sentence
   */
  swingField(label, id, range, sentence) {
    const field = new NumberField(label, id, range, sentence, (value) => {
      this.hasOwnAmplitude ||= id === "amplitude";
      field.show(String(value));
      if (this.moving) this.oscillate(true);
    });
    return field;
  }

  /** Takes the words that change with the value. @param {Words | {coming?: boolean}} words */
  takeWords(words) {
    this.curve.takeWords(words);
    this.slider.mark("rows" in words ? allBorders(words.rows) : []);
  }

  /** @param {Curve | {coming?: boolean}} curve `coming` while it is being computed */
  takeCurve(curve) {
    const found = "probabilities" in curve ? curve : null;
    if (found) this.curve.take(found);
    else this.curve.takeNone("coming" in curve && Boolean(curve.coming));
    this.wish.take(found);
  }

  template() {
    const { details, value, slider, curve, exact, amplitude, period } = this;
    const toggleReach = () => {
      this.model.reach = !this.model.reach;
      this.draw();
    };
    const { path, i, j, title, where, place = "", editable, ideas = [] } = details;
    const links = ideaLinks(ideas, "idea");
    return html`<div class="selected">
      <section>
        <h2>Selected</h2>
        <div class="cell" tabindex="-1" ?hidden=${!path}>
          <p class="name">${this.symbol}<span class="title">${title}</span></p>
          <p class="where place" title=${where ? `${where}, counted from 0` : nothing}
            >${withNames(place)}</p>
          <div class="number">
            <p class="value"><span>${value.head}</span
              ><span class="exponent">${value.tail}</span></p>
            <p class="small kept">${value.small}</p>
          </div>
          <p class="small pinned">${value.pinned}</p>
          <p class="where">${this.state()}</p>
          <div class="controls" ?hidden=${!editable}>
            ${slider.node}
            <div class="fields">${exact.node}${exact.error}</div>
            <div class="buttons pairs">
              <button type="button" class="button primary"
                @click=${() => this.oscillate(!this.moving)}
                >${this.moving ? "Stop" : "Oscillate"}</button>
              ${this.restoring("Restore", details.edited, () => this.putBack())}
            </div>
            <div class="buttons pairs others">
              ${weightActions(details, this.send)}
              <button type="button" class="button reaches"
                aria-pressed=${Boolean(this.model.reach)}
                title="Mark every number that moves when this one does"
                @click=${toggleReach}
                >${this.model.reach ? "Hide what it reaches" : "Show what it reaches"}</button>
              ${this.restoring("Restore this matrix", details.edited_here, () =>
                this.send({ type: "restore_matrix" }),
              )}
            </div>
            ${this.wish.button}
            ${silencing(details, this.model.locked, this.send)}
            ${curve.node}${this.wish.select}${curve.more}
            <p class="small kept original">${originalText(details)}</p>
            ${baselineActions(details, this.send)}
            <div class="fields">
              <div class="duo">${amplitude.node}${period.node}</div>
              ${amplitude.error}${period.error}
            </div>
          </div>
          <p class="ideas" ?hidden=${!links.length}>${links}</p>
          <p class="path">In code, all from 0: ${path}[${i}, ${j}]</p>
        </div>
      </section>
      ${this.explanation()}
      ${this.gradient.node}
    </div>`;
  }

  explanation() {
    const { details, value } = this;
    const { path, formula, note, strips, parameter, editable } = details;
    const { arithmetic: [name = "", symbols = "", numbers = symbols] = [] } = details;
    this.formula.hidden = !formula;
    // The result is above the terms. A drawing of the products already shows the symbols.
    return html`<section ?hidden=${!path || !(formula || details.arithmetic?.length || note)}>
      <h2>Where it comes from</h2>
      ${this.formula}
      <div class="arithmetic" role="group" aria-label="arithmetic" ?hidden=${!name}>
        <p><strong class="result">${value.result}</strong><span> ${numbers}</span></p>
        ${strips ? nothing : html`<p class="symbols">${withNames(`${name} ${symbols}`)}</p>`}
        <p class="small kept" ?hidden=${parameter || !editable}>${value.overridden}</p>
      </div>
      ${this.strips.node}
      <p class="note kept">${note}</p>
      ${operandBox(details.operands, details.more_operands)}
    </section>`;
  }

  /**
   * Returns a button that restores numbers; with none to restore, it is disabled, not hidden.
   * @param {string} label @param {boolean | undefined} isOn @param {() => void} press
   */
  restoring(label, isOn, press) {
    const { parameter } = this.details;
    const back = parameter
      ? "what it was before you set it"
      : "the value that the model computes here";
    const what = label === "Restore" ? "Back" : "Every number of this matrix that you set back";
    return action(label, `${what} to ${back}`, press, { isOn: Boolean(isOn) });
  }

  /** @param {CellDetails} details from Python @param {"scientific" | "decimal"} numbers */
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
    this.gradient.take(some && !details.covered ? details : {});
    if (some) this.showParts(details);
    this.draw();
    if (some) this.show();
  }

  /** Updates the subcomponents. @param {CellDetails} details */
  showParts(details) {
    const { symbol = "", title, path, where, formula = "", strips = null } = details;
    typeset(this.symbol, symbol);
    this.symbol.hidden = !symbol;
    const label = [spoken(symbol), title ?? path, where].filter(Boolean).join(", ");
    this.slider.take(details, `value of ${label}`);
    this.wish.ask(details);
    const [amplitude, period] = this.model.swing;
    if (amplitude !== undefined) this.amplitude.show(String(amplitude));
    else if (!this.hasOwnAmplitude) this.amplitude.show(String(usualAmplitude(details)));
    if (period !== undefined) this.period.show(String(period));
    this.strips.take(strips, title ?? "");
    typeset(this.symbols, formula);
  }

  /** Returns a sentence on whether the number is computed, overridden or oscillating. */
  state() {
    const { parameter, editable, edited, silenced, unheard } = this.details;
    if (unheard) return unheard;
    if (parameter || !editable || this.model.locked) return "";
    if (this.moving) return SWINGING;
    const state = silenced ?? "The model computed this. Slide it.";
    return edited ? "You set this. All after it is recomputed." : state;
  }

  /** Shows the current value on the page. */
  show() {
    const { path, i = 0, j = 0 } = this.details;
    if (!path || !window.tinkerformer?.ready) return;
    this.gradient.draw();
    const value = window.tinkerformer.value(path, i, j);
    if (value === this.last) return;
    this.last = value;
    if (value === undefined) return;
    this.value = valueTexts(value, this.details, this.numbers === "scientific", this.moving);
    this.draw();
    if (!this.details.editable || this.details.covered) return;
    this.curve.show(value);
    this.slider.show(value, this.moving);
    this.exact.show(this.moving ? movingText(value) : exactText(value));
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
    this.gradient.swinging(on);
    this.draw();
    this.show();
  }

  focus() {
    const swing = /** @type {HTMLElement} */ (this.cell.querySelector(".primary"));
    if (!this.details.editable) this.cell.focus();
    else (this.model.locked ? swing : this.slider.input).focus();
  }
}

/** Returns the default amplitude: half of the slider's range. @param {CellDetails} details */
const usualAmplitude = ({ high = 1 }) => Math.min(MOST, roundBelow(high / 2));

/** @param {HTMLElement} symbols the formula in symbols */
function formulaBox(symbols) {
  const box = make("div", { class: "formula", role: "group", "aria-label": "formula" }, symbols);
  // A formula that scrolls must be focusable, so that the keyboard can scroll it; another formula
  // would be a needless Tab stop. KaTeX's fonts may load later and change its width.
  const measure = new ResizeObserver(() => {
    const scrolls = box.scrollWidth > box.clientWidth;
    setAttribute(box, "tabindex", scrolls ? 0 : null);
  });
  measure.observe(box);
  measure.observe(symbols);
  return box;
}
