/**
 * Shows the words that the model writes, including the end token, each in its own slot. While
 * numbers change, the slots stay: each shows the word that its row would write now, above the word
 * that it wrote before. Clicking a word follows the row that writes it. The row is one Tab stop;
 * arrow keys move between words.
 */

import { setAttribute } from "../../components/shared/dom.js";
import { bindKeys } from "../../components/shared/keys.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { shareText } from "../../components/shared/number_format.js";
import { classes, drawn } from "../../components/shared/template.js";
import { tokenText } from "../../components/shared/token_text.js";
import { rowNow, saidNow } from "./said_now.js";
import { slideWords } from "./slide_words.js";
import { STEP_KEYS, stepOf } from "./step_keys.js";
import { isSpecial, markOf, tokenName } from "./token_text.js";

/**
 * @import {Source} from "./types.js"
 *
 * @typedef {object} Slot
 * @property {string} word
 * @property {string | null} before the previously written word; null if it is the same
 * @property {number | null} p probability of the word; null if the word was given
 * @property {boolean} isNew whether the last edit changed the word
 * @property {number | undefined} id
 */

/** Notes beside the heading while numbers are changing, by the cause of the change. */
const PROVISIONAL = {
  dragged: "On release, it writes again",
  swings: "When it stops, it writes as before",
  tries: "While it is tried",
  trains: "In training",
};
const SMALLEST = 0.5; // the least size of a word in the slot of a shorter one
const EACH_ROW = "each row";
const WHY =
  "The words are not a sentence now: each is the likeliest at its place, after the words that " +
  "were written before it. The model writes again when its numbers rest.";
const PRESS = "press it to follow what writes it";

export class WrittenRow {
  /** @param {Source} source */
  constructor(source) {
    this.source = source;
    this.slots = /** @type {Slot[]} */ ([]);
    /** Whether the words are no sentence, because numbers change: each follows those at rest. */
    this.isDraft = false;
    const row = drawn(
      () => html`<div class=${classes("chips written", this.isDraft && "draft")}
        data-part=${source.now.row === null ? "written" : "predicted"}
        ><ul role="list">${this.slots.map((slot, at) => this.word(slot, at))}</ul></div>`,
    );
    this.node = row.node;
    this.list = /** @type {HTMLElement} */ (row.node.firstElementChild);
    /** The verdict next to the heading, where it is visible with any length of the line. */
    this.said = { verdict: "", title: "", kinds: "", sign: "" };
    const verdict = drawn(
      () => html`<p class=${classes("words-verdict", this.said.kinds)} data-part="verdict"
        title=${this.said.title || nothing}><span class="mark">${this.said.sign}</span><span
        class="rest">${this.said.verdict}</span></p>`,
    );
    this.verdict = verdict.node;
    const title = drawn(() => {
      const { now } = source;
      const [text, tip] = this.isDraft ? [EACH_ROW, WHY] : [now.title, now.tip];
      const tips = [tip, now.sequence].filter(Boolean).join("\n");
      return html`<span title=${tips || nothing}>${text || now.label}</span>`;
    });
    this.title = title.node;
    this.draw = () => {
      for (const { show } of [row, verdict, title]) show();
    };
    /** The word that is the Tab stop. */
    this.active = 0;
    const run = (/** @type {KeyboardEvent} */ event) => this.key(event);
    const does = "from word to word";
    bindKeys(this.list, "On the words that are written", [{ keys: STEP_KEYS, does, run }]);
    /** The number of words that a film has written so far; null: all. */
    this.filmed = /** @type {number | null} */ (null);
    /** The read words for which slots do not become narrower; empty at rest. */
    this.heldFor = "";
    /** The result of the current run: nothing yet, only wrong sentences, or a right sentence. */
    this.learned = /** @type {"" | "wrong" | "right"} */ ("");
  }

  /** @param {number | null} count of the words written in a film so far; null: all */
  film(count) {
    this.filmed = count;
    this.refresh();
  }

