/** A stage: a heading, some sentences, and rows of matrices that read like the formula. */

import { nameOf, withNames } from "../../components/shared/cell_name.js";
import { make } from "../../components/shared/dom.js";
import { ideaLinks } from "../../components/shared/idea_links.js";
import { typeset } from "../../components/shared/katex.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { drawn } from "../../components/shared/template.js";
import { HeadGrid } from "../links/head_grid.js";
import { LinkBoard } from "../links/link_board.js";
import { PairChooser } from "../links/pair_chooser.js";
import { Thumbnail } from "../links/thumbnail.js";
import { fitRow, fitStack } from "../paint/layout.js";
import { silencedHeads } from "../paint/silence_badge.js";
import { Equation } from "./equation.js";
import { MatrixView } from "./matrix_view.js";
import { StageSettings } from "./stage_settings.js";
import { TokenChooser } from "./token_chooser.js";

/**
 * @import {Field} from "../../components/form/fields.js"
 * @import {Matrix} from "../data/matrix.js"
 * @import {FollowedLane, Item, MatrixEntry, RowEntry, StageEntry} from "../data/types.js"
 * @import {LinkServices} from "../links/link_board.js"
 * @import {Geometry} from "../paint/layout.js"
 * @import {GridServices} from "../paint/overview.js"
 * @import {PictureView} from "../paint/view.js"
 */

/** Widths in px: of an operator and its gap, of gaps between matrices, and of a picture. */
const OPERATOR = { least: 22, around: 10 };
const BETWEEN = { formula: 10, plain: 22 };
const PICTURE = 320;
/** Heights in px: of a title, and of the first rows, beside which operators are centered. */
const TITLE = 33;
const FIRST_ROWS = 60;
/** In narrower pages, in CSS px, operators are above stacked matrices. */
const NARROW = 560;

/**
 * @typedef {object} StageOnly
 * @property {(id: string, head: number | "all") => void} chooseHead chooses the head
 *   that a stage shows
 *
 * @typedef {GridServices & LinkServices & StageOnly} StageServices
 * @typedef {{el: HTMLElement, view: MatrixView | null, picture: PictureView | null}} Term
 * @typedef {object} StageRow
 * @property {HTMLElement} el
 * @property {Term[]} terms
 * @property {boolean} isStacked
 * @property {number[]} signs widths of the row's operators, including the gaps
 * @property {number} room width in CSS px; less than the page if the row is beside its text
 */

export class Stage {
  /** @param {StageEntry} spec @param {StageServices} services */
  constructor(spec, services) {
    this.spec = spec;
    this.services = services;
    this.key = "";
    this.head = /** @type {number | "all"} */ (0);
    /** @type {Equation[]} */
    this.equations = [];
    /** @type {StageRow[]} */
    this.rows = [];
    this.elsewhere = ""; // note, if the followed word has no row here
    this.tokens = spec.tokens ? new TokenChooser(spec.tokens, services.send) : null;
    this.settings = spec.settings ? new StageSettings(spec.id, spec.settings, services.send) : null;
    for (const row of spec.rows) this.addRow(row);
    const { node, show } = drawn(() => this.template());
    this.el = node;
    this.draw = show;
    this.title = /** @type {HTMLElement} */ (node.querySelector("h2"));
    this.describePictures();
    this.showHead(this.head);
    this.follow(services.followed());
  }

  template() {
    const { id, part, title, ideas = [], text, more, heads } = this.spec;
    // The accessible name includes the part, because encoder and decoder have the same titles.
    return html`<section class="stage" data-stage=${id} aria-labelledby="part-${id} stage-${id}">
      <div class="heading">
        <p class="part" id="part-${id}" ?hidden=${!part}>${part}</p>
        <h2 id="stage-${id}" tabindex="-1">${title}</h2>
        <div class="ideas">${ideaLinks(ideas, "idea")}</div>
      </div>
      <p class="elsewhere" role="note" ?hidden=${!this.elsewhere}>${this.elsewhere}</p>
      <div class="intro">
        <div>${text.map(paragraph)}${more ? folded(more) : nothing}</div>
        ${this.settings?.el}
      </div>
      ${heads > 1 ? this.headSwitch(heads) : nothing}${this.tokens?.el}
      ${this.rows.map(({ el }) => el)}
    </section>`;
  }

