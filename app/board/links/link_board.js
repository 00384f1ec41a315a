/**
 * A large picture of one attention: keys on the left, queries on the right, and links between them.
 * A token under the pointer, or focused by arrow keys, shows only its links, with their weights
 * beside the other column. A click on a link, or on its two words, shows below how its weight is
 * computed.
 */

import { make, setText } from "../../components/shared/dom.js";
import { bindKeys } from "../../components/shared/keys.js";
import { inUnits } from "../../components/shared/units.js";
import { widest } from "../paint/layout.js";
import { NearCanvas } from "../paint/near_canvas.js";
import { unheardHeads } from "../paint/silence_badge.js";
import { shiftOf } from "./curve.js";
import { HeadSilences } from "./head_silences.js";
import { HeadToggles } from "./head_toggles.js";
import { byColor, LinkCurves, MOST_COLORS, strokeLinks } from "./link_curves.js";
import { LinkPull } from "./link_pull.js";
import { pairSentence, wordSentence } from "./link_sentence.js";
import { TokenColumn } from "./token_column.js";

/**
 * @import {KeyBinding} from "../../components/shared/keys.js"
 * @import {Matrix} from "../data/matrix.js"
 * @import {AttentionFocus, CellOf, FollowedLane, Send} from "../data/types.js"
 * @import {Numbers} from "../numbers.js"
 * @import {Theme} from "../paint/color.js"
 * @import {PictureView} from "../paint/view.js"
 * @import {LinkDrawing} from "./curve.js"
 * @import {Link} from "./link_curves.js"
 * @import {Token} from "./link_sentence.js"
 */

const STEP = 28;
const MIN_STEP = 13;
const MAX_HEIGHT = 780;
const MAX_WIDTH = 860;
const NARROW = 560;
const NUMBER_WIDTH = 60;
const FAINT =
  "No link is drawn under half a percent: press a word on the left, then one on the right.";
const SILENT = 0.25; // opacity of the links of a silenced head, relative to other links
/** Widths of words in CSS px: the least, and the largest in a narrow and in a wide place. */
const WORDS = { least: 40, narrow: 96, wide: 190 };

/**
 * @typedef {Pick<Numbers, "store" | "appearance" | "painter" | "cursors"> & LinkOnly} LinkServices
 * @typedef {object} LinkOnly services for pictures of attention
 * @property {Send} send
 * @property {(cell: CellOf) => void} select selects a number
 * @property {() => boolean} isLocked whether nothing can be changed
 * @property {(text: string) => void} say announces a text to screen readers
 * @property {() => void} showLinks scrolls to the large picture
 * @property {HTMLElement} change the sentence on the last change, shown under the links
 */

/** @implements {PictureView} */
export class LinkBoard {
  /**
   * @param {Matrix[]} matrices weights of the heads
   * @param {LinkServices} services @param {string} scope
   */
  constructor(matrices, services, scope) {
    this.kind = /** @type {const} */ ("picture");
    this.matrices = matrices;
    this.services = services;
    this.scope = scope;
    this.near = false;
    this.repaint = true;
    this.width = this.height = this.step = this.left = this.right = 0;
    this.ratio = 1;
    this.maxNumbers = 1;
    this.available = 0; // available width, CSS px
    this.curves = new LinkCurves();
    this.silenced = new LinkCurves();
    this.heads = matrices.map((matrix, k) => matrix.entry.head ?? k);
    this.toggles = new HeadToggles(this.heads, () => this.changed());
    this.silences = new HeadSilences(this.heads, scope, services);
    this.focus = /** @type {AttentionFocus | undefined} */ (undefined);
    this.pointed = /** @type {Token | null} */ (null);
    this.focused = /** @type {Token | null} */ (null);
    this.followed = /** @type {Token | null} */ (null);
    this.link = /** @type {Link | null} */ (null);
    this.key = new TokenColumn("key", "Looked at");
    this.query = new TokenColumn("query", "Looks");
    this.plot = make("div", { class: "plot" }, this.key.el, this.query.el);
    this.canvas = new NearCanvas(this.plot);
    this.readout = make("figcaption");
    const ends = ["looked at", "→", "looks"].map((text) => make("span", {}, text));
    this.titles = make("div", { class: "ends", "aria-hidden": "true" }, ...ends);
    const { titles, plot, readout } = this;
    this.pull = new LinkPull(
      plot,
      (event) => this.linkToPull(event),
      ({ head, i: query, j: key }, value) =>
        services.send({ type: "pull", scope, head, query, key, value }),
    );
    const { change } = services;
    const heads = make("div", { class: "heads-of-links" }, this.toggles.el, this.silences.el);
    this.el = make("figure", { class: "linkboard" }, heads, titles, plot, readout, change);
    this.listen();
    for (const matrix of matrices) services.painter.add(matrix, this);
  }

