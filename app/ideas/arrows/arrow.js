/** Draws an SVG arrow between two points, with a head, and a label near its tip. */

import { nothing, svg } from "../../components/shared/lit-html.js";

/** @import {Point} from "../kit/plane_figure.js" */

const HEAD = 9; // CSS px, the length of the head
const HALF = 4; // half of the width of the head
const LEAST = 2; // CSS px; shorter arrows have no head

/**
 * @param {string} kind CSS classes @param {Point} from in CSS px @param {Point} to in CSS px
 * @param {string} label positioned by `LabelPlaces`
 * @param {{index: number, said: string}} [moves] index and description, if it is draggable
 */
export function arrow(kind, [x1, y1], [x2, y2], label, moves) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [ax, ay] = length ? [(x2 - x1) / length, (y2 - y1) / length] : [0, 0];
  const head = Math.min(HEAD, length);
  const [bx, by] = [x2 - ax * head, y2 - ay * head];
  const [sx, sy] = [-ay * HALF, ax * HALF];
  const corners = [
    [x2, y2],
    [bx + sx, by + sy],
    [bx - sx, by - sy],
  ].map((point) => point.map(px).join(" "));
  return svg`<g class="arrow ${kind}" role=${moves ? "button" : nothing}
    tabindex=${moves ? 0 : nothing} aria-roledescription=${moves ? "movable arrow" : nothing}
    aria-label=${moves?.said ?? nothing} data-index=${moves?.index ?? nothing}>
    <title>${moves?.said}</title>
    <line x1=${px(x1)} y1=${px(y1)} x2=${px(x2 - ax * head * 0.8)} y2=${px(y2 - ay * head * 0.8)}
      ></line>
    <path d=${length < LEAST ? "" : `M${corners.join("L")}Z`}></path>
    <g transform="translate(${px(x2)} ${px(y2)})"><text>${label}</text></g>
    <circle class="hit" r="16" cx=${px(x2)} cy=${px(y2)}></circle>
  </g>`;
}

/** @param {number} x */
const px = (x) => x.toFixed(1);
