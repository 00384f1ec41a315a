/**
 * The tree of a beam search, drawn from left to right. It is one Tab stop; arrow keys go to parent,
 * children and neighbors.
 */

import { make, makeSvg, setAttribute } from "../shared/dom.js";
import { bindKeys } from "../shared/keys.js";
import { signedText } from "./parts.js";

/** @import {Status, TreeNode} from "./types.js" */

/** In CSS px. */
const TREE = { row: 46, height: 38, margin: 14, letter: 8.5, narrow: 62, wide: 120 };
/** The gap between two steps, and the least gap where space is short. */
const GAP = { most: 34, least: 8 };
/** The least width of a node; if even that does not fit, the tree scrolls. */
const LEAST = 48;
/** @type {Record<Status, string>} */
export const STATUS = { open: "kept", finished: "finished", dropped: "dropped" };

/** @type {Record<Status, string>} */
const SIGNS = { open: "", finished: "■ ", dropped: "✕ " };

export class TreeView {
  /**
   * @param {object} on
   * @param {(id: number) => void} on.select
   * @param {(id: number | null) => void} on.look called with the node under the pointer or with the
   *   focus
   */
  constructor(on) {
    this.on = on;
    this.nodes = /** @type {TreeNode[]} */ ([]);
    this.items = /** @type {HTMLElement[]} */ ([]);
    this.lines = /** @type {(SVGElement | null)[]} */ ([]);
    this.width = TREE.narrow;
    this.gap = GAP.most;
    this.rows = 0;
    this.availableWidth = 0;
    this.selected = /** @type {number | null} */ (null);
    this.looked = /** @type {number | null} */ (null);
    this.at = /** @type {number | null} */ (null);
    this.all = false;
    this.edges = makeSvg("svg", { "aria-hidden": "true" });
    this.plane = make("div", {
      class: "plane",
      role: "tree",
      "aria-label": "Tree of the beam search",
    });
    this.node = make("div", { class: "tree" }, this.plane);
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
    this.plane.addEventListener("focusout", () => this.look(null));
    this.plane.addEventListener("pointerleave", () => this.look(null));
  }

  /** @param {TreeNode[]} nodes @param {number} rows that the kept branches take */
  take(nodes, rows) {
    const focused = this.items.findIndex((item) => item.matches(":focus"));
    this.nodes = nodes;
    const longest = Math.max(...nodes.map(({ token }) => [...token].length));
    this.rows = rows;
    this.fit(longest, Math.max(...nodes.map(({ step }) => step)));
    this.items = nodes.map((node) => this.item(node));
    this.lines = nodes.map((node) => this.edge(node));
    const steps = Math.max(...nodes.map(({ step }) => step));
    const dropped = nodes.filter(({ status }) => status === "dropped");
    const most = Math.max(rows, ...dropped.map(({ row }) => row + 1));
    const width = 2 * TREE.margin + steps * (this.width + this.gap) + this.width;
    const height = 2 * TREE.margin + (most - 1) * TREE.row + TREE.height;
    Object.assign(this.plane.style, { width: `${width}px`, height: `${height}px` });
    this.edges.setAttribute("width", String(width));
    this.edges.setAttribute("height", String(height));
    this.edges.replaceChildren(...this.lines.flatMap((line) => line ?? []));
    this.plane.replaceChildren(this.edges, ...this.items);
    this.node.replaceChildren(this.plane);
    this.at = null; // a new tree is shown from its start
    this.looked = null;
    if (focused >= 0) this.items[Math.min(focused, nodes.length - 1)].focus();
  }

  /**
   * Sets the width of nodes: comfortable if that fits, or else just narrow enough that the whole
   * tree does.
   * @param {number} longest token, in characters @param {number} steps
   */
  fit(longest, steps) {
    const wide = Math.min(TREE.wide, Math.max(TREE.narrow, longest * TREE.letter + 22));
    this.availableWidth = this.node.clientWidth;
    this.plane.classList.remove("tight");
    const each = (this.availableWidth - 2 * TREE.margin + GAP.least) / (steps + 1);
    const isRoomy =
      !this.availableWidth ||
      (this.availableWidth - 2 * TREE.margin + GAP.most) / (steps + 1) >= wide + GAP.most;
    if (isRoomy) {
      this.width = wide;
      this.gap = GAP.most;
      return;
    }
    this.plane.classList.add("tight");
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
    const item = make(
      "div",
      {
        class: `node ${status}${best ? " best" : ""}`,
        role: "treeitem",
        "aria-level": step + 1,
        "aria-label": describe(node),
        tabindex: -1,
        "data-id": id,
        onclick: () => {
          item.focus();
          this.on.select(id);
        },
        onfocus: () => {
          this.roving(id);
          this.look(id);
        },
        onpointerenter: () => this.look(id),
      },
      make("span", { class: "word" }, token),
      make(
        "span",
        { class: "number" },
        parent === null ? "start" : SIGNS[status] + signedText(own, 2),
      ),
    );
    Object.assign(item.style, {
      left: `${this.left(step)}px`,
      top: `${this.top(row)}px`,
      width: `${this.width}px`,
      height: `${TREE.height}px`,
    });
    return item;
  }

  /** @param {TreeNode} node */
  edge({ parent, step, row, status, best }) {
    if (parent === null) return null;
    const from = this.nodes[parent];
    const [x1, x2] = [this.left(from.step) + this.width, this.left(step)];
    const [y1, y2] = [this.top(from.row) + TREE.height / 2, this.top(row) + TREE.height / 2];
    const middle = (x1 + x2) / 2;
    return makeSvg("path", {
      class: `edge ${status}${best ? " best" : ""}`,
      d: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`,
    });
  }

  /**
   * @param {number} selected
   * @param {boolean} all whether all dropped branches are drawn, or only those of a few steps
   */
  show(selected, all) {
    this.selected = selected;
    this.all = all;
    this.items.forEach((item, id) => {
      setAttribute(item, "aria-selected", String(id === selected));
    });
    this.draw();
    if (!this.node.matches(":focus-within")) this.roving(selected);
    if (this.at !== null && this.at !== selected) this.reveal(selected);
    this.at = selected;
  }

  /** Highlights the node under the pointer or with the focus. @param {number | null} id */
  look(id) {
    this.looked = id;
    this.draw();
    this.on.look(id);
  }

  /**
   * Draws the tree. Of the dropped branches it draws all, or only those of the selected and the
   * highlighted step.
   */
  draw() {
    const steps = [this.selected, this.looked].map((id) =>
      id === null ? null : this.nodes.at(id)?.step,
    );
    this.nodes.forEach(({ id, status, step }) => {
      const hidden = status === "dropped" && !this.all && !steps.includes(step);
      this.items[id].hidden = hidden;
      this.lines[id]?.toggleAttribute("hidden", hidden);
    });
  }

  /** Makes a node the tree's Tab stop. @param {number} id */
  roving(id) {
    this.items.forEach((item, k) => {
      setAttribute(item, "tabindex", k === id ? 0 : -1);
    });
  }

  /** Scrolls the tree's own box, and nothing else, until a node is visible. @param {number} id */
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
    const drawn = this.nodes.filter((other) => !this.items[other.id].hidden);
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
