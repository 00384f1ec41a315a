/** Shows the words of a token list, and the word being edited. */

import { beforePaint } from "../../components/shared/display_frame.js";
import { bindKeys } from "../../components/shared/keys.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { classes, FromTemplate } from "../../components/shared/template.js";
import { tokenText } from "../../components/shared/token_text.js";
import { byTouch } from "../../components/shared/touch.js";
import { dragToReorder } from "./drag_to_reorder.js";
import { slideWords } from "./slide_words.js";
import { STEP_KEYS, stepOf } from "./step_keys.js";
import {
  fits,
  isSpecial,
  markOf,
  moved,
  spliced,
  splitTyped,
  tokenName,
  typedTokens,
  unknownSentence,
} from "./token_text.js";

/**
 * @import {KeyBinding} from "../../components/shared/keys.js"
 * @import {Source} from "./types.js"
 * @import {Action, WordList} from "./word_list.js"
 *
 * @typedef {object} Edit
 * @property {number} at
 * @property {string} text the typed text, which sets the width of the input
 * @property {boolean} isRefused whether the text was rejected
 * @property {boolean} isResting whether the input loses the focus only briefly
 */

const CHIPS = ".chip:not(.sizer)"; // words, and the input of the edited one

export class TokenRow extends FromTemplate {
  /**
   * @param {Source} source provides and receives the list
   * @param {WordList} words the list below the word being edited
   */
  constructor(source, words) {
    super();
    this.source = source;
    this.words = words;
    /** The list as the user sees it; ahead of Python while messages are pending. */
    this.tokens = [...source.now.tokens];
    this.edit = /** @type {Edit | null} */ (null);
    this.active = 0;
    this.waiting = 0; // the number of lists sent but not yet answered
    /** Unlearned words that have been reported to the user. */
    this.known = new Set(source.now.unlearned);
    /** The words that the shown sentence names; removing one of these words hides the sentence. */
    this.told = /** @type {string[]} */ ([]);
    this.list = /** @type {HTMLElement} */ (this.node.querySelector("ul"));
    this.add = /** @type {HTMLElement} */ (this.node.querySelector(".add"));
    dragToReorder(this.list, (from, to) => this.move(from, to));
    bindKeys(this.node, `On the words of ${source.now.label}`, this.keys);
  }

  draw() {
    if (this.list) slideWords(this.list, () => super.draw());
    else super.draw();
  }

  template() {
    const { edit, tokens } = this;
    const { label, writes } = this.source.now;
    const items = edit?.at === tokens.length ? [...tokens, ""] : tokens;
    return html`<div class="chips" data-part="reads" ?hidden=${writes}
      @keydown=${(/** @type {KeyboardEvent} */ event) => this.typed(event)}
      ><ul role="list" aria-label=${label} aria-busy=${this.waiting ? "true" : nothing}
      >${items.map((token, at) => (edit?.at === at ? this.editor(edit) : this.chip(token, at)))}</ul
      ><button type="button" class="add" aria-label="add a token to ${label}" title="Add a token"
      tabindex=${items.length ? -1 : 0} data-unrecorded @click=${() => this.append()}>+</button
    ></div>`; // the arrow keys move to the + button
  }

  /** @param {string} token @param {number} at */
  chip(token, at) {
    const { locked, marks, now } = this.source;
    const isNew = now.unlearned.includes(token);
    const kinds = classes("chip", isSpecial(token) && "special", isNew && "unlearned");
    return html`<li class=${markOf(marks, at)}
      ><button type="button" class=${kinds} tabindex=${at === this.active ? 0 : -1}
      title=${isNew ? unknownSentence([token]) : nothing} aria-label=${this.nameOf(at, isNew)}
      aria-haspopup=${this.hasList && !locked ? "listbox" : nothing}
      aria-keyshortcuts="Delete Alt+ArrowLeft Alt+ArrowRight"
      @click=${() => (locked ? this.source.look(at) : this.start(at))}
      @focus=${() => this.activate(at)}>${tokenText(token)}</button
      >${this.removal(token, at)}<span class="unders"><span class="under"
      title="token id">${now.ids[now.tokens.indexOf(token)]}</span><span class="under never"
      >${isNew ? "never seen" : ""}</span></span></li>`;
  }

