/**
 * The words that the model writes, the end among them, each in a slot of its own. While numbers
 * move, the slots stay: each says the word that its row would write now, over the word that it
 * wrote before. A click on a word follows what writes it. The row is one Tab stop; arrow keys move
 * between words.
 */

import { announce } from "../shared/announce.js";
import { make, setAttribute, setText } from "../shared/dom.js";
import { bindKeys } from "../shared/keys.js";
import { shareText } from "../shared/number_format.js";
import { saidNow } from "./said_now.js";
import { STEP_KEYS, stepOf } from "./step_keys.js";
import { isSpecial, tokenName, tokenText } from "./token_text.js";

/**
 * @import {Source} from "./types.js"
 *
 * @typedef {object} Slot
 * @property {string} word
 * @property {string | null} before the word that it wrote before; null if it is the same
 * @property {number | null} p probability of the word; null if the word was given
 * @property {boolean} isNew whether the last edit changed it
 * @property {number | undefined} id
 */

/** What the words are while numbers move: no sentence yet, by why they move. */
const PROVISIONAL = {
  dragged: "Each place's likeliest word. Let go, and the sentence is written anew.",
  swings: "While it swings: each place's likeliest word",
  trains: "In training: each place's likeliest word",
};
export class WrittenRow {
  /** @param {Source} source */
  constructor(source) {
    this.source = source;
    this.list = make("ul", { role: "list" });
    /** Beside the heading, where it is in sight however long the line is. */
    this.verdict = make("p", { class: "words-verdict", "data-part": "verdict" });
    this.node = make("div", { class: "chips written", "data-part": "written" }, this.list);
    /** The short form of the verdict, where there is no room beside the heading. */
    this.sign = make("span", { class: "words-sign", "aria-hidden": "true" });
    /** The word that is the Tab stop. */
    this.active = 0;
    const run = (/** @type {KeyboardEvent} */ event) => this.key(event);
    const does = "from word to word";
    bindKeys(this.list, "On the words that are written", [{ keys: STEP_KEYS, does, run }]);
    /** Whether a number oscillates. */
    this.swings = false;
    /** How many words a film has written so far; null: all. */
    this.filmed = /** @type {number | null} */ (null);
    /** Whether slots keep their width. */
    this.isHeld = false;
    /** What letting go of the dragged number writes, as the picture says it. */
    this.foretold = "";
    /** What the run that goes on has written so far: nothing yet, only wrong sentences, or not. */
    this.learned = /** @type {"" | "wrong" | "right"} */ ("");
  }

  /** @param {boolean} on whether a number oscillates */
  swing(on) {
    this.swings = on;
    this.refresh();
  }

  /** Why rows may say other words than those that the decoder reads; empty if they may not. */
  get moves() {
    return this.swings ? "swings" : this.source.now.moves;
  }

  /** @param {number | null} count of the words that a film has written so far; null: all */
  film(count) {
    this.filmed = count;
    this.refresh();
  }

  /** Follows the numbers of another frame. */
  follow() {
    if (this.source.now.writes && (this.moves || this.isHeld)) this.refresh();
  }

  /** The slots as they are now. @returns {Slot[]} */
  get slots() {
    const { now, written } = this.source;
    const { probabilities, changed, end } = written;
    const tokens = end === null ? now.tokens : [...now.tokens, now.end];
    const said = this.moves ? saidNow(now.tokens) : null;
    return tokens.map((token, at) => {
      const p = at === now.tokens.length ? end : (probabilities[at] ?? null);
      const says = p === null ? null : said?.[at - 1];
      const isOther = says != null && says.word !== token;
      return {
        word: says?.word ?? token,
        before: isOther ? token : null,
        p: says?.p ?? p,
        isNew: changed[at] ?? false,
        id: isOther ? undefined : now.ids[at],
      };
    });
  }

  /** What the words are while numbers move. @param {boolean} isOther than what was written */
  provisional(isOther) {
    const { moves } = this;
    // With dropout a note of its own says so.
    if (!moves || moves === "dropout" || this.source.now.note) return "";
    const { would } = this.source.written;
    if (moves === "dragged" && isOther && would) return `Let go, and it writes: ${would}`;
    return isOther || moves === "swings" ? PROVISIONAL[moves] : "";
  }