  get views() {
    return this.rows.flatMap((row) => row.terms.flatMap((term) => term.view ?? []));
  }

  get pictures() {
    return this.rows.flatMap((row) => row.terms.flatMap((term) => term.picture ?? []));
  }

  /** @param {number} heads */
  headSwitch(heads) {
    const silent = silencedHeads(this.services.store, this.spec.id);
    return html`<div class="heads" role="group" aria-label="Attention head to show"
      >${[...Array(heads).keys(), /** @type {const} */ ("all")].map((k) => {
        const isSilent = k !== "all" && silent.has(k);
        return html`<button type="button" class=${isSilent ? "silenced" : nothing}
          title=${isSilent ? "This head is silenced" : ""} aria-pressed=${k === this.head}
          @click=${() => this.services.chooseHead(this.spec.id, k)}
          >${k === "all" ? k : `head ${k + 1}`}</button>`;
      })}</div>`;
  }

  /** @param {RowEntry} spec */
  addRow(spec) {
    const el = make("div", { class: "row" });
    if (spec.tex) el.append(this.addEquations([spec.tex].flat()));
    const terms = make("div", { class: "terms" });
    /** @type {StageRow} */
    const row = { el, terms: [], signs: [], room: 0, isStacked: spec.stacked ?? false };
    /** @type {HTMLElement[]} */
    let before = []; // operators before the next matrix, with which they wrap
    for (const item of spec.items) {
      if ("operator" in item) {
        const operator = make("span", { class: "operator" });
        typeset(operator, item.operator);
        before.push(operator);
        continue;
      }
      const term = this.term(item, before);
      before = [];
      row.terms.push(term);
      terms.append(term.el);
    }
    if (before.length) (row.terms.at(-1)?.el ?? terms).append(...before);
    terms.classList.toggle("stacked", row.isStacked);
    terms.classList.toggle("reads", terms.querySelector(".operator") !== null);
    el.append(terms);
    const { caption } = spec;
    if (caption) el.append(drawn(() => html`<p class="caption">${withCode(caption)}</p>`).node);
    this.rows.push(row);
  }

  /** @param {string[]} texts separate equations, between which lines can wrap */
  addEquations(texts) {
    const equations = texts.map((tex) => new Equation(tex));
    this.equations.push(...equations);
    return make("div", { class: "equations" }, ...equations.map(({ el }) => el));
  }

  /**
   * @param {Exclude<Item, {operator: string}>} item @param {HTMLElement[]} operators before it
   * @returns {Term}
   */
  term(item, operators) {
    const el = make("div", { class: "term" }, ...operators);
    if (!("matrix" in item)) {
      const picture = makePicture(item, this.services);
      el.append(picture.el);
      return { el, view: null, picture };
    }
    const { store } = this.services;
    const matrix = store.byIndex[item.matrix];
    const view = new MatrixView(matrix, this.services, (taken) => this.tabTo(taken));
    view.describe(store.manifest?.matrices[item.matrix] ?? matrix.entry);
    el.append(view.el);
    return { el, view, picture: null };
  }

  /** Updates the stage to other sizes, labels and notes. @param {StageEntry} spec */
  describe(spec) {
    this.spec = spec;
    if (spec.tokens) this.tokens?.show(spec.tokens);
    if (spec.settings) this.settings?.show(spec.settings);
    const { byIndex, manifest } = this.services.store;
    const indices = spec.rows.flatMap((row) =>
      row.items.flatMap((item) => ("matrix" in item ? item.matrix : [])),
    );
    this.views.forEach((view, k) => {
      const matrix = byIndex[indices[k]];
      this.services.painter.replace(view, matrix);
      view.describe(manifest?.matrices[indices[k]] ?? matrix.entry);
    });
    this.describePictures();
    this.follow(this.services.followed());
  }

