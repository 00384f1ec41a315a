/** Draws the bars of the likeliest next words, in the order in which they are listed. */

import { prefersStillness } from "../../components/shared/motion.js";
import { Bar } from "./bar.js";
import { glide } from "./glide.js";
import { inOrder, keptOrder, withNamed } from "./order.js";

/**
 * @typedef {Map<string, number>} Words the probability of each word
 *
 * @typedef {object} Listing
 * @property {string} text the text before the position
 * @property {Words} before the probabilities before the last edit
 * @property {string[]} named words that are always listed
 * @property {string[] | null | undefined} swing the words by their largest probability over an
 *   oscillation, if there is one
 * @property {number} count of listed words
 * @property {boolean} sorts whether to sort by the current probabilities
 * @property {boolean} moves whether an edit, an oscillation or a run is in progress
 */

export const MOST = 4; // words

export class BarList {
  /** @param {(word: string) => void} look @param {(word: string, value: number) => void} pull */
  constructor(look, pull) {
    this.bars = Array.from({ length: MOST }, () => new Bar(look, pull));
    /** The words in display order. @type {string[]} */
    this.order = [];
    this.shownText = "";
    this.sorted = 0; // the time of the last sort, in ms
  }

  get focused() {
    return this.bars.find(({ button }) => button.matches(":focus"));
  }

  /** @param {Words} now @param {Listing} listing */
  show(now, listing) {
    const { text, before, sorts, moves } = listing;
    const isOther = text !== this.shownText;
    const were = isOther ? [] : this.order.slice(0, MOST);
    this.sort(now, listing, isOther ? (moves && before.size ? before : now) : undefined);
    this.shownText = text;
    this.fill(now, before);
    // While numbers change, a gliding bar would not show the changes.
    if (sorts && !moves && were.some((word, at) => word !== this.order[at])) this.glideFrom(were);
  }

  /**
   * @param {Words} now @param {Listing} listing
   * @param {Words | undefined} first sets the order for a new text; undefined for the same text
   */
  sort(now, { named, swing, count, sorts }, first) {
    const dragged = this.bars.find((bar) => bar.isHeld)?.of;
    if (sorts) this.sorted = performance.now();
    if (swing) {
      this.order = withNamed(swing, [inOrder(now)[0], ...named], now, count);
    } else if (sorts && dragged === undefined) {
      const listed = new Set(withNamed(inOrder(now), named, now, count));
      this.order = inOrder(now).filter((word) => listed.has(word));
    } else this.order = keptOrder(first ? inOrder(first) : this.order, now, count, dragged);
  }

  /** @param {Words} now @param {Words} before the probabilities before the last edit */
  fill(now, before) {
    const focused = this.focused?.of;
    const likeliest = [...now].reduce((a, b) => (b[1] > a[1] ? b : a))[0];
    for (const [at, bar] of this.bars.entries()) {
      const word = this.order[at];
      bar.show(word, now.get(word) ?? 0, before.get(word), word === likeliest);
    }
    // The keyboard focus moves with the word.
    if (focused === undefined) return;
    const bar = this.bars.find(({ of, button }) => of === focused && !button.hidden);
    if (!bar?.button.matches(":focus")) bar?.button.focus({ preventScroll: true });
  }

  /** Animates each word from its previous place. @param {string[]} were the previous order */
  glideFrom(were) {
    if (prefersStillness()) return;
    // A narrow page shows fewer words; a word that was hidden has no previous place.
    const tops = this.bars.map(({ node }) =>
      node.offsetParent ? [node.offsetLeft, node.offsetTop] : undefined,
    );
    this.bars.forEach((bar, at) => {
      const from = were.indexOf(bar.of);
      const [old, own] = [tops[from], tops[at]];
      if (bar.button.hidden || from === at || !own) return;
      glide(bar.node, old ? [old[0] - own[0], old[1] - own[1]] : null);
    });
  }
}
