/** Shows a list of moved numbers: the place, the change of the value, the resulting sentence. */

import { announce } from "../../components/shared/announce.js";
import { nameOf } from "../../components/shared/cell_name.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { fixedText } from "../../components/shared/number_format.js";
import { drawn } from "../../components/shared/template.js";
import { becomes } from "./becomes.js";

/**
 * @typedef {object} NumberRow see `experiments/number_rows.py`
 * @property {string} path @property {number} i @property {number} j @property {string} name
 * @property {string} place @property {number} now @property {number} value
 * @property {string[]} sentence @property {boolean[]} changed @property {number} length
 */

const FIGURES = 3; // significant digits of the move, the precision of a border
const MOST_DECIMALS = 8;

/** Formats values whose difference gets three digits. @param {number} now @param {number} value */
export function toFigures(now, value) {
  const move = Math.abs(value - now);
  const decimals = move ? FIGURES - 1 - Math.floor(Math.log10(move)) : FIGURES;
  const shown = Math.max(0, Math.min(MOST_DECIMALS, decimals));
  return [now, value].map((x) => fixedText(x, shown));
}

export class NumberList {
  /** @param {(row: NumberRow) => void} press */
  constructor(press) {
    this.press = press;
    this.rows = /** @type {NumberRow[]} */ ([]);
    this.taken = -1;
    this.canTake = false;
    // The space for the list; the list is cut to whole rows.
    const { node, show } = drawn(
      () => html`<div class="pull-room"><ol class="pull-list" role="list" aria-label="Numbers"
        ?hidden=${!this.rows.length}>${this.rows.map((row, at) => this.line(row, at))}</ol></div>`,
    );
    this.node = node;
    this.draw = show;
    this.list = /** @type {HTMLElement} */ (node.firstElementChild);
    this.sizes = new ResizeObserver(() => {
      this.fit();
      this.keepInSight();
    });
    this.sizes.observe(this.node);
  }

  /** @param {NumberRow[]} rows @param {number} taken @param {boolean} canTake */
  show(rows, taken, canTake) {
    Object.assign(this, { rows, taken, canTake });
    this.draw();
    this.fit();
  }

  /** Cuts the list to whole rows, unless not even one fits. */
  fit() {
    if (!this.items.length) return;
    const room = this.node.clientHeight;
    let end = 0;
    for (const { offsetTop, offsetHeight } of this.items) {
      if (offsetTop + offsetHeight > room) break;
      end = offsetTop + offsetHeight;
    }
    this.list.style.maxHeight = `${end || room}px`;
  }

  /** Scrolls to the focused or taken row when there is less space. */
  keepInSight() {
    const { list } = this;
    const item = this.items.find((each) => each.matches(":focus-within")) ?? this.items[this.taken];
    if (!item) return;
    const { offsetTop: top, offsetHeight: height } = item;
    if (top < list.scrollTop || top + height > list.scrollTop + list.clientHeight)
      list.scrollTop = top;
  }

  get items() {
    return /** @type {HTMLElement[]} */ ([...this.list.children]);
  }

  remove() {
    this.sizes.disconnect();
  }

  /** @param {NumberRow} row @param {number} at */
  line(row, at) {
    const { path, i, j, name, place, sentence } = row;
    const [from, to] = toFigures(row.now, row.value);
    const what = sentence.length ? `; then it writes: ${sentence.join(" ")}` : "";
    const all = `${name}, ${place}: from ${from} to ${to}${what}`;
    // Point at the hovered number on the board.
    const look = () => announce("point-at", { path, i, j });
    const away = () => announce("point-at");
    return html`<li><button type="button" class="pull-row" aria-label=${all}
      title="${all}. ${this.canTake ? "Take this one" : "Go there"}."
      aria-pressed=${this.canTake ? at === this.taken : nothing}
      @click=${() => this.press(row)} @mouseenter=${look} @mouseleave=${away}
      @focus=${look} @blur=${away}
      ><span class="pull-name">${nameOf(name)}</span><span class="pull-moved">${from} → ${to}</span
      ><span class="pull-place">${place}</span><span class="pull-written"
      >${becomes(row).map(([text, isNew]) => (isNew ? html`<b>${text}</b>` : text))}</span
    ></button></li>`;
  }
}
