/** One word: its name, its bar with a mark of the former probability, and its number. */

import { make, setAttribute, setText } from "../shared/dom.js";
import { bindKeys } from "../shared/keys.js";
import { shareText } from "../shared/number_format.js";

const GHOST = 0.02; // the least difference that is worth a mark

/** @param {number} p */
const numberText = (p) => (p > 0 && p < 0.0005 ? "<.001" : shareText(p, 3));

const DRAGGED = 5; // px that a press moves before it is a drag
const NUDGE = 0.1; // change per key press

export class Bar {
  /**
   * @param {(word: string) => void} press
   * @param {(word: string, value: number) => void} pull
   */
  constructor(press, pull) {
    this.pull = pull;
    this.p = 0;
    this.x = /** @type {number | null} */ (null); // where the press began
    this.isDragged = false;
    this.of = "";
    this.word = make("span", { class: "word" });
    this.fill = make("span", { class: "fill" });
    this.ghost = make("span", { class: "ghost" });
    this.goal = make("span", { class: "goal", hidden: true });
    this.number = make("span", { class: "number" });
    this.track = make("span", { class: "track" }, this.fill, this.ghost, this.goal);
    this.button = make(
      "button",
      {
        type: "button",
        class: "next-word",
        "aria-keyshortcuts": "Shift+ArrowRight Shift+ArrowLeft",
        onclick: () => {
          if (!this.isDragged) press(this.of);
          this.isDragged = false;
        },
        onpointerdown: (event) => this.take(event),
        onpointermove: (event) => this.drag(event),
        onpointerup: () => this.leave(),
        onpointercancel: () => this.leave(),
      },
      this.word,
      this.track,
      this.number,
    );
    this.node = make("li", { "data-part": "bar" }, this.button);
    const nudge = (/** @type {number} */ by) => () => this.nudge(by);
    bindKeys(this.button, "On a next word", [
      { keys: ["Shift+ArrowLeft"], does: "pulls it to a tenth less", run: nudge(-NUDGE) },
      { keys: ["Shift+ArrowRight"], does: "pulls it to a tenth more", run: nudge(NUDGE) },
    ]);
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
    const { left, width } = this.track.getBoundingClientRect();
    this.ask((event.clientX - left) / width);
  }

  /** Whether it is being dragged. */
  get isHeld() {
    return this.isDragged && this.x !== null;
  }

  leave() {
    this.x = null;
    this.goal.hidden = true;
  }

  /** @param {number} by */
  nudge(by) {
    this.ask(Math.round(10 * (this.p + by)) / 10);
    this.goal.hidden = true;
  }

  /** @param {number} value the probability that the word should get */
  ask(value) {
    const wish = Math.round(100 * Math.min(0.99, Math.max(0.01, value))) / 100;
    this.goal.hidden = false;
    this.goal.style.left = `${100 * wish}%`;
    this.pull(this.of, wish);
  }

  /**
   * @param {string | undefined} word @param {number} p @param {number | undefined} before
   * @param {boolean} isLikeliest of all words
   */
  show(word, p, before, isLikeliest) {
    this.button.hidden = word === undefined;
    if (word === undefined) return;
    this.of = word;
    this.p = p;
    setText(this.word, word === "" ? "∅" : word.replaceAll(" ", "␣"));
    setText(this.number, numberText(p));
    this.fill.style.transform = `scaleX(${p})`;
    const moved = before !== undefined && Math.abs(before - p) > GHOST ? before : undefined;
    this.ghost.hidden = moved === undefined;
    if (moved !== undefined) this.ghost.style.left = `${100 * moved}%`;
    this.button.classList.toggle("likeliest", isLikeliest);
    const was = moved === undefined ? "" : `, before the edit ${numberText(moved)}`;
    const said = `${word || "empty token"}, probability ${numberText(p)}${was}`;
    setAttribute(this.button, "aria-label", said);
    setAttribute(
      this.button,
      "title",
      `${said}. Drag the bar to pull this answer; press it to select it.`,
    );
  }
}
