/**
 * Chooses the query and the key whose weight is shown in detail: a sentence with three menus, and a
 * button with the weight, which selects the weight. Controls below change the weight: buttons make
 * the query attend only to this key, and a slider changes parameters to reach a given weight.
 */

import { make } from "../../components/shared/dom.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { drawn } from "../../components/shared/template.js";
import { weightInFull } from "./curve.js";
import { headVariable } from "./head_toggles.js";
import { askable } from "./link_pull.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {CellOf} from "../data/types.js"
 * @import {PictureView} from "../paint/view.js"
 * @import {LinkServices} from "./link_board.js"
 */

/**
 * @typedef {{head: number, query: number, key: number}} Pair
 */

const SELECTS = "Select this number: its value, where it comes from, and what can be done with it";
const NO_PAIR = { head: 0, query: 0, key: 0 };

/** @implements {PictureView} */
export class PairChooser {
  /**
   * @param {Matrix[]} matrices weights of the heads
   * @param {LinkServices} services @param {string} scope of the attention
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
    /** The last choice that Python has not answered, so that a slow answer does not undo it. */
    this.requested = /** @type {Pair | null} */ (null);
    this.select = select;
    this.isLocked = isLocked();
    this.isHeld = false;
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
    const { node, show } = drawn(() => this.template());
    this.el = node;
    this.draw = show;
    this.listening = new AbortController();
    const { signal } = this.listening;
    document.addEventListener("tinkerformer:selection", () => this.show(), { signal });
    for (const matrix of matrices) painter.add(matrix, this);
  }

  template() {
    const { row_labels: rows, col_labels: columns } = this.matrices[0].entry;
    const { head } = this.pair();
    const { shown, matrices, isLocked, scope } = this;
    const heads = matrices.map((_, k) => `head ${k + 1}`);
    const chooseHead = this.choice("head", "head", heads);
    const chooseQuery = this.choice("query", "token that looks", distinct(rows));
    const chooseKey = this.choice("key", "token it looks at", distinct(columns));
    const isMany = matrices.length > 1;
    const matrix = matrices.at(shown.head);
    const weight = matrix?.values?.[shown.query * matrix.cols + shown.key];
    const strongest = () => this.chooseStrongest();
    /** @param {string} text @param {boolean} everywhere @param {boolean} isHidden */
    const look = (text, everywhere, isHidden) => html`<button type="button" class="plain"
      aria-label=${everywhere ? "Look only here in all heads" : nothing} ?hidden=${isHidden}
      title="Set this weight to 1 and the others of its row to 0, in ${
        everywhere ? "every head of this attention" : "this head"
      }" @click=${() => this.send({ type: "look_only", scope, ...this.pair(), everywhere })}
      >${text}</button>`;
    return html`<div class="pair-picker" style="--head: ${headVariable(head)}">
      <div class="of-weight">
        <span class="sentence">${isMany ? html`In ${chooseHead} ` : nothing}${chooseQuery} looks
          at ${chooseKey} with weight <button type="button" class="weight" title=${SELECTS}
            aria-pressed=${this.cursors.isSelected(this.cell())}
            @click=${() => this.select(this.cell())}>${weightInFull(weight)}</button></span>
        ${look("Look only here", false, isLocked)}
        ${look("… in all heads", true, isLocked || !isMany)}
        <button type="button" class="plain" @click=${strongest}>strongest pair</button>
      </div>
      <div class="pull" ?hidden=${isLocked}>
        <label>Train it toward${this.pull}</label>
        <span class="hint" id="moves-${scope}">This sets no weight: it moves learned numbers of the
          model until the weight is so.</span>
      </div>
    </div>`;
  }

  /** @param {keyof Pair} of @param {string} label @param {string[]} texts */
  choice(of, label, texts) {
    const change = (/** @type {Event} */ { currentTarget }) =>
      this.choose(of, /** @type {HTMLSelectElement} */ (currentTarget).selectedIndex);
    return html`<select aria-label=${label} data-of=${of} @change=${change}
      >${texts.map((text, k) => html`<option value=${k}>${text}</option>`)}</select>`;
  }

  /** @param {keyof Pair} of @param {number} index */
  choose(of, index) {
    this.requested = { ...this.pair(), [of]: index };
    this.send({ type: "pair", scope: this.scope, ...this.requested });
  }

  /**
   * @param {boolean} isHeld while held, the slider keeps its position; after release it shows the
   *   actual weight
   */
  hold(isHeld) {
    this.isHeld = isHeld;
    this.show();
  }

  /** Asks for another weight. The next key press continues from the requested weight. */
  ask() {
    this.isHeld = true;
    const value = askable(Number(this.pull.value));
    this.send({ type: "pull", scope: this.scope, ...this.pair(), value });
  }

  chooseStrongest() {
    this.requested = null;
    this.send({ type: "focus", scope: this.scope, head: this.pair().head, is_of_any: true });
  }

  describe() {
    this.show();
  }

  /** @returns {Pair} the pair that the board shows */
  get shown() {
    return this.store.manifest?.focus ?? NO_PAIR;
  }

  /** The pair to show as chosen: the user's last choice, or else the board's. */
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
    this.draw();
    const pair = this.pair();
    for (const each of this.el.querySelectorAll("select"))
      each.selectedIndex = pair[/** @type {keyof Pair} */ (each.dataset.of)];
    if (!this.isHeld && weight !== undefined) this.pull.value = String(weight);
  }

  remove() {
    this.listening.abort();
    for (const matrix of this.matrices) this.painter.remove(matrix, this);
  }
}

/** Labels of tokens; a repeated token gets its position. @param {string[]} labels */
const distinct = (labels) =>
  labels.map((label, k) => {
    const word = label || "∅";
    return labels.indexOf(label) === labels.lastIndexOf(label) ? word : `${word} (position ${k})`;
  });
