/**
 * Chooses the query and the key whose weight is shown in detail: a sentence with three menus, and
 * the resulting weight, which selects that number. Below it what changes the weight: the row can be
 * set to look only at this key, or learned numbers be moved until the weight is another.
 */

import { make, setText } from "../../shared/dom.js";
import { weightInFull } from "./curve.js";
import { headVariable } from "./head_toggles.js";
import { askable } from "./link_pull.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {Cursors} from "../data/cursors.js"
 * @import {CellOf, Send} from "../data/types.js"
 * @import {Painter} from "../paint/painter.js"
 * @import {GridView, PictureView} from "../paint/view.js"
 */

/**
 * @typedef {{head: number, query: number, key: number}} Pair
 * @typedef {object} PairServices
 * @property {MatrixStore} store
 * @property {Painter} painter
 * @property {Cursors<GridView>} cursors
 * @property {Send} send
 * @property {(cell: CellOf) => void} select
 * @property {() => boolean} isLocked whether nothing can be changed
 */

const NO_PAIR = { head: 0, query: 0, key: 0 };

/** @implements {PictureView} */
export class PairChooser {
  /**
   * @param {Matrix[]} matrices weights of the heads
   * @param {PairServices} services
   * @param {string} scope of the attention
   */
  constructor(matrices, { store, painter, cursors, send, select, isLocked }, scope) {
    this.kind = /** @type {const} */ ("picture");
    this.matrices = matrices;
    this.store = store;
    this.painter = painter;
    this.cursors = cursors;
    this.send = send;
    this.scope = scope;
    this.near = false;
    this.repaint = false;
    /** The choice that is not answered yet, so that a slow answer does not undo a later choice. */
    this.requested = /** @type {Pair | null} */ (null);
    this.head = this.choice("head");
    this.query = this.choice("token that listens");
    this.key = this.choice("token it listens to");
    this.weight = make("button", {
      class: "weight",
      type: "button",
      title: "Select this number: its value, where it comes from, and what can be done with it",
      onclick: () => select(this.cell()),
    });
    this.isHeld = false;
    const sentence = make("span", { class: "sentence" });
    if (matrices.length > 1) sentence.append("In ", this.head, " ");
    sentence.append(this.query, " listens to ", this.key, " with weight ", this.weight);
    const strongest = make(
      "button",
      { class: "plain", type: "button", onclick: () => this.chooseStrongest() },
      "strongest pair",
    );
    const look = this.lookButton(
      "Look only here",
      "Set this weight to 1 and the others of its row to 0, in this head",
      false,
    );
    const lookEverywhere = this.lookButton(
      "… in all heads",
      "Set this weight to 1 and the others of its row to 0, in every head of this attention",
      true,
    );
    lookEverywhere.setAttribute("aria-label", "Look only here in all heads");
    look.hidden = isLocked();
    lookEverywhere.hidden = isLocked() || matrices.length < 2;
    this.pull = make("input", {
      type: "range",
      min: 0,
      max: 1,
      step: 0.01,
      "aria-describedby": `moves-${scope}`,
      oninput: () => this.ask(),
      onpointerdown: () => this.hold(true),
      onpointerup: () => this.hold(false),
      onpointercancel: () => this.hold(false),
      onblur: () => this.hold(false),
    });
    const moves = make(
      "span",
      { class: "hint", id: `moves-${scope}` },
      "This sets no weight: it moves learned numbers of the model until the weight is so.",
    );
    const pull = make("label", {}, "Train it toward", this.pull);
    this.el = make(
      "div",
      { class: "pair-picker" },
      make("div", { class: "of-weight" }, sentence, look, lookEverywhere, strongest),
      make("div", { class: "pull", hidden: isLocked() }, pull, moves),
    );
    this.listening = new AbortController();
    const { signal } = this.listening;
    document.addEventListener("tinkerformer:selection", () => this.show(), { signal });
    for (const matrix of matrices) painter.add(matrix, this);
  }

