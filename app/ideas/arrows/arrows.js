/** Draws the query and the keys of a row as arrows, and the weighted values tip to tail. */

import { withNames } from "../../components/shared/cell_name.js";
import { asControl } from "../../components/shared/control.js";
import { oncePerFrame } from "../../components/shared/dom.js";
import { html, svg } from "../../components/shared/lit-html.js";
import { fixed, twoDecimals } from "../../components/shared/number_format.js";
import { Paced } from "../../components/shared/paced.js";
import { classes, FromTemplate } from "../../components/shared/template.js";
import { draggable } from "../kit/grip.js";
import { LabelPlaces } from "../kit/label_places.js";
import { PlaneFigure } from "../kit/plane_figure.js";
import { PlaneMoves } from "../kit/plane_moves.js";
import { arrow } from "./arrow.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 * @import {Point} from "../kit/plane_figure.js"
 *
 * @typedef {object} Properties
 * @property {number} value the chosen key
 * @property {string} of @property {string} reader @property {string[]} names
 * @property {Point} query @property {Point[]} keys
 * @property {[dot: number, score: number | null, weight: number][]} rows
 * @property {Point} context @property {Point[]} sums
 * @property {[string, string]} axes @property {string} onward
 * @property {boolean} can_move @property {boolean} is_moved
 */

const CROWD = 14; // with more keys than this, only keys with a large weight have labels
const HEAVY = 0.1; // keys with at least this weight always have a label
/** @type {Point} */
const ZERO = [0, 0];

/** @param {Component<Properties>} component */
export function render({ model }) {
  const arrows = new Arrows(model);
  return asControl(model, arrows.node);
}

