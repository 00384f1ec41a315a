/**
 * Describes the strongest ribbons of the followed word: the words that it looks at, the heads, and
 * the word written then. Also offers to restrict its attention to a single word. For a source word,
 * describes which other words look at it.
 */

import { html } from "../../components/shared/lit-html.js";
import { shareText } from "../../components/shared/number_format.js";
import { drawn } from "../../components/shared/template.js";
import { inUnits } from "../../components/shared/units.js";
import { isAboveChance } from "../links/chance.js";
import { headVariable } from "../links/head_toggles.js";
import { partName } from "./plan.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {Lane, WholeEntry} from "../data/types.js"
 * @import {LaneLinks} from "./lane_links.js"
 * @import {WholeServices} from "./picture_grid.js"
 *
 * @typedef {{head: number, query: number, key: number, weight: number, matrix: Matrix,
 *   isClear: boolean}} Thread `isClear`: whether the weight is clearly above chance
 * @typedef {{looks: string, part: string, heads: Thread[], writes: string}} Said
 */

const ALONE = 0.9995; // weight from which a word counts as looking at nothing else
const MOST_HEADS = 2; // largest number of heads described
const MOST_IN_TRAINING = 4; // more in training, since the strongest two may differ in each frame

export class ThreadWords {
  /** @param {WholeServices} services */
  constructor(services) {
    this.services = services;
    this.lane = /** @type {Lane | null} */ (null);
    this.links = /** @type {LaneLinks | null} */ (null);
    this.entry = /** @type {WholeEntry | null} */ (null);
    this.said = /** @type {Said} */ ({ looks: "", part: "", heads: [], writes: "" });
    /** The words offered as the only one to look at (empty: no offer), and the word that looks. */
    this.offered = { words: /** @type {string[]} */ ([]), by: "" };
    const { node, show } = drawn(() => this.template());
    this.el = node;
    this.draw = show;
    this.other = /** @type {HTMLSelectElement} */ (node.querySelector("select"));
    this.el.hidden = true;
  }

  template() {
    const { looks, part, heads, writes } = this.said;
    const { words, by } = this.offered;
    const change = () => this.lookAt(this.other.selectedIndex - 1);
    return html`<div class="thread-words" role="note">
      <strong>${looks}</strong>
      <span><span class="in-part">${part}</span><span>${heads.map(
        ({ head, weight }) =>
          html`<span style="--head: ${headVariable(head)}"
            >head ${head + 1} ${shareText(weight)}</span>`,
      )}</span></span>
      <span>${writes}</span>
      <label data-unrecorded ?hidden=${!words.length}>Let it look only at <select @change=${change}
        aria-label="Let ${by} look only at, in all heads"><option>…</option>${words.map(
          (each) => html`<option>${each}</option>`,
        )}</select></label>
    </div>`;
  }

  /**
   * Describes the links of the followed word.
   * @param {LaneLinks | null} links links from or to the followed word
   * @param {Lane | null} lane that is followed
   * @param {{read: string, written: string | null} | null} words of it
   * @param {boolean} isBrief whether there is little room
   * @returns {boolean} whether there is a text to show
   */
  say(links, lane, words, isBrief) {
    this.links = links;
    this.lane = lane;
    const isRead = links !== null && lane !== null && isReadBy(links, lane);
    const threads = links && lane && (isRead || words?.written) ? strongest(links, lane) : [];
    if (this.el.hidden === threads.length > 0) this.el.hidden = !threads.length;
    if (!links || !lane || !words || !this.entry || !threads.length) return false;
    const isTraining = this.services.trains();
    const said = isTraining
      ? saidAt(this.services.learned(), this.entry, links, lane)
      : saidOf(this.entry, links, lane, words.written);
    this.said = isBrief ? { ...said, part: "" } : said;
    this.offer(links, lane, threads, quoted(words.read), isBrief || isRead || isTraining);
    return true;
  }

