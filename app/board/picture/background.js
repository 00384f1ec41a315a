/** The background of the cells: boxes of parts, lines of lanes, arcs of residual connections. */

import { placeDown, scales } from "./camera.js";
import { ARC_ENDS, LANE, LANE_GAP } from "./plan.js";

/**
 * @import {Theme} from "../paint/color.js"
 * @import {Box} from "../paint/view.js"
 * @import {Camera} from "./camera.js"
 * @import {Arc, Plan, Rect} from "./plan.js"
 */

const RADIUS = 9;
const PLUS = 4.5; // the radius of the sign where a residual connection is added

/**
 * @param {CanvasRenderingContext2D} ctx in CSS px
 * @param {Plan} plan @param {Camera} camera @param {Theme} theme
 * @param {number} names the height of the column names above the lanes, CSS px
 * @param {Box} within the region to paint, CSS px
 */
export function paintBackground(ctx, plan, camera, theme, names, within) {
  const { across: zoom } = scales(camera);
  const x = (/** @type {number} */ u) => (u - camera.x) * zoom;
  const y = (/** @type {number} */ u) => placeDown(camera, u);
  const [first, last] = [within.x, within.x + within.width];
  /** @param {Rect} rect */
  const round = (rect) => {
    if (x(rect.x) > last || x(rect.x + rect.width) < first) return;
    ctx.beginPath();
    const radius = Math.min(RADIUS, (RADIUS * zoom) / 0.8);
    const [top, bottom] = [y(rect.y), y(rect.y + rect.height)];
    ctx.roundRect(x(rect.x), top, rect.width * zoom, bottom - top, radius);
    ctx.fill();
  };
  for (const { box } of plan.links) {
    ctx.fillStyle = theme.blockAttention;
    round(box);
  }
  for (const { entry, lanes } of plan.parts)
    if (entry.kind === "feed_forward") {
      const hidden = plan.matrices.find(({ part, kind }) => part === entry.id && kind === "strip");
      if (!hidden) continue;
      const width = hidden.cols * hidden.cell;
      ctx.fillStyle = theme.blockFeedForward;
      round({ x: hidden.x - 4, y: lanes.y - 4, width: width + 8, height: lanes.height + 6 });
    }
  ctx.strokeStyle = theme.line;
  ctx.lineWidth = 1;
  ctx.beginPath();
  const end = Math.max(...[...plan.lanes.values()].map(({ right }) => right));
  for (const { stack, top, left, right, count } of plan.lanes.values()) {
    // Lanes that another stack reads extend to the last links that read them.
    const read = plan.links.filter(({ item }) => item.keys === stack && item.stack !== stack);
    const to = read.length ? Math.max(...read.map((links) => links.left)) : Math.min(end, right);
    for (let k = 0; k < count; k++) {
      const middle = Math.round(y(top + k * LANE + (LANE - LANE_GAP) / 2)) + 0.5;
      ctx.moveTo(Math.max(first - 1, x(left - 4)), middle);
      ctx.lineTo(Math.min(last + 1, x(to)), middle);
    }
  }
  ctx.stroke();
  const reach = 2 * PLUS * zoom;
  const arcs = plan.arcs.filter(({ from, to }) => x(to) > first - reach && x(from) < last + reach);
  paintArcs(ctx, arcs, x, (u) => y(u) - names, zoom, theme);
}

/**
 * @param {CanvasRenderingContext2D} ctx @param {readonly Arc[]} arcs
 * @param {(u: number) => number} x @param {(u: number) => number} y @param {number} zoom
 * @param {Theme} theme
 */
function paintArcs(ctx, arcs, x, y, zoom, theme) {
  ctx.strokeStyle = theme.lineStrong;
  ctx.lineWidth = Math.max(1, Math.min(2, 1.2 * zoom));
  for (const { from, to, y: lanes, top } of arcs) {
    const [left, right] = [x(from - 3), x(to + ARC_ENDS)];
    const [above, below] = [y(top + 5), y(lanes - 1)];
    const radius = Math.min(7 * zoom, (below - above) / 1.2, 16);
    ctx.beginPath();
    ctx.moveTo(left, below);
    ctx.arcTo(left, above, left + radius, above, radius);
    ctx.arcTo(right, above, right, above + radius, radius);
    ctx.lineTo(right, below);
    ctx.stroke();
    const r = Math.min(7, PLUS * zoom, 0.7 * (below - above));
    const middle = below - r;
    ctx.beginPath();
    ctx.arc(right, middle, r, 0, 2 * Math.PI);
    ctx.fillStyle = theme.paper;
    ctx.fill();
    ctx.stroke();
    ctx.beginPath();
    ctx.moveTo(right - r, middle);
    ctx.lineTo(right + r, middle);
    ctx.moveTo(right, middle - r);
    ctx.lineTo(right, middle + r);
    ctx.stroke();
  }
}
