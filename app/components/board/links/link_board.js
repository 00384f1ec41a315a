/**
 * One attention, large: two columns of tokens and the links between them. Pointing at a token, or going to it with the arrow
 * keys, leaves only its links and writes their weights beside the other column; a click on a link takes it apart below.
 */

import { make, setText } from "../../shared/dom.js";
import { widest } from "../paint/layout.js";
import { Swatches } from "./head_toggles.js";
import { LEAST_WEIGHT, Strands, shiftOf, weightText } from "./link_curves.js";

const BOARD_STEP = 28,
  SMALLEST_STEP = 13,
  BOARD_TALLEST = 780,
  BOARD_WIDTH = 860,
  NUMBER_WIDTH = 60;

export class LinkBoard {
  /** @param {Matrix[]} matrices weights of the heads @param {Board} board @param {object} item */
  constructor(matrices, board, item) {
    this.matrices = matrices;
    this.board = board;
    this.scope = item.scope;
    this.near = false;
    this.repaint = true;
    this.strands = new Strands();
    this.heads = matrices.map((matrix, k) => matrix.entry.head ?? k);
    this.swatches = new Swatches(this.heads, () => this.changed());
    /** @type {{side: "from" | "to", k: number} | null} */
    this.pointed = this.focused = null;
    this.link = /** @type {{head: number, i: number, j: number} | null} */ (null);
    this.el = make("figure", { class: "linkboard" });
    this.plot = make("div", { class: "plot" });
    this.from = this.column("from", "Who listens");
    this.to = this.column("to", "To whom");
    this.readout = make("figcaption");
    const titles = make("div", { class: "ends" });
    titles.setAttribute("aria-hidden", "true");
    titles.append(make("span", {}, "who listens"), make("span", {}, "to whom"));
    this.titles = titles;
    this.el.append(this.swatches.el, titles, this.plot, this.readout);
    this.plot.append(this.from.el, this.to.el);
    this.listen();
    for (const matrix of matrices) matrix.views.add(this);
  }

  column(side, label) {
    const el = make("div", { class: `tokens ${side}` });
    el.setAttribute("role", "listbox");
    el.setAttribute("aria-label", label);
    return { el, side, tokens: /** @type {HTMLElement[]} */ ([]), active: 0 };
  }

  /** Other tokens, or another pair in detail. */
  describe() {
    const { entry } = this.matrices[0];
    this.fill(this.from, entry.row_labels);
    this.fill(this.to, entry.col_labels);
    const { focus } = this.board.manifest;
    const chosen = (column, k) =>
      column.tokens.forEach((token, n) => token.setAttribute("aria-selected", String(n === k)));
    chosen(this.from, focus.query);
    chosen(this.to, focus.key);
    this.link = null;
    const gone = (lit) => lit && lit.k >= this[lit.side].tokens.length;
    if (gone(this.pointed)) this.pointed = null;
    if (gone(this.focused)) this.focused = null;
    this.say();
  }

  fill(column, labels) {
    while (column.tokens.length > labels.length) column.tokens.pop().remove();
    while (column.tokens.length < labels.length) {
      const token = make("div", { class: "token" });
      token.setAttribute("role", "option");
      token.append(make("span", { class: "word" }), make("span", { class: "numbers" }));
      column.tokens.push(token);
      column.el.append(token);
    }
    labels.forEach((label, k) => setText(column.tokens[k].firstChild, label || "∅"));
    column.active = Math.min(column.active, labels.length - 1);
    column.tokens.forEach((token, k) => {
      token.tabIndex = k === column.active ? 0 : -1;
    });
  }

  /** @param {number} room */
  place(room) {
    const { rows, cols } = this.matrices[0],
      most = Math.max(rows, cols);
    this.width = Math.min(room, BOARD_WIDTH);
    this.narrow = this.width < 560;
    this.step = Math.max(SMALLEST_STEP, Math.min(BOARD_STEP, Math.floor(BOARD_TALLEST / most)));
    this.height = most * this.step + 8;
    this.most = this.narrow || this.matrices.length > 3 ? 1 : 3;
    const numbers = Math.min(this.matrices.length, this.most) * NUMBER_WIDTH;
    const font = `${this.font}px ${this.board.theme.fontText}`,
      { entry } = this.matrices[0];
    const words = Math.max(
      widest(entry.row_labels, font, 130),
      widest(entry.col_labels, font, 130),
    );
    const side = numbers + Math.max(40, Math.min(words, this.narrow ? 64 : 130)) + 26;
    this.a = side;
    this.b = this.width - side;
    for (const el of [this.plot, this.titles, this.readout]) el.style.width = `${this.width}px`;
    this.titles.style.paddingInline = `${numbers}px`;
    this.plot.style.height = `${this.height}px`;
    this.plot.style.setProperty("--step", `${this.step}px`);
    this.plot.style.setProperty("--size", `${this.font}px`);
    this.plot.style.setProperty("--numbers", `${numbers}px`);
    for (const column of [this.from, this.to]) {
      column.el.style.width = `${side - 6}px`;
      column.el.style.top = `${(this.height - column.tokens.length * this.step) / 2}px`;
    }
    if (this.canvas) this.size();
  }