class Arrows extends FromTemplate {
  /** @param {Component<Properties>["model"]} model */
  constructor(model) {
    super();
    this.model = model;
    this.moves = new PlaneMoves(model, () => this.show());
    this.looks = new Paced(model);
    this.fitted = "";
    const later = oncePerFrame(() => this.show());
    this.figure = new PlaneFigure("Query and keys as arrows", later, () => this.layers());
    this.sumFigure = new PlaneFigure("Weighted values, tip to tail", later, () => this.sums());
    this.sumFigure.names = ["along the context", "across it"];
    draggable(this.figure, this.moves, {
      mayMove: () => model.can_move,
      where: (index) => this.tip(index),
      choose: (index) => this.choose(index - 1),
    });
    this.labels = new LabelPlaces(this.figure);
    this.sumLabels = new LabelPlaces(this.sumFigure);
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
        <p class="help">${withNames(onward)}</p>
      </div>
    </div>`;
  }

  /** @param {string} name @param {number} key */
  row(name, key) {
    const [dot, score, weight] = this.model.rows[key] ?? [0, 0, 0];
    const kinds = classes(key === this.model.value && "chosen", score === null && "masked");
    const text = (/** @type {number} */ x, digits = 2) => fixed(x, digits);
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

  /** Returns the tip of an arrow; index 0 is the query. @param {number} index @returns {Point} */
  tip(index) {
    if (this.moves.held?.index === index) return this.moves.held.to;
    return index ? this.model.keys[index - 1] : this.model.query;
  }

  show() {
    const { model, figure } = this;
    if (!figure.size.width || model.keys.length !== model.names.length) return;
    this.fit();
    figure.show();
    this.sumFigure.show();
    if (!this.moves.held || model.names.length <= CROWD) this.placeLabels();
    this.draw();
  }

  /** Returns the arrows in the plane, with the query on top of the keys. */
  layers() {
    const keys = this.model.names.map((name, key) => this.arrow(name, key));
    return svg`<g class="shadows">${this.shadows()}</g>
      <g class="arrows-of-keys">${keys}${this.arrow(this.model.reader, -1)}</g>`;
  }

  /** @param {string} word @param {number} key −1 for the query */
  arrow(word, key) {
    const { model, figure } = this;
    const name = word || "∅";
    const [, score, weight] = model.rows[key] ?? [0, 0, 1];
    const isChosen = key === model.value;
    const isNamed = key < 0 || model.names.length <= CROWD || weight >= HEAVY || isChosen;
    const index = key + 1;
    const tip = this.tip(index);
    const what = key < 0 ? "query" : "key";
    const kinds = classes(
      what,
      key >= 0 && score === null && "masked",
      key >= 0 && isChosen && "chosen",
    );
    const said = `${what} of ${name}, ${tip.map(twoDecimals).join(" across, ")} up`;
    return arrow(kinds, figure.toPixels(ZERO), figure.toPixels(tip), isNamed ? name : "", {
      index,
      said,
    });
  }

  /** @param {number} key */
  choose(key) {
    if (key >= 0 && key !== this.model.value) this.looks.say({ type: "choose", index: key });
  }

  fit() {
    const { model, figure, sumFigure } = this;
    const tips = [model.query, ...model.keys];
    const isOut = !this.moves.held && tips.some((tip) => !figure.shows(tip));
    const key = JSON.stringify([model.of, model.names]);
    if (this.fitted !== key || isOut) {
      figure.fit([ZERO, ...tips]);
      figure.names = model.axes;
      this.fitted = key;
    }
    if (!this.moves.held || model.sums.some((sum) => !sumFigure.shows(sum)))
      sumFigure.fit([...model.sums, model.context]);
  }

  /** Returns the query's line, a perpendicular to it from each key, and the chosen key's shadow. */
  shadows() {
    const { model, figure } = this;
    const query = this.tip(0);
    const length = Math.hypot(...query);
    if (!length) return [];
    const [ux, uy] = [query[0] / length, query[1] / length];
    const reach = 4 * (figure.size.width / figure.scale);
    /** @param {Point} from @param {Point} to @param {string} name */
    const line = (from, to, name) => {
      const [[x1, y1], [x2, y2]] = [figure.toPixels(from), figure.toPixels(to)];
      return svg`<line x1=${x1} y1=${y1} x2=${x2} y2=${y2} class=${name}></line>`;
    };
    const nodes = [line([-reach * ux, -reach * uy], [reach * ux, reach * uy], "direction")];
    model.keys.forEach((_, k) => {
      const tip = this.tip(k + 1);
      const along = tip[0] * ux + tip[1] * uy;
      /** @type {Point} */
      const foot = [along * ux, along * uy];
      const isChosen = k === model.value;
      nodes.push(line(tip, foot, isChosen ? "fall chosen" : "fall"));
      if (isChosen) nodes.push(line(ZERO, foot, "shadow"));
    });
    return nodes;
  }

  /** Returns the weighted values, tip to tail, and their sum. */
  sums() {
    const { model, sumFigure } = this;
    if (!this.hasSums) return [];
    const points = model.sums.map((sum) => sumFigure.toPixels(sum));
    const values = model.names.map((name, k) =>
      arrow(
        classes("value", k === model.value && "chosen"),
        points[k],
        points[k + 1],
        model.rows[k]?.[2] >= HEAVY ? name || "∅" : "",
      ),
    );
    const context = arrow("context", points[0], sumFigure.toPixels(model.context), "context");
    return svg`<g class="sums">${values}${context}</g>`;
  }

  get hasSums() {
    const { sums, names } = this.model;
    return this.sumFigure.size.width > 0 && sums.length === names.length + 1;
  }

  placeLabels() {
    const { model } = this;
    /** @param {number} key */
    const rank = (key) => (key === model.value || model.rows[key]?.[2] >= HEAVY ? 2 : 1);
    const query = this.tip(0);
    const keys = model.keys.map((_, key) => this.tip(key + 1));
    const chosen = keys[model.value];
    this.labels.place(
      [...keys, query].map((tip, k) => ({
        ...{ at: tip, away: tip },
        rank: k < keys.length ? rank(k) : 3,
      })),
      ".arrow text",
      [query, ...(chosen ? [chosen] : [])].map((tip) => [ZERO, tip]),
    );
    if (!this.hasSums) return;
    const ends = [...model.sums.slice(1), model.context];
    this.sumLabels.place(
      ends.map(([x, y], k) => {
        const isSum = k === model.names.length;
        const [fromX, fromY] = isSum ? ZERO : model.sums[k];
        return { at: [x, y], away: [x - fromX, y - fromY], rank: isSum ? 3 : rank(k) };
      }),
      ".arrow text",
      [[ZERO, model.context]],
    );
  }
}
