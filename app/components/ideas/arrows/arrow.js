/** An arrow of SVG between two points, with a head and a label beside its tip. */

import { makeSvg, setText } from "../../shared/dom.js";

/** @import {Point} from "../plane_figure.js" */

const HEAD = 9; // CSS px, the length of the head
const HALF = 4; // and half of its width
const LEAST = 2; // CSS px; shorter arrows have no head

export class Arrow {
  /** @param {string} className @param {Record<string, unknown>} [attributes] */
  constructor(className, attributes = {}) {
    this.line = makeSvg("line");
    this.head = makeSvg("path");
    this.text = makeSvg("text");
    /** Where its label stands is found by `LabelPlaces`. */
    this.tip = makeSvg("g", {}, this.text);
    this.hit = makeSvg("circle", { class: "hit", r: 16 });
    this.title = makeSvg("title");
    this.node = makeSvg("g", { class: `arrow ${className}`, ...attributes });
    this.node.append(this.title, this.line, this.head, this.tip, this.hit);
  }

  /** @param {Point} from @param {Point} to CSS px @param {string} label */
  draw([x1, y1], [x2, y2], label) {
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [ax, ay] = length ? [(x2 - x1) / length, (y2 - y1) / length] : [0, 0];
    const head = Math.min(HEAD, length);
    set(this.line, { x1, y1, x2: x2 - ax * head * 0.8, y2: y2 - ay * head * 0.8 });
    const [bx, by] = [x2 - ax * head, y2 - ay * head];
    const [sx, sy] = [-ay * HALF, ax * HALF];
    const corners = [
      [x2, y2],
      [bx + sx, by + sy],
      [bx - sx, by - sy],
    ].map((point) => point.map((x) => x.toFixed(1)).join(" "));
    this.head.setAttribute("d", length < LEAST ? "" : `M${corners.join("L")}Z`);
    set(this.hit, { cx: x2, cy: y2 });
    setText(this.text, label);
    this.tip.setAttribute("transform", `translate(${x2.toFixed(1)} ${y2.toFixed(1)})`);
  }
}

/** @param {SVGElement} node @param {Record<string, number>} attributes */
function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value.toFixed(1));
}