  /** Updates the words with the numbers of the current frame. */
  follow() {
    if (this.source.now.writes) this.refresh();
  }

  /** Returns the slots with the current words. @returns {Slot[]} */
  slotsNow() {
    const { now, written } = this.source;
    const { probabilities, changed, end } = written;
    const tokens = end === null ? now.tokens : [...now.tokens, now.end];
    // Use the painted numbers, so that words and numbers agree.
    const said = now.row === null ? [null, ...(saidNow(now.tokens) ?? [])] : rowNow(now.row);
    return tokens.map((token, at) => {
      const p = at === now.tokens.length ? end : (probabilities[at] ?? null);
      const says = p === null ? null : said[at];
      const isOther = says != null && says.word !== token;
      return {
        word: says?.word ?? token,
        before: isOther && now.moves && now.moves !== "trains" ? token : null,
        p: says?.p ?? p,
        isNew: changed[at] ?? false,
        id: isOther ? undefined : now.ids[at],
      };
    });
  }

  /**
   * Returns the note while numbers change. In an oscillation or a run, it is always shown.
   * @param {boolean} isOther whether the words differ
   */
  provisional(isOther) {
    const { moves } = this.source.now;
    // With dropout, a separate note replaces this one.
    if (!moves || moves === "dropout" || this.source.now.note) return "";
    const { would } = this.source.written;
    if (moves === "dragged" && isOther && would) return `On release, it writes: ${would}`;
    return isOther || moves === "swings" || moves === "trains" ? PROVISIONAL[moves] : "";
  }

  refresh() {
    const { now } = this.source;
    this.node.hidden = !now.writes;
    const slots = now.writes ? this.slotsNow() : [];
    const isOther = slots.some(({ before }) => before !== null);
    const provisional = now.writes ? this.provisional(isOther) : "";
    this.isDraft = now.writes && (now.moves in PROVISIONAL || (now.moves !== "" && isOther));
    const isWhole = this.filmed === null || this.filmed >= slots.length;
    this.said = saidOf(now, provisional, now.writes && !isOther && isWhole);
    const wordsOf = (/** @type {Slot[]} */ all) => JSON.stringify(all.map(({ word }) => word));
    const isSame = wordsOf(slots) === wordsOf(this.slots);
    let isResized = !isSame;
    if (now.writes) {
      this.learn();
      isResized = this.hold(isSame) || isResized;
      this.slots = slots;
    }
    // While numbers move, a word changes in its slot; a sliding word would run into it.
    if (isSame || now.moves) this.draw();
    else slideWords(this.list, this.draw);
    if (isResized) this.fit();
    if (now.writes) this.rove();
  }

  /** Highlights the words once, when a run writes all of them right for the first time. */
  learn() {
    const { moves, verdict } = this.source.now;
    const is = verdict.startsWith("✓") ? "right" : verdict ? "wrong" : "";
    if (moves !== "trains") this.learned = "";
    else if (is === "right" && this.learned === "wrong") {
      const over = () => this.node.classList.remove("first-right");
      this.node.addEventListener("animationend", over, { once: true });
      this.node.classList.add("first-right");
      this.learned = is;
    } else if (this.learned !== "right") this.learned = is;
  }

  /**
   * Keeps slots as wide as they are, while numbers change and the decoder reads the same words.
   * @param {boolean} isSame whether the slots keep their words
   * @returns {boolean} whether the slots may have another width now
   */
  hold(isSame) {
    const { moves, tokens } = this.source.now;
    const words = moves in PROVISIONAL ? tokens.join("\n") : "";
    if (isSame && words === this.heldFor) return false;
    const isHeld = words !== "" && (this.heldFor === "" || this.heldFor === words);
    this.heldFor = words;
    const items = /** @type {HTMLElement[]} */ ([...this.list.children]);
    const widths = items.map((item) => (isHeld ? `${item.offsetWidth}px` : ""));
    items.forEach((item, at) => {
      item.style.minWidth = widths[at];
    });
    return true;
  }

