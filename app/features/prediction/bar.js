/**
 * Draws one word: its name, its bar with a mark of the previous probability, and its number. While
 * the bar is dragged, it shows the requested probability, and the mark the model's probability.
 */

import { bindKeys } from "../../components/shared/keys.js";
import { html } from "../../components/shared/lit-html.js";
import { probabilityText } from "../../components/shared/number_format.js";
import { classes, FromTemplate } from "../../components/shared/template.js";
import { tokenText } from "../../components/shared/token_text.js";

/** @typedef {{word?: string, before?: number, isLikeliest: boolean}} Shown */

const GHOST = 0.02; // the least difference that is marked

const DRAGGED = 5; // px that a press moves before it becomes a drag
const NUDGE = 0.1; // change per key press
const PATIENCE = 1000; // ms that a request stays visible after the drag

export class Bar extends FromTemplate {
  /** @param {(word: string) => void} press @param {(word: string, value: number) => void} pull */
  constructor(press, pull) {
    super();
    this.pull = pull;
    this.p = 0;
    this.x = /** @type {number | null} */ (null); // the position at which the press began
    this.isDragged = false;
    this.of = "";
    this.press = press;
    this.shown = /** @type {Shown} */ ({ isLikeliest: false });
    /** The requested probability; null without a request. */
    this.wish = /** @type {number | null} */ (null);
    this.timer = 0;
    this.button = /** @type {HTMLButtonElement} */ (this.node.firstElementChild);
    const nudge = (/** @type {number} */ by) => () => this.nudge(by);
    bindKeys(this.button, "On a next word", [
      { keys: ["Shift+ArrowLeft"], does: "pulls it to a tenth less", run: nudge(-NUDGE) },
      { keys: ["Shift+ArrowRight"], does: "pulls it to a tenth more", run: nudge(NUDGE) },
    ]);
  }

  template() {
    const { p, wish } = this;
    const { word, before, isLikeliest } = this.shown;
    const isWished = wish !== null;
    const length = wish ?? p;
    const isOther = before !== undefined && Math.abs(before - p) > GHOST;
    const mark = isWished ? p : isOther ? before : null;
    const was = isOther ? `, before ${probabilityText(before)}` : "";
    const pulled = isWished ? `, pulled to ${probabilityText(wish)}` : "";
    const said = `${word || "empty token"}, probability ${probabilityText(p)}${pulled || was}`;
    const kind = classes("next-word", isLikeliest && "likeliest", isWished && "wished");
    const leave = () => this.leave();
    const click = () => {
      if (!this.isDragged) this.press(this.of);
      this.isDragged = false;
    };
    return html`<li data-part="bar"><button type="button"
      class=${kind} ?hidden=${word === undefined}
      aria-keyshortcuts="Shift+ArrowRight Shift+ArrowLeft" aria-label=${said}
      title="${said}. Drag the bar to pull this answer; press it to select it."
      @click=${click} @pointerdown=${(/** @type {PointerEvent} */ event) => this.take(event)}
      @pointermove=${(/** @type {PointerEvent} */ event) => this.drag(event)}
      @pointerup=${leave} @pointercancel=${leave}
      ><span class="word">${tokenText(word ?? "")}</span><span
      class="track"
      ><span class="fill" style="transform: scaleX(${length})"></span><span class="ghost"
      ?hidden=${mark === null} style="left: ${100 * (mark ?? 0)}%"></span></span><span
      class="number"
      >${probabilityText(length)}</span></button></li>`;
  }

  /** @param {PointerEvent} event */
  take(event) {
    if (event.button || !event.isPrimary) return;
    this.x = event.clientX;
    this.isDragged = false;
  }

  /** @param {PointerEvent} event */
  drag(event) {
    if (this.x === null) return;
    if (!this.isDragged) {
      if (Math.abs(event.clientX - this.x) < DRAGGED) return;
      this.isDragged = true;
      this.button.setPointerCapture(event.pointerId);
    }
    const track = /** @type {Element} */ (this.button.querySelector(".track"));
    const { left, width } = track.getBoundingClientRect();
    this.ask((event.clientX - left) / width);
  }

  /** Whether the bar is being dragged. */
  get isHeld() {
    return this.isDragged && this.x !== null;
  }

  /** Ends the drag. The request stays visible until the model reaches it, or for PATIENCE. */
  leave() {
    this.x = null;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.forget(), PATIENCE);
  }

  forget() {
    if (this.isHeld) return;
    this.wish = null;
    this.draw();
  }

  /** @param {number} by */
  nudge(by) {
    this.ask(Math.round(10 * ((this.wish ?? this.p) + by)) / 10);
    this.leave();
  }

  /** @param {number} value the probability that the word should get */
  ask(value) {
    const wish = Math.round(100 * Math.min(0.99, Math.max(0.01, value))) / 100;
    this.wish = wish;
    this.draw();
    this.pull(this.of, wish);
  }

  /**
   * @param {string | undefined} word @param {number} p @param {number | undefined} before
   * @param {boolean} isLikeliest of all words
   */
  show(word, p, before, isLikeliest) {
    this.shown = { word, before, isLikeliest };
    const isOther = word !== this.of;
    if (word !== undefined) Object.assign(this, { of: word, p });
    const isThere = this.wish !== null && Math.abs(p - this.wish) < GHOST;
    if (isOther || (isThere && !this.isHeld)) this.wish = null;
    this.draw();
  }
}
