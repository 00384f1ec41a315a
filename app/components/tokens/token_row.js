/** The chips of a list and the one edit that may be under way. */

import { make, setAttribute, setText } from "../shared/dom.js";
import { LatestSender } from "./latest_sender.js";
import {
  isSpecial,
  spliced,
  splitCharacters,
  splitWords,
  tokenName,
  tokenText,
} from "./token_text.js";

/**
 * @import {Source} from "./types.js"
 *
 * @typedef {object} Edit
 * @property {number} at
 * @property {string[]} before the list to go back to on Escape
 * @property {boolean} fresh whether a blank opened it
 * @property {HTMLInputElement} input
 */

/** The widest and the narrowest an edited chip gets, in characters. */
const WIDTH = { least: 3, most: 26 };

export class TokenRow {
  /**
   * @param {Source} source where the list comes from and goes to
   * @param {HTMLElement} list @param {HTMLElement} add
   */
  constructor(source, list, add) {
    this.source = source;
    this.list = list;
    this.add = add;
    /**
     * What the reader made of the list so far; ahead of the server while messages are under way.
     */
    this.tokens = [...source.now.tokens];
    this.edit = /** @type {Edit | null} */ (null);
    this.active = 0;
    this.sender = new LatestSender((tokens) => source.send(tokens));
    this.draw();
  }

  /** Change the list here and on the server. @param {string[]} tokens */
  put(tokens) {
    this.tokens = tokens;
    this.sender.send(tokens);
  }

  /** The server's list is the true one, except while it is edited here. */
  refresh() {
    if (this.edit || !this.sender.idle) return;
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

  answered() {
    this.sender.answered();
    this.refresh();
  }

  // -- drawing ------------------------------------------------------------------------------------

  /** @param {boolean} [focus] the active chip */
  draw(focus = false) {
    const { edit } = this;
    this.active = Math.max(0, Math.min(this.active, this.tokens.length - 1));
    this.list.replaceChildren(
      ...this.tokens.map((token, at) =>
        edit?.at === at ? make("li", { class: "editing" }, edit.input) : this.chip(token, at),
      ),
    );
    this.annotate();
    if (edit) edit.input.focus();
    else if (focus) (this.chips.at(this.active) ?? this.add).focus();
  }

  /** The ids under the chips, and which of them were not learned. */
  annotate() {
    const { tokens, ids, unlearned } = this.source.now;
    [...this.list.children].forEach((item, at) => {
      const token = this.tokens[at];
      const chip = item.querySelector(".chip");
      const isNew = unlearned.includes(token);
      chip?.classList.toggle("unlearned", isNew);
      if (chip) setAttribute(chip, "title", isNew ? "not learned: the seed drew its row" : null);
      const under = item.querySelector(".under");
      const id = tokens.indexOf(token);
      if (under) setText(under, String(ids[id] ?? ""));
    });
  }

  /** @returns {HTMLElement[]} */
  get chips() {
    return [...this.list.querySelectorAll(".chip")].filter((chip) => chip instanceof HTMLElement);
  }

  /** @param {string} token @param {number} at */
  chip(token, at) {
    const place = `position ${at} of ${this.tokens.length}`;
    const chip = make(
      "button",
      {
        type: "button",
        class: `chip${isSpecial(token) ? " special" : ""}`,
        tabindex: at === this.active ? 0 : -1,
        "aria-label": `edit ${tokenName(token)}, ${place}`,
        onclick: () => this.start(at),
        onfocus: () => this.activate(at),
        onkeydown: (event) => this.key(event, at),
      },
      tokenText(token),
    );
    // Reached with Delete from the keyboard, so not one more stop for the Tab key.
    const remove = make(
      "button",
      {
        type: "button",
        class: "remove",
        tabindex: -1,
        "aria-label": `remove ${tokenName(token)}, ${place}`,
        onclick: () => this.remove(at, false),
      },
      "×",
    );
    return make("li", {}, chip, remove, make("span", { class: "under", title: "token id" }));
  }

  /** @param {number} at */
  activate(at) {
    this.active = at;
    this.chips.forEach((chip, place) => {
      chip.tabIndex = place === at ? 0 : -1;
    });
  }

  // -- keyboard on a chip -------------------------------------------------------------------------

  /** @param {KeyboardEvent} event @param {number} at */
  key(event, at) {
    const last = this.tokens.length - 1;
    /** @type {Record<string, number | undefined>} */
    const goals = {
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      Home: 0,
      End: last,
    };
    const goal = goals[event.key];
    if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      this.remove(at, true);
    } else if (goal !== undefined && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      if (goal > last) this.add.focus();
      else this.chips[Math.max(0, goal)].focus();
    }
  }

  /** @param {number} at @param {boolean} focus the one that then is there */
  remove(at, focus) {
    this.put(spliced(this.tokens, at, []));
    this.active = Math.min(at, this.tokens.length - 1);
    this.draw(focus);
  }

  // -- editing ------------------------------------------------------------------------------------

