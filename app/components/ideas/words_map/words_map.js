/** The map of words: points with names in a plane. One is chosen, and can be dragged within it. */

import { asControl } from "../../shared/control.js";
import { make, makeSvg, oncePerFrame, setAttribute, setText } from "../../shared/dom.js";
import { html } from "../../shared/lit-html.js";
import { decimalText } from "../../shared/number_format.js";
import { drawn } from "../../shared/template.js";
import { draggable } from "../grip.js";
import { LabelPlaces } from "../label_places.js";
import { Paced } from "../paced.js";
import { PlaneFigure } from "../plane_figure.js";
import { PlaneMoves } from "../plane_moves.js";
import { StepReplay } from "./step_replay.js";

/**
 * @import {ControlProperties} from "../../shared/control.js"
 * @import {Model} from "../../shared/model.js"
 * @import {Point} from "../plane_figure.js"
 *
 * @typedef {object} Properties
 * @property {number} value the chosen word; −1: none
 * @property {string} of the matrix whose rows are drawn
 * @property {string[]} names @property {Point[]} points @property {number[]} strong
 * @property {[name: string, x: number, y: number][]} ghosts @property {Point[][]} trails
 * @property {Point[]} extent corners of what is to be in sight
 * @property {[string, string]} axes
 * @property {[index: number, angle: number, distance: number][]} near
 * @property {string[]} depths @property {number} depth
 * @property {number[]} steps @property {number} step
 * @property {boolean} can_move @property {boolean} is_moved
 * @property {[word: number, onto: number] | []} tries a drop that is worth trying
 * @property {number} onto the word on which the chosen one stands in the plane alone; −1: none
 * @property {number} count of dimensions
 *
 * @typedef {object} WordNode
 * @property {SVGGElement} node @property {SVGTextElement} text @property {SVGElement} title
 * @property {(event: PointerEvent) => void} press begins to drag it
 */

const HIT = 22; // CSS px around a point that are pressed; of several the nearest is meant
const PLACED_WHILE_HELD = 80; // words whose labels make way for the one that is dragged
const DOT = 4;
const NEAREST = 3; // so many lines to neighbors

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const map = new WordsMap(model);
  return asControl(model, map.node);
}

class WordsMap {
  /** @param {Model<Properties & ControlProperties>} model */
  constructor(model) {
    this.model = model;
    this.moves = new PlaneMoves(model, () => this.show());
    this.looks = new Paced(model);
    this.fitted = "";
    this.figure = new PlaneFigure("Map of words", () => this.resized());
    this.near = this.figure.layer("near");
    this.ways = this.figure.layer("ways");
    this.ghosts = this.figure.layer("ghosts");
    this.layer = this.figure.layer("words");
    this.layer.addEventListener("pointerdown", (event) => this.press(event));
    this.labels = new LabelPlaces(this.figure);
    /** @type {WordNode[]} */
    this.words = [];
    this.drawn = ""; // the names of the nodes

    this.chooser = make("select", {
      id: "words-map-word",
      onchange: () => this.choose(Number(this.chooser.value)),
    });
    this.depth = make("input", {
      id: "words-map-depth",
      type: "range",
      min: 0,
      step: 1,
      oninput: () => this.looks.say({ type: "depth", index: this.depth.valueAsNumber }),
    });
    this.replay = new StepReplay(model, this.looks);
    const { node, show } = drawn(() => this.template());
    this.node = node;
    this.draw = show;
    const later = oncePerFrame(() => this.show());
    for (const name of /** @type {const} */ ([
      ...["value", "names", "points", "strong", "ghosts", "trails", "extent", "axes", "near"],
      ...["depths", "depth", "steps", "step", "can_move", "is_moved", "tries", "onto", "count"],
    ]))
      model.on(name, later);
    this.show();
  }

