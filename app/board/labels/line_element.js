/** The leader line from a ring to its label, as an element. */

import { html } from "../../components/shared/lit-html.js";
import { drawn } from "../../components/shared/template.js";

/** @import {Point} from "./boxes.js" */

export class LineElement {
  constructor() {
    this.way = /** @type {readonly Point[]} */ ([]);
    const { node, show } = drawn(() => {
      const points = this.way.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`);
      return html`<svg class="way" aria-hidden="true" ?hidden=${!points.length}><polyline
        points=${points.join(" ")}></polyline></svg>`;
    });
    this.el = node;
    this.draw = show;
  }

  /** @param {readonly Point[]} way corners of the line; empty for no line */
  show(way) {
    this.way = way;
    this.draw();
  }
}