  refresh() {
    const { now } = this.source;
    this.node.hidden = !now.writes;
    const slots = now.writes ? this.slots : [];
    const isOther = slots.some(({ before }) => before !== null);
    const provisional = now.writes ? this.provisional(isOther) : "";
    this.foretell(isOther && this.moves === "dragged" ? this.source.written.would : "");
    // The verdict is on the sentence as it was written.
    const isJudged = now.writes && !isOther && !provisional;
    const verdict = isJudged ? now.verdict : provisional;
    const unjudged = isJudged ? now.unjudged : "";
    this.verdict.classList.toggle("provisional", Boolean(provisional));
    this.verdict.classList.toggle("unjudged", Boolean(unjudged));
    this.verdict.classList.toggle("wrong", !unjudged && verdict.startsWith("✗"));
    setText(this.verdict, unjudged || verdict);
    setAttribute(
      this.verdict,
      "title",
      unjudged ? now.unjudged_why : (isJudged && now.in_full) || verdict || null,
    );
    setText(this.sign, isOther ? "" : verdict.slice(0, 1));
    if (!now.writes) return;
    this.learn();
    while (this.list.children.length > slots.length) this.list.lastElementChild?.remove();
    while (this.list.children.length < slots.length)
      this.list.append(this.word(this.list.children.length));
    this.hold();
    slots.forEach((slot, at) => {
      const item = this.list.children[at];
      item.classList.toggle("end", at === now.tokens.length);
      this.show(item, slot, at);
    });
    this.rove();
  }

  /** Lights the words up once, where a run writes all of them right for the first time. */
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

  /** Has the picture say what letting go of a number writes. @param {string} sentence */
  foretell(sentence) {
    if (sentence === this.foretold) return;
    this.foretold = sentence;
    announce("foretold", { sentence });
  }

  /** Keeps slots at least as wide as they were when numbers began to move. */
  hold() {
    if (Boolean(this.moves) === this.isHeld) return;
    this.isHeld = Boolean(this.moves);
    const items = /** @type {HTMLElement[]} */ ([...this.list.children]);
    const widths = items.map((item) => item.offsetWidth);
    items.forEach((item, at) => {
      item.style.minWidth = this.isHeld ? `${widths[at]}px` : "";
    });
  }

  /** The chips that can be selected; given words were not written, so they cannot. */
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

  /** @param {number} at */
  word(at) {
    const chip = make(
      "button",
      {
        type: "button",
        class: "chip",
        onclick: () => this.source.look(at),
        onfocus: () => this.rove(this.chips.indexOf(chip)),
      },
      "",
    );
    const unders = make(
      "span",
      { class: "unders" },
      make("s", { class: "before" }),
      make("span", { class: "under p" }),
      make("span", { class: "under", title: "token id" }),
    );
    return make("li", {}, chip, unders);
  }

  /** @param {Element} item @param {Slot} slot @param {number} at */
  show(item, { word, before, p, isNew, id }, at) {
    const { marks } = this.source;
    const [chip, unders] = item.children;
    const [was, under, underId] = unders.children;
    setText(chip, tokenText(word));
    chip.classList.toggle("special", isSpecial(word));
    chip.classList.toggle("changed", isNew || before !== null);
    chip.classList.toggle("provisional", before !== null);
    item.classList.toggle("unwritten", this.filmed !== null && at >= this.filmed);
    item.classList.toggle("focus", at === marks.focus);
    item.classList.toggle("asked", at === marks.asked);
    setText(was, before === null ? "" : tokenText(before));
    setText(under, p === null ? "" : shareText(p));
    setText(underId, id === undefined ? "" : String(id));
    const said = p === null ? "given" : `probability ${p.toFixed(2)}`;
    const instead = before === null ? "" : `, instead of ${tokenName(before)}`;
    const news = isNew ? ", changed" : "";
    setAttribute(chip, "aria-label", `${tokenName(word)}, ${said}${instead}${news}`);
    setAttribute(
      chip,
      "aria-pressed",
      p === null ? null : String(marks.followed && at === marks.focus),
    );
    setAttribute(
      chip,
      "title",
      p === null ? null : `written with p = ${p.toFixed(2)}; press it to follow what writes it`,
    );
    if (chip instanceof HTMLButtonElement) chip.disabled = p === null;
  }
}
