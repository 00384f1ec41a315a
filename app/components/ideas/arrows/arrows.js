/** A query and the keys it meets as arrows, with their shadows; and the values, tip to tail. */

import { asControl } from "../../shared/control.js";
import { makeSvg, oncePerFrame, setAttribute, setText } from "../../shared/dom.js";
import { html } from "../../shared/lit-html.js";
import { decimalText } from "../../shared/number_format.js";
import { classes, drawn } from "../../shared/template.js";
import { draggable } from "../grip.js";
import { LabelPlaces } from "../label_places.js";
import { Paced } from "../paced.js";
import { PlaneFigure } from "../plane_figure.js";
import { PlaneMoves } from "../plane_moves.js";
import { Arrow } from "./arrow.js";

/**
 * @import {ControlProperties} from "../../shared/control.js"
 * @import {Model} from "../../shared/model.js"
 * @import {Point} from "../plane_figure.js"
 *
 * @typedef {object} Properties
 * @property {number} value the key that is looked at
 * @property {string} of @property {string} reader @property {string[]} names
 * @property {Point} query @property {Point[]} keys
 * @property {[dot: number, score: number | null, weight: number][]} rows
 * @property {Point} context @property {Point[]} sums
 * @property {[string, string]} axes @property {string} onward
 * @property {boolean} can_move @property {boolean} is_moved
 */

const CROWD = 14; // with more keys only those of some weight have a label
const HEAVY = 0.1; // a weight from which on it has one in any case
/** @type {Point} */
const ZERO = [0, 0];

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const arrows = new Arrows(model);
  return asControl(model, arrows.node);
}

class Arrows {
  /** @param {Model<Properties & ControlProperties>} model */
  constructor(model) {
    this.model = model;
    this.moves = new PlaneMoves(model, () => this.show());
    this.looks = new Paced(model);
    this.fitted = "";
    this.drawn = "";
    const later = oncePerFrame(() => this.show());
    this.figure = new PlaneFigure("Query and keys as arrows", later);
    this.beneath = this.figure.layer("shadows");
    this.layer = this.figure.layer("arrows-of-keys");
    this.sumFigure = new PlaneFigure("Weighted values, tip to tail", later);
    this.sumLayer = this.sumFigure.layer("sums");
    this.labels = new LabelPlaces(this.figure);
    this.sumLabels = new LabelPlaces(this.sumFigure);
    /** The query, then the keys. @type {Arrow[]} */
    this.arrows = [];
    /** @type {Arrow[]} */
    this.steps = [];
    const { node, show } = drawn(() => this.template());
    this.node = node;
    this.draw = show;
    for (const name of /** @type {const} */ ([
      ...["value", "of", "reader", "names", "query", "keys", "rows", "context", "sums"],
      ...["can_move", "is_moved", "axes", "onward"],
    ]))
      model.on(name, later);
  }

  template() {
    const { names, can_move: canMove, is_moved: isMoved, onward } = this.model;
    return html`<div class="control arrows">
      <div class="drawn">
        <h2>The query, the keys, and their shadows on the query</h2>
        ${this.figure.node}
        <p class="help" ?hidden=${!canMove}>Dashed: from the tip of each key straight onto the line
          of the query. So far the key reaches along it; that is its shadow. Drag the tip of an
          arrow<span class="of-keys">, or choose it and press the arrow keys</span>.</p>
      </div>
      <div class="beside">
        <table>
          <caption>From arrow to weight</caption>
          <thead><tr>
            <th scope="col">key</th><th scope="col">q·k</th><th scope="col">score</th>
            <th scope="col" colspan="2">weight</th>
          </tr></thead>
          <tbody>${names.map((name, k) => this.row(name, k))}</tbody>
        </table>
        <button type="button" class="button" ?disabled=${!isMoved}
          title="Let the query and the keys of this head be computed again"
          @click=${() => this.looks.say({ type: "restore" })}>Restore the arrows</button>
      </div>
      <div class="drawn">
        <h2>The values, each times its weight, tip to tail: their sum is the context</h2>
        ${this.sumFigure.node}
        <p class="help">${onward}</p>
      </div>
    </div>`;
  }