  /** @param {string} text @param {string} title @param {boolean} everywhere in every head */
  lookButton(text, title, everywhere) {
    const onclick = () =>
      this.send({ type: "look_only", scope: this.scope, ...this.pair(), everywhere });
    return make("button", { class: "plain", type: "button", title, onclick }, text);
  }

  /** @param {string} label */
  choice(label) {
    return make("select", { "aria-label": label, onchange: () => this.choose() });
  }

  choose() {
    this.requested = {
      head: Number(this.head.value),
      query: Number(this.query.value),
      key: Number(this.key.value),
    };
    this.send({ type: "pair", scope: this.scope, ...this.requested });
  }

  /**
   * @param {boolean} isHeld while held, the slider keeps its position; on release it shows the
   *   actual weight
   */
  hold(isHeld) {
    this.isHeld = isHeld;
    this.show();
  }

  /** Asks for another weight. The next key press continues from what was asked for. */
  ask() {
    this.isHeld = true;
    const value = askable(Number(this.pull.value));
    this.send({ type: "pull", scope: this.scope, ...this.pair(), value });
  }

  chooseStrongest() {
    this.requested = null;
    this.send({ type: "focus", scope: this.scope, head: Number(this.head.value) });
  }

  describe() {
    const { row_labels, col_labels } = this.matrices[0].entry;
    const pair = this.pair();
    const heads = this.matrices.map((_, k) => `head ${k + 1}`);
    fill(this.head, heads, pair.head);
    fill(this.query, distinct(row_labels), pair.query);
    fill(this.key, distinct(col_labels), pair.key);
    this.el.style.setProperty("--head", headVariable(pair.head));
    this.show();
  }

  /** @returns {Pair} what the board shows */
  get shown() {
    return this.store.manifest?.focus ?? NO_PAIR;
  }

  /** The pair to show as chosen: the reader's last choice, or else the board's. */
  pair() {
    const { shown, requested } = this;
    const { rows, cols } = this.matrices[0];
    const isGone = requested && (requested.query >= rows || requested.key >= cols);
    const isAnswered =
      requested?.head === shown.head &&
      requested.query === shown.query &&
      requested.key === shown.key;
    if (isGone || isAnswered) this.requested = null;
    return this.requested ?? shown;
  }

  /** The weight of the pair. @returns {CellOf} */
  cell() {
    const { head, query: i, key: j } = this.pair();
    return { path: (this.matrices.at(head) ?? this.matrices[0]).path, i, j };
  }

  place() {}

  /** @param {boolean} near */
  approach(near) {
    this.near = near;
  }

  paint() {
    this.show();
    return false;
  }

  show() {
    const { head, query, key } = this.shown;
    const matrix = this.matrices.at(head);
    const weight = matrix?.values?.[query * matrix.cols + key];
    setText(this.weight, weightInFull(weight));
    this.weight.setAttribute("aria-pressed", String(this.cursors.isSelected(this.cell())));
    if (!this.isHeld && weight !== undefined) this.pull.value = String(weight);
  }

  remove() {
    this.listening.abort();
    for (const matrix of this.matrices) this.painter.remove(matrix, this);
  }
}

/** @param {HTMLSelectElement} select @param {string[]} texts @param {number} chosen */
function fill(select, texts, chosen) {
  const now = [...select.options].map((option) => option.text);
  if (texts.length !== now.length || texts.some((text, k) => text !== now[k]))
    select.replaceChildren(...texts.map((text, k) => make("option", { value: k }, text)));
  select.value = String(chosen);
}

/** Labels of tokens; a token that occurs twice gets its position. @param {string[]} labels */
const distinct = (labels) =>
  labels.map((label, k) => {
    const word = label || "∅";
    return labels.indexOf(label) === labels.lastIndexOf(label) ? word : `${word} (position ${k})`;
  });