  /** Updates the tokens and the pair shown in detail. @param {AttentionFocus} [focus] */
  describe(focus) {
    const { row_labels, col_labels } = this.matrices[0].entry;
    this.focus = focus;
    this.silences.describe();
    this.query.fill(row_labels, focus?.query);
    this.key.fill(col_labels, focus?.key);
    this.link = null;
    if (this.isGone(this.pointed)) this.pointed = null;
    if (this.isGone(this.focused)) this.focused = null;
    if (this.available) this.place(this.available);
    else this.say();
  }

  /** @param {Token | null} token */
  isGone(token) {
    return token !== null && token.k >= this[token.side].tokens.length;
  }

  /** @param {number} available */
  place(available) {
    const { rows, cols, entry } = this.matrices[0];
    this.available = available;
    const count = Math.max(rows, cols);
    const isNarrow = Math.min(available, MAX_WIDTH) < NARROW;
    this.width = Math.min(available, MAX_WIDTH);
    this.step = Math.max(MIN_STEP, Math.min(STEP, Math.floor(MAX_HEIGHT / count)));
    this.height = count * this.step + 8;
    this.maxNumbers = isNarrow || this.matrices.length > 3 ? 1 : 3;
    const numbers = Math.min(this.matrices.length, this.maxNumbers) * NUMBER_WIDTH;
    // Measure in bold, like the highlighted word.
    const font = `650 ${this.fontSize}px ${this.services.appearance.theme.fontText}`;
    const most = isNarrow ? WORDS.narrow : WORDS.wide;
    /** @param {string[]} words */
    const side = (words) => numbers + Math.max(WORDS.least, widest(words, font, most)) + 26;
    this.left = side(entry.col_labels);
    this.right = this.width - side(entry.row_labels);
    for (const el of [this.plot, this.titles, this.readout]) el.style.width = `${this.width}px`;
    const [first, last] = [this.left - 11, this.width - this.right - 11];
    this.titles.style.gridTemplateColumns = `${first}px 1fr ${last}px`;
    this.plot.style.height = `${this.height}px`;
    this.plot.style.setProperty("--step", `${this.step}px`);
    this.plot.style.setProperty("--size", `${this.fontSize}px`);
    this.plot.style.setProperty("--numbers", `${numbers}px`);
    this.key.place(this.left - 6, this.height, this.step);
    this.query.place(this.width - this.right - 6, this.height, this.step);
    this.say();
    this.size();
  }

  get fontSize() {
    if (this.step < 16) return 11;
    return this.step < 20 ? 12 : 14;
  }

  size() {
    const { canvas } = this.canvas;
    if (!canvas || !this.width) return;
    this.ratio = devicePixelRatio;
    this.canvas.size(this.right - this.left, this.height, this.ratio);
    canvas.style.left = `${this.left}px`;
    this.services.painter.touch(this);
  }

  /** @param {boolean} near */
  approach(near) {
    this.near = near;
    if (this.canvas.approach(near)) this.size();
  }

  changed() {
    this.link = null;
    this.renew();
  }

  // -- highlighting -------------------------------------------------------------------------------

  get lit() {
    return this.pointed ?? this.focused ?? this.followed;
  }

  /**
   * Highlights the links of the followed word until the pointer or the focus is on another word.
   * The word is a query if the model writes something at its lane, else a key.
   * @param {FollowedLane | null} lane
   */
  follow(lane) {
    const [queries, keys] = this.matrices[0].entry.lanes ?? [];
    const side = lane?.isWritten ? "query" : "key";
    const isHere = lane !== null && lane.stack === (side === "query" ? queries : keys);
    const token = isHere ? /** @type {Token} */ ({ side, k: lane.index }) : null;
    this.followed = this.isGone(token) ? null : token;
    this.renew();
  }

  /** The shown heads, with their weights. */
  get shownHeads() {
    return this.matrices.flatMap(({ stated: values, entry }, k) =>
      values && this.toggles.on.has(this.heads[k]) ? { values, head: entry.head ?? 0 } : [],
    );
  }

  /** @returns {LinkDrawing} */
  drawing() {
    const { rows, cols } = this.matrices[0];
    const { step, height } = this;
    const heads = this.shownHeads;
    /** @param {number} n */
    const first = (n) => (height - n * step) / 2 + step / 2;
    const top = first(rows);
    const end = first(cols);
    return {
      layers: heads.map((head, k) => ({ ...head, shift: shiftOf(k, heads.length, step) })),
      rows,
      cols,
      a: this.right - this.left,
      b: 0,
      height,
      step,
      yFrom: (i) => top + i * step,
      yTo: (j) => end + j * step,
      ...this.shownLinks(),
    };
  }