  /** @param {string} name @param {number} key */
  row(name, key) {
    const [dot, score, weight] = this.model.rows[key] ?? [0, 0, 0];
    const kinds = classes(key === this.model.value && "chosen", score === null && "masked");
    const text = (/** @type {number} */ x, digits = 2) => x.toFixed(digits).replace("-", "−");
    return html`<tr class=${kinds}>
      <th scope="row"><button type="button"
        @click=${() => this.choose(key)}>${name || "∅"}</button></th>
      <td class="dot">${text(dot)}</td>
      <td class="score">${score === null ? "masked" : text(score)}</td>
      <td class="weight">${text(weight, 3)}</td>
      <td class="share" aria-hidden="true"><span class="bar"
        style="width: ${Math.round(100 * Math.min(1, weight))}%"></span></td>
    </tr>`;
  }

  /** Where the tip of an arrow is: 0 is the query. @param {number} index @returns {Point} */
  tip(index) {
    if (this.moves.held?.index === index) return this.moves.held.to;
    return index ? this.model.keys[index - 1] : this.model.query;
  }

  show() {
    const { model, figure } = this;
    if (!figure.size.width || model.keys.length !== model.names.length) return;
    this.makeArrows();
    this.fit();
    const zero = figure.toPixels(ZERO);
    this.arrows.forEach((arrow, k) => {
      const key = k - 1;
      const name = k ? model.names[key] || "∅" : model.reader;
      const [, score, weight] = model.rows[key] ?? [0, 0, 1];
      const isNamed = !k || model.names.length <= CROWD || weight >= HEAVY || key === model.value;
      arrow.draw(zero, figure.toPixels(this.tip(k)), isNamed ? name : "");
      arrow.node.classList.toggle("masked", k > 0 && score === null);
      arrow.node.classList.toggle("chosen", k > 0 && key === model.value);
      const what = k ? `key of ${name}` : `query of ${name}`;
      const said = `${what}, ${this.tip(k).map(short).join(" across, ")} up`;
      setAttribute(arrow.node, "aria-label", said);
      setText(arrow.title, said);
    });
    this.drawShadows();
    this.drawSums();
    if (!this.moves.held || model.names.length <= CROWD) this.placeLabels();
    this.draw();
  }