  /**
   * Offers the words that a word may look at, and selects the only one it looks at, if any.
   * @param {LaneLinks} links @param {Lane} lane @param {Thread[]} threads
   * @param {string} word that looks @param {boolean} isBrief
   */
  offer({ placed: { item } }, lane, threads, word, isBrief) {
    const isOffered = !isBrief && !this.services.isLocked();
    const isUsed = isOffered && this.other.matches(":focus");
    const all = this.wordsOf(item.keys).map((each) => each || "∅");
    const words = item.keys === item.stack ? all.slice(0, lane.index + 1) : all;
    if (!isUsed) this.offered = { words: isOffered ? words : [], by: word };
    this.draw();
    if (!isOffered || isUsed) return;
    const [{ key }] = threads;
    const isAlone = threads.every((each) => each.key === key && each.weight >= ALONE);
    this.other.selectedIndex = isAlone ? key + 1 : 0;
  }

  /** @param {number} key */
  lookAt(key) {
    const { links, lane, services } = this;
    const path = links?.grids.at(0)?.matrix.path;
    this.other.blur(); // so that the select element shows the present weights again
    if (key < 0 || !path || !lane) return;
    const [scope] = path.split(".head.");
    const pair = { scope, head: 0, query: lane.index, key };
    const asked = services.send({ type: "look_only", ...pair, everywhere: true });
    asked.catch(() => {}); // Python shows why
  }

  /** @param {string} stack */
  wordsOf(stack) {
    return this.entry?.stacks.find((each) => each.stack === stack)?.words ?? [];
  }
}

/**
 * The text about a followed word.
 * @param {WholeEntry} entry @param {LaneLinks} links @param {Lane} lane
 * @param {string | null} written the word that its row writes
 * @returns {Said}
 */
export function saidOf({ stacks, parts }, links, lane, written) {
  const { item, part: id } = links.placed;
  const isRead = isReadBy(links, lane);
  const threads = strongest(links, lane);
  const clear = threads.filter(({ isClear }) => isClear).slice(0, MOST_HEADS);
  const wordsOf = (/** @type {string} */ name) =>
    stacks.find(({ stack }) => stack === name)?.words ?? [];
  const others = isRead ? item.stack : item.keys;
  const at = [...new Set(clear.map(({ query, key }) => (isRead ? query : key)))];
  const named = at.map((index) => whichWord(wordsOf(others), index));
  const part = parts.find((each) => each.id === id);
  return {
    looks: lookingWords(whichWord(wordsOf(lane.stack), lane.index), named, isRead),
    part: part ? `${partName(part)}: ` : "",
    heads: clear.length ? clear : threads.slice(0, MOST_HEADS),
    writes: written ? nextWords(written, wordsOf(item.stack), lane.index, item.stack) : "",
  };
}

/**
 * The text about a followed word while training, or its timeline, changes the words and weights all
 * the time: only the numbers in the text change.
 * @param {string} moment of the training
 * @param {WholeEntry} entry @param {LaneLinks} links @param {Lane} lane @returns {Said}
 */
export function saidAt(moment, { parts }, links, lane) {
  const part = parts.find(({ id }) => id === links.placed.part);
  const heads = strongest(links, lane).sort((a, b) => a.head - b.head);
  const own = isReadBy(links, lane) ? "on" : "of";
  return {
    looks: inUnits(`${moment}: largest weights ${own} the followed word`),
    part: part ? `${partName(part)}: ` : "",
    heads: heads.slice(0, MOST_IN_TRAINING),
    writes: "",
  };
}

/**
 * Names the likeliest next word of a row. It may differ from the word in the text, because a number
 * is moving or the user wrote the text. An encoder alone predicts the word at its row.
 * @param {string} likeliest @param {string[]} words of its stack @param {number} row
 * @param {string} stack
 */
function nextWords(likeliest, words, row, stack) {
  const where = `${stack === "encoder" ? "At" : "After"} ${whichWord(words, row)}`;
  return inUnits(`${where} the likeliest word is ${quoted(likeliest)}`);
}