  /** @returns {Pick<LinkDrawing, "shown" | "which">} */
  shownLinks() {
    const { link, lit } = this;
    if (link)
      return { which: `${link.i} ${link.j}`, shown: (i, j) => i === link.i && j === link.j };
    if (!lit) return { which: "all", shown: () => true };
    const { side, k } = lit;
    return { which: `${side} ${k}`, shown: (i, j) => k === (side === "query" ? i : j) };
  }

  paint() {
    const { ctx } = this.canvas;
    if (!ctx || !this.width) return false;
    ctx.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    ctx.clearRect(0, 0, this.right - this.left, this.height);
    this.paintLinks(ctx);
    this.write();
    return true;
  }

  /** Paints the links; links of silenced heads are faint. @param {CanvasRenderingContext2D} ctx */
  paintLinks(ctx) {
    const { theme } = this.services.appearance;
    const drawing = this.drawing();
    const unheard = unheardHeads(this.services.store, this.scope);
    const isSilent = (/** @type {{head: number}} */ { head }) => unheard.has(head);
    const silent = drawing.layers.filter(isSilent);
    if (silent.length) {
      this.silenced.paint(ctx, { ...drawing, layers: silent }, theme);
      ctx.save();
      ctx.globalCompositeOperation = "destination-out";
      ctx.globalAlpha = 1 - SILENT;
      ctx.fillRect(0, 0, this.right - this.left, this.height);
      ctx.restore();
    }
    const layers = drawing.layers.filter((layer) => !isSilent(layer));
    const isMany = layers.length > MOST_COLORS && drawing.which === "all";
    this.curves.paint(ctx, { ...drawing, layers }, isMany ? theme.withGrayLinks(true) : theme);
    if (isMany) this.paintStrongest(ctx, { ...drawing, layers }, theme);
  }

  /**
   * Paints the links of many heads: in each pair, only the link of the strongest head is colored,
   * while no token is highlighted.
   * @param {CanvasRenderingContext2D} ctx @param {LinkDrawing} drawing @param {Theme} theme
   */
  paintStrongest(ctx, drawing, theme) {
    const weights = drawing.layers.map(({ values }) => values);
    drawing.layers.forEach((layer, n) => {
      const [strengths] = byColor(weights, n, weights);
      strokeLinks(ctx, drawing, { ...layer, strengths }, theme.headColor(layer.head));
    });
    ctx.globalAlpha = 1;
  }

  /** Writes the highlighted weights beside the tokens of the other column. */
  write() {
    const heads = this.shownHeads;
    for (const column of [this.query, this.key])
      for (let k = 0; k < column.tokens.length; k++)
        column.show(k, this.stateOf(column, k), this.weightsAt(column, k, heads), this.maxNumbers);
    this.say();
  }

  /** @param {TokenColumn} column @param {number} k */
  stateOf({ side }, k) {
    const { lit, link } = this;
    const followed = this.followed?.side === side && this.followed.k === k;
    if (link) {
      const isEnd = k === (side === "query" ? link.i : link.j);
      return { lit: isEnd, dim: !isEnd, followed };
    }
    const isOfColumn = lit?.side === side;
    return { lit: isOfColumn && lit.k === k, dim: isOfColumn && lit.k !== k, followed };
  }

  /**
   * Returns the weights between a token and the highlighted token of the other column.
   * @param {TokenColumn} column @param {number} k
   * @param {{values: Float32Array, head: number}[]} heads
   */
  weightsAt({ side }, k, heads) {
    const { lit, link } = this;
    if (!lit || link || lit.side === side) return [];
    const { cols } = this.matrices[0];
    const at = side === "key" ? lit.k * cols + k : k * cols + lit.k;
    return heads.map(({ values, head }) => ({ head, weight: values[at] }));
  }

  /** Describes the shown links in a sentence. */
  sentence() {
    const { matrices, link, lit, maxNumbers, shownHeads: heads } = this;
    const canPull = !this.pull.link && !this.services.isLocked();
    if (link) return pairSentence(matrices[0], link, heads, canPull);
    if (!lit) return inUnits(FAINT);
    const { store } = this.services;
    const silentIn = (/** @type {number} */ row) => unheardHeads(store, this.scope, row);
    const more = heads.length > maxNumbers ? "; beside each word its strongest head" : "";
    const isOne = matrices.length === 1;
    return wordSentence(matrices[0], lit, heads, { silentIn, isOne, more });
  }

  say() {
    setText(this.readout, this.sentence());
  }

  /** Updates the sentence and repaints. */
  renew() {
    this.say();
    this.services.painter.touch(this);
  }