  makeArrows() {
    const { model } = this;
    const drawn = JSON.stringify([model.of, model.names]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.fitted = "";
    this.moves.held = null;
    this.arrows = ["query", ...model.names.map(() => "key")].map((kind, k) =>
      this.makeArrow(kind, k),
    );
    // The query lies over the keys.
    const [query, ...keys] = this.arrows.map(({ node }) => node);
    this.layer.replaceChildren(...keys, query);
    this.steps = model.names.map(() => new Arrow("value"));
    this.steps.push(new Arrow("context"));
    this.sumLayer.replaceChildren(...this.steps.map(({ node }) => node));
  }

  /** @param {string} kind @param {number} index */
  makeArrow(kind, index) {
    const arrow = new Arrow(kind, {
      role: "button",
      tabindex: 0,
      "aria-roledescription": "movable arrow",
    });
    draggable(arrow.node, this.figure, {
      mayMove: () => this.model.can_move,
      where: () => this.tip(index),
      choose: () => this.choose(index - 1),
      begin: () => this.moves.begin(),
      move: (to, press) => this.moves.move(index, to, press === "pointer"),
      end: () => this.moves.end(),
    });
    return arrow;
  }

  /** @param {number} key */
  choose(key) {
    if (key >= 0 && key !== this.model.value) this.looks.say({ type: "choose", index: key });
  }

  fit() {
    const { model, figure, sumFigure } = this;
    const tips = [model.query, ...model.keys];
    const isOut = !this.moves.held && tips.some((tip) => !figure.shows(tip));
    if (this.fitted !== model.of || isOut) {
      figure.fit([ZERO, ...tips]);
      this.fitted = model.of;
      figure.drawGrid(model.axes);
    }
    if (!this.moves.held || model.sums.some((sum) => !sumFigure.shows(sum))) {
      sumFigure.fit([...model.sums, model.context]);
      sumFigure.drawGrid(["along the context", "across it"]);
    }
  }

  /** Each key's shadow on the line of the query; that of the key that is looked at is thick. */
  drawShadows() {
    const { model, figure } = this;
    const query = this.tip(0);
    const length = Math.hypot(...query);
    if (!length) {
      this.beneath.replaceChildren();
      return;
    }
    const [ux, uy] = [query[0] / length, query[1] / length];
    const reach = 4 * (figure.size.width / figure.scale);
    /** @param {Point} from @param {Point} to @param {string} name */
    const line = (from, to, name) => {
      const [[x1, y1], [x2, y2]] = [figure.toPixels(from), figure.toPixels(to)];
      return makeSvg("line", { x1, y1, x2, y2, class: name });
    };
    const nodes = [line([-reach * ux, -reach * uy], [reach * ux, reach * uy], "direction")];
    model.keys.forEach((_, k) => {
      const tip = this.tip(k + 1);
      const along = tip[0] * ux + tip[1] * uy;
      /** @type {Point} */
      const foot = [along * ux, along * uy];
      if (k !== model.value) {
        nodes.push(line(tip, foot, "fall"));
        return;
      }
      nodes.push(line(tip, foot, "fall chosen"), line(ZERO, foot, "shadow"));
    });
    this.beneath.replaceChildren(...nodes);
  }

  drawSums() {
    const { model, sumFigure } = this;
    if (!sumFigure.size.width || model.sums.length !== this.steps.length) return;
    const points = model.sums.map((sum) => sumFigure.toPixels(sum));
    const heavy = model.rows.map(([, , weight]) => weight >= HEAVY);
    this.steps.forEach((arrow, k) => {
      if (k < model.names.length) {
        arrow.draw(points[k], points[k + 1], heavy[k] ? model.names[k] || "∅" : "");
        arrow.node.classList.toggle("chosen", k === model.value);
        return;
      }
      arrow.draw(points[0], sumFigure.toPixels(model.context), "context");
    });
  }

  placeLabels() {
    const { model, sumFigure } = this;
    /** @param {number} key */
    const rank = (key) => (key === model.value || model.rows[key]?.[2] >= HEAVY ? 2 : 1);
    const tips = this.arrows.map((_, k) => this.tip(k));
    this.labels.place(
      this.arrows.map(({ text }, k) => ({
        ...{ text, at: tips[k], away: tips[k] },
        rank: k ? rank(k - 1) : 3,
      })),
      [[ZERO, tips[0]], ...(tips[model.value + 1] ? [lineTo(tips[model.value + 1])] : [])],
    );
    if (!sumFigure.size.width || model.sums.length !== this.steps.length) return;
    const ends = [...model.sums.slice(1), model.context];
    this.sumLabels.place(
      this.steps.map(({ text }, k) => {
        const [x, y] = ends[k];
        const [fromX, fromY] = k < model.names.length ? model.sums[k] : ZERO;
        return {
          text,
          at: ends[k],
          away: /** @type {Point} */ ([x - fromX, y - fromY]),
          rank: k < model.names.length ? rank(k) : 3,
        };
      }),
      [[ZERO, model.context]],
    );
  }
}

/** @param {Point} tip @returns {[Point, Point]} */
const lineTo = (tip) => [ZERO, tip];

/** @param {number} v */
const short = (v) => decimalText(Number(v.toFixed(2)));
