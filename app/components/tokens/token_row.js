/** The words of a token list, and the word being edited. */

import { beforePaint } from "../shared/display_frame.js";
import { make, setAttribute, setText } from "../shared/dom.js";
import { byTouch } from "../shared/touch.js";
import { dragToReorder } from "./drag_to_reorder.js";
import { STEP_KEYS, stepOf } from "./step_keys.js";
import {
  isSpecial,
  moved,
  spliced,
  splitCharacters,
  splitWords,
  tokenName,
  tokenText,
  unknownSentence,
} from "./token_text.js";

/**
 * @import {KeyBinding} from "../shared/keys.js"
 * @import {Source} from "./types.js"
 * @import {Action, WordList} from "./word_list.js"
 *
 * @typedef {object} Edit
 * @property {number} at
 * @property {HTMLInputElement} input
 * @property {HTMLElement} sizer a copy of the text that measures its width
 * @property {boolean} isRefused whether the text was rejected
 * @property {boolean} isResting whether the input loses the focus only for a moment
 */

export class TokenRow {
  /**
   * @param {Source} source provides and receives the list
   * @param {HTMLElement} list @param {HTMLElement} add
   * @param {WordList} words the list under the word being edited
   */
  constructor(source, list, add, words) {
    this.source = source;
    this.words = words;
    this.list = list;
    this.add = add;
    /** The list as the reader sees it; ahead of Python while messages are pending. */
    this.tokens = [...source.now.tokens];
    this.edit = /** @type {Edit | null} */ (null);
    this.active = 0;
    this.waiting = 0; // lists that were sent and are not yet answered
    /** Unlearned words that the reader was told about. */
    this.known = new Set(source.now.unlearned);
    /** Those of the sentence that is shown, which goes when one of them goes. */
    this.told = /** @type {string[]} */ ([]);
    dragToReorder(list, (from, to) => this.move(from, to));
    this.draw();
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
    /** @param {string} sentence why it was rejected; empty if it was not */
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

  /** Counts the lists that are not answered. @param {number} more */
  wait(more) {
    this.waiting += more;
    setAttribute(this.list, "aria-busy", this.waiting ? "true" : null);
  }

  /** Takes over Python's list, unless the reader is editing. */
  refresh() {
    if (this.edit || this.waiting) return;
    const { tokens } = this.source.now;
    const isSame =
      this.tokens.length === tokens.length &&
      this.tokens.every((token, at) => token === tokens[at]);
    if (isSame) {
      this.annotate();
      return;
    }
    this.tokens = [...tokens];
    this.draw(this.list.matches(":focus-within"));
  }

  // -- drawing ------------------------------------------------------------------------------------

  /** @param {boolean} [focus] whether to focus the active chip */
  draw(focus = false) {
    const { edit } = this;
    this.active = Math.max(0, Math.min(this.active, this.tokens.length - 1));
    const items = this.tokens.map((token, at) => this.chip(token, at));
    if (edit) items[edit.at] = make("li", { class: "editing" }, edit.sizer, edit.input);
    this.list.replaceChildren(...items);
    this.add.tabIndex = items.length ? -1 : 0; // the arrow keys lead there
    this.annotate();
    if (edit) edit.input.focus();
    else if (focus) (this.chips.at(this.active) ?? this.add).focus();
  }

  /** Shows the ids under the words, and which of them were not learned or stand out. */
  annotate() {
    const { marks } = this.source;
    const { tokens, ids, unlearned } = this.source.now;
    [...this.list.children].forEach((item, at) => {
      const token = this.tokens[at];
      const chip = item.querySelector(".chip");
      const isNew = unlearned.includes(token);
      item.classList.toggle("focus", at === marks.focus);
      item.classList.toggle("asked", at === marks.asked);
      chip?.classList.toggle("unlearned", isNew);
      if (chip?.matches("button")) {
        setAttribute(chip, "title", isNew ? unknownSentence([token]) : null);
        setAttribute(chip, "aria-label", this.nameOf(at, isNew));
      }
      const [under, never] = item.querySelectorAll(".under");
      if (!under) return;
      const id = tokens.indexOf(token);
      setText(under, String(ids[id] ?? ""));
      setText(never, isNew ? "never seen" : "");
    });
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

  /** The accessible name of a word. @param {number} at @param {boolean} isNew */
  nameOf(at, isNew) {
    const place = `position ${at}${isNew ? ", never seen" : ""}`;
    const does = this.source.locked ? "follow" : "edit";
    return `${does} ${tokenName(this.tokens[at])}, ${place}`;
  }

  /** @returns {HTMLElement[]} */
  get chips() {
    return [...this.list.querySelectorAll(".chip")].filter((chip) => chip instanceof HTMLElement);
  }

  /** @param {string} token @param {number} at */
  chip(token, at) {
    const chip = make(
      "button",
      {
        type: "button",
        class: `chip${isSpecial(token) ? " special" : ""}`,
        tabindex: at === this.active ? 0 : -1,
        "aria-haspopup": this.hasList && !this.source.locked ? "listbox" : null,
        onclick: () => (this.source.locked ? this.source.look(at) : this.start(at)),
        onfocus: () => this.activate(at),
        "aria-keyshortcuts": "Delete Alt+ArrowLeft Alt+ArrowRight",
      },
      tokenText(token),
    );
    const under = make("span", { class: "under", title: "token id" });
    const unders = make("span", { class: "unders" }, under, make("span", { class: "under never" }));
    return make("li", {}, chip, this.hasList ? null : this.removal(token, at), unders);
  }

  /** Whether a list with words opens under a word that is edited. */
  get hasList() {
    return this.source.now.can_follow || this.source.words.length > 0;
  }

  /** @param {string} token @param {number} at */
  removal(token, at) {
    // The keyboard removes with Delete, so the button is not a Tab stop.
    return make(
      "button",
      {
        type: "button",
        class: "remove",
        tabindex: -1,
        "aria-label": `remove ${tokenName(token)}, position ${at}`,
        onclick: () => this.remove(at, false),
      },
      "×",
    );
  }

  /** @param {number} at */
  activate(at) {
    this.active = at;
    this.chips.forEach((chip, place) => {
      chip.tabIndex = place === at ? 0 : -1;
    });
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

  /** Which word a key was pressed on; −1: another element, as the input. @param {Event} event */
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

  /** A letter begins another word in place of this one. @param {KeyboardEvent} event */
  typed(event) {
    const at = this.chipAt(event);
    if (at < 0 || !this.isTyped(event)) return;
    event.stopPropagation(); // it is no shortcut of the page
    this.start(at); // the letter replaces the word, which is selected
  }

  /** Whether a key writes a letter. @param {KeyboardEvent} event */
  isTyped({ key, ctrlKey, altKey, metaKey }) {
    const isShortcut = ctrlKey || altKey || metaKey;
    return (
      [...key].length === 1 && key !== " " && key !== "?" && !isShortcut && !this.source.locked
    );
  }

  /** @param {number} at @param {boolean} focus whether to focus the chip that takes its place */
  remove(at, focus) {
    this.put(spliced(this.tokens, at, []));
    this.active = Math.min(at, this.tokens.length - 1);
    this.draw(focus);
  }

  /**
   * Moves a token to another place and keeps the focus on it.
   * @param {number} from @param {number} to
   */
  move(from, to) {
    if (to < 0 || to >= this.tokens.length) return;
    this.put(moved(this.tokens, from, to));
    this.active = to;
    this.draw(true);
  }

  // -- editing ------------------------------------------------------------------------------------

  /** Begins a new token after the last one. It joins the list when it is finished. */
  append() {
    if (this.source.locked) return;
    this.commit();
    const { tokens, source } = this;
    // Send a list that is too long, to get the sentence that says so.
    if (tokens.length >= source.now.limit) this.send([...tokens, ""]);
    else this.start(tokens.length);
  }

  /** @param {number} at index of the chip to edit; the list's length for a new one */
  start(at) {
    if (this.source.locked) return;
    this.commit();
    const { label, name } = this.source.now;
    const input = make("input", {
      type: "text",
      class: "chip",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      enterkeyhint: "done",
      "aria-label": `${label}, position ${at}`,
      "aria-describedby": `error-${name}`,
      // The keyboard on the screen would cover the words.
      inputmode: this.hasList && byTouch() ? "none" : null,
      oninput: () => {
        fit(edit);
        this.words.filter();
      },
      onkeydown: (event) => this.editKey(edit, event),
      // Removing a chip from the page also blurs it, so only the current edit may end here.
      onblur: () => {
        if (this.edit === edit && !edit.isResting) this.commit();
      },
    });
    input.value = this.tokens[at] ?? "";
    const sizer = make("span", { class: "chip sizer", "aria-hidden": "true" });
    /** @type {Edit} */
    const edit = { at, input, sizer, isRefused: false, isResting: false };
    this.edit = edit;
    this.active = at;
    fit(edit);
    this.draw();
    input.select();
    if (!this.hasList) return;
    this.words.open({
      input,
      groups: this.source.words,
      isLearned: this.source.now.is_learned,
      isClosed: this.source.now.is_closed,
      split: (text) => this.split(text),
      actions: this.actions(edit),
      choose: (word) => this.choose(edit, word),
    });
  }

  /** What can be done with the word that is edited. @param {Edit} edit @returns {Action[]} */
  actions(edit) {
    const { at } = edit;
    const { name, unit, can_follow: canFollow } = this.source.now;
    const typing = { label: "Type another…", run: () => this.type(edit) };
    if (at >= this.tokens.length) return byTouch() ? [typing] : [];
    const { focus, followed } = this.source.marks;
    const isFollowed = followed && focus === at;
    const follow = {
      label: isFollowed ? `Stop following this ${unit}` : `Follow this ${unit}`,
      run: () => {
        this.cancel();
        this.draw(true);
        this.source.look(at);
      },
    };
    const remove = {
      label: "Remove",
      run: () => {
        this.cancel();
        this.remove(at, true);
      },
    };
    // Nothing writes the first word of the target.
    const isFollowable = canFollow && !(name === "target" && at === 0);
    return [...(isFollowable ? [follow] : []), typing, remove];
  }

  /** Lets the word be typed: by touch, with the keyboard on the screen. @param {Edit} edit */
  type(edit) {
    edit.isResting = true;
    edit.input.inputMode = "text";
    edit.input.blur();
    edit.input.focus();
    edit.isResting = false;
    edit.input.select();
    this.words.point(-1);
  }

  /** Puts a word in place of the one that is edited. @param {Edit} edit @param {string} word */
  choose({ at, isRefused }, word) {
    this.end();
    if (word !== this.tokens[at] || isRefused) this.put(spliced(this.tokens, at, [word]));
    this.draw(true);
  }

  /** Ends the edit, whatever becomes of it. */
  end() {
    this.edit = null;
    this.words.close();
  }

  /** Splits what is typed into words or characters. @param {string} text */
  split(text) {
    const { unit, known } = this.source.now;
    return unit === "character" ? splitCharacters(text, known) : splitWords(text);
  }

  /** Returns the list with the typed text in place. @param {Edit} edit */
  typedTokens({ at, input }) {
    // A token that was not changed stays, whatever it is.
    if (input.value === this.tokens[at]) return this.tokens;
    const { done, open } = this.split(input.value);
    return spliced(this.tokens, at, open === "" ? done : [...done, open]);
  }

  /**
   * Whether the list is within the limits. Python checks again and writes the error sentence.
   * @param {string[]} tokens
   */
  fits(tokens) {
    const { limit, longest, known } = this.source.now;
    return (
      tokens.length <= limit &&
      tokens.every((token) => token.length <= longest) &&
      (known.length === 0 || tokens.every((token) => known.includes(token)))
    );
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
      this.draw(true);
    } else if (event.key === "Backspace" && edit.input.value === "") {
      event.preventDefault();
      this.end();
      if (edit.at < this.tokens.length) this.remove(edit.at, true);
      else this.draw(true);
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
    // A new token may be empty, if Enter says so.
    const isEmpty = focus && isNew && edit.input.value === "";
    const tokens = isEmpty ? [...this.tokens, ""] : this.typedTokens(edit);
    if (!this.fits(tokens)) {
      if (focus) {
        // Enter keeps the edit open to be corrected, with a sentence that says how.
        edit.isRefused = true;
        this.send(tokens);
        return;
      }
      this.cancel();
      this.draw();
      return;
    }
    this.end();
    if (tokens !== this.tokens || edit.isRefused) this.put(tokens);
    // Redraw only this chip: the element being pressed, which ended the edit, must stay under the
    // pointer.
    if (this.tokens.length === this.list.children.length && !focus) {
      this.list.children[edit.at].replaceWith(this.chip(this.tokens[edit.at], edit.at));
      this.annotate();
    } else this.draw(focus);
    this.refresh();
  }
}

/** Makes the input as wide as its text. @param {Edit} edit */
function fit({ input, sizer }) {
  setText(sizer, input.value);
}