  /** @param {{pointed?: Token | null, focused?: Token | null, link?: Link | null}} news */
  light(news) {
    const now = { pointed: this.pointed, focused: this.focused, link: this.link };
    const next = { ...now, ...news };
    if (JSON.stringify(next) === JSON.stringify(now)) return;
    Object.assign(this, next);
    this.renew();
  }

  // -- pointer and keyboard -----------------------------------------------------------------------

  listen() {
    const { plot } = this;
    plot.addEventListener("pointermove", (event) => this.moved(event));
    plot.addEventListener("pointerleave", () => this.light({ pointed: null, link: null }));
    plot.addEventListener("click", (event) => this.clicked(event));
    plot.addEventListener("focusin", (event) => this.entered(event));
    plot.addEventListener("focusout", () => this.light({ focused: null }));
    bindKeys(plot, "On the words beside the links", this.keys());
  }

  /** @param {Event} event @returns {Token | null} */
  tokenOf(event) {
    const el = event.target instanceof Element ? event.target.closest(".token") : null;
    for (const column of [this.query, this.key]) {
      const k = column.indexOf(el);
      if (k >= 0) return { side: column.side, k };
    }
    return null;
  }

  /** @param {MouseEvent} event */
  linkAt(event) {
    const { canvas } = this.canvas;
    if (!canvas) return null;
    const box = canvas.getBoundingClientRect();
    // While a word is followed, only its links can be hit.
    const { followed } = this;
    const isOf = (/** @type {number} */ i, /** @type {number} */ j) =>
      followed === null || followed.k === (followed.side === "query" ? i : j);
    const drawing = { ...this.drawing(), shown: isOf };
    return this.curves.at(drawing, event.clientX - box.left, event.clientY - box.top);
  }

  /** @param {PointerEvent} event */
  linkToPull(event) {
    if (this.tokenOf(event) || this.services.isLocked()) return null;
    const link = this.linkAt(event);
    if (!link) return null;
    const { values, cols } = this.matrices[this.heads.indexOf(link.head)];
    return values ? { link, weight: values[link.i * cols + link.j] } : null;
  }

  /** @param {PointerEvent} event */
  moved(event) {
    if (event.pointerType === "touch") return;
    if (this.pull.link) {
      this.light({ pointed: null, link: this.pull.link });
      return;
    }
    const token = this.tokenOf(event);
    const link = token ? null : this.linkAt(event);
    this.plot.classList.toggle("over-link", link !== null);
    this.light({ pointed: token, link });
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    if (this.pull.isDragged) return;
    const token = this.tokenOf(event);
    const link = token ? null : this.linkAt(event);
    if (token) this.chooseWith(token);
    if (link) this.choose(link.head, link.i, link.j);
  }

  /** @param {number} head @param {number} query @param {number} key */
  choose(head, query, key) {
    this.services.send({ type: "pair", scope: this.scope, head, query, key });
  }

  /** @param {FocusEvent} event */
  entered(event) {
    const token = this.tokenOf(event);
    if (!token) return;
    this[token.side].tabTo(token.k);
    this.light({ focused: token });
    if (this.shownHeads.length) this.services.say(this.sentence());
  }

  /** @returns {KeyBinding[]} */
  keys() {
    const { query, key } = this;
    /** @param {string[]} keys @param {string} does @param {(at: Token) => void} act */
    const bound = (keys, does, act) => ({
      ...{ keys, does },
      run: (/** @type {Event} */ event) => {
        const at = this.tokenOf(event);
        if (!at) return false;
        act(at);
        this.light({ pointed: null, link: null });
        return true;
      },
    });
    return [
      bound(["ArrowUp"], "the word above", ({ side, k }) => this[side].focus(k - 1)),
      bound(["ArrowDown"], "the word below", ({ side, k }) => this[side].focus(k + 1)),
      bound(["ArrowLeft"], "the words that are looked at", ({ side, k }) =>
        key.focus(side === "key" ? k : key.active),
      ),
      bound(["ArrowRight"], "the words that look", ({ side, k }) =>
        query.focus(side === "query" ? k : query.active),
      ),
      bound(["Home"], "the first word", ({ side }) => this[side].focus(0)),
      bound(["End"], "the last word", ({ side }) => this[side].focus(this[side].tokens.length - 1)),
      bound(["Enter", "Space"], "shows the pair with this word", (at) => this.chooseWith(at)),
    ];
  }

  /** Replaces the query or the key of the pair shown in detail. @param {Token} token */
  chooseWith({ side, k }) {
    if (!this.focus) return;
    const { head, query, key } = this.focus;
    this.choose(head, side === "query" ? k : query, side === "key" ? k : key);
  }

  remove() {
    this.approach(false);
    for (const matrix of this.matrices) this.services.painter.remove(matrix, this);
  }
}