  get font() {
    return this.step < 16 ? 11 : this.step < 20 ? 12 : 14;
  }

  size() {
    this.ratio = devicePixelRatio;
    this.canvas.width = Math.round((this.b - this.a) * this.ratio);
    this.canvas.height = Math.round(this.height * this.ratio);
    Object.assign(this.canvas.style, {
      left: `${this.a}px`,
      width: `${this.b - this.a}px`,
      height: `${this.height}px`,
    });
    this.board.touch(this);
  }

  approach(near) {
    this.near = near;
    if (near && !this.canvas) {
      this.canvas = make("canvas");
      this.canvas.setAttribute("aria-hidden", "true");
      this.ctx = this.canvas.getContext("2d");
      this.plot.prepend(this.canvas);
      if (this.width) this.size();
    } else if (!near && this.canvas) {
      this.canvas.width = 0;
      this.canvas.remove();
      this.canvas = this.ctx = null;
    }
  }

  changed() {
    this.link = null;
    this.say();
    this.board.touch(this);
  }

  // -- what is lit ---------------------------------------------------------------------------------------------------

  get lit() {
    return this.pointed || this.focused;
  }

  get shownMatrices() {
    return this.matrices.filter(
      (matrix, k) => matrix.values && this.swatches.on.has(this.heads[k]),
    );
  }

  drawing() {
    const { rows, cols } = this.matrices[0],
      { step, height, lit, link } = this;
    const on = this.shownMatrices;
    const first = (n) => (height - n * step) / 2 + step / 2;
    const top = first(rows),
      end = first(cols);
    const shown = link
      ? (i, j) => i === link.i && j === link.j
      : lit
        ? lit.side === "from"
          ? (i) => i === lit.k
          : (i, j) => j === lit.k
        : () => true;
    return {
      layers: on.map((m, k) => ({
        values: m.values,
        head: m.entry.head || 0,
        shift: shiftOf(k, on.length, step),
      })),
      rows,
      cols,
      a: 0,
      b: this.b - this.a,
      height,
      step,
      yFrom: (i) => top + i * step,
      yTo: (j) => end + j * step,
      shown,
    };
  }