  describePictures() {
    const { manifest } = this.services.store;
    for (const picture of this.pictures) picture.describe?.(manifest?.focus);
    this.draw();
  }

  /** Shows the followed word, or a note if it has no row here. @param {FollowedLane | null} lane */
  follow(lane) {
    const matrices = [...this.views, ...this.pictures].flatMap((view) => view.matrices);
    const stacks = new Set(matrices.flatMap(({ entry }) => entry.lanes ?? []));
    stacks.delete(null);
    const isElsewhere = lane !== null && stacks.size > 0 && !stacks.has(lane.stack);
    this.elsewhere = isElsewhere ? noRow(lane, [...stacks]) : "";
    this.draw();
    for (const view of this.views) view.follow(lane);
    for (const picture of this.pictures) picture.follow?.(lane);
  }

  /** @param {number | "all"} head */
  showHead(head) {
    this.head = head === "all" || head < this.spec.heads ? head : 0;
    this.draw();
    for (const row of this.rows) {
      /** The terms of single heads; if all of them are hidden, the row is hidden. @type {Term[]} */
      const own = [];
      for (const term of row.terms) {
        const { el, view, picture } = term;
        const matrices = view ? [view.matrix] : (picture?.matrices ?? []);
        el.hidden = !matrices.some((matrix) => isOfHead(matrix.entry, this.spec, this.head));
        if (matrices.some(({ entry }) => typeof entry.head === "number")) own.push(term);
        picture?.showHead?.(this.head, this.spec.heads);
      }
      row.el.hidden = own.length > 0 && own.every((term) => term.el.hidden);
    }
    const shown = this.shownViews();
    if (!shown.some((view) => view.grid.tabIndex === 0)) this.tabTo(shown[0]);
  }

  shownViews() {
    return this.rows.flatMap((row) =>
      row.terms.flatMap((term) => (term.view && !term.el.hidden ? term.view : [])),
    );
  }

  /** Makes one grid the Tab stop of the stage. @param {MatrixView | undefined} view */
  tabTo(view) {
    for (const other of this.views) other.grid.tabIndex = other === view ? 0 : -1;
  }

  /**
   * Measures widths. All stages are measured before any stage is placed, because to measure after a
   * change makes the browser lay out the whole page again.
   * @param {number} available available width, CSS px
   */
  measure(available) {
    for (const equation of this.equations) equation.measure(available);
    for (const row of this.rows) {
      row.signs = signWidths(row);
      row.room = row.el.clientWidth;
    }
  }

  /** @param {number} available available width, CSS px */
  layOut(available) {
    for (const equation of this.equations) equation.layOut();
    for (const row of this.rows) this.layOutRow(row, available);
  }

  /** @param {StageRow} row @param {number} available */
  layOutRow(row, available) {
    const shown = row.terms.filter((term) => !term.el.hidden);
    const views = shown.flatMap((term) => (term.view ? { el: term.el, view: term.view } : []));
    const entries = views.map(({ view }) => view.matrix.entry);
    const { fontText } = this.services.appearance.theme;
    const { isStacked, signs } = row;
    const sign = Math.max(0, ...signs);
    const isAbove = sign > 0 && available < NARROW;
    const gap = signs.length ? BETWEEN.formula : BETWEEN.plain;
    const pictures = shown.length - views.length;
    const between =
      signs.reduce((sum, width) => sum + width, 0) +
      Math.max(0, views.length - 1) * gap +
      pictures * PICTURE;
    const sizes = isStacked
      ? fitStack(entries, isAbove ? available : available - sign, fontText)
      : fitRow(entries, available, between, fontText, sign);
    views.forEach(({ el, view }, k) => {
      view.place(sizes[k]);
      el.classList.toggle("above", isStacked ? isAbove : sizes[k].above);
      el.style.setProperty("--sign-top", `${signTop(sizes[k])}px`);
    });
    if (isStacked) return;
    for (const { picture } of row.terms)
      picture?.place?.(Math.min(available, row.room || available));
  }