  template() {
    const { model } = this;
    const name = (/** @type {number | undefined} */ k) => `“${model.names[k ?? -1] || "∅"}”`;
    const restore = () => this.looks.say({ type: "restore", index: model.value });
    /** @param {number | undefined} index @param {number} [onto] */
    const drop = (index, onto = -1, whole = false) => {
      if (index !== undefined && onto >= 0) this.looks.say({ type: "drop", index, onto, whole });
    };
    const [tried, onto] = model.tries;
    return html`<div class="control words-map">
      <div class="drawn">
        ${this.figure.node}
        <p class="help" ?hidden=${!model.can_move}
          >Drag a word: only what it has in the two directions that are drawn changes.
          <span class="of-keys">Or choose it and press the arrow keys (with Shift finer); Page Up
          and Page Down choose another word.</span></p>
      </div>
      <div class="beside">
        <div class="chosen">
          <label for="words-map-word">word</label>${this.chooser}
          <button type="button" class="button" title="Back to where the model has it"
            ?disabled=${!model.is_moved} @click=${restore}>Restore</button>
        </div>
        <button type="button" class="button try" ?hidden=${tried === undefined}
          @click=${() => drop(tried, onto)}>Try: drop ${name(tried)} on ${name(onto)}</button>
        <button type="button" class="button try" ?hidden=${model.onto < 0}
          @click=${() => drop(model.value, model.onto, true)}
          >Move it in all ${model.count} directions</button>
        <h2>Nearest by the angle between their numbers</h2>
        <ol class="nearest">${model.near.map(
          ([index, angle, distance]) => html`<li><button type="button" value=${index}
            @click=${() => this.choose(index)}><span class="name">${
              model.names[index] || "∅"
            }</span><span class="angle"
            >${angle.toFixed(0)}° · ${distance.toFixed(2)} apart</span></button></li>`,
        )}</ol>
        <p class="help" ?hidden=${model.depth > 0}
          >apart: how far, in all ${model.count} directions</p>
        <label for="words-map-depth" class="of-slider">how deep in the model</label>
        ${this.depth}
        <output for="words-map-depth">${model.depths[model.depth]}</output>
        ${this.replay.node}
      </div>
    </div>`;
  }

  resized() {
    this.fitted = "";
    this.show();
  }

  /** @param {number} index @returns {Point} */
  where(index) {
    return this.moves.held?.index === index ? this.moves.held.to : this.model.points[index];
  }

  /** @param {number} index @param {boolean} [focus] */
  choose(index, focus = false) {
    if (index !== this.model.value) this.looks.say({ type: "choose", index });
    if (focus) this.words[index]?.node.focus();
  }

  show() {
    const { model, figure } = this;
    if (!figure.size.width) return;
    this.makeWords();
    this.fit();
    for (const [k, { node, title }] of this.words.entries()) {
      const [x, y] = figure.toPixels(this.where(k));
      node.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      node.classList.toggle("chosen", k === model.value);
      node.classList.toggle("strong", model.strong.includes(k));
      setAttribute(node, "aria-pressed", String(k === model.value));
      setAttribute(node, "tabindex", k === Math.max(0, model.value) ? 0 : -1);
      const said = `${model.names[k]}, ${this.where(k).map(short).join(" across, ")} up`;
      setAttribute(node, "aria-label", said);
      setText(title, said);
    }
    this.drawWays();
    this.drawNear();
    if (!this.moves.held || this.words.length <= PLACED_WHILE_HELD) {
      const words = this.words.map(({ text }, k) => ({
        text,
        at: this.where(k),
        rank: k === model.value ? 3 : model.strong.includes(k) ? 2 : 1,
      }));
      this.labels.place([...words, ...this.drawGhosts()]);
    }
    this.showBeside();
  }

