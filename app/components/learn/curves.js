/**
 * The curves of a run, one over the other on one time axis: what is right of what it never trains
 * on, the loss, the learning rate, the size of the gradient. A press or a drag goes to that moment
 * of the run, and the whole page with it. One moment can be pinned, to see what differs from it.
 */

import { asControl } from "../shared/control.js";
import { make, makeSvg, oncePerFrame, setAttribute, setText } from "../shared/dom.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {"loss" | "rate" | "norm"} OfSteps
 * @typedef {[step: number, value: number]} Point
 * @typedef {{step: number[], loss: number[], rate: number[], norm: number[], right: Point[]}} Drawn
 *
 * @typedef {object} Properties
 * @property {number | null} value the step that is shown; null for the last
 * @property {number | null} pinned the step that it is compared with
 * @property {number[]} kept steps that can be gone to
 * @property {number} steps of the whole run
 * @property {number} early
 * @property {Drawn | {}} curves
 * @property {Drawn | {}} before of the run before
 * @property {Point[]} schedule
 * @property {number} floor @property {number} chance @property {number} clip
 * @property {string} what @property {string} said @property {string[]} notes
 *
 * @typedef {object} Track
 * @property {"right" | OfSteps} name
 * @property {string} label
 * @property {number} height CSS px
 * @property {string} about what is drawn in it, where nothing is yet
 * @property {(value: number) => string} text
 */

const GAP = 7; // CSS px between two tracks
const AXIS = 18;
const EDGE = 10; // CSS px at the right of the last step
const TICKS = [0, 1, 3, 10, 30, 100, 300, 1000, 3000];
const TICK_ROOM = 34; // CSS px that the number of a tick needs
const FIRST_ROOM = 58; // and "step 0"

/** @type {Track[]} */
const TRACKS = [
  {
    name: "right",
    label: "unseen right",
    height: 44,
    about: "how much of what it never trains on comes out right",
    text: (x) => `${x.toFixed(x < 99.95 ? 1 : 0)} %`,
  },
  {
    name: "loss",
    label: "loss",
    height: 38,
    about: "how unlikely it finds the right words: falls as it learns",
    text: (x) => x.toFixed(3),
  },
  {
    name: "rate",
    label: "learning rate",
    height: 20,
    about: "size of a step: up in the warmup, then down",
    text: (x) => x.toFixed(5),
  },
  {
    name: "norm",
    label: "gradient norm",
    height: 20,
    about: "how steeply the loss falls at each step",
    text: (x) => x.toFixed(2),
  },
];
const BEFORE =
  "Press Train: it forgets what it knows and learns it anew, and its curves grow here.";
const HEIGHT = TRACKS.reduce((sum, { height }) => sum + height + GAP, 0) + AXIS;

/** @param {number} n */
const counted = (n) => n.toLocaleString("en");

/** @param {Drawn | {}} drawn @param {Track["name"]} name @returns {Point[]} */
function points(drawn, name) {
  if (!("step" in drawn)) return [];
  if (name === "right") return drawn.right;
  return drawn.step.map((step, k) => [step, drawn[name][k]]);
}

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const view = new CurvesView(model);
  return asControl(model, view.node);
}

