/** The likeliest next words at one position, and their probabilities before the last edit. */

import { asControl } from "../../components/shared/control.js";
import { oncePerFrame } from "../../components/shared/dom.js";
import { html } from "../../components/shared/lit-html.js";
import { onChange, sayOncePerFrame, untilRemoved } from "../../components/shared/model.js";
import { prefersStillness } from "../../components/shared/motion.js";
import { OneStop } from "../../components/shared/one_stop.js";
import { drawn } from "../../components/shared/template.js";
import { tokenText } from "../../components/shared/token_text.js";
import { Bar } from "./bar.js";
import { glide } from "./glide.js";
import { inOrder, keptOrder, withNamed } from "./order.js";

/**
 * @import {ControlProperties} from "../../components/shared/control.js"
 * @import {Model} from "../../components/shared/model.js"
 *
 * @typedef {Map<string, number>} Words the probability of each word
 *
 * @typedef {object} Properties
 * @property {number} value the position
 * @property {string[]} rows the text before each position
 * @property {string[]} written the next word at each position; empty if there is none
 * @property {string[]} named words that are always listed
 * @property {Record<string, number>} before the probabilities of the words at this position before
 *   the last edit
 * @property {boolean} moves whether an edit, an oscillation or a run is in progress
 */

const MOST = 4; // words
const MOST_NARROW = 3; // words in the header of a narrow page
const NARROW = "(max-width: 1099.98px)";
const ALL = 400; // compare at most this many words, the likeliest
const CALM = 1000; // ms between two sorts during training

