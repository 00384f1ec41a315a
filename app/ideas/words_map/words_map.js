/** Draws the map of words: points with names in a plane; one is chosen and can be dragged. */

import { asControl } from "../../components/shared/control.js";
import { html, nothing, svg } from "../../components/shared/lit-html.js";
import { onChange } from "../../components/shared/model.js";
import { twoDecimals } from "../../components/shared/number_format.js";
import { Paced } from "../../components/shared/paced.js";
import { classes, FromTemplate } from "../../components/shared/template.js";
import { draggable, indexOf } from "../kit/grip.js";
import { LabelPlaces } from "../kit/label_places.js";
import { PlaneFigure } from "../kit/plane_figure.js";
import { PlaneMoves } from "../kit/plane_moves.js";
import { StepReplay } from "./step_replay.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 * @import {Point} from "../kit/plane_figure.js"
 *
 * @typedef {[name: string, x: number, y: number]} Ghost
 *
 * @typedef {object} Properties see words_map.py
 * @property {number} value @property {string} of @property {string[]} names
 * @property {Point[]} points @property {number[]} strong @property {Ghost[]} ghosts
 * @property {Point[][]} trails @property {Point[]} extent @property {[string, string]} axes
 * @property {[index: number, angle: number, distance: number][]} near @property {string[]} depths
 * @property {number} depth @property {number[]} steps @property {number} step
 * @property {boolean} can_move @property {boolean} is_moved
 * @property {[word: number, onto: number] | []} tries @property {number} onto
 * @property {number} count
 */

const HIT = 22; // CSS px around a point that can be pressed; the nearest point is chosen
const PLACED_WHILE_HELD = 80; // the most words whose labels are placed again during a drag
const DOT = 4;
const NEAREST = 3; // the number of lines to neighbors

/** @param {Component<Properties>} component */
export function render({ model }) {
  const map = new WordsMap(model);
  return asControl(model, map.node);
}