class CurvesView {
  /** @param {Model<Properties & ControlProperties>} model */
  constructor(model) {
    this.model = model;
    this.width = 0;
    this.svg = makeSvg("svg", { class: "drawing", height: HEIGHT, "aria-hidden": "true" });
    this.plot = make("div", { class: "plot" });
    this.plot.append(this.svg);
    this.reads = TRACKS.map(({ label, height }) => {
      const value = make("strong");
      const node = make("div", { class: "read" }, make("span", {}, label), value);
      node.style.height = `${height + GAP}px`;
      return { node, value };
    });
    this.pin = make("button", { type: "button", class: "button", onclick: () => this.togglePin() });
    this.since = make(
      "button",
      {
        type: "button",
        class: "button",
        title: "How far every number has moved since the first step",
        onclick: () => {
          model.pinned = model.kept[0] ?? null;
        },
      },
      "Change since the start",
    );
    this.last = make(
      "button",
      {
        type: "button",
        class: "button",
        onclick: () => {
          model.value = null;
        },
      },
      "Last step",
    );
    this.where = make("output", { class: "where" });
    this.said = make("p", { class: "said", role: "status" });
    this.notes = make("p", { class: "notes" });
    const abouts = TRACKS.map(({ about, height }) => {
      const node = make("li", {}, about);
      node.style.height = `${height + GAP}px`;
      node.style.lineHeight = `${height}px`;
      return node;
    });
    this.empty = make("ul", { class: "empty", "aria-label": "What is drawn here" }, ...abouts);
    this.node = make(
      "section",
      { class: "control curves", "aria-label": "Curves of the run" },
      make(
        "div",
        { class: "tracks" },
        make("div", { class: "reads" }, ...this.reads.map(({ node }) => node)),
        this.plot,
        this.empty,
      ),
      make(
        "div",
        { class: "moments" },
        make("div", { class: "buttons" }, this.where, this.last, this.pin, this.since),
        this.said,
        this.notes,
      ),
    );
    this.plot.addEventListener("pointerdown", (event) => this.press(event));
    this.plot.addEventListener("pointermove", (event) => {
      if (this.plot.hasPointerCapture(event.pointerId)) this.go(event);
    });
    const later = oncePerFrame(() => this.show());
    for (const name of /** @type {const} */ ([
      ...["value", "pinned", "kept", "steps", "curves", "before", "schedule", "floor", "chance"],
      ...["clip", "what", "said", "notes"],
    ]))
      model.on(name, later);
    new ResizeObserver(() => {
      const width = Math.round(this.plot.clientWidth);
      if (width === this.width) return;
      this.width = width;
      this.show();
    }).observe(this.plot);
    this.show();
  }

  // -- where a step is ---------------------------------------------------------------------------

  get now() {
    // After a reload there are curves, and no moments to go to.
    return this.model.kept.at(-1) ?? points(this.model.curves, "loss").at(-1)?.[0] ?? 0;
  }

  get shown() {
    return this.model.value ?? this.now;
  }

  /** CSS px from the left. @param {number} step */
  x(step) {
    const { early, steps } = this.model;
    const place = Math.log1p(step / early) / Math.log1p(steps / early);
    return place * Math.max(1, this.width - EDGE);
  }

  /** @param {number} x CSS px from the left */
  stepAt(x) {
    const { early, steps } = this.model;
    const place = Math.min(1, Math.max(0, x / Math.max(1, this.width - EDGE)));
    return early * Math.expm1(place * Math.log1p(steps / early));
  }

