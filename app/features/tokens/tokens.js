/** Token lists: each is a line of words with a heading, a + button, and a sentence below. */

import { asControl } from "../../components/shared/control.js";
import { oncePerFrame, setText } from "../../components/shared/dom.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { ask, onChange, untilRemoved } from "../../components/shared/model.js";
import { OneStop } from "../../components/shared/one_stop.js";
import { classes, drawn } from "../../components/shared/template.js";
import { fadeEdges } from "./fade_edges.js";
import { placeUnder } from "./place_under.js";
import { TokenChoice } from "./token_choice.js";
import { TokenRow } from "./token_row.js";
import { isSpecial } from "./token_text.js";
import { WordList } from "./word_list.js";
import { WordSize } from "./word_size.js";
import { WrittenRow } from "./written_row.js";

/**
 * @import {ControlProperties} from "../../components/shared/control.js"
 * @import {Model} from "../../components/shared/model.js"
 * @import {Marks, TokenListAccess, Source, Sureness, TokenList, Words} from "./types.js"
 *
 * @typedef {{lists: TokenList[], written: Record<string, Sureness>, words: Record<string, Words>,
 *   marks: Record<string, Marks>, numbers: boolean, layout: "line" | "column", locked: boolean}}
 *   Properties
 */

/** The relative shares of a line that the lists get; the words of each must fit into its share. */
const SHARES = /** @type {Record<string, number>} */ ({ source: 2, target: 3 });
/** The word size changes only in steps of this many letters, so that it rarely changes. */
const LETTERS = 8;
/** px taken by the numbers below a word. */
const UNDERS = 17;

/** @type {Sureness} */
const NOTHING_WRITTEN = { probabilities: [], changed: [], end: null, would: "" };
/** @type {Marks} */
const NO_MARKS = { focus: null, followed: false, asked: null };

/**
 * @param {TokenListAccess} access provides and receives the list
 * @param {WordList} words the list below an edited word
 */
function tokenSection(access, words) {
  let refused = ""; // why the last message could not be delivered
  /** @type {Source} */
  const source = Object.assign(access, {
    /** @param {string} sentence */
    refuse: (sentence) => {
      refused = sentence;
      show();
    },
    /** @param {string} sentence @param {Element} chip */
    tell: (sentence, chip) => {
      chip.closest("li")?.scrollIntoView({ block: "nearest", inline: "nearest" });
      told.showPopover();
      setText(told, sentence);
      const place = () => placeUnder(told, chip, UNDERS);
      place();
      forget?.abort();
      forget = new AbortController();
      const { signal } = forget;
      for (const type of ["pointerdown", "keydown"])
        document.addEventListener(type, () => source.hush(), { signal, capture: true });
      document.addEventListener("scroll", place, { signal, capture: true, passive: true });
    },
    hush: () => {
      forget?.abort();
      told.hidePopover();
    },
  });
  let forget = /** @type {AbortController | null} */ (null);
  const { name, label } = source.now;
  const choice = new TokenChoice(name, source.choose);
  const row = new TokenRow(source, words);
  const written = new WrittenRow(source);
  const { node, show } = drawn(() => {
    const { now } = source;
    const kinds = classes(
      source.numbers && "all-numbers",
      now.unit === "character" && "characters",
    );
    return html`<section class=${kinds} style="--share: ${SHARES[name] ?? 1}" ?hidden=${now.hidden}>
      <div class="list-head"><h2 id="heading-${name}" title=${now.sequence || nothing}
        >${written.title}</h2>${written.sign}</div>
      <div class="tools" data-unrecorded>
        ${written.verdict}
        <div class="toolbar" role="toolbar" aria-label=${label}>
          ${modeChoice(source)}
          <button type="button" class="small-button" ?hidden=${!now.another}
            @click=${source.another}>${now.another}</button>
          ${choice.node}
          <button type="button" class="small-button restore"
            title="Every computed number as the weights give it; nothing silenced"
            ?hidden=${!now.restores || source.locked} @click=${source.restore}
            >${now.restores}</button>
          <p class="list-note" title=${now.note || nothing}>${now.note}</p>
          <span class="sequence">${now.sequence}</span>
        </div>
      </div>
      ${row.node}${written.node}
      <p class="problem" id="error-${name}" role="status">${refused || now.error}</p>
      <p class="unknown" role="status" popover="manual"></p>
    </section>`;
  });
  const find = (/** @type {string} */ what) =>
    /** @type {HTMLElement} */ (node.querySelector(what));
  const [tools, told] = [".toolbar", ".unknown"].map(find);
  new OneStop(tools, `Over the words of ${label}`);
  for (const box of [row.node, written.node, node]) fadeEdges(box);
  const refresh = () => {
    const { now } = source;
    show();
    choice.show(now.writes ? null : now.choice);
    written.refresh();
    row.refresh();
  };
  refresh();
  return { node, row, written, refresh };
}