/** Whether another stack reads a word here. @param {LaneLinks} links @param {Lane} lane */
export const isReadBy = ({ placed: { item } }, lane) =>
  item.keys === lane.stack && item.stack !== lane.stack;

/**
 * The links of a word: to every key or, if another stack reads the word, from every query.
 * @param {LaneLinks} links @param {Lane} lane
 */
function pairsOf(links, lane) {
  const { rows, cols } = links.matrices[0];
  if (!isReadBy(links, lane))
    return Array.from({ length: cols }, (_, key) => ({ query: lane.index, key }));
  return Array.from({ length: rows }, (_, query) => ({ query, key: lane.index }));
}

/** The links that the text names, with their lanes. @param {LaneLinks} links @param {Lane} lane */
export function namedLinks(links, lane) {
  const { item } = links.placed;
  const isRead = isReadBy(links, lane);
  const clear = strongest(links, lane).filter(({ isClear }) => isClear);
  return clear.slice(0, MOST_HEADS).map((thread) => ({
    ...thread,
    lane: isRead
      ? { stack: item.stack, index: thread.query }
      : { stack: item.keys, index: thread.key },
  }));
}

/**
 * Returns a sentence that names which words look at which, or states that no weight stands out.
 * @param {string} own the followed word @param {string[]} others
 * @param {boolean} isRead whether the others look at it
 */
export function lookingWords(own, others, isRead) {
  const named = others.join(" and ");
  if (!isRead) return `${upperFirst(own)} looks at ${named || inUnits("all words about equally")}`;
  if (!named) return inUnits(`No word looks at ${own} more than at others`);
  return `${upperFirst(named)} ${others.length > 1 ? "look" : "looks"} at ${own}`;
}

/**
 * The link with the largest weight of each head that is shown and not silenced, the strongest
 * first; empty if a question hides such a weight, in any head.
 * @param {LaneLinks} links @param {Lane} lane @returns {Thread[]}
 */
function strongest(links, lane) {
  const pairs = pairsOf(links, lane);
  if (pairs.some(({ query }) => links.isAsked(query))) return [];
  const alone = links.headAlone();
  const threads = links.grids.flatMap(({ head, matrix }) => {
    if (alone !== null && head !== alone) return [];
    const { stated: values, cols, entry } = matrix;
    const heard = pairs.filter(({ query }) => !links.silentIn[query]?.has(head));
    if (!values || !heard.length) return [];
    if (entry.origin) return []; // in a window, indices are not those of words
    const all = heard.map((pair) => ({
      head,
      matrix,
      ...pair,
      weight: values[pair.query * cols + pair.key],
    }));
    const most = all.reduce((a, b) => (b.weight > a.weight ? b : a));
    const isClear = isAboveChance(most.weight, matrix.visibleIn(most.query));
    return most.weight > 0 ? [{ ...most, isClear }] : [];
  });
  return threads.sort((a, b) => b.weight - a.weight);
}

/**
 * A word of a sentence, with an ordinal if the sentence has it several times.
 * @param {readonly string[]} words @param {number} index
 */
export function whichWord(words, index) {
  const alike = [...words.keys()].filter((k) => words[k] === words[index]);
  if (alike.length < 2) return quoted(words[index]);
  return `the ${ordinal(alike.indexOf(index))} ${quoted(words[index])}`;
}

const ORDINALS = ["first", "second", "third"];
const ENDINGS = new Map(Object.entries({ one: "st", two: "nd", few: "rd", other: "th" }));
const ORDER = new Intl.PluralRules("en", { type: "ordinal" });

/** ``first`` for 0, and ``21st`` for 20. @param {number} index */
const ordinal = (index) => ORDINALS[index] ?? `${index + 1}${ENDINGS.get(ORDER.select(index + 1))}`;

/** @param {string} text */
const upperFirst = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {string | undefined} word */
const quoted = (word) => `“\u2068${word || "∅"}\u2069”`;