  // -- what a press does -------------------------------------------------------------------------

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button || this.model.kept.length < 2) return;
    this.plot.setPointerCapture(event.pointerId);
    this.go(event);
  }

  /** Goes to the kept moment that is nearest to the pointer. @param {PointerEvent} event */
  go(event) {
    const { model } = this;
    const x = event.clientX - this.plot.getBoundingClientRect().left;
    let nearest = model.kept[0];
    for (const step of model.kept)
      if (Math.abs(this.x(step) - x) < Math.abs(this.x(nearest) - x)) nearest = step;
    const step = nearest === this.now ? null : nearest;
    if (step !== model.value) model.value = step;
  }

  togglePin() {
    const { model } = this;
    model.pinned = model.pinned === null ? this.shown : null;
  }

  // -- what is drawn -----------------------------------------------------------------------------

  show() {
    const { model } = this;
    const hasRun = model.kept.length > 0 || points(model.curves, "loss").length > 0;
    this.node.classList.toggle("without", !hasRun);
    this.empty.hidden = hasRun;
    this.last.disabled = model.value === null;
    const isPinned = model.pinned !== null;
    this.pin.disabled = !isPinned && model.kept.length < 2;
    this.since.disabled = model.kept.length < 2 || model.pinned === model.kept[0];
    const pinned = isPinned ? `Unpin step ${counted(model.pinned ?? 0)}` : "Pin this moment";
    setText(this.pin, pinned);
    setAttribute(this.pin, "aria-pressed", String(isPinned));
    setAttribute(
      this.pin,
      "title",
      isPinned ? "Show the numbers again" : "Then every view shows what differs from it",
    );
    const end = model.value === null && model.kept.length ? ", the last" : "";
    setText(this.where, hasRun ? `step ${counted(this.shown)}${end}` : "no run on this page yet");
    setText(this.said, hasRun ? model.said : model.said || BEFORE);
    setText(this.notes, model.notes.join(" "));
    this.read();
    if (this.width) this.draw();
  }

  /** The numbers of the step that is shown. */
  read() {
    TRACKS.forEach(({ name, text }, k) => {
      const at = points(this.model.curves, name).findLast(([step]) => step <= this.shown);
      setText(this.reads[k].value, at ? text(at[1]) : "–");
    });
  }

  draw() {
    const { model, width, svg } = this;
    setAttribute(svg, "width", width);
    setAttribute(svg, "viewBox", `0 0 ${width} ${HEIGHT}`);
    const nodes = [];
    let top = 0;
    for (const track of TRACKS) {
      nodes.push(...this.drawTrack(track, top));
      top += track.height + GAP;
    }
    nodes.push(...this.drawAxis(top));
    const bottom = top - GAP;
    if (model.pinned !== null) nodes.push(...this.mark(model.pinned, bottom, "pinned"));
    if (model.kept.length || this.now) nodes.push(...this.mark(this.shown, bottom, "shown"));
    svg.replaceChildren(...nodes);
  }

  /** @param {number} step @param {number} bottom @param {string} name */
  mark(step, bottom, name) {
    const x = this.x(step).toFixed(1);
    return [
      makeSvg("line", { class: name, x1: x, x2: x, y1: 0, y2: bottom + 4 }),
      makeSvg("circle", { class: name, cx: x, cy: bottom + 4, r: name === "shown" ? 6 : 4.5 }),
    ];
  }

  /** @param {Track} track @param {number} top */
  drawTrack({ name, height }, top) {
    const { model } = this;
    const drawn = points(model.curves, name);
    const earlier = points(model.before, name);
    const highest = this.top(name, drawn, earlier);
    /** @param {number} value */
    const y = (value) => top + 1 + (height - 2) * (1 - Math.min(1, Math.max(0, value / highest)));
    /** @param {Point[]} list @param {string} kind */
    const line = (list, kind) => {
      const places = list.map(
        ([step, value]) => `${this.x(step).toFixed(1)},${y(value).toFixed(1)}`,
      );
      return makeSvg("polyline", { class: kind, points: places.join(" ") });
    };
    /** @param {number} value */
    const level = (value) =>
      makeSvg("line", {
        class: "level",
        x1: 0,
        x2: this.x(model.steps),
        y1: y(value),
        y2: y(value),
      });
    const ground = makeSvg("rect", {
      class: "ground",
      x: 0,
      y: top,
      width: this.x(model.steps),
      height,
    });
    const nodes = /** @type {SVGElement[]} */ ([ground]);
    if (name === "loss" && model.floor) nodes.push(level(model.floor));
    if (name === "norm" && model.clip) nodes.push(level(model.clip));
    if (name === "rate") nodes.push(line(model.schedule, "ahead"));
    if (earlier.length) nodes.push(line(earlier, "before"));
    if (drawn.length) nodes.push(line(drawn, name));
    const at = drawn.findLast(([step]) => step <= this.shown);
    if (at)
      nodes.push(
        makeSvg("circle", { class: `dot ${name}`, cx: this.x(at[0]), cy: y(at[1]), r: 3.5 }),
      );
    return nodes;
  }

  /** The value at a track's upper edge. @param {Track["name"]} name @param {Point[][]} lists */
  top(name, ...lists) {
    if (name === "right") return 100;
    const { schedule, chance, clip } = this.model;
    const all = [...lists, name === "rate" ? schedule : []].flat().map(([, value]) => value);
    const least = name === "loss" ? chance : name === "norm" ? 1.5 * clip : 0;
    return 1.05 * Math.max(least, ...all, 1e-9);
  }

  /** @param {number} top */
  drawAxis(top) {
    const { steps } = this.model;
    let free = Number.POSITIVE_INFINITY;
    const nodes = [];
    for (const step of [...TICKS.filter((each) => each < steps), steps].reverse()) {
      const x = this.x(step);
      if (step && (x > free - TICK_ROOM || x < FIRST_ROOM)) continue;
      free = x;
      const anchor = step === 0 ? "start" : step === steps ? "end" : "middle";
      const text = step === 0 ? "step 0" : counted(step);
      nodes.push(
        makeSvg("text", { class: "tick", x, y: top + AXIS - 3, "text-anchor": anchor }, text),
      );
    }
    return nodes;
  }
}
