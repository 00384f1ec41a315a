/** Shows token lists: each is a line of words with a heading, a + button, and a sentence below. */

import { asControl } from "../../components/shared/control.js";
import { oncePerFrame } from "../../components/shared/dom.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { ask, onChange, untilRemoved } from "../../components/shared/model.js";
import { classes, drawn } from "../../components/shared/template.js";
import { lettersOf } from "./line_letters.js";
import { TokenSection } from "./token_section.js";
import { WordList } from "./word_list.js";
import { WordSize } from "./word_size.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 * @import {Model} from "../../components/shared/model.js"
 * @import {Marks, TokenListAccess, Sureness, TokenList, Words} from "./types.js"
 *
 * @typedef {{lists: TokenList[], written: Record<string, Partial<Sureness>>,
 *   words: Record<string, Words>, marks: Record<string, Marks>, numbers: boolean,
 *   layout: "line" | "column", locked: boolean}}
 *   Properties
 */

/** @type {Sureness} */
const NOTHING_WRITTEN = { probabilities: [], changed: [], end: null, would: "" };
/** @type {Marks} */
const NO_MARKS = { focus: null, followed: false, asked: null };

/** @param {Component<Properties>} component */
export function render({ model }) {
  const words = new WordList();
  const isLine = model.layout === "line";
  const all = model.lists.map((list) => new TokenSection(accessTo(model, list), words, isLine));
  const size = new WordSize();
  const refresh = () => {
    for (const section of all) section.refresh();
    const text = JSON.stringify(model.lists.map((list) => !list.writes && list.tokens));
    // In Train, a run or its timeline changes the written words all the time.
    const isMoving =
      document.documentElement.dataset.room === "train" || model.lists.some(({ moves }) => moves);
    const letters = size.take(text, lettersOf(model.lists), isMoving);
    lists.style.setProperty("--letters", String(letters));
  };
  onChange(model, ["lists", "words", "marks", "numbers"], refresh);
  onChange(model, ["written"], () => {
    for (const { written } of all) written.refresh();
  });
  const signal = untilRemoved(model);
  document.addEventListener(
    "tinkerformer:film-words",
    ({ detail }) => {
      for (const { written } of all) written.film(detail.count);
    },
    { signal },
  );
  document.addEventListener(
    "tinkerformer:frame",
    oncePerFrame(() => {
      for (const { written } of all) written.follow();
    }),
    { signal },
  );
  const { node } = drawn(
    () => html`<div class="control"><div data-recorded=${isLine ? "above" : nothing}
      class=${classes(`lists lists-${model.layout}`, model.locked && "locked")}
      >${all.map((each) => each.node)}${isLine ? words.node : nothing}</div></div>`,
  );
  const lists = /** @type {HTMLElement} */ (node.firstElementChild);
  refresh();
  return asControl(model, node);
}

/** @param {Model<Properties>} model @param {TokenList} first @returns {TokenListAccess} */
function accessTo(model, first) {
  const { name } = first;
  return {
    get now() {
      return model.lists.find((list) => list.name === name) ?? first;
    },
    get written() {
      return { ...NOTHING_WRITTEN, ...model.written[name] };
    },
    get words() {
      return model.words[name] ?? [];
    },
    get marks() {
      return model.marks[name] ?? NO_MARKS;
    },
    get numbers() {
      return model.numbers;
    },
    /** @param {string[]} tokens */
    send: (tokens) => ask(model, { type: "tokens", name, tokens }),
    /** @param {string} word */
    choose: (word) => model.send_msg({ type: "choice", name, word }),
    another: () => model.send_msg({ type: "another", name }),
    restore: () => model.send_msg({ type: "restore", name }),
    get locked() {
      return model.locked;
    },
    /** @param {number} at */
    look: (at) => model.send_msg({ type: "look", name, at }),
    /** @param {boolean} on */
    write: (on) => model.send_msg({ type: "write", name, on }),
  };
}
