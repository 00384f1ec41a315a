/**
 * Shows the list below an edited word: the known words by kind, and further actions for the word.
 * The input keeps the focus; it is a combobox, and the list is its listbox.
 */

import { setAttribute } from "../../components/shared/dom.js";
import { html } from "../../components/shared/lit-html.js";
import { classes, FromTemplate } from "../../components/shared/template.js";
import { tokenText } from "../../components/shared/token_text.js";
import { placeUnder } from "./place_under.js";
import { unknownSentence, unlearnedWords } from "./token_text.js";

/**
 * @import {Words} from "./types.js"
 *
 * @typedef {object} Action
 * @property {string} label @property {() => void} run
 *
 * @typedef {object} Choices
 * @property {HTMLInputElement} input
 * @property {Words} groups known words by kind
 * @property {boolean} isLearned whether the model has learned only these words
 * @property {boolean} isClosed whether other words are not allowed
 * @property {(text: string) => {done: string[], open: string}} split splits the typed text
 * @property {Action[]} actions @property {(word: string) => void} choose
 *
 * @typedef {{text: string, run: () => void, isCurrent?: boolean}} Option
 */

const MEANT = 2; // the least number of typed letters that selects the only word starting with them
const MOST = 300; // at most this many words are drawn; typing narrows them down

export class WordList extends FromTemplate {
  constructor() {
    super();
    this.choices = /** @type {Choices | null} */ (null);
    this.groups = /** @type {[label: string, options: Option[]][]} */ ([]);
    this.actions = /** @type {Option[]} */ ([]);
    this.told = "";
    /** The option that Enter takes; −1: the typed text. */
    this.active = -1;
    this.listening = new AbortController();
  }

  template() {
    const { groups, actions } = this;
    const option = (/** @type {Option} */ { text, run, isCurrent }, /** @type {number} */ at) =>
      html`<div id="word-${at}" class=${classes("option", isCurrent && "current")} role="option"
        aria-selected=${at === this.active} @click=${run}>${text}</div>`;
    let at = 0;
    const all = (/** @type {Option[]} */ options) => options.map((each) => option(each, at++));
    const words = (/** @type {Option[]} */ options) =>
      html`<div class="group-words" role="presentation">${all(options)}</div>`;
    // A press on the list must leave the focus in the input.
    return html`<div class="word-list" popover="manual"
      @mousedown=${(/** @type {Event} */ event) => event.preventDefault()}>
      <p class="told" role="status">${this.told}</p>
      <div id="word-list" class="options" role="listbox" aria-label="Words">
        <div role="presentation">${groups.map(([label, options]) =>
          label
            ? html`<div class="group" role="group" aria-label=${label}><span class="group-name"
                aria-hidden="true">${label}</span>${words(options)}</div>`
            : words(options),
        )}</div>
        <div class="actions" role="group" aria-label="This word" ?hidden=${!actions.length}
          >${all(actions)}</div>
      </div>
    </div>`;
  }

  /** The options in arrow-key order. */
  get options() {
    return [...this.groups.flatMap(([, options]) => options), ...this.actions];
  }

  /** @param {Choices} choices */
  open(choices) {
    this.close();
    this.choices = choices;
    const { input } = choices;
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
    this.choices = null;
    this.listening.abort();
    if (this.node.matches(":popover-open")) this.node.hidePopover();
  }

  /** Shows the words that match the typed text. */
  filter() {
    if (!this.choices) return;
    this.fill(this.choices.input.value, false);
    this.place();
  }

  /** @param {string} typed @param {boolean} isWhole whether to show all words */
  fill(typed, isWhole) {
    if (!this.choices) return;
    const { groups, split, actions, choose, isLearned, isClosed } = this.choices;
    const wanted = isWhole ? "" : typed.trim().toLowerCase();
    let matching = 0;
    this.groups = groups.flatMap(([label, words]) => {
      const fitting = words.filter((word) => tokenText(word).toLowerCase().includes(wanted));
      const room = Math.max(0, MOST - matching);
      matching += fitting.length;
      /** @type {Option[]} */
      const options = fitting.slice(0, room).map((word) => ({
        text: tokenText(word),
        run: () => choose(word),
        isCurrent: isWhole && word === typed,
      }));
      return options.length ? [/** @type {[string, Option[]]} */ ([label, options])] : [];
    });
    this.actions = actions.map(({ label, run }) => ({ text: label, run }));
    const learned = groups.flatMap(([, words]) => words);
    const unknown =
      isLearned && learned.length && wanted ? unlearnedWords(split(typed), learned) : [];
    const all = matching.toLocaleString("en");
    const more = `The first ${MOST} of ${all} words: type to narrow them.`;
    const sentence = matching > MOST ? more : "";
    this.told = unknown.length ? unknownSentence(unknown, isClosed) : sentence;
    // If the typed text can only be the beginning of one known word, select that word.
    const [only] = matching === 1 ? this.options : [];
    const isMeant = isLearned && wanted.length >= MEANT && only?.text.startsWith(wanted);
    this.point(isMeant ? 0 : -1);
  }

  /** @param {number} at the option that Enter takes; −1 for none */
  point(at) {
    this.active = at;
    this.draw();
    const el = at < 0 ? null : this.node.querySelector(`#word-${at}`);
    if (this.choices) setAttribute(this.choices.input, "aria-activedescendant", el?.id ?? null);
    el?.scrollIntoView({ block: "nearest" });
  }

  /**
   * Handles a key of the input.
   * @param {KeyboardEvent} event
   * @returns {boolean} whether the list has handled it
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