class WordsMap extends FromTemplate {
  /** @param {Component<Properties>["model"]} model */
  constructor(model) {
    super();
    this.model = model;
    this.moves = new PlaneMoves(model, () => this.show());
    this.looks = new Paced(model);
    this.fitted = "";
    this.figure = new PlaneFigure(
      "Map of words",
      () => this.resized(),
      () => this.layers(),
    );
    draggable(this.figure, this.moves, {
      mayMove: () => model.can_move,
      where: (index) => this.where(index),
      choose: (index) => this.choose(index),
      nearest: (event) => this.nearest(event),
    });
    this.figure.svg.addEventListener("keydown", (event) => this.step(event));
    this.labels = new LabelPlaces(this.figure);
    this.replay = new StepReplay(model, this.looks);
    this.chooser = /** @type {HTMLSelectElement} */ (this.node.querySelector("select"));
    this.depth = /** @type {HTMLInputElement} */ (this.node.querySelector("#words-map-depth"));
    onChange(
      model,
      [
        ...["value", "names", "points", "strong", "ghosts", "trails", "extent", "axes", "near"],
        ...["depths", "depth", "steps", "step", "can_move", "is_moved", "tries", "onto", "count"],
      ],
      () => this.show(),
    );
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
    return html`<div class=${classes("control words-map", this.moves.isDragged && "holds")}>
      <div class="drawn">
        ${this.figure.node}
        <p class="help" ?hidden=${!model.can_move}
          >Drag a word: it changes only in the two directions that are drawn.
          <span class="of-keys">Or choose it and press the arrow keys (with Shift finer); Page Up
          and Page Down choose another word.</span></p>
      </div>
      <div class="beside">
        <div class="chosen">
          <label for="words-map-word">word</label><select id="words-map-word"
            @change=${() => this.choose(this.chooser.selectedIndex)}
            >${model.names.map((each) => html`<option>${each || "∅"}</option>`)}</select>
          <button type="button" class="button" title="Back to where the model puts it"
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
          >apart: the distance in all ${model.count} directions</p>
        <label for="words-map-depth" class="of-slider">how deep in the model</label>
        <input id="words-map-depth" type="range" min="0" step="1"
          max=${Math.max(0, model.depths.length - 1)} aria-valuetext=${model.depths[model.depth]}
          @input=${() => this.looks.say({ type: "depth", index: this.depth.valueAsNumber })}>
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
    const node = /** @type {SVGElement | null} */ (
      this.figure.svg.querySelector(`[data-index="${index}"]`)
    );
    if (focus) node?.focus();
  }

  show() {
    const { model, figure } = this;
    if (!figure.size.width) return;
    this.fit();
    figure.show();
    if (!this.moves.held || model.names.length <= PLACED_WHILE_HELD) {
      const ghosts = this.ghosts.map((ghost) => ({ at: pointOf(ghost), rank: 0 }));
      const words = model.names.map((_, k) => ({
        at: this.where(k),
        rank: k === model.value ? 3 : model.strong.includes(k) ? 2 : 1,
      }));
      this.labels.place([...ghosts, ...words], ".ghosts text, .words text");
    }
    this.draw();
    this.chooser.selectedIndex = model.value;
    if (!this.looks.underWay && !this.depth.matches(":active"))
      this.depth.value = String(model.depth);
    this.replay.show();
  }

  /** Returns the contents of the plane, from back to front. */
  layers() {
    return svg`<g class="near">${this.near()}</g><g class="ways">${this.ways()}</g>
      <g class="ghosts">${this.ghosts.map((each) => this.ghost(each))}</g>
      <g class="words">${this.model.names.map((name, k) => this.word(name, k))}</g>`;
  }

  /** @param {string} name @param {number} k */
  word(name, k) {
    const { value, strong } = this.model;
    const [x, y] = this.figure.toPixels(this.where(k));
    const said = `${name}, ${this.where(k).map(twoDecimals).join(" across, ")} up`;
    return svg`<g style="transform: translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)"
      class=${classes("word", k === value && "chosen", strong.includes(k) && "strong")}
      role="button" aria-roledescription="movable word" aria-pressed=${k === value}
      tabindex=${k === Math.max(0, value) ? 0 : -1} aria-label=${said} data-index=${k}>
      <title>${said}</title><circle class="hit" r=${HIT}></circle>
      <circle class="dot" r=${DOT}></circle><text>${name || "∅"}</text></g>`;
  }

  /** Returns the word whose point is nearest to the pointer. @param {PointerEvent} event */
  nearest(event) {
    const box = this.figure.svg.getBoundingClientRect();
    const pressed = event.target instanceof SVGTextElement ? indexOf(event) : -1;
    const away = this.model.names.map((_, k) => {
      const [x, y] = this.figure.toPixels(this.where(k));
      const own = k === pressed ? HIT : 0; // a press on its label counts, too
      return Math.hypot(x - event.clientX + box.left, y - event.clientY + box.top) - own;
    });
    return away.indexOf(Math.min(...away));
  }

  /** @param {KeyboardEvent} event */
  step(event) {
    const by = { PageUp: -1, PageDown: 1 }[event.key];
    const index = indexOf(event);
    if (!by || index < 0) return;
    event.preventDefault();
    const count = this.model.names.length;
    this.choose((index + by + count) % count, true);
  }

  fit() {
    const { model, figure } = this;
    const key = JSON.stringify([model.of, model.names, model.axes, model.extent]);
    const isOut = !this.moves.held && model.points.some((point) => !figure.shows(point));
    if (key === this.fitted && !isOut) return;
    figure.fit([...model.points, ...model.extent]);
    figure.names = model.axes;
    this.fitted = key;
  }

  /** The visible words that are not in the text, at the positions of their embeddings. */
  get ghosts() {
    return this.model.ghosts.filter((each) => this.figure.shows(pointOf(each)));
  }

  /** @param {Ghost} ghost */
  ghost(ghost) {
    const place = this.figure.toPixels(pointOf(ghost)).map((px) => px.toFixed(1));
    return svg`<g transform="translate(${place.join(" ")})"><circle r="2"></circle
      ><text>${ghost[0]}</text></g>`;
  }

  /** Returns the path of each word, through the training steps or through the depths. */
  ways() {
    const { trails, value, strong } = this.model;
    return trails.map((trail, k) => {
      const points = [...trail, this.where(k)].map((point) => this.figure.toPixels(point));
      const path = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`);
      return svg`<polyline points=${path.join(" ")}
        class=${k === value ? "chosen" : strong.includes(k) ? "strong" : nothing}></polyline>`;
    });
  }

  /** Returns lines from the chosen word to the words with the smallest angle to it. */
  near() {
    const { model, figure } = this;
    if (model.value < 0) return nothing;
    const [x1, y1] = figure.toPixels(this.where(model.value));
    return model.near.slice(0, NEAREST).map(([index]) => {
      const [x2, y2] = figure.toPixels(this.where(index));
      return svg`<line x1=${x1} y1=${y1} x2=${x2} y2=${y2}></line>`;
    });
  }
}

/** @param {Ghost} ghost @returns {Point} */
const pointOf = ([, x, y]) => [x, y];