/** A switch between the model and the user writing the list. @param {Source} source */
function modeChoice(source) {
  const { writes, can_write: canWrite } = source.now;
  /** @param {boolean} itself @param {string} text @param {string} title */
  const button = (itself, text, title) => html`<button type="button" class="mode" title=${title}
    aria-pressed=${itself === writes} @click=${() => source.write(itself)}>${text}</button>`;
  return html`<div class="modes" role="group" aria-label="Target" ?hidden=${!canWrite && !writes}
    >${button(true, "writes itself", "The model writes, again after every change")}${button(
      false,
      "you write it",
      "Teacher forcing: the decoder reads what you type",
    )}</div>`;
}

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const words = new WordList();
  const sections = new Map(
    model.lists.map((first) => {
      const { name } = first;
      const access = {
        get now() {
          return model.lists.find((list) => list.name === name) ?? first;
        },
        get written() {
          return model.written[name] ?? NOTHING_WRITTEN;
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
      return [name, tokenSection(access, words)];
    }),
  );
  const all = [...sections.values()];
  const size = new WordSize();
  const refresh = () => {
    for (const section of all) section.refresh();
    const text = JSON.stringify(model.lists.map((list) => !list.writes && list.tokens));
    // In Train a run and its timeline write other words all the time.
    const isMoving =
      document.documentElement.dataset.room === "train" || model.lists.some(({ moves }) => moves);
    const letters = size.take(text, lettersOf(model), isMoving);
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
  const isLine = model.layout === "line";
  const { node } = drawn(
    () => html`<div class="control"><div data-recorded=${isLine ? "above" : nothing}
      class=${classes(`lists lists-${model.layout}`, model.locked && "locked")}
      >${all.map((each) => each.node)}${isLine ? words.node : nothing}</div></div>`,
  );
  const lists = /** @type {HTMLElement} */ (node.firstElementChild);
  refresh();
  return asControl(model, node);
}

// The width of the space around a word and around a character, in letters as wide as a digit.
const SLOT = { word: 1.8, character: 2.3 };
const SPECIAL = 0.6; // the size of special tokens relative to words

/**
 * The number of letters that a line must fit; the style sheet sets their size accordingly.
 * @param {Pick<Properties, "lists">} model
 */
function lettersOf({ lists }) {
  const shown = lists.filter(({ hidden }) => !hidden);
  const all = sum(shown.map(({ name }) => SHARES[name] ?? 1));
  const needed = shown.map(({ name, tokens, writes, end, unit }) => {
    const letters = (writes ? [...tokens, end] : tokens).map(
      (token) => SLOT[unit] + Math.max(1, token.length) * (isSpecial(token) ? SPECIAL : 1),
    );
    return (sum(letters) * all) / (SHARES[name] ?? 1);
  });
  return LETTERS * Math.ceil(Math.max(0, ...needed) / LETTERS);
}

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);
