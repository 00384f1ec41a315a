/** One stage of the computation: a heading, a few sentences, and rows of matrices that read as the formula does. */

import { make } from "../../shared/dom.js";
import { typeset } from "../../shared/katex.js";
import { Thumbs } from "../links/head_grid.js";
import { LinkBoard } from "../links/link_board.js";
import { PairPicker } from "../links/pair_chooser.js";
import { Links } from "../links/thumbnail.js";
import { fitRow } from "../paint/layout.js";
import { MatrixView } from "./matrix_view.js";

export class Stage {
  /** @param {object} spec a stage of the manifest @param {Board} board */
  constructor(spec, board) {
    this.spec = spec;
    this.board = board;
    this.head = /** @type {number | "all"} */ (0);
    /** @type {{el: HTMLElement, terms: {el: HTMLElement, view: MatrixView | null, links: Links | null}[], between: number}[]} */
    this.rows = [];
    this.el = make("section", { class: "stage" });
    this.el.dataset.stage = spec.id;
    this.title = make("h2", {}, spec.title);
    this.title.tabIndex = -1;
    this.title.id = `stage-${spec.id}`;
    const heading = make("div", { class: "heading" });
    const part = make("p", { class: "part" }, spec.part || "");
    part.id = `part-${spec.id}`;
    part.hidden = !spec.part;
    heading.append(part, this.title);
    // Encoder and decoder have stages of the same title.
    this.el.setAttribute("aria-labelledby", `${part.id} ${this.title.id}`);
    this.el.append(heading, ...(spec.text || []).map(paragraph));
    if (spec.more) this.el.append(more(spec.more));
    if (spec.heads > 1) this.el.append(this.headSwitch(spec.heads));
    for (const row of spec.rows || []) this.addRow(row);
    this.describePictures();
    this.showHead(this.head);
  }

  get views() {
    return this.rows.flatMap((row) => row.terms.flatMap((term) => term.view || []));
  }

  headSwitch(heads) {
    const group = make("div", { class: "heads" });
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", "Attention head to show");
    this.buttons = [...Array(heads).keys(), "all"].map((k) => {
      const button = make("button", {}, k === "all" ? "all" : `head ${k + 1}`);
      button.type = "button";
      button.addEventListener("click", () => this.board.chooseHead(this.spec.id, k));
      group.append(button);
      return [k, button];
    });
    return group;
  }

  addRow(spec) {
    const el = make("div", { class: "row" });
    if (spec.tex) {
      const formula = make("div", { class: "formula" });
      for (const tex of [spec.tex].flat()) {
        const equation = make("span", { class: "equation" }); // one by one, so that they wrap where it is narrow
        typeset(equation, tex, true);
        formula.append(equation);
      }
      el.append(formula);
    }
    const terms = make("div", { class: "terms" });
    const row = { el, terms: [], between: 0 };
    let before = []; // an operator belongs to the matrix after it: they wrap together
    for (const item of spec.items) {
      if (item.operator !== undefined) {
        const operator = make("span", { class: "operator" });
        typeset(operator, item.operator);
        before.push(operator);
        continue;
      }
      const term = make("div", { class: "term" });
      term.append(...before);
      before = [];
      if (item.matrix === undefined) {
        const links = makePicture(item, this.board);
        links.stage = this;
        term.append(links.el);
        row.terms.push({ el: term, view: null, links });
      } else {
        const view = new MatrixView(this.board.byIndex[item.matrix], this.board);
        view.describe(this.board.manifest.matrices[item.matrix]);
        view.stage = this;
        term.append(view.el);
        row.terms.push({ el: term, view, links: null });
      }
      terms.append(term);
    }
    if (before.length) (row.terms.at(-1)?.el || terms).append(...before);
    terms.classList.toggle("reads", terms.querySelector(".operator") !== null);
    el.append(terms);
    if (spec.caption) el.append(withCode(make("p", { class: "caption" }), spec.caption));
    this.rows.push(row);
    this.el.append(el);
  }

  /** The same stage in a new manifest: other sizes, labels and notes. */
  describe(spec) {
    this.spec = spec;
    const items = spec.rows.flatMap((row) => row.items).filter((item) => item.matrix !== undefined);
    const entries = items.map((item) => this.board.manifest.matrices[item.matrix]);
    this.views.forEach((view, k) => {
      view.adopt(this.board.byIndex[items[k].matrix]);
      view.describe(entries[k]);
    });
    this.describePictures();
  }

  describePictures() {
    for (const row of this.rows) for (const { links } of row.terms) links?.describe?.();
  }

