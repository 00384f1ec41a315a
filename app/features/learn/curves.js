/**
 * Shows the curves of a run in one chart over its steps: accuracy on unseen data, and the loss. A
 * press or a drag moves the whole page to that step. One step can be pinned as a baseline.
 */

import { asControl } from "../../components/shared/control.js";
import { html, nothing, svg } from "../../components/shared/lit-html.js";
import { onChange } from "../../components/shared/model.js";
import { counted, rough, scientificText } from "../../components/shared/number_format.js";
import { Paced } from "../../components/shared/paced.js";
import { classes, FromTemplate } from "../../components/shared/template.js";
import {
  arrow,
  ground,
  heightIn,
  level,
  line,
  marked,
  pointAt,
  points,
  scale,
  timeAxis,
  upright,
  words,
} from "./chart.js";
import { TimeAxis } from "./time_axis.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 * @import {Band, Drawn, Name, Point} from "./chart.js"
 *
 * @typedef {object} Properties see learn.py
 * @property {number} step @property {number | null} pinned @property {number[]} kept
 * @property {number} steps @property {number} early @property {Drawn | {}} curves
 * @property {Drawn | {}} before @property {Point[]} schedule @property {number} floor
 * @property {number} chance @property {number} clip
 * @property {[step: number, said: string][]} marks @property {string} what @property {string} said
 * @property {string} ahead @property {string[]} notes
 *
 * @typedef {object} Read
 * @property {Name} name @property {(what: string) => string} label
 * @property {(value: number) => string} text
 * @property {boolean} [isTest] whether only some steps have a value, so that the text has the step
 */

/** CSS px above the chart for the axis titles; on a phone the titles are outside the chart. */
const TOP = { names: 20, none: 8 };
const PHONE = 600;
const AXIS = 20; // CSS px below the chart
const SIDES = { left: 44, right: 38 };
const STRIP = { height: 22, gap: 8 };

const NO_RUN = "no curves yet";
const PINS = "Then every view shows the difference from it";

/** Formats a learning rate, which starts far below 0.001 in a warmup. @param {number} x */
const rateText = (x) => (x !== 0 && x < 1e-3 ? scientificText(x) : rough(x));

/** @type {Read[]} */
const READS = [
  {
    name: "right",
    label: (what) => `unseen ${what} right`,
    text: (x) => `${x.toFixed(x < 99.95 ? 1 : 0)} %`,
    isTest: true,
  },
  { name: "loss", label: () => "loss", text: (x) => x.toFixed(3) },
  { name: "rate", label: () => "learning rate", text: rateText },
  { name: "norm", label: () => "gradient norm", text: (x) => x.toFixed(2) },
];
/** @type {Name[]} */
const STRIPS = ["rate", "norm"];

/** @param {Component<Properties>} component */
export function render({ model }) {
  const view = new CurvesView(model);
  return asControl(model, view.node);
}

