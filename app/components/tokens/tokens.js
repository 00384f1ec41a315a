import { asControl } from "../shared/control.js";
import { make, setText } from "../shared/dom.js";
import { TokenChoice } from "./token_choice.js";
import {
  isSpecial,
  LatestSender,
  spliced,
  splitCharacters,
  splitWords,
  tokenName,
  tokenText,
} from "./token_text.js";

/** The chips and the one edit that may be under way. */
class TokenRow {
  /**
   * @param {Source} source where the list comes from and goes to
   * @param {HTMLElement} list @param {HTMLElement} add
   */
  constructor(source, list, add) {
    this.source = source;
    this.list = list;
    this.add = add;
    /** What the reader made of the list so far; ahead of the server while messages are under way. */
    this.tokens = [...source.now.tokens];
    /** @type {null | {at: number, before: string[], fresh: boolean, input: HTMLInputElement}} */
    this.edit = null;
    this.active = 0;
    this.sender = new LatestSender((tokens) => source.send(tokens));
    this.draw();
  }

  /** Change the list here and on the server. */
  put(tokens) {
    this.tokens = tokens;
    this.sender.send(tokens);
  }

  /** The server's list is the true one, except under the reader's fingers. */
  refresh() {
    if (this.edit || !this.sender.idle) return;
    const { tokens } = this.source.now;
    if (
      this.tokens.length === tokens.length &&
      this.tokens.every((token, at) => token === tokens[at])
    )
      return;
    this.tokens = [...tokens];
    this.draw(this.list.contains(this.list.getRootNode().activeElement));
  }

  answered() {
    this.sender.answered();
    this.refresh();
  }

  // -- drawing ---------------------------------------------------------------------------------

  draw(focus = false) {
    this.active = Math.max(0, Math.min(this.active, this.tokens.length - 1));
    this.list.replaceChildren(
      ...this.tokens.map((token, at) =>
        this.edit?.at === at
          ? make("li", { class: "editing" }, this.edit.input)
          : this.chip(token, at),
      ),
    );
    if (this.edit) this.edit.input.focus();
    else if (focus) (this.list.children[this.active]?.querySelector(".chip") ?? this.add).focus();
  }

  chip(token, at) {
    const place = `token ${at + 1} of ${this.tokens.length}`;
    const chip = make(
      "button",
      {
        type: "button",
        class: `chip${isSpecial(token) ? " special" : ""}`,
        tabindex: at === this.active ? "0" : "-1",
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
        tabindex: "-1",
        "aria-label": `remove ${tokenName(token)}, ${place}`,
        onclick: () => this.remove(at, false),
      },
      "×",
    );
    return make("li", {}, chip, remove);
  }

  activate(at) {
    this.active = at;
    for (const [place, chip] of [...this.list.querySelectorAll(".chip")].entries())
      chip.tabIndex = place === at ? 0 : -1;
  }

  // -- keyboard on a chip ----------------------------------------------------------------------