  /** @param {number | "all"} head */
  showHead(head) {
    this.head = head === "all" || head < this.spec.heads ? head : 0;
    this.el.classList.toggle("all-heads", this.head === "all");
    for (const [k, button] of this.buttons || [])
      button.setAttribute("aria-pressed", String(k === this.head));
    const chosen = (matrix) => {
      const of = matrix.entry.head;
      return (
        of === null ||
        of === undefined ||
        !(this.spec.heads > 1) ||
        this.head === "all" ||
        of === this.head
      );
    };
    for (const row of this.rows) {
      for (const { el, view, links } of row.terms)
        el.hidden = view ? !chosen(view.matrix) : !links.matrices.some(chosen);
      row.el.hidden = row.terms.length > 0 && row.terms.every((term) => term.el.hidden);
    }
    if (!this.views.some((v) => v.grid.tabIndex === 0 && !v.el.parentNode.hidden))
      this.tabTo(this.shownViews()[0]);
  }

  shownViews() {
    return this.rows.flatMap((row) =>
      row.terms.flatMap((term) => (term.view && !term.el.hidden ? term.view : [])),
    );
  }

  /** The one grid of the stage that Tab reaches. */
  tabTo(view) {
    for (const other of this.views) other.grid.tabIndex = other === view ? 0 : -1;
  }

  /** @param {number} room CSS px across */
  layOut(room) {
    for (const equation of this.el.querySelectorAll(".equation")) {
      // What scrolls has to be reached by the keyboard; what does not would only be in its way.
      const scrolls =
        (equation.firstElementChild?.firstElementChild ?? equation).scrollWidth > room;
      equation.classList.toggle("scrolls", scrolls);
      if (scrolls) equation.tabIndex = 0;
      else equation.removeAttribute("tabindex");
    }
    for (const row of this.rows) {
      const terms = row.terms.filter((term) => term.view && !term.el.hidden);
      // As wide as they are set: most are one sign, some a whole fraction.
      const signs = [...row.el.querySelectorAll(".term:not([hidden]) > .operator")].map(
        (o) => Math.max(22, o.offsetWidth) + 10,
      );
      const operators = signs.length;
      const links = row.terms.filter((term) => term.links && !term.el.hidden).length;
      const between =
        signs.reduce((sum, width) => sum + width, 0) +
        Math.max(0, terms.length - 1) * (operators ? 10 : 22) +
        links * 320;
      const entries = terms.map((term) => term.view.matrix.entry);
      const sizes = fitRow(
        entries,
        room,
        between,
        this.board.theme.fontText,
        Math.max(0, ...signs),
      );
      terms.forEach((term, k) => {
        term.view.place(sizes[k]);
        term.el.classList.toggle("above", Boolean(sizes[k].above));
      });
      for (const term of row.terms) if (term.links) term.links.place(room);
    }
  }

  remove() {
    for (const view of this.views) view.remove();
    for (const row of this.rows) for (const term of row.terms) term.links?.remove();
    this.el.remove();
  }
}

/** Everything of a stage that its elements depend on. Labels and sizes are not in it: those change as tokens are typed. */
export function stageKey(spec, matrices) {
  return JSON.stringify(spec, (key, value) =>
    key === "matrix" || PICTURES.has(key)
      ? [value]
          .flat()
          .map((index) =>
            spec.heads > 1
              ? [placeName(matrices[index]), matrices[index].head]
              : placeOfOneHead(matrices[index]),
          )
      : value,
  );
}

/** A part of a matrix, such as one row, is the same place whichever row it shows. */
const placeName = ({ path, origin }) => (origin ? path.replace(/\.head\.\d+|@.*/g, "") : path);

/** Where one head at a time is drawn, another head takes the very places of the last. */
const placeOfOneHead = ({ path, overview }) => [
  path.replace(/\.head\.\d+|@.*/g, ""),
  Boolean(overview),
];

/** What stands in a row and is no matrix, by the name that an item has for the matrices it is drawn from. */
const PICTURES = new Map([
  [
    "links",
    (matrices, board, item) =>
      item.large ? new LinkBoard(matrices, board, item) : new Links(matrices, board),
  ],
  ["thumbs", (matrices, board, item) => new Thumbs(matrices, board, item)],
  ["pair", (matrices, board, item) => new PairPicker(matrices, board, item)],
]);

function makePicture(item, board) {
  const [name, build] = [...PICTURES].find(([key]) => item[key] !== undefined);
  return build(
    item[name].map((index) => board.byIndex[index]),
    board,
    item,
  );
}

/** `code` between backticks; everything is text, never HTML. */
function withCode(el, text) {
  text.split("`").forEach((part, k) => el.append(k % 2 ? make("code", {}, part) : part));
  return el;
}

const paragraph = (text) => withCode(make("p", { class: "text" }), text);

function more({ summary, text }) {
  const details = make("details", { class: "more" });
  details.append(make("summary", {}, summary), ...text.map(paragraph));
  return details;
}