class CurvesView extends FromTemplate {
  /** @param {Component<Properties>["model"]} model */
  constructor(model) {
    super();
    this.model = model;
    this.size = { width: 0, height: 0 }; // CSS px of the chart
    this.pointed = /** @type {number | null} */ (null); // CSS px from the left
    this.hasStrips = false;
    this.paced = new Paced(model, 1);
    this.asked = /** @type {number | null} */ (null); // the step that was last requested by a press
    this.plot = /** @type {HTMLElement} */ (this.node.querySelector(".plot"));
    this.tip = /** @type {HTMLElement} */ (this.node.querySelector(".tip"));
    onChange(
      model,
      [
        ...["step", "pinned", "kept", "steps", "curves", "before", "schedule", "floor"],
        ...["chance", "clip", "marks", "what", "said", "ahead", "notes"],
      ],
      () => this.show(),
    );
    new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = this.plot;
      if (width === this.size.width && height === this.size.height) return;
      this.size = { width, height };
      this.show();
    }).observe(this.plot);
  }

  get hasRun() {
    return this.model.kept.length > 0 || points(this.model.curves, "loss").length > 0;
  }

  template() {
    const { model, hasRun, hasStrips, pointedStep: at } = this;
    const { width, height } = this.size;
    const { kept, pinned, step, said, notes, ahead } = model;
    const isPinned = pinned !== null;
    const isLast = step === kept.at(-1);
    const strips = () => {
      this.hasStrips = !hasStrips;
      this.show();
    };
    const last = () => this.paced.say({ type: "step", step: null });
    const pin = () => {
      model.pinned = isPinned ? null : step;
    };
    const since = () => {
      model.pinned = kept[0] ?? null;
    };
    return html`<section aria-label="Curves of the run"
      class=${classes("control curves", !hasRun && "without", hasStrips && "with-strips")}>
      <div class="chart">
        <div class="reads">
          <output class="where"
            >${hasRun ? `step ${counted(step)}${isLast ? " (newest)" : ""}` : NO_RUN}</output>
          ${READS.slice(0, 2).map((each) => this.read(each))}
          <button type="button" class="more" aria-expanded=${hasStrips} @click=${strips}
            >Learning rate and gradient</button>
          ${READS.slice(2).map((each) => this.read(each))}
        </div>
        <div class="plot" @pointerdown=${(/** @type {PointerEvent} */ event) => this.press(event)}
          @pointermove=${(/** @type {PointerEvent} */ event) => this.move(event)}
          @pointerleave=${() => this.point(null)} @pointercancel=${() => this.point(null)}>
          <svg class="drawing" aria-hidden="true" width=${width} height=${height}
            viewBox="0 0 ${width} ${height}">${width ? this.drawing() : nothing}${
              at === null ? nothing : this.line(at)
            }</svg>
          <div class="tip" aria-hidden="true" ?hidden=${at === null}
            >${at === null ? "" : this.said(at)}</div>
          <p class="empty" ?hidden=${hasRun}>${ahead}</p>
        </div>
      </div>
      <div class="moments">
        <div class="buttons">
          <button type="button" class="button" ?disabled=${isLast || !kept.length}
            @click=${last}>Last step</button>
          <button type="button" class="button" aria-pressed=${isPinned}
            ?disabled=${!isPinned && kept.length < 2}
            title=${isPinned ? "Show the numbers again" : PINS}
            @click=${pin}>${isPinned ? `Unpin step ${counted(pinned)}` : "Pin this moment"}</button>
          <button type="button" class="button" ?disabled=${kept.length < 2 || pinned === kept[0]}
            title="How far every number has moved since the first step"
            @click=${since}>Change since the start</button>
        </div>
        <p class="said" role="status">${said}</p>
        <p class="notes">${notes.join(" ")}</p>
      </div>
    </section>`;
  }

  /** @param {Read} read */
  read({ name, label, text, isTest }) {
    const at = pointAt(points(this.model.curves, name), this.model.step);
    const when = isTest ? html`<small>${at ? `tested at step ${counted(at[0])}` : ""}</small>` : "";
    return html`<div class="read ${name}"><span class="key ${name}" aria-hidden="true"></span
      ><span>${label(this.model.what)}</span
      ><strong>${at ? text(at[1]) : "–"}</strong></div>${when}`;
  }

  // -- the axis ----------------------------------------------------------------------------------

  get axis() {
    const { steps, early } = this.model;
    return new TimeAxis(steps, early, SIDES.left, this.size.width - SIDES.right);
  }

  // -- presses -----------------------------------------------------------------------------------

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button || this.model.kept.length < 2) return;
    this.plot.setPointerCapture(event.pointerId);
    this.asked = null;
    this.go(event);
  }

  /** @param {PointerEvent} event */
  move(event) {
    this.point(event.clientX - this.plot.getBoundingClientRect().left);
    if (this.plot.hasPointerCapture(event.pointerId)) this.go(event);
  }

  /** Selects the kept step that is nearest to the pointer. @param {PointerEvent} event */
  go(event) {
    const { model } = this;
    const x = event.clientX - this.plot.getBoundingClientRect().left;
    const nearest = this.axis.nearest(model.kept, x);
    if (nearest === this.asked) return;
    this.asked = nearest;
    this.paced.say({ type: "step", step: nearest === model.kept.at(-1) ? null : nearest });
  }

  /** @param {number | null} x CSS px from the left of the plot */
  point(x) {
    this.pointed = x;
    this.show();
  }

  // -- drawing -----------------------------------------------------------------------------------

  show() {
    this.draw();
    const { pointedStep: step } = this;
    if (step === null) return;
    const half = this.tip.offsetWidth / 2;
    const at = Math.max(half, Math.min(this.axis.x(step), this.size.width - half));
    this.tip.style.left = `${at.toFixed(1)}px`;
  }

  /** The hovered step, among those that can be selected; null if none is hovered. */
  get pointedStep() {
    const { pointed, model, axis } = this;
    const all = points(model.curves, "loss").map(([step]) => step);
    const steps = model.kept.length ? all.filter((step) => model.kept.includes(step)) : all;
    return pointed === null || !steps.length ? null : axis.nearest(steps, pointed);
  }

  /** Returns the values of the curves at a step. @param {number} step */
  said(step) {
    const said = READS.slice(0, 2).flatMap(({ name, text }) => {
      const at = pointAt(points(this.model.curves, name), step);
      if (!at) return [];
      return [`${name} ${text(at[1])}${at[0] === step ? "" : ` at step ${counted(at[0])}`}`];
    });
    return [`step ${counted(step)}`, ...said].join(" · ");
  }

  /** Returns the vertical line at the pointer. @param {number} step */
  line(step) {
    const { top, height } = this.band("right");
    return upright("pointed", this.axis.x(step), top, top + height);
  }

  get top() {
    return this.size.width < PHONE ? TOP.none : TOP.names;
  }

  /** @param {Name} name @returns {Band} */
  band(name) {
    const { top } = this;
    const strips = this.hasStrips ? STRIPS.length * (STRIP.height + STRIP.gap) : 0;
    const bottom = this.size.height - AXIS;
    const k = STRIPS.indexOf(name);
    const strip = { top: bottom - strips + STRIP.gap + k * (STRIP.height + STRIP.gap) };
    const place =
      k < 0
        ? { top, height: Math.max(20, bottom - strips - top) }
        : { ...strip, height: STRIP.height };
    return { name, ...place, highest: this.highest(name) };
  }

  drawing() {
    const { model, axis } = this;
    const { width, height } = this.size;
    const [right, loss] = [this.band("right"), this.band("loss")];
    const end = height - AXIS;
    const hasRun = points(model.curves, "loss").length > 0;
    const hasLoss = hasRun || model.chance > 0;
    const floor = [axis.left + (hasRun ? 6 : 26), heightIn(loss, model.floor) + 12];
    return [
      ground(axis, right),
      [25, 50, 75].map((value) => level(axis, right, value, "grid")),
      scale(axis, right, "left", (value) => `${value} %`),
      hasLoss ? scale(axis, loss, "right", (value) => `${value}`) : nothing,
      words(`unseen ${model.what} right`, "name right", 0, this.top - 8, "start"),
      words("loss", "name loss", width, this.top - 8, "end"),
      timeAxis(axis, end),
      marked(axis, right, model.marks),
      model.floor
        ? [
            level(axis, loss, model.floor, "level"),
            words("least loss", "tick", floor[0], floor[1], "start"),
          ]
        : nothing,
      !hasRun && model.chance ? this.toCome(loss, right) : nothing,
      [loss, right].map((band) => this.curve(band)),
      this.hasStrips ? STRIPS.map((name) => this.strip(this.band(name))) : nothing,
      model.pinned === null ? nothing : this.mark(model.pinned, end, "pinned"),
      this.hasRun ? this.mark(model.step, end, "shown") : nothing,
    ];
  }

  /**
   * Returns the preview before the first step: the start of both curves, and their directions.
   * @param {Band} loss @param {Band} right
   */
  toCome(loss, right) {
    const { model, axis } = this;
    const [guess, least] = [heightIn(loss, model.chance), heightIn(loss, model.floor)];
    const [none, all] = [heightIn(right, 0), heightIn(right, 100)];
    const said = `guessing: loss ${model.chance.toFixed(2)}`;
    return [
      level(axis, loss, model.chance, "level"),
      words(said, "tick", axis.right - 26, guess + 13, "end"),
      arrow(axis.right - 12, guess + 3, least - 3, "loss"),
      arrow(axis.left + 12, none - 3, all + 3, "right"),
    ];
  }

  /** @param {Band} band */
  strip(band) {
    const { model, axis } = this;
    return [
      ground(axis, band),
      band.name === "norm" && model.clip ? level(axis, band, model.clip, "level") : nothing,
      band.name === "rate" ? line(axis, band, model.schedule, "ahead") : nothing,
      this.curve(band),
    ];
  }

  /** Returns the curves of this and the previous run, and a dot. @param {Band} band */
  curve(band) {
    const { model, axis } = this;
    const drawn = points(model.curves, band.name);
    const earlier = points(model.before, band.name);
    const at = pointAt(drawn, model.step);
    return [
      earlier.length ? line(axis, band, earlier, `before ${band.name}`) : nothing,
      drawn.length ? line(axis, band, drawn, band.name) : nothing,
      at ? dot(`dot ${band.name}`, axis.x(at[0]), heightIn(band, at[1]), 4) : nothing,
    ];
  }

  /** @param {number} step @param {number} bottom @param {string} name */
  mark(step, bottom, name) {
    const x = this.axis.x(step).toFixed(1);
    const radius = name === "shown" ? 6 : 4.5;
    return [upright(name, x, this.top, bottom), dot(name, x, bottom, radius)];
  }

  /** Returns the value at the upper edge of a band. @param {Name} name */
  highest(name) {
    if (name === "right") return 100;
    const { schedule, chance, clip, curves, before } = this.model;
    const lists = [points(curves, name), points(before, name), name === "rate" ? schedule : []];
    const all = lists.flat().map(([, value]) => value);
    const least = name === "loss" ? chance : name === "norm" ? 1.5 * clip : 0;
    return 1.05 * Math.max(least, ...all, 1e-9);
  }
}

/** @param {string} kind @param {number | string} x @param {number} y @param {number} radius */
const dot = (kind, x, y, radius) =>
  svg`<circle class=${kind} cx=${x} cy=${y} r=${radius}></circle>`;
