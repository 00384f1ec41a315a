/** Shows the likeliest next words at one position, and their probabilities before the last edit. */

import { asControl } from "../../components/shared/control.js";
import { oncePerFrame } from "../../components/shared/dom.js";
import { html } from "../../components/shared/lit-html.js";
import { onChange, sayOncePerFrame, untilRemoved } from "../../components/shared/model.js";
import { OneStop } from "../../components/shared/one_stop.js";
import { FromTemplate } from "../../components/shared/template.js";
import { tokenText } from "../../components/shared/token_text.js";
import { inUnits } from "../../components/shared/units.js";
import { BarList, MOST } from "./bar_list.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 * @import {Words} from "./bar_list.js"
 *
 * @typedef {object} Properties see prediction.py
 * @property {number} value @property {string[]} rows @property {string[]} written
 * @property {string[]} named @property {Record<string, number>} before @property {boolean} moves
 */

const MOST_ACROSS = 3; // words side by side in the header of a phone
const ACROSS = "(max-width: 599.98px), (max-width: 1099.98px) and (max-height: 559.98px)";
const WISH = "Find the numbers that would make the model write another word here";
const ALL = 400; // compare at most this many words, the likeliest
const CALM = 1000; // ms between two sorts during training

const inTrain = () => document.documentElement.dataset.room === "train";

/** @param {Component<Properties>} component */
export function render({ model }) {
  const next = new NextWords(model);
  const signal = untilRemoved(model);
  const show = () => next.show();
  document.addEventListener("tinkerformer:frame", oncePerFrame(show), { signal });
  document.addEventListener("tinkerformer:ready", show, { signal });
  document.addEventListener("tinkerformer:view", () => next.house(), { signal });
  next.across.addEventListener("change", show, { signal });
  const fill = () => next.fill();
  onChange(model, ["value", "rows", "written", "named", "before", "moves"], fill);
  fill();
  return asControl(model, next.node);
}

class NextWords extends FromTemplate {
  /** @param {Component<Properties>["model"]} model */
  constructor(model) {
    super();
    this.model = model;
    /** The words to choose from: all except the written one. @type {string[]} */
    this.words = [];
    this.isKnown = false; // whether the page has the probabilities of the words
    /** The latest request of a drag; one is sent per display frame. */
    let wish = { row: 0, word: "", value: 0 };
    const ask = sayOncePerFrame(model, "pull", () => model.send_msg({ type: "pull", ...wish }));
    this.list = new BarList(
      (word) => model.send_msg({ type: "look", row: model.value, word }),
      (word, value) => {
        wish = { row: model.value, word, value };
        ask();
      },
    );
    const [select, wished] = this.node.querySelectorAll("select");
    this.select = select;
    this.wished = wished;
    const [head, bars] = /** @type {Iterable<HTMLElement>} */ (this.node.children);
    this.bars = bars;
    this.across = matchMedia(ACROSS);
    new OneStop(head, "Over the next words");
    new OneStop(bars, "On the next words", { way: "down" });
  }

  template() {
    const { rows, value } = this.model;
    // Keep the height until the numbers of a new sentence arrive, so that the page does not jump.
    return html`<section class="control next-words" aria-label=${inUnits("Next word")}
      ?hidden=${!rows.length} style=${this.isKnown ? "" : "visibility: hidden"}><div
      class="head"><select class="after" title=${rows[value] ?? ""}
      aria-label=${inUnits("Position whose next word is shown")} @change=${() => this.follow()}
      >${rows.map((text) => html`<option>${text}</option>`)}</select><select class="wished"
      aria-label=${inUnits("Make it write another word here")} title=${inUnits(WISH)}
      @change=${() => this.wishFor()}><option>${inUnits("other word")}</option>${this.words.map(
        (word) => html`<option>${tokenText(word)}</option>`,
      )}</select></div><ul class="next-bars" role="list"
      >${this.list.bars.map((bar) => bar.node)}</ul
      ></section>`;
  }

  follow() {
    this.model.value = this.select.selectedIndex;
  }

  wishFor() {
    const word = this.words[this.wished.selectedIndex - 1];
    this.wished.selectedIndex = 0;
    if (word !== undefined) this.model.send_msg({ type: "wish", row: this.model.value, word });
  }

  /** Moves the bars to the end of their row in the picture if they fit there, or else back here. */
  house() {
    const { node, bars } = this;
    const place = window.tinkerformer?.nextWordsAt(this.model.value) ?? node;
    if (bars.parentNode === place) return;
    const { focused } = this.list;
    place.append(bars);
    bars.classList.toggle("large", place !== node);
    focused?.button.focus({ preventScroll: true });
  }

  /** @returns {Words | null} the words at the shown position */
  likeliest() {
    const page = window.tinkerformer;
    const found = page?.ready ? page.likeliest(this.model.value, ALL) : null;
    if (!found?.best.length) return null;
    return new Map(found.best.map(({ word, p }) => [word, p]));
  }

  /** @param {boolean} [sorts] whether to sort by the current probabilities */
  show(sorts = !this.model.moves || (inTrain() && performance.now() - this.list.sorted > CALM)) {
    const { value, rows, written, named, before, moves } = this.model;
    const now = this.likeliest();
    this.isKnown = now !== null;
    if (now) this.words = [...now.keys()].filter((word) => word !== written[value]).sort();
    this.draw();
    this.house();
    if (!now) return;
    const isHere = this.bars.parentNode === this.node;
    this.list.show(now, {
      ...{ named, sorts, moves },
      text: rows[value] ?? "",
      before: new Map(Object.entries(before)),
      swing: window.tinkerformer?.swingOrder(value),
      count: this.across.matches && isHere ? MOST_ACROSS : MOST,
    });
  }

  fill() {
    this.show(!this.model.moves);
    this.select.selectedIndex = this.model.value;
  }
}