  /** @param {string} token @param {number} at */
  removal(token, at) {
    // The keyboard removes with Delete, so the button is not a Tab stop. The word list, if there is
    // one, also offers removal, for touch and for screen readers.
    return html`<button type="button" class=${classes("remove", this.hasList && "also-listed")}
      tabindex="-1" aria-hidden=${this.hasList ? "true" : nothing}
      aria-label="remove ${tokenName(token)}, position ${at}" title="Remove"
      @click=${() => this.remove(at, false)}>×</button>`;
  }

  /** @param {Edit} edit */
  editor(edit) {
    const { label, name } = this.source.now;
    const input = () => {
      edit.text = this.input.value;
      this.draw();
      this.words.filter();
    };
    // Removing a chip from the page also blurs it, so only the current edit may end here.
    const blur = () => {
      if (this.edit === edit && !edit.isResting) this.commit();
    };
    const { hasList } = this;
    // Prevent the on-screen keyboard, which would cover the list.
    return html`<li class="editing"><span class="chip sizer" aria-hidden="true">${edit.text}</span
      ><input type="text" class="chip" autocomplete="off" autocapitalize="off" spellcheck="false"
      enterkeyhint="done" aria-label="${label}, position ${edit.at}"
      aria-describedby="error-${name}" inputmode=${hasList && byTouch() ? "none" : nothing}
      role=${hasList ? "combobox" : nothing} aria-autocomplete=${hasList ? "list" : nothing}
      aria-haspopup=${hasList ? "listbox" : nothing} aria-expanded=${hasList ? "true" : nothing}
      aria-controls=${hasList ? "word-list" : nothing}
      @input=${input} @keydown=${(/** @type {KeyboardEvent} */ event) => this.editKey(edit, event)}
      @blur=${blur}></li>`;
  }

  /** The input of the word being edited. */
  get input() {
    return /** @type {HTMLInputElement} */ (this.list.querySelector("input"));
  }

  /** Changes the list here and in Python. @param {string[]} tokens */
  put(tokens) {
    if (this.source.locked) return;
    this.tokens = tokens;
    this.send(tokens);
  }

  /** @param {string[]} tokens */
  send(tokens) {
    this.wait(1);
    this.source.refuse("");
    /** @param {string} sentence the reason why the list was rejected; empty if accepted */
    const answered = (sentence) => {
      beforePaint("write", () => {
        this.wait(-1);
        this.source.refuse(sentence);
        this.refresh();
      });
    };
    this.source.send(tokens).then(
      () => answered(""),
      (error) => answered(error.message),
    );
  }

  /** Counts the unanswered lists. @param {number} more */
  wait(more) {
    this.waiting += more;
    this.draw();
  }

  /** Takes over Python's list, unless the user is editing. */
  refresh() {
    if (this.edit || this.waiting) {
      this.draw();
      return;
    }
    const { tokens } = this.source.now;
    const isSame = JSON.stringify(tokens) === JSON.stringify(this.tokens);
    this.tokens = [...tokens];
    this.show(!isSame && this.list.matches(":focus-within"));
  }

  // -- drawing ------------------------------------------------------------------------------------

  /** @param {boolean} [focus] whether to focus the active chip */
  show(focus = false) {
    this.active = Math.max(0, Math.min(this.active, this.tokens.length - 1));
    this.draw();
    this.tellNews();
    if (focus) (this.chips.at(this.active) ?? this.add).focus();
  }