  key(event, at) {
    const last = this.tokens.length - 1;
    const goals = {
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      Home: 0,
      End: last,
    };
    if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      this.remove(at, true);
    } else if (event.key in goals && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      if (goals[event.key] > last) this.add.focus();
      else this.list.children[Math.max(0, goals[event.key])].querySelector(".chip").focus();
    }
  }

  remove(at, focus) {
    this.put(spliced(this.tokens, at, []));
    this.active = Math.min(at, this.tokens.length - 1);
    this.draw(focus);
  }

  // -- editing ---------------------------------------------------------------------------------

  /** Add an empty token at the end and edit it. */
  append() {
    if (this.edit) this.commit();
    const before = this.tokens;
    const after = [...before, ""];
    if (this.isClosed && after.length <= this.source.now.limit) {
      // Nothing is no token here: the list waits for what is typed.
      this.tokens = after;
      return this.start(before.length, before, "", true);
    }
    // Over the limit it is only sent, for the sentence that comes back.
    if (after.length > this.source.now.limit) return this.sender.send(after);
    this.put(after);
    this.start(before.length, before);
  }

  /** @param {string[]} [before] the list to go back to on Escape */
  start(at, before = this.tokens, text = this.tokens[at], fresh = false) {
    if (this.edit) this.commit();
    const input = make("input", {
      type: "text",
      class: "chip",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      enterkeyhint: "done",
      "aria-label": `${this.source.now.label}, token ${at + 1}`,
      "aria-describedby": `error-${this.source.now.name}`,
      oninput: () => this.typed(),
      onkeydown: (event) => this.editKey(event),
      // A chip taken out of the page loses the focus too: only the edit that is under way may end by that.
      onblur: () => {
        if (this.edit?.input === input) this.commit();
      },
    });
    input.value = text;
    this.edit = { at, before, fresh, input };
    this.active = at;
    this.fit();
    this.draw();
    input.select();
  }

  fit() {
    const { input } = this.edit;
    input.style.width = `${Math.min(26, Math.max(3, input.value.length + 1)) + 1}ch`;
  }

  /** The tokens as typed so far. A chip that a blank opened and nothing was typed into does not count yet. */
  typedTokens() {
    const { at, input, fresh } = this.edit;
    return spliced(
      this.tokens,
      at,
      (fresh || this.isClosed) && input.value === "" ? [] : [input.value],
    );
  }

  /** Whether the model has a vocabulary of its own that tokens must be of. */
  get isClosed() {
    return this.source.now.known.length > 0;
  }

  /** Whether the list keeps to the limits; the server has the last word and the sentence. */
  fits(tokens) {
    const { limit, longest, known } = this.source.now;
    return (
      tokens.length <= limit &&
      tokens.every((token) => token.length <= longest) &&
      (!this.isClosed || tokens.every((token) => known.includes(token)))
    );
  }

  typed() {
    const { at, before, input } = this.edit;
    const { unit, known } = this.source.now;
    const { done, open } =
      unit === "character" ? splitCharacters(input.value, known) : splitWords(input.value);
    const typed = open === "" && this.isClosed ? done : [...done, open];
    const all = spliced(this.tokens, at, typed);
    // `<so` may yet become `<sos>`.
    if (
      unit === "character" &&
      open.length > 0 &&
      !known.includes(open) &&
      known.some((token) => token.startsWith(open))
    )
      return this.fit();
    if (!this.fits(all)) {
      // Nothing is cut off: it stays in the editor, and the sentence says why.
      this.fit();
      this.sender.send(all);
    } else if (done.length > 0) {
      // Blanks divide: the finished words become chips, the edit goes on in a new one after them.
      this.tokens = spliced(this.tokens, at, [...done, open]);
      this.edit = null;
      this.start(at + done.length, before, open, true);
      this.edit.input.setSelectionRange(open.length, open.length);
    } else if (open !== input.value) {
      input.value = open;
    }
    if (!this.fits(all)) return;
    this.fit();
    this.sender.send(this.typedTokens());
  }

  editKey(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      this.commit(true);
    } else if (event.key === "Escape") {
      event.preventDefault();
      const { before } = this.edit;
      this.edit = null;
      this.put(before);
      this.draw(true);
    } else if (event.key === "Backspace" && this.edit.input.value === "") {
      event.preventDefault();
      const { at } = this.edit;
      this.edit = null;
      this.remove(at, true);
    }
  }

  commit(focus = false) {
    if (!this.edit) return;
    const { at, before } = this.edit;
    const tokens = this.typedTokens();
    if (!this.fits(tokens)) {
      // Enter: it stays open, to be mended, and the sentence says how.
      if (focus) return this.sender.send(tokens);
      this.edit = null;
      this.put(before);
      this.draw();
      return;
    }
    const unchanged = tokens.length === this.tokens.length && tokens[at] === this.tokens[at];
    this.edit = null;
    if (unchanged && this.sender.idle) this.tokens = tokens;
    else this.put(tokens);
    // Only its own chip is drawn again: what the reader is pressing now, ending the edit, must stay under the pointer.
    if (this.tokens.length === this.list.children.length && !focus) {
      this.list.children[at].replaceWith(this.chip(this.tokens[at], at));
    } else {
      this.draw(focus);
    }
    this.refresh();
  }
}

/**
 * One list with its heading, its + and the sentence under it.
 * @param {Source} source
 */
function tokenSection(source) {
  const { name, label } = source.now;
  const heading = make("h2", { id: `heading-${name}` }, label);
  const list = make("ul", { role: "list", "aria-labelledby": `heading-${name}` });
  const add = make(
    "button",
    { type: "button", class: "add", "aria-label": `add a token to ${label}`, title: "Add a token" },
    "+",
  );
  const error = make("p", { class: "problem", id: `error-${name}`, role: "status" });
  const row = new TokenRow(source, list, add);
  add.addEventListener("click", () => row.append());
  add.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" || row.tokens.length === 0) return;
    event.preventDefault();
    list.lastElementChild.querySelector(".chip")?.focus();
  });
  const note = make("p", { class: "list-note" });
  const choice = new TokenChoice(name, source.choose);
  const node = make(
    "section",
    {},
    heading,
    make("div", { class: "chips" }, list, add),
    note,
    choice.node,
    error,
  );
  const refresh = () => {
    setText(note, source.now.note);
    node.classList.toggle("characters", source.now.unit === "character");
    node.hidden = source.now.hidden;
    setText(error, source.now.error);
    choice.show(source.now.choice);
    row.refresh();
  };
  refresh();
  return { node, row, refresh };
}

/**
 * @typedef {{name: string, label: string, tokens: string[], limit: number, longest: number, unit: 'word'|'character',
 *   known: string[], error: string, note: string, hidden: boolean,
 *   choice: null | {label: string, value: string, options: string[], note: string}}} List
 * @typedef {{now: List, send: (tokens: string[]) => void, choose: (word: string) => void}} Source `now` is always the
 *   server's latest
 */
export function render({ model }) {
  const sections = new Map(
    model.lists.map(({ name }) => [
      name,
      tokenSection({
        get now() {
          return model.lists.find((list) => list.name === name);
        },
        send: (tokens) => model.send_msg({ type: "tokens", name, tokens }),
        choose: (word) => model.send_msg({ type: "choice", name, word }),
      }),
    ]),
  );
  model.on("lists", () =>
    requestAnimationFrame(() => sections.forEach(({ refresh }) => refresh())),
  );
  model.on("msg:custom", (message) => {
    const { type, name } = message.data ?? message;
    if (type === "answer") requestAnimationFrame(() => sections.get(name)?.row.answered());
  });
  return asControl(
    model,
    make("div", { class: "control lists" }, ...[...sections.values()].map(({ node }) => node)),
  );
}
