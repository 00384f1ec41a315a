import { make, setAttribute } from "../shared/dom.js";
import { signedText } from "./parts.js";

/**
 * @typedef {{id: number, parent: number|null, token: string, step: number, row: number, rank: number, p: number,
 *   own: number, total: number, penalty: number, score: number, status: 'open'|'finished'|'dropped', best: boolean}} TreeNode
 */
const TREE = { row: 46, height: 38, gap: 34, margin: 14, letter: 8.5, narrow: 62, wide: 120 };
const SVG = "http://www.w3.org/2000/svg";
export const STATUS = { open: "kept", finished: "finished", dropped: "dropped" };

/** The tree of a beam search from left to right: one stop for Tab, arrow keys go to parent, children and neighbors. */
export class TreeView {
  /** @param {{select: (id: number) => void, look: (id: number|null) => void}} on look: what is under the pointer or the keyboard */
  constructor(on) {
    this.on = on;
    this.items = [];
    this.edges = document.createElementNS(SVG, "svg");
    this.edges.setAttribute("aria-hidden", "true");
    this.plane = make("div", {
      class: "plane",
      role: "tree",
      "aria-label": "Tree of the beam search",
    });
    this.node = make("div", { class: "tree" }, this.plane);
    this.plane.addEventListener("keydown", (event) => this.key(event));
    this.plane.addEventListener("focusout", () => this.look(null));
    this.plane.addEventListener("pointerleave", () => this.look(null));
  }

  /** @param {TreeNode[]} nodes @param {number} rows of the kept branches */
  take(nodes, rows) {
    const focused = this.items.indexOf(this.node.getRootNode().activeElement);
    this.nodes = nodes;
    const longest = Math.max(...nodes.map(({ token }) => [...token].length));
    this.width = Math.min(TREE.wide, Math.max(TREE.narrow, longest * TREE.letter + 22));
    this.items = nodes.map((node) => this.item(node));
    this.lines = nodes.map((node) => this.edge(node));
    const steps = Math.max(...nodes.map(({ step }) => step));
    const dropped = nodes.filter(({ status }) => status === "dropped");
    const most = Math.max(rows, ...dropped.map(({ row }) => row + 1));
    const width = 2 * TREE.margin + steps * (this.width + TREE.gap) + this.width;
    const height = 2 * TREE.margin + (most - 1) * TREE.row + TREE.height;
    Object.assign(this.plane.style, { width: `${width}px`, height: `${height}px` });
    this.edges.setAttribute("width", width);
    this.edges.setAttribute("height", height);
    this.edges.replaceChildren(...this.lines.filter(Boolean));
    this.plane.replaceChildren(this.edges, ...this.items);
    this.node.replaceChildren(this.plane);
    this.at = undefined; // a new tree is read from its start
    this.looked = null;
    if (focused >= 0) this.items[Math.min(focused, nodes.length - 1)].focus();
  }

  left(step) {
    return TREE.margin + step * (this.width + TREE.gap);
  }

  top(row) {
    return TREE.margin + row * TREE.row;
  }

  item(node) {
    const { id, token, step, row, rank, own, total, score, status, best, parent } = node;
    const sign = { open: "", finished: "■ ", dropped: "✕ " }[status];
    const says =
      parent === null
        ? `${token}, where every text starts`
        : `${token}, step ${step}, rank ${rank}, ${STATUS[status]}${best ? ", on the best path" : ""}, log p ${signedText(own)}, log P ${signedText(total)}, score ${signedText(score)}`;
    const item = make(
      "div",
      {
        class: `node ${status}${best ? " best" : ""}`,
        role: "treeitem",
        "aria-level": step + 1,
        "aria-label": says,
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
      make("span", { class: "number" }, parent === null ? "start" : sign + signedText(own, 2)),
    );
    Object.assign(item.style, {
      left: `${this.left(step)}px`,
      top: `${this.top(row)}px`,
      width: `${this.width}px`,
      height: `${TREE.height}px`,
    });
    return item;
  }

  edge({ parent, step, row, status, best }) {
    if (parent === null) return null;
    const from = this.nodes[parent];
    const [x1, x2] = [this.left(from.step) + this.width, this.left(step)];
    const [y1, y2] = [this.top(from.row) + TREE.height / 2, this.top(row) + TREE.height / 2];
    const line = document.createElementNS(SVG, "path");
    line.setAttribute(
      "d",
      `M${x1} ${y1}C${(x1 + x2) / 2} ${y1} ${(x1 + x2) / 2} ${y2} ${x2} ${y2}`,
    );
    line.setAttribute("class", `edge ${status}${best ? " best" : ""}`);
    return line;
  }

  /** @param {number} selected @param {boolean} all whether every dropped branch is drawn, or those of few steps */
  show(selected, all) {
    this.selected = selected;
    this.all = all;
    this.items.forEach((item, id) => setAttribute(item, "aria-selected", String(id === selected)));
    this.draw();
    const focused = this.node.getRootNode().activeElement;
    if (!this.items.includes(focused)) this.roving(selected);
    if (this.at !== undefined && this.at !== selected) this.reveal(selected);
    this.at = selected;
  }

  /** A node is under the pointer or has the keyboard. @param {number|null} id */
  look(id) {
    this.looked = id;
    this.draw();
    this.on.look(id);
  }

  /** Of the dropped branches draw all, or those of the selected step and of the one looked at. */
  draw() {
    const steps = [this.selected, this.looked].map((id) => this.nodes[id]?.step);
    this.nodes.forEach(({ id, status, step }) => {
      const hidden = status === "dropped" && !this.all && !steps.includes(step);
      this.items[id].hidden = hidden;
      this.lines[id]?.toggleAttribute("hidden", hidden);
    });
  }

  roving(id) {
    this.items.forEach((item, k) => setAttribute(item, "tabindex", k === id ? 0 : -1));
  }

  /** Scroll the tree's own box, and nothing else, until a node is in it. */
  reveal(id) {
    const { left, width } = this.items[id].style;
    const from = parseFloat(left),
      to = from + parseFloat(width);
    const { scrollLeft, clientWidth } = this.node;
    if (from < scrollLeft || to > scrollLeft + clientWidth)
      this.node.scrollLeft = to - clientWidth + TREE.gap;
  }

  key(event) {
    const id = this.items.indexOf(event.target);
    if (id < 0) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.on.select(id);
      return;
    }
    const node = this.nodes[id];
    const drawn = this.nodes.filter((other) => !this.items[other.id].hidden);
    const column = drawn.filter(({ step }) => step === node.step).sort((a, b) => a.row - b.row);
    const at = column.indexOf(node);
    const children = drawn.filter(({ parent }) => parent === id);
    const best = drawn.filter((other) => other.best);
    const to = {
      ArrowLeft: () => this.nodes[node.parent],
      ArrowRight: () => children.find((child) => child.best) ?? children[0],
      ArrowUp: () => column[at - 1],
      ArrowDown: () => column[at + 1],
      Home: () => this.nodes[0],
      End: () => best.at(-1),
    }[event.key];
    if (!to) return;
    event.preventDefault();
    const next = to();
    if (next) this.items[next.id].focus();
  }
}