  /** Reports each unlearned word once. */
  tellNews() {
    const { unlearned } = this.source.now;
    const news = unlearned.filter((word) => !this.known.has(word));
    this.known = new Set(unlearned);
    const chip = this.chips[this.tokens.indexOf(news[0])];
    if (chip) {
      this.told = news;
      this.source.tell(unknownSentence(news), chip);
    } else if (this.told.some((word) => !unlearned.includes(word))) {
      this.told = [];
      this.source.hush();
    }
  }

  /** Returns the accessible name of a word. @param {number} at @param {boolean} isNew */
  nameOf(at, isNew) {
    const place = `position ${at}${isNew ? ", never seen" : ""}`;
    const does = this.source.locked ? "follow" : "edit";
    return `${does} ${tokenName(this.tokens[at])}, ${place}`;
  }

  get chips() {
    return [.../** @type {NodeListOf<HTMLElement>} */ (this.list.querySelectorAll(CHIPS))];
  }

  /** Whether a word list opens below an edited word. */
  get hasList() {
    return this.source.now.can_follow || this.source.words.length > 0;
  }

  /** @param {number} at */
  activate(at) {
    this.active = at;
    this.draw();
  }

  // -- keyboard on a chip -------------------------------------------------------------------------

  /** The keys of a word. @returns {KeyBinding[]} */
  get keys() {
    /** @param {string[]} keys @param {string} does @param {(at: number) => void} act */
    const bound = (keys, does, act) => ({
      ...{ keys, does },
      run: (/** @type {Event} */ event) => {
        const at = this.chipAt(event);
        if (at >= 0) act(at);
        return at >= 0;
      },
    });
    return [
      {
        ...{ keys: STEP_KEYS, does: "from word to word, and to the + behind the last" },
        run: (event) => this.step(event),
      },
      bound(["Delete", "Backspace"], "removes the word", (at) => this.remove(at, true)),
      bound(["Alt+ArrowLeft"], "moves the word to the left", (at) => this.move(at, at - 1)),
      bound(["Alt+ArrowRight"], "moves the word to the right", (at) => this.move(at, at + 1)),
    ];
  }

  /** Returns the index of the word of a key press; −1: another element. @param {Event} event */
  chipAt({ target }) {
    return target instanceof HTMLButtonElement ? this.chips.indexOf(target) : -1;
  }

  /** @param {KeyboardEvent} event */
  step(event) {
    const last = this.tokens.length - 1;
    const isAdd = event.target === this.add;
    const at = isAdd ? last + 1 : this.chipAt(event);
    const goal = at < 0 ? undefined : stepOf(event, at, last);
    if (goal === undefined) return false;
    if (goal > last) this.add.focus();
    else this.chips[Math.max(0, goal)].focus();
    return true;
  }

  /** A typed letter replaces the focused word. @param {KeyboardEvent} event */
  typed(event) {
    const at = this.chipAt(event);
    if (at < 0 || this.source.locked || !isLetter(event)) return;
    event.stopPropagation(); // not a shortcut of the page
    this.start(at); // the word is selected, so the letter replaces it
  }

  /** @param {number} at @param {boolean} focus whether to focus the chip that takes its place */
  remove(at, focus) {
    this.put(spliced(this.tokens, at, []));
    this.active = Math.min(at, this.tokens.length - 1);
    this.show(focus);
  }

  /** Moves a token, with the focus on it. @param {number} from @param {number} to */
  move(from, to) {
    if (to < 0 || to >= this.tokens.length) return;
    this.put(moved(this.tokens, from, to));
    this.active = to;
    this.show(true);
  }

  // -- editing ------------------------------------------------------------------------------------

  /** Begins a new token after the last one. It is added to the list when it is finished. */
  append() {
    if (this.source.locked) return;
    this.commit();
    const { tokens, source } = this;
    // Send a list that is too long, to get the error sentence.
    if (tokens.length >= source.now.limit) this.send([...tokens, ""]);
    else this.start(tokens.length);
  }