  paint() {
    if (!this.canvas || !this.width) return false;
    const { ctx, ratio } = this;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, this.b - this.a, this.height);
    this.strands.paint(ctx, this.drawing(), this.board.theme);
    this.write();
    return true;
  }

  /** The weights of what is lit, beside the tokens of the other column. */
  write() {
    const { lit, link } = this,
      on = this.shownMatrices;
    for (const column of [this.from, this.to]) {
      const other = lit && !link && lit.side !== column.side;
      column.tokens.forEach((token, k) => {
        const mine = lit && lit.side === column.side && lit.k === k;
        const ofLink = link && k === (column.side === "from" ? link.i : link.j);
        token.classList.toggle("lit", Boolean(link ? ofLink : mine));
        token.classList.toggle(
          "dim",
          Boolean(link ? !ofLink : lit && lit.side === column.side && !mine),
        );
        this.writeNumbers(
          token.lastChild,
          other
            ? on.map((m) => ({
                head: m.entry.head || 0,
                weight:
                  column.side === "to"
                    ? m.values[lit.k * m.cols + k]
                    : m.values[k * m.cols + lit.k],
              }))
            : [],
        );
      });
    }
    if (this.link) this.say();
  }

  writeNumbers(el, all) {
    // With more heads than there is room for, the strongest speaks.
    const some =
      all.length <= this.most ? all : [all.reduce((a, b) => (b.weight > a.weight ? b : a))];
    while (el.childElementCount > some.length) el.lastChild.remove();
    while (el.childElementCount < some.length) el.append(make("span", { class: "number" }));
    some.forEach(({ head, weight }, k) => {
      const number = el.children[k];
      setText(number, weightText(weight));
      if (number.dataset.head !== `${head}`) {
        number.dataset.head = `${head}`;
        number.style.setProperty("--head", `var(--head-${(head % 8) + 1})`);
      }
      number.classList.toggle("weak", weight < LEAST_WEIGHT);
    });
  }

  word(side, k) {
    const { row_labels, col_labels } = this.matrices[0].entry;
    return (side === "from" ? row_labels : col_labels)[k] || "∅";
  }

  sentence() {
    const { link, lit } = this;
    if (link) {
      const weights = this.shownMatrices.map(
        (m) => `head ${(m.entry.head || 0) + 1}: ${weightText(m.values[link.i * m.cols + link.j])}`,
      );
      return `${this.word("from", link.i)} → ${this.word("to", link.j)}   ${weights.join(", ")}`;
    }
    if (lit) {
      const many = this.shownMatrices.length > this.most ? "; of several heads the strongest" : "";
      return `${this.word(lit.side, lit.k)} ${lit.side === "from" ? "listens to" : "is listened to by"} …${many}`;
    }
    return "Weights under half a percent are not drawn.";
  }

  say() {
    setText(this.readout, this.sentence());
  }

  light(name, value) {
    const same = (a, b) =>
      a === b ||
      (a &&
        b &&
        a.side === b.side &&
        a.k === b.k &&
        a.i === b.i &&
        a.j === b.j &&
        a.head === b.head);
    if (same(this[name], value)) return;
    this[name] = value;
    this.say();
    this.board.touch(this);
  }

  // -- pointer and keyboard ------------------------------------------------------------------------------------------

  listen() {
    const { plot } = this;
    plot.addEventListener("pointermove", (event) => this.moved(event));
    plot.addEventListener("pointerleave", () => {
      this.light("pointed", null);
      this.light("link", null);
    });
    plot.addEventListener("click", (event) => this.clicked(event));
    plot.addEventListener("focusin", (event) => this.entered(event));
    plot.addEventListener("focusout", () => this.light("focused", null));
    plot.addEventListener("keydown", (event) => this.pressed(event));
  }

  tokenOf(event) {
    const token = /** @type {Element} */ (event.target).closest?.(".token");
    for (const column of [this.from, this.to]) {
      const k = token ? column.tokens.indexOf(token) : -1;
      if (k >= 0) return { side: column.side, k };
    }
    return null;
  }

  linkAt(event) {
    if (!this.canvas) return null;
    const box = this.canvas.getBoundingClientRect();
    const drawing = { ...this.drawing(), shown: () => true };
    return this.strands.at(drawing, event.clientX - box.left, event.clientY - box.top);
  }

  moved(event) {
    if (event.pointerType === "touch") return;
    const token = this.tokenOf(event),
      link = token ? null : this.linkAt(event);
    plotCursor(this.plot, link);
    this.light("pointed", token);
    this.light("link", link);
  }

  clicked(event) {
    if (this.tokenOf(event)) return;
    const link = this.linkAt(event);
    if (link) this.choose(link.head, link.i, link.j);
  }

  choose(head, query, key) {
    this.board.send({ type: "pair", scope: this.scope, head, query, key });
  }

  entered(event) {
    const token = this.tokenOf(event);
    if (!token) return;
    this.tabTo(token);
    this.light("focused", token);
    const on = this.shownMatrices[0];
    if (!on) return;
    const { rows, cols, values } = on,
      listens = token.side === "from";
    const all = Array.from({ length: listens ? cols : rows }, (_, k) => ({
      k,
      w: values[listens ? token.k * cols + k : k * cols + token.k],
    }));
    const most = all.sort((a, b) => b.w - a.w).slice(0, 3);
    this.board.status.say(
      `${this.sentence()} ${most.map(({ k, w }) => `${this.word(listens ? "to" : "from", k)} ${weightText(w)}`).join(", ")}`,
    );
  }

  tabTo({ side, k }) {
    const column = this[side];
    column.active = k;
    column.tokens.forEach((token, n) => {
      token.tabIndex = n === k ? 0 : -1;
    });
  }

  pressed(event) {
    const at = this.tokenOf(event);
    if (!at || event.altKey || event.metaKey) return;
    const go = (side, k) =>
      this[side].tokens[Math.max(0, Math.min(this[side].tokens.length - 1, k))].focus();
    const last = this[at.side].tokens.length - 1;
    switch (event.key) {
      case "ArrowUp":
        go(at.side, at.k - 1);
        break;
      case "ArrowDown":
        go(at.side, at.k + 1);
        break;
      case "ArrowLeft":
        go("from", at.side === "from" ? at.k : this.from.active);
        break;
      case "ArrowRight":
        go("to", at.side === "to" ? at.k : this.to.active);
        break;
      case "Home":
        go(at.side, 0);
        break;
      case "End":
        go(at.side, last);
        break;
      case "Enter":
      case " ": {
        const { head, query, key } = this.board.manifest.focus;
        this.choose(head, at.side === "from" ? at.k : query, at.side === "to" ? at.k : key);
        break;
      }
      default:
        return;
    }
    this.light("pointed", null);
    this.light("link", null);
    event.preventDefault();
  }

  remove() {
    this.approach(false);
    for (const matrix of this.matrices) matrix.views.delete(this);
  }
}

const plotCursor = (plot, link) => plot.classList.toggle("over-link", Boolean(link));