  remove() {
    for (const view of this.views) view.remove();
    for (const picture of this.pictures) picture.remove();
    this.el.remove();
  }
}

/** The y of an operator before a matrix: centered beside the first rows. @param {Geometry} g */
const signTop = (g) => TITLE + g.top + Math.min(FIRST_ROWS, g.windowHeight - g.top) / 2 - 12;

/** Measures a row's operators, which may be wider than a sign. @param {StageRow} row */
function signWidths({ el }) {
  return [...el.querySelectorAll(".term:not([hidden]) > .operator")].map((sign) => {
    const width = sign instanceof HTMLElement ? sign.offsetWidth : 0;
    return Math.max(OPERATOR.least, width) + OPERATOR.around;
  });
}

/**
 * Whether a matrix belongs to the head that a stage shows, or to no head.
 * @param {MatrixEntry} entry @param {StageEntry} spec @param {number | "all"} head
 */
export function isOfHead({ head: of }, spec, head) {
  return of === null || of === undefined || !(spec.heads > 1) || head === "all" || of === head;
}

/**
 * Returns a key of everything on which a stage's elements depend, except labels and sizes.
 * @param {StageEntry} spec @param {MatrixEntry[]} matrices
 */
export function stageKey(spec, matrices) {
  /** @param {number} index */
  const place = (index) =>
    spec.heads > 1
      ? [placeName(matrices[index]), matrices[index].head]
      : placeOfOneHead(matrices[index]);
  return JSON.stringify(spec, (key, value) => {
    if (key === "tokens") return Boolean(value);
    if (key === "settings") return value?.map(shapeOfField);
    return INDICES.includes(key) ? [value].flat().map(place) : value;
  });
}

/** @param {FollowedLane} lane @param {(string | null)[]} stacks the stacks with rows here */
const noRow = ({ word, stack }, stacks) =>
  `${word ? `\u2068“${word}”\u2069` : "The word that you follow"} is a row of the ${stack}; ` +
  `here are only rows of the ${stacks.join(" and the ")}.`;

/** Removes the value of a setting. @param {Field} field */
const shapeOfField = ({ value, ...shape }) => shape;

/**
 * Names the place of a matrix. A part, such as one row, keeps its name when it shows another row.
 * @param {MatrixEntry} entry
 */
const placeName = ({ path, origin }) => (origin ? path.replace(/\.head\.\d+|@.*/g, "") : path);

/** Names the place that the matrices of all heads share. @param {MatrixEntry} entry */
const placeOfOneHead = ({ path, overview }) => [
  path.replace(/\.head\.\d+|@.*/g, ""),
  Boolean(overview),
];

/** The keys under which items list their matrices. */
const INDICES = ["matrix", "links", "thumbs", "pair"];

/**
 * @param {Exclude<Item, {operator: string} | {matrix: number}>} item
 * @param {StageServices} services
 */
function makePicture(item, services) {
  /** @param {number[]} indices */
  const of = (indices) => indices.map((index) => services.store.byIndex[index]);
  if ("thumbs" in item) return new HeadGrid(of(item.thumbs), services, item);
  if ("pair" in item) return new PairChooser(of(item.pair), services, item.scope);
  if (item.large) return new LinkBoard(of(item.links), services, item.scope ?? "");
  return new Thumbnail(of(item.links), services);
}

const NAME = /^\p{L}([_^]\w+)*$/u;

/** Formats the names and other `code` between backticks. @param {string} text */
const withCode = (text) =>
  text.split("`").map((part, k) => {
    if (k % 2 === 0) return withNames(part);
    return NAME.test(part) ? nameOf(part) : html`<code>${part}</code>`;
  });

/** @param {string} text */
const paragraph = (text) => html`<p class="text">${withCode(text)}</p>`;

/** @param {{summary: string, text: string[]}} spec */
const folded = (spec) => html`<details class="more"><summary>${withNames(spec.summary)}</summary
  >${spec.text.map(paragraph)}</details>`;