  /** @param {number} at index of the chip to edit; the list's length for a new one */
  start(at) {
    if (this.source.locked) return;
    this.commit();
    /** @type {Edit} */
    const edit = { at, text: this.tokens[at] ?? "", isRefused: false, isResting: false };
    this.edit = edit;
    this.active = at;
    this.draw();
    const { input } = this;
    input.value = edit.text;
    input.focus();
    input.select();
    if (!this.hasList) return;
    this.words.open({
      input,
      groups: this.source.words,
      isLearned: this.source.now.is_learned,
      isClosed: this.source.now.is_closed,
      split: (text) => splitTyped(text, this.source.now),
      actions: this.actions(edit),
      choose: (word) => this.choose(edit, word),
    });
  }

  /** Returns the actions for the word being edited. @param {Edit} edit @returns {Action[]} */
  actions(edit) {
    const { at } = edit;
    const { name, unit, can_follow: canFollow } = this.source.now;
    const typing = { label: "Type another…", run: () => this.type(edit) };
    if (at >= this.tokens.length) return byTouch() ? [typing] : [];
    const { focus, followed } = this.source.marks;
    const isFollowed = followed && focus === at;
    /** @param {string} label @param {() => void} act */
    const instead = (label, act) => ({
      label,
      run: () => {
        this.cancel();
        act();
      },
    });
    const follow = instead(`${isFollowed ? "Stop following" : "Follow"} this ${unit}`, () => {
      this.show(true);
      this.source.look(at);
    });
    const remove = instead("Remove", () => this.remove(at, true));
    // The first word of the target is not written by any row.
    const isFollowable = canFollow && !(name === "target" && at === 0);
    return [...(isFollowable ? [follow] : []), typing, remove];
  }

  /** Lets the word be typed; by touch, with the on-screen keyboard. @param {Edit} edit */
  type(edit) {
    const { input } = this;
    edit.isResting = true;
    input.inputMode = "text";
    input.blur();
    input.focus();
    edit.isResting = false;
    input.select();
    this.words.point(-1);
  }

  /** Replaces the edited word. @param {Edit} edit @param {string} word */
  choose({ at, isRefused }, word) {
    this.end();
    if (word !== this.tokens[at] || isRefused) this.put(spliced(this.tokens, at, [word]));
    this.show(true);
  }

  /** Ends the edit, accepted or not. */
  end() {
    this.edit = null;
    this.words.close();
  }

  /** @param {Edit} edit @param {KeyboardEvent} event */
  editKey(edit, event) {
    if (this.words.key(event)) return;
    if (event.key === "Enter") {
      event.preventDefault();
      this.commit(true);
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.cancel();
      this.show(true);
    } else if (event.key === "Backspace" && edit.text === "") {
      event.preventDefault();
      this.end();
      if (edit.at < this.tokens.length) this.remove(edit.at, true);
      else this.show(true);
    }
  }

  /** Cancels the edit and clears its error. */
  cancel() {
    const { edit } = this;
    this.end();
    if (edit?.isRefused) this.put(this.tokens);
  }

  /** Finishes the current edit. @param {boolean} [focus] whether to focus the chip */
  commit(focus = false) {
    const { edit } = this;
    if (!edit) return;
    const isNew = edit.at >= this.tokens.length;
    // Enter may add an empty token.
    const isEmpty = focus && isNew && edit.text === "";
    const { now } = this.source;
    const tokens = isEmpty ? [...this.tokens, ""] : typedTokens(this.tokens, edit, now);
    if (!fits(tokens, now)) {
      if (focus) {
        // Enter keeps the edit open for correction, with an error sentence.
        edit.isRefused = true;
        this.send(tokens);
        return;
      }
      this.cancel();
      this.show();
      return;
    }
    this.end();
    if (tokens !== this.tokens || edit.isRefused) this.put(tokens);
    this.show(focus);
    this.refresh();
  }
}

/** Returns whether a key types a letter. @param {KeyboardEvent} event */
const isLetter = ({ key, ctrlKey, altKey, metaKey }) =>
  [...key].length === 1 && key !== " " && key !== "?" && !ctrlKey && !altKey && !metaKey;
