/**
 * The list under a word that is edited: the known words by kind, and what else can be done with the
 * word. The input keeps the focus; it is a combobox, and this its listbox.
 */

import { make, setAttribute, setText } from "../shared/dom.js";
import { placeUnder } from "./place_under.js";
import { tokenText, unknownSentence, unlearnedWords } from "./token_text.js";

/**
 * @import {Words} from "./types.js"
 *
 * @typedef {object} Action
 * @property {string} label
 * @property {() => void} run
 *
 * @typedef {object} Choices
 * @property {HTMLInputElement} input
 * @property {Words} groups known words by kind
 * @property {boolean} isLearned whether the model has learned them, and no others
 * @property {boolean} isClosed whether it takes no others
 * @property {(text: string) => {done: string[], open: string}} split splits what is typed
 * @property {Action[]} actions
 * @property {(word: string) => void} choose
 *
 * @typedef {{el: HTMLElement, run: () => void}} Option
 */

const MEANT = 2; // letters from which the only word that begins so is meant
const MOST = 300; // words that are drawn; typing narrows the others down

export class WordList {
  constructor() {
    this.told = make("p", { class: "told", role: "status" });
    this.groups = make("div", { role: "presentation" });
    this.actions = make("div", { class: "actions", role: "group", "aria-label": "This word" });
    const box = make(
      "div",
      { id: "word-list", class: "options", role: "listbox", "aria-label": "Words" },
      this.groups,
      this.actions,
    );
    this.node = make(
      "div",
      {
        class: "word-list",
        popover: "manual",
        // A press on the list leaves the focus in the input.
        onmousedown: (event) => event.preventDefault(),
      },
      this.told,
      box,
    );
    this.choices = /** @type {Choices | null} */ (null);
    this.options = /** @type {Option[]} */ ([]);
    /** The option that Enter takes; −1: what is typed. */
    this.active = -1;
    this.listening = new AbortController();
  }

  /** @param {Choices} choices */
  open(choices) {
    this.close();
    this.choices = choices;
    const { input } = choices;
    for (const [name, value] of /** @type {const} */ ([
      ["role", "combobox"],
      ["aria-autocomplete", "list"],
      ["aria-haspopup", "listbox"],
      ["aria-controls", "word-list"],
      ["aria-expanded", "true"],
    ]))
      setAttribute(input, name, value);
    this.fill(input.value, true);
    this.node.showPopover();
    this.place();
    this.listening = new AbortController();
    const { signal } = this.listening;
    const place = () => this.place();
    addEventListener("scroll", place, { signal, capture: true, passive: true });
    addEventListener("resize", place, { signal });
    window.visualViewport?.addEventListener("resize", place, { signal });
  }

  close() {
    if (!this.choices) return;
    setAttribute(this.choices.input, "aria-expanded", "false");
    this.choices = null;
    this.listening.abort();
    if (this.node.matches(":popover-open")) this.node.hidePopover();
  }

  /** Shows the words that match what is typed. */
  filter() {
    if (!this.choices) return;
    this.fill(this.choices.input.value, false);
    this.place();
  }

  /** @param {string} typed @param {boolean} isWhole whether to show all of them */
  fill(typed, isWhole) {
    if (!this.choices) return;
    const { groups, split, actions, choose, isLearned, isClosed } = this.choices;
    const wanted = isWhole ? "" : typed.trim().toLowerCase();
    this.options = [];
    let matching = 0;
    const shown = groups.flatMap(([label, words]) => {
      const fitting = words.filter((word) => tokenText(word).toLowerCase().includes(wanted));
      const room = Math.max(0, MOST - matching);
      matching += fitting.length;
      const items = fitting.slice(0, room).map((word) => {
        const option = this.option(tokenText(word), () => choose(word));
        option.classList.toggle("current", isWhole && word === typed);
        return option;
      });
      return items.length ? [group(label, items)] : [];
    });
    this.groups.replaceChildren(...shown);
    this.actions.replaceChildren(...actions.map(({ label, run }) => this.option(label, run)));
    this.actions.hidden = actions.length === 0;
    const learned = groups.flatMap(([, words]) => words);
    const unknown =
      isLearned && learned.length && wanted ? unlearnedWords(split(typed), learned) : [];
    const all = matching.toLocaleString("en");
    const more = `The first ${MOST} of ${all} words: type to narrow them.`;
    const sentence = matching > MOST ? more : "";
    setText(this.told, unknown.length ? unknownSentence(unknown, isClosed) : sentence);
    // What is typed can be the beginning of one known word only: it is meant.
    const [only] = matching === 1 ? this.options : [];
    const isMeant = isLearned && wanted.length >= MEANT && only?.el.textContent?.startsWith(wanted);
    this.point(isMeant ? 0 : -1);
  }

  /** @param {string} text @param {() => void} run */
  option(text, run) {
    const id = `word-${this.options.length}`;
    const el = make(
      "div",
      { id, class: "option", role: "option", "aria-selected": "false", onclick: run },
      text,
    );
    this.options.push({ el, run });
    return el;
  }

  /** @param {number} at the option that Enter takes; −1 for none */
  point(at) {
    this.active = at;
    for (const [k, { el }] of this.options.entries())
      setAttribute(el, "aria-selected", String(k === at));
    const el = this.options[at]?.el;
    if (this.choices) setAttribute(this.choices.input, "aria-activedescendant", el?.id ?? null);
    el?.scrollIntoView({ block: "nearest" });
  }

  /**
   * Handles a key of the input.
   * @param {KeyboardEvent} event
   * @returns {boolean} whether it was for the list
   */
  key(event) {
    const { active, options } = this;
    if (!this.choices || !options.length || event.altKey || event.ctrlKey || event.metaKey)
      return false;
    const last = options.length - 1;
    const isIn = active >= 0;
    /** @type {Record<string, number | undefined>} */
    const goals = {
      ArrowDown: active === last ? 0 : active + 1,
      ArrowUp: active <= 0 ? last : active - 1,
      ArrowRight: isIn ? Math.min(last, active + 1) : undefined,
      ArrowLeft: isIn ? Math.max(0, active - 1) : undefined,
      Home: isIn ? 0 : undefined,
      End: isIn ? last : undefined,
    };
    const goal = goals[event.key];
    if (goal !== undefined) this.point(goal);
    else if (event.key === "Enter" && isIn) options[active].run();
    else return false;
    event.preventDefault();
    return true;
  }

  /** Puts the list under its input, inside the window. */
  place() {
    if (this.choices) placeUnder(this.node, this.choices.input);
  }
}

/** @param {string} label @param {HTMLElement[]} items */
function group(label, items) {
  const words = make("div", { class: "group-words", role: "presentation" }, ...items);
  if (!label) return words;
  const name = make("span", { class: "group-name", "aria-hidden": "true" }, label);
  return make("div", { class: "group", role: "group", "aria-label": label }, name, words);
}
