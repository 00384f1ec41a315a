/**
 * Draws the tree of a beam search from left to right. It is one Tab stop; arrow keys move to the
 * parent, children and neighbors.
 */

import { bindKeys } from "../../components/shared/keys.js";
import { html, nothing, svg } from "../../components/shared/lit-html.js";
import { classes, FromTemplate } from "../../components/shared/template.js";
import { signedText } from "./parts.js";

/** @import {Status, TreeNode} from "./types.js" */

/** The sizes of the drawing, in CSS px. */
const TREE = { row: 46, height: 38, margin: 14, letter: 8.5, narrow: 62, wide: 120 };
/** The usual gap between two steps, and the least gap where space is short. */
const GAP = { most: 34, least: 8 };
/** The least width of a node; if nodes of this width do not fit, the tree scrolls. */
const LEAST = 48;
/** @type {Record<Status, string>} */
export const STATUS = { open: "kept", finished: "finished", dropped: "dropped" };

/** @type {Record<Status, string>} */
const SIGNS = { open: "", finished: "■ ", dropped: "✕ " };

export class TreeView extends FromTemplate {
  /**
   * @param {object} on @param {(id: number) => void} on.select
   * @param {(id: number | null) => void} on.look called with the node that is hovered or focused
   */
  constructor(on) {
    super();
    this.on = on;
    this.nodes = /** @type {TreeNode[]} */ ([]);
    this.width = TREE.narrow;
    this.gap = GAP.most;
    this.rows = 0;
    this.availableWidth = 0;
    this.selected = /** @type {number | null} */ (null);
    this.looked = /** @type {number | null} */ (null);
    this.at = /** @type {number | null} */ (null);
    this.all = false;
    this.stop = 0; // the node that is the Tab stop
    this.isTight = false;
    this.plane = /** @type {HTMLElement} */ (this.node.firstElementChild);
    new ResizeObserver(() => {
      if (!this.nodes.length || this.node.clientWidth === this.availableWidth) return;
      const { selected } = this;
      this.take(this.nodes, this.rows);
      if (selected !== null) this.show(selected, this.all);
    }).observe(this.node);
    const run = (/** @type {KeyboardEvent} */ event) => this.key(event);
    const keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];
    bindKeys(this.plane, "In the tree", [
      { keys, does: "to the word before, after or beside", run },
      { keys: ["Enter", "Space"], does: "selects it", run },
    ]);
  }

  template() {
    const { nodes, rows } = this;
    const steps = Math.max(0, ...nodes.map(({ step }) => step));
    const dropped = nodes.filter(({ status }) => status === "dropped");
    const most = Math.max(rows, ...dropped.map(({ row }) => row + 1));
    const width = 2 * TREE.margin + steps * (this.width + this.gap) + this.width;
    const height = 2 * TREE.margin + (most - 1) * TREE.row + TREE.height;
    const leave = () => this.look(null);
    return html`<div class="tree"><div class=${classes("plane", this.isTight && "tight")}
      role="tree" aria-label="Tree of the beam search" @focusout=${leave} @pointerleave=${leave}
      style="width: ${width}px; height: ${height}px"
      ><svg aria-hidden="true" width=${width} height=${height}
        >${nodes.map((node) => this.edge(node))}</svg>${nodes.map((node) => this.item(node))}</div
    ></div>`;
  }

  /** @returns {HTMLElement[]} */
  get items() {
    return [...this.plane.querySelectorAll(/** @type {"div"} */ (".node"))];
  }

  /** @param {TreeNode[]} nodes @param {number} rows of the kept branches */
  take(nodes, rows) {
    const focused = this.items.findIndex((item) => item.matches(":focus"));
    const longest = Math.max(...nodes.map(({ token }) => [...token].length));
    this.nodes = nodes;
    this.rows = rows;
    this.fit(longest, Math.max(...nodes.map(({ step }) => step)));
    this.at = null; // show a new tree from its start
    this.looked = null;
    this.draw();
    this.node.scrollLeft = 0;
    if (focused >= nodes.length) this.items.at(-1)?.focus();
  }

  /**
   * Sets the width of nodes: wide if the whole tree fits, otherwise narrower, so that the tree fits
   * if possible.
   * @param {number} longest token, in characters @param {number} steps
   */
  fit(longest, steps) {
    const wide = Math.min(TREE.wide, Math.max(TREE.narrow, longest * TREE.letter + 22));
    this.availableWidth = this.node.clientWidth;
    const each = (this.availableWidth - 2 * TREE.margin + GAP.least) / (steps + 1);
    const isRoomy =
      !this.availableWidth ||
      (this.availableWidth - 2 * TREE.margin + GAP.most) / (steps + 1) >= wide + GAP.most;
    this.isTight = !isRoomy;
    if (isRoomy) {
      this.width = wide;
      this.gap = GAP.most;
      return;
    }
    this.width = Math.max(LEAST, Math.min(wide, each - GAP.least));
    const rest =
      (this.availableWidth - 2 * TREE.margin - (steps + 1) * this.width) / Math.max(1, steps);
    this.gap = Math.max(GAP.least, Math.min(GAP.most, rest));
  }

  /** @param {number} step */
  left(step) {
    return TREE.margin + step * (this.width + this.gap);
  }

  /** @param {number} row */
  top(row) {
    return TREE.margin + row * TREE.row;
  }

  /** @param {TreeNode} node */
  item(node) {
    const { id, token, step, row, own, status, best, parent } = node;
    const press = (/** @type {Event} */ { currentTarget }) => {
      /** @type {HTMLElement} */ (currentTarget).focus();
      this.on.select(id);
    };
    const focus = () => {
      this.stop = id;
      this.look(id);
    };
    return html`<div class=${classes("node", status, best && "best")} role="treeitem"
      aria-level=${step + 1} aria-label=${describe(node)} aria-selected=${id === this.selected}
      tabindex=${id === this.stop ? 0 : -1} data-id=${id} ?hidden=${this.hides(node)}
      style="left: ${this.left(step)}px; top: ${this.top(row)}px; width: ${this.width}px;
        height: ${TREE.height}px"
      @click=${press} @focus=${focus} @pointerenter=${() => this.look(id)}
      ><span class="word">${token}</span><span class="number"
      >${parent === null ? "start" : SIGNS[status] + signedText(own, 2)}</span></div>`;
  }

  /** @param {TreeNode} node */
  edge(node) {
    const { parent, step, row, status, best } = node;
    if (parent === null) return nothing;
    const from = this.nodes[parent];
    const [x1, x2] = [this.left(from.step) + this.width, this.left(step)];
    const [y1, y2] = [this.top(from.row) + TREE.height / 2, this.top(row) + TREE.height / 2];
    const middle = (x1 + x2) / 2;
    return svg`<path class=${classes("edge", status, best && "best")} ?hidden=${this.hides(node)}
      d="M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}"></path>`;
  }

  /**
   * @param {number} selected
   * @param {boolean} all whether all dropped branches are drawn, or only those of the selected and
   *   the hovered step
   */
  show(selected, all) {
    this.selected = selected;
    this.all = all;
    if (!this.node.matches(":focus-within")) this.stop = selected;
    this.draw();
    if (this.at !== null && this.at !== selected) this.reveal(selected);
    this.at = selected;
  }

  /** Highlights the node that is hovered or focused. @param {number | null} id */
  look(id) {
    this.looked = id;
    this.draw();
    this.on.look(id);
  }

  /**
   * Returns whether a node is hidden: a dropped branch is drawn only at the step of the selected or
   * the highlighted node, unless all dropped branches are drawn.
   * @param {TreeNode} node
   */
  hides({ status, step }) {
    const ids = [this.selected, this.looked];
    const isNear = ids.some((id) => id !== null && this.nodes.at(id)?.step === step);
    return status === "dropped" && !this.all && !isNear;
  }

  /** Scrolls only the tree's own box until a node is visible. @param {number} id */
  reveal(id) {
    const { left, width } = this.items[id].style;
    const from = parseFloat(left);
    const to = from + parseFloat(width);
    const { scrollLeft, clientWidth } = this.node;
    if (from < scrollLeft || to > scrollLeft + clientWidth)
      this.node.scrollLeft = to - clientWidth + this.gap;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const id = this.items.indexOf(/** @type {HTMLElement} */ (event.target));
    if (id < 0) return false;
    if (event.key === "Enter" || event.key === " ") {
      this.on.select(id);
      return true;
    }
    const node = this.nodes[id];
    const drawn = this.nodes.filter((other) => !this.hides(other));
    const column = drawn.filter(({ step }) => step === node.step).sort((a, b) => a.row - b.row);
    const at = column.indexOf(node);
    const children = drawn.filter(({ parent }) => parent === id);
    const best = drawn.filter((other) => other.best);
    /** @type {Record<string, () => TreeNode | undefined>} */
    const keys = {
      ArrowLeft: () => (node.parent === null ? undefined : this.nodes[node.parent]),
      ArrowRight: () => children.find((child) => child.best) ?? children[0],
      ArrowUp: () => column[at - 1],
      ArrowDown: () => column[at + 1],
      Home: () => this.nodes[0],
      End: () => best.at(-1),
    };
    const next = keys[event.key]();
    if (next) this.items[next.id].focus();
    return true;
  }
}

/** Describes a node in words. @param {TreeNode} node */
function describe({ token, parent, step, rank, status, best, own, total, score }) {
  if (parent === null) return `${token}, where every text starts`;
  const words = [token, `step ${step}`, `rank ${rank}`, STATUS[status]];
  if (best) words.push("on the best path");
  words.push(
    `log p ${signedText(own)}`,
    `log P ${signedText(total)}`,
    `score ${signedText(score)}`,
  );
  return words.join(", ");
}