const inTrain = () => document.documentElement.dataset.room === "train";

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const bars = Array.from(
    { length: MOST },
    () =>
      new Bar(
        (word) => model.send_msg({ type: "look", row: model.value, word }),
        (word, value) => pull(word, value),
      ),
  );
  /** The words to choose from: all except the written one. @type {string[]} */
  let words = [];
  let isKnown = false; // whether the page has the probabilities of the words
  const follow = () => {
    model.value = select.selectedIndex;
  };
  const wishFor = () => {
    const word = words[wished.selectedIndex - 1];
    wished.selectedIndex = 0;
    if (word !== undefined) model.send_msg({ type: "wish", row: model.value, word });
  };
  const { node, show: redraw } = drawn(() => {
    const { rows, value } = model;
    // Keep the height until the numbers of a new sentence arrive, so that the page does not jump.
    return html`<section class="control next-words" aria-label="Next word" ?hidden=${!rows.length}
      style=${isKnown ? "" : "visibility: hidden"}><div class="head"><span class="at"
      aria-hidden="true">${rows[value]}</span><select class="after"
      aria-label="Position whose next word is shown" title=${rows[value] ?? ""} @change=${follow}
      >${rows.map((text) => html`<option>${text}</option>`)}</select><select class="wished"
      aria-label="Make it write another word here"
      title="Find the numbers that would make the model write another word here"
      @change=${wishFor}><option>other word</option>${words.map(
        (word) => html`<option>${tokenText(word)}</option>`,
      )}</select></div><ul class="next-bars" role="list"
      >${bars.map((bar) => bar.node)}</ul
      ></section>`;
  });
  const [select, wished] = node.querySelectorAll("select");
  const [head, list] = /** @type {Iterable<HTMLElement>} */ (node.children);
  /** Moves the bars over their strip in the picture, or here if they do not fit there. */
  const house = () => {
    const place = window.tinkerformer?.nextWordsHome() ?? node;
    if (list.parentNode === place) return;
    const focused = bars.find(({ button }) => button.matches(":focus"));
    place.append(list);
    list.classList.toggle("large", place !== node);
    focused?.button.focus({ preventScroll: true });
  };
  new OneStop(head, "Over the next words");
  new OneStop(list, "On the next words", { way: "down" });

  /** @param {number} row @returns {Words | null} */
  const wordsAt = (row) => {
    const found = window.tinkerformer?.ready ? window.tinkerformer.likeliest(row, ALL) : null;
    if (!found?.best.length) return null;
    return new Map(found.best.map(({ word, p }) => [word, p]));
  };
  /** The latest request of a drag; one is sent per display frame. */
  let wish = { row: 0, word: "", value: 0 };
  const ask = sayOncePerFrame(model, "pull", () => model.send_msg({ type: "pull", ...wish }));
  /** @param {string} word @param {number} value */
  const pull = (word, value) => {
    wish = { row: model.value, word, value };
    ask();
  };
  const narrow = matchMedia(NARROW);
  /** The number of listed words. */
  const top = () => (narrow.matches && list.parentNode === node ? MOST_NARROW : MOST);
  /** The words in display order. @type {string[]} */
  let order = [];
  let shownRow = "";
  let sorted = 0;

  /** @param {Words} now @param {Words} before the last edit */
  function fillBars(now, before) {
    const focused = bars.find(({ button }) => button.matches(":focus"))?.of;
    const likeliest = [...now].reduce((a, b) => (b[1] > a[1] ? b : a))[0];
    for (const [at, bar] of bars.entries()) {
      const word = order[at];
      bar.show(word, now.get(word) ?? 0, before.get(word), word === likeliest);
    }
    // The keyboard focus moves with the word.
    if (focused === undefined) return;
    const bar = bars.find(({ of, button }) => of === focused && !button.hidden);
    if (!bar?.button.matches(":focus")) bar?.button.focus({ preventScroll: true });
  }

  /**
   * @param {Words} now @param {boolean} anew
   * @param {Words | undefined} first the words by which another row is sorted; none for the same
   */
  function sort(now, anew, first) {
    const dragged = bars.find((bar) => bar.isHeld)?.of;
    const swing = window.tinkerformer?.swingOrder(model.value);
    if (anew) sorted = performance.now();
    if (swing) {
      order = withNamed(swing, [inOrder(now)[0], ...model.named], now, top());
    } else if (anew && dragged === undefined) {
      const listed = new Set(withNamed(inOrder(now), model.named, now, top()));
      order = inOrder(now).filter((word) => listed.has(word));
    } else order = keptOrder(first ? inOrder(first) : order, now, top(), dragged);
  }

  /** Animates each word from its previous place. @param {string[]} were */
  function glideFrom(were) {
    if (prefersStillness()) return;
    // A narrow page shows fewer words; a word that was hidden has no previous place.
    const tops = bars.map(({ node }) =>
      node.offsetParent ? [node.offsetLeft, node.offsetTop] : undefined,
    );
    bars.forEach((bar, at) => {
      const from = were.indexOf(bar.of);
      const [old, own] = [tops[from], tops[at]];
      if (bar.button.hidden || from === at || !own) return;
      glide(bar.node, old ? [old[0] - own[0], old[1] - own[1]] : null);
    });
  }

  /** @param {boolean} [anew] whether to sort by the current probabilities */
  function draw(anew = !model.moves) {
    const now = wordsAt(model.value);
    isKnown = now !== null;
    if (now) words = [...now.keys()].filter((word) => word !== model.written[model.value]).sort();
    redraw();
    house();
    if (!now) return;
    const before = new Map(Object.entries(model.before));
    const text = model.rows[model.value] ?? "";
    const isOther = text !== shownRow;
    const were = isOther ? [] : order.slice(0, MOST);
    sort(now, anew, isOther ? (model.moves && before.size ? before : now) : undefined);
    shownRow = text;
    fillBars(now, before);
    // While numbers move, a bar that glides would show none of them.
    if (anew && !model.moves && were.some((word, at) => word !== order[at])) glideFrom(were);
  }

  const show = () => {
    draw(!model.moves || (inTrain() && performance.now() - sorted > CALM));
  };
  const fill = () => {
    draw();
    select.selectedIndex = model.value;
  };

  const signal = untilRemoved(model);
  document.addEventListener("tinkerformer:frame", oncePerFrame(show), { signal });
  document.addEventListener("tinkerformer:ready", show, { signal });
  document.addEventListener("tinkerformer:view", house, { signal });
  narrow.addEventListener("change", show, { signal });
  onChange(model, ["value", "rows", "written", "named", "before", "moves"], fill);
  fill();
  return asControl(model, node);
}