  /** The nodes of the words, made anew only where the words are others. */
  makeWords() {
    const drawn = JSON.stringify([this.model.of, this.model.names]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.fitted = "";
    this.moves.held = null;
    this.words = this.model.names.map((name, index) => this.makeWord(name, index));
    this.layer.replaceChildren(...this.words.map(({ node }) => node));
    this.chooser.replaceChildren(
      ...this.model.names.map((name, k) => make("option", { value: k }, name || "∅")),
    );
  }

  /** @param {string} name @param {number} index @returns {WordNode} */
  makeWord(name, index) {
    const text = makeSvg("text", {}, name || "∅");
    const title = makeSvg("title");
    const node = makeSvg(
      "g",
      { class: "word", role: "button", "aria-roledescription": "movable word" },
      title,
      makeSvg("circle", { class: "hit", r: HIT }),
      makeSvg("circle", { class: "dot", r: DOT }),
      text,
    );
    const grip = {
      mayMove: () => this.model.can_move,
      where: () => this.where(index),
      choose: () => this.choose(index),
      begin: () => {
        this.moves.begin();
        this.node.classList.add("holds");
      },
      /** @param {Point} to @param {"pointer" | "key"} by */
      move: (to, by) => this.moves.move(index, to, by === "pointer"),
      end: () => {
        this.node.classList.remove("holds");
        this.moves.end();
      },
    };
    const press = draggable(node, this.figure, grip, { hears: false });
    node.addEventListener("keydown", (event) => this.step(event, index));
    return { node, text, title, press };
  }

  /** Begins to drag the word whose point is nearest to the pointer. @param {PointerEvent} event */
  press(event) {
    const box = this.figure.svg.getBoundingClientRect();
    const on = event.target instanceof Element ? event.target.closest(".word") : null;
    const isOnText = event.target instanceof SVGTextElement;
    const away = this.words.map(({ node }, k) => {
      const [x, y] = this.figure.toPixels(this.where(k));
      const own = isOnText && node === on ? HIT : 0; // its label was meant, too
      return Math.hypot(x - event.clientX + box.left, y - event.clientY + box.top) - own;
    });
    this.words[away.indexOf(Math.min(...away))]?.press(event);
  }

  /** @param {KeyboardEvent} event @param {number} index */
  step(event, index) {
    const by = { PageUp: -1, PageDown: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const count = this.words.length;
    this.choose((index + by + count) % count, true);
  }

  fit() {
    const { model, figure } = this;
    const key = JSON.stringify([model.of, model.axes, model.extent]);
    const all = [...model.points, ...model.extent];
    const isOut = !this.moves.held && model.points.some((point) => !figure.shows(point));
    if (key !== this.fitted || isOut) {
      figure.fit(all);
      this.fitted = key;
      figure.drawGrid(model.axes);
    }
  }

  /** Words that are not in the text, where they would be; those in sight. */
  drawGhosts() {
    const shown = this.model.ghosts.filter(([, x, y]) => this.figure.shows([x, y]));
    const labels = shown.map(([name, x, y]) => ({
      text: makeSvg("text", {}, name),
      at: /** @type {Point} */ ([x, y]),
      rank: 0,
    }));
    const nodes = labels.map(({ text, at }) => {
      const [left, top] = this.figure.toPixels(at);
      const place = `translate(${left.toFixed(1)} ${top.toFixed(1)})`;
      return makeSvg("g", { transform: place }, makeSvg("circle", { r: 2 }), text);
    });
    this.ghosts.replaceChildren(...nodes);
    return labels;
  }

  /** The ways that words have come. */
  drawWays() {
    const { model, figure } = this;
    const nodes = model.trails.map((trail, k) => {
      const points = [...trail, this.where(k)].map((point) => figure.toPixels(point));
      return makeSvg("polyline", {
        points: points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "),
        class: k === model.value ? "chosen" : model.strong.includes(k) ? "strong" : null,
      });
    });
    this.ways.replaceChildren(...nodes);
  }

  /** Lines from the chosen word to those that point most nearly as it does. */
  drawNear() {
    const { model, figure } = this;
    if (model.value < 0) {
      this.near.replaceChildren();
      return;
    }
    const [x1, y1] = figure.toPixels(this.where(model.value));
    const nodes = model.near.slice(0, NEAREST).map(([index]) => {
      const [x2, y2] = figure.toPixels(this.where(index));
      return makeSvg("line", { x1, y1, x2, y2 });
    });
    this.near.replaceChildren(...nodes);
  }

  showBeside() {
    const { model } = this;
    this.chooser.value = String(model.value);
    setAttribute(this.depth, "max", Math.max(0, model.depths.length - 1));
    if (!this.looks.underWay && !this.depth.matches(":active"))
      this.depth.value = String(model.depth);
    setAttribute(this.depth, "aria-valuetext", model.depths[model.depth] ?? "");
    this.draw();
    this.replay.show();
  }
}

/** @param {number} v */
const short = (v) => decimalText(Number(v.toFixed(2)));