  /** Makes a long word in a held slot smaller, so that the words after it stay in place. */
  fit() {
    const items = /** @type {HTMLElement[]} */ ([...this.list.children]);
    const chips = items.map((item) => /** @type {HTMLElement} */ (item.firstElementChild));
    for (const chip of chips) chip.style.fontSize = "";
    const sizes = chips.map((chip, at) => {
      const [held, needed] = [Number.parseFloat(items[at].style.minWidth), chip.offsetWidth];
      if (!(held < needed)) return "";
      const size = Number.parseFloat(getComputedStyle(chip).fontSize);
      return `${(size * Math.max(SMALLEST, held / needed)).toFixed(1)}px`;
    });
    chips.forEach((chip, at) => {
      chip.style.fontSize = sizes[at];
    });
  }

  /** The chips that can be selected; given words are not selectable. */
  get chips() {
    return [...this.list.querySelectorAll("button")].filter(({ disabled }) => !disabled);
  }

  /** Makes one word the Tab stop. @param {number} [active] */
  rove(active = this.active) {
    const { chips } = this;
    this.active = Math.max(0, Math.min(active, chips.length - 1));
    chips.forEach((chip, at) => {
      setAttribute(chip, "tabindex", at === this.active ? 0 : -1);
    });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { chips } = this;
    const at = chips.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    const goal = stepOf(event, at, chips.length - 1);
    if (at < 0 || goal === undefined) return false;
    chips[Math.max(0, Math.min(goal, chips.length - 1))].focus();
    return true;
  }

  /** @param {Slot} slot @param {number} at */
  word({ word, before, p, isNew, id }, at) {
    const { marks, now } = this.source;
    const isOther = before !== null;
    const said = p === null ? "given" : `probability ${p.toFixed(2)}`;
    const instead = isOther ? `, instead of ${tokenName(before)}` : "";
    const kinds = classes(
      at === now.tokens.length && "end",
      this.filmed !== null && at >= this.filmed && "unwritten",
      markOf(marks, at),
    );
    const chip = classes(
      "chip",
      isSpecial(word) && "special",
      (isNew || isOther) && "changed",
      isOther && "provisional",
    );
    const focus = (/** @type {Event} */ { currentTarget }) =>
      this.rove(this.chips.indexOf(/** @type {HTMLButtonElement} */ (currentTarget)));
    return html`<li class=${kinds}><button type="button" class=${chip} ?disabled=${p === null}
      aria-label="${tokenName(word)}, ${said}${instead}${isNew ? ", changed" : ""}"
      aria-pressed=${p === null ? nothing : marks.followed && at === marks.focus}
      title=${p === null ? nothing : `written with p = ${p.toFixed(2)}; ${PRESS}`}
      @click=${() => this.source.look(at)} @focus=${focus}>${tokenText(word)}</button><span
      class="unders"><span class="under p">${p === null ? "" : shareText(p)}</span><span
      class="under" title="token id">${id}</span><s class="before">${
        isOther ? tokenText(before) : ""
      }</s></span></li>`;
  }
}

/**
 * Returns the texts about the sentence. The verdict applies to the whole sentence, as written; a
 * phone shows only the sign of the verdict.
 * @param {Source["now"]} now @param {string} provisional the note while numbers change, or empty
 * @param {boolean} isWritten whether the whole sentence is written as shown
 */
export function saidOf(now, provisional, isWritten) {
  const isJudged = isWritten && !provisional;
  const verdict = isJudged ? now.verdict : provisional;
  const unjudged = isJudged ? now.unjudged : "";
  const sign = isJudged && !unjudged ? verdict.slice(0, 1) : "";
  return {
    verdict: unjudged || verdict.slice(sign.length),
    title: unjudged ? now.unjudged_why : (isJudged && now.in_full) || verdict,
    kinds: classes(
      ...[provisional && "provisional", unjudged && "unjudged"],
      ...[sign === "✗" && "wrong", sign === "✓" && "right"],
    ),
    sign,
  };
}