  /** Add an empty token at the end and edit it. */
  append() {
    this.commit();
    const before = this.tokens;
    const after = [...before, ""];
    if (after.length > this.source.now.limit) {
      // It is only sent, for the sentence that comes back.
      this.sender.send(after);
    } else if (this.isClosed) {
      // Nothing is no token here: the list waits for what is typed.
      this.tokens = after;
      this.start(before.length, before, "", true);
    } else {
      this.put(after);
      this.start(before.length, before);
    }
  }

  /**
   * @param {number} at @param {string[]} [before] the list to go back to on Escape
   * @param {string} [text] @param {boolean} [fresh]
   * @returns {Edit}
   */
  start(at, before = this.tokens, text = this.tokens[at], fresh = false) {
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
    });
    input.value = text;
    const edit = { at, before, fresh, input };
    input.addEventListener("input", () => this.typed(edit));
    input.addEventListener("keydown", (event) => this.editKey(edit, event));
    // A chip taken out of the page loses the focus too: only the edit that is under way may end by
    // that.
    input.addEventListener("blur", () => {
      if (this.edit === edit) this.commit();
    });
    this.edit = edit;
    this.active = at;
    fit(input);
    this.draw();
    input.select();
    return edit;
  }

  /**
   * The tokens as typed so far. A chip that a blank opened and nothing was typed into does not
   * count yet.
   * @param {Edit} edit
   */
  typedTokens({ at, input, fresh }) {
    const isNothing = (fresh || this.isClosed) && input.value === "";
    return spliced(this.tokens, at, isNothing ? [] : [input.value]);
  }

  /** Whether the model has a vocabulary of its own that tokens must be of. */
  get isClosed() {
    return this.source.now.known.length > 0;
  }

  /**
   * Whether the list keeps to the limits; the server has the last word and the sentence.
   * @param {string[]} tokens
   */
  fits(tokens) {
    const { limit, longest, known } = this.source.now;
    return (
      tokens.length <= limit &&
      tokens.every((token) => token.length <= longest) &&
      (!this.isClosed || tokens.every((token) => known.includes(token)))
    );
  }

  /** @param {Edit} edit */
  typed(edit) {
    const { at, before, input } = edit;
    const { unit, known } = this.source.now;
    const isCharacters = unit === "character";
    const { done, open } = isCharacters
      ? splitCharacters(input.value, known)
      : splitWords(input.value);
    fit(input);
    // `<so` may yet become `<sos>`.
    const mayGrow = known.some((token) => token.startsWith(open));
    if (isCharacters && open !== "" && !known.includes(open) && mayGrow) return;
    const all = spliced(this.tokens, at, open === "" && this.isClosed ? done : [...done, open]);
    if (!this.fits(all)) {
      // Nothing is cut off: it stays in the editor, and the sentence says why.
      this.sender.send(all);
      return;
    }
    let now = edit;
    if (done.length > 0) {
      // Blanks divide: the finished words become chips, the edit goes on in a new one after them.
      this.tokens = spliced(this.tokens, at, [...done, open]);
      this.edit = null;
      now = this.start(at + done.length, before, open, true);
      now.input.setSelectionRange(open.length, open.length);
    } else if (open !== input.value) {
      input.value = open;
      fit(input);
    }
    this.sender.send(this.typedTokens(now));
  }

  /** @param {Edit} edit @param {KeyboardEvent} event */
  editKey(edit, event) {
    if (event.key === "Enter") {
      event.preventDefault();
      this.commit(true);
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.edit = null;
      this.put(edit.before);
      this.draw(true);
    } else if (event.key === "Backspace" && edit.input.value === "") {
      event.preventDefault();
      this.edit = null;
      this.remove(edit.at, true);
    }
  }

  /** End the edit that is under way. @param {boolean} [focus] the chip */
  commit(focus = false) {
    if (!this.edit) return;
    const { at, before } = this.edit;
    const tokens = this.typedTokens(this.edit);
    if (!this.fits(tokens)) {
      if (focus) {
        // Enter: it stays open, to be mended, and the sentence says how.
        this.sender.send(tokens);
        return;
      }
      this.edit = null;
      this.put(before);
      this.draw();
      return;
    }
    const isUnchanged = tokens.length === this.tokens.length && tokens[at] === this.tokens[at];
    this.edit = null;
    if (isUnchanged && this.sender.idle) this.tokens = tokens;
    else this.put(tokens);
    // Only its own chip is drawn again: what the reader is pressing now, ending the edit, must stay
    // under the pointer.
    if (this.tokens.length === this.list.children.length && !focus) {
      this.list.children[at].replaceWith(this.chip(this.tokens[at], at));
      this.annotate();
    } else this.draw(focus);
    this.refresh();
  }
}

/** As wide as what is typed. @param {HTMLInputElement} input */
function fit(input) {
  const width = Math.min(WIDTH.most, Math.max(WIDTH.least, input.value.length + 1));
  input.style.width = `${width + 1}ch`;
}
