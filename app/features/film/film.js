/**
 * Plays a film. The player has the clock; the board draws the film at a given time. A touch or a
 * key anywhere on the page pauses the film. With reduced motion, the player shows stills.
 */

import { asControl } from "../../components/shared/control.js";
import { bindKeys } from "../../components/shared/keys.js";
import { html } from "../../components/shared/lit-html.js";
import { prefersStillness } from "../../components/shared/motion.js";
import { rich } from "../../components/shared/rich_text.js";
import { classes, FromTemplate } from "../../components/shared/template.js";
import { isTyping } from "../../components/shared/typing.js";
import { Clock } from "./clock.js";
import { TimeLine } from "./time_line.js";

/**
 * @import {Scene as ShownScene} from "../../board/film/film_stage.js"
 * @import {Component} from "../../components/shared/control.js"
 * @import {Rich} from "../../components/shared/rich_text.js"
 *
 * @typedef {ShownScene & {name: string, caption: Rich[], acts: boolean}} Scene
 * @typedef {{value: Scene[], opened: number, dismissed: number, waits: boolean}} Properties
 */

const SPEEDS = [0.5, 1, 1.5, 2];
const YOUR_TURN = "Your turn: drag any number, or press a word beside the picture to follow it.";
const SECOND = 1; // seconds moved by an arrow key
const PATIENCE = 8000; // ms to wait until a number begins to oscillate
/** The share of a scene at which its still is taken; an oscillating number is at its extreme. */
const STILL = { usual: 0.999, swing: 0.49 };
/** Keys that operate the player's own controls, and keys that are only part of a shortcut. */
const OWN = /^( |Enter|Arrow.*|Home|End|Page.*)$/;
const HELD = new Set(["Shift", "Control", "Alt", "Meta", "Tab", "CapsLock"]);

/** @param {Component<Properties>} component */
export function render({ model }) {
  return asControl(model, new Player(model).node);
}

export class Player extends FromTemplate {
  /** @param {Component<Properties>["model"]} model */
  constructor(model) {
    super();
    this.model = model;
    this.root = document.documentElement;
    this.clock = new Clock();
    this.isOpen = this.isAsked = false;
    this.acted = -1; // the scene whose numbers the page shows; −1: the page's own numbers
    this.at = -1; // the scene being shown
    this.stills = false;
    this.waiting = 0; // when it began to wait for a number, in ms
    this.seen = 0; // the number of openings handled so far
    this.opener = /** @type {Element | null} */ (null);
    this.frame = 0;
    this.caption = /** @type {unknown} */ ("");
    this.isOver = false;
    this.line = new TimeLine(this);
    this.listening = new AbortController();
    this.listen(this.listening.signal);
    this.showState();
    this.openedElsewhere();
  }

  draw() {
    this.line.draw();
    super.draw();
  }

  template() {
    const { clock, stills, isOpen, at } = this;
    const setSpeed = (/** @type {Event} */ { currentTarget }) => {
      clock.speed = Number(/** @type {HTMLSelectElement} */ (currentTarget).value);
    };
    const { isPlaying, isOver } = clock;
    const label = isPlaying ? "Pause (Space)" : isOver ? "Again" : "Play (Space)";
    const waits = isOpen && !isPlaying && clock.seconds === 0 && !stills;
    const kinds = classes("film", this.isOver && "over", stills && "stills", waits && "waits");
    /** @param {string} name @param {string} text @param {() => void} press */
    const button = (name, text, press, { isHidden = false, isOff = false } = {}) =>
      html`<button type="button" aria-label=${name} title=${name} ?hidden=${isHidden}
        ?disabled=${isOff} @click=${press}>${text}</button>`;
    const [now, end] = [clock.seconds, clock.length].map(Math.round);
    return html`<div class="control" role="group">
      <button type="button" class="again" ?hidden=${isOpen || !this.model.waits}
        @click=${() => this.open()}>▶ Watch the film</button>
      <section class=${kinds} aria-label="Film" ?hidden=${!isOpen}>
        <p class="caption" aria-live="polite" data-recorded="below">${this.caption}</p>
        <div class="bar">
          <div class="buttons">
            ${button("The scene before (Page Down)", stills ? "Back" : "‹", () => this.step(-1))}
            ${button(label, isPlaying ? "❚❚" : isOver ? "↻" : "▶", () => this.toggle(), {
              isHidden: stills,
            })}
            ${button("The next scene (Page Up)", stills ? "Next" : "›", () => this.step(1), {
              isOff: isOver,
            })}
          </div>
          ${this.line.node}
          <span class="now">${at < 0 ? "" : `${now} / ${end} s · ${this.line.nameOf(at)}`}</span>
          <select aria-label="Speed" ?hidden=${stills} @change=${setSpeed}>${SPEEDS.map(
            (x) => html`<option value=${x} ?selected=${x === 1}>${x}×</option>`,
          )}</select>
          <button type="button" class="turn" ?hidden=${!isOver}
            @click=${() => this.leave()}>Your turn</button>
          ${button("Close the film (Esc)", "×", () => this.leave())}
        </div>
      </section>
    </div>`;
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    const { model } = this;
    document.addEventListener("tinkerformer:film", () => this.open(), { signal });
    document.addEventListener("tinkerformer:ready", () => this.openedElsewhere(), { signal });
    model.on("opened", () => this.openedElsewhere());
    model.on("dismissed", () => this.leave());
    model.on("value", () => this.renew());
    model.on("waits", () => this.showState());
    const lost = (/** @type {CustomEvent<{on: boolean}>} */ { detail }) => {
      if (!detail.on && this.isOpen && model.value[this.acted]?.swing) this.acted = -1;
    };
    document.addEventListener("tinkerformer:orbit", lost, { signal });
    const touched = (/** @type {Event} */ event) => {
      if (!event.composedPath().includes(this.node)) this.pause();
    };
    for (const type of ["pointerdown", "wheel"])
      document.addEventListener(type, touched, { signal, capture: true, passive: true });
    const isOpen = () => this.isOpen;
    bindKeys(
      document,
      "While a film is open",
      [
        { keys: ["Escape"], does: "closes it", when: isOpen, run: () => this.leave() },
        { keys: ["Space"], does: "plays and pauses", when: isOpen, run: (e) => this.space(e) },
        ...[-1, 1].flatMap((by) => [
          {
            keys: [by < 0 ? "ArrowLeft" : "ArrowRight"],
            does: by < 0 ? "a second back" : "a second on",
            when: isOpen,
            run: (/** @type {KeyboardEvent} */ e) => this.moves(e, () => this.second(by)),
          },
          {
            keys: [by < 0 ? "PageDown" : "PageUp"],
            does: by < 0 ? "the scene before" : "the next scene",
            when: isOpen,
            run: (/** @type {KeyboardEvent} */ e) => this.moves(e, () => this.step(by)),
          },
        ]),
      ],
      { signal, capture: true },
    );
    const pressed = (/** @type {KeyboardEvent} */ event) => {
      const isOwn = event.composedPath().includes(this.node) && OWN.test(event.key);
      if (!HELD.has(event.key) && !event.defaultPrevented && !isOwn) this.pause();
    };
    document.addEventListener("keydown", pressed, { signal, capture: true });
    // The film belongs to the diagram view: close it when another view opens.
    const elsewhere = new MutationObserver(() => {
      if (this.isOpen && this.root.dataset.view !== "picture") this.leave();
    });
    elsewhere.observe(this.root, { attributeFilter: ["data-view"] });
    model.on("remove", () => {
      elsewhere.disconnect();
      this.listening.abort();
      this.leave();
    });
  }

  /** Plays from the beginning; if film or diagram is not ready, requests the film first. */
  open() {
    this.opener = document.activeElement;
    if (this.model.value.length && window.tinkerformer?.look()) this.begin(true);
    else {
      this.isAsked = true;
      this.model.send_msg({ type: "ask" });
    }
  }

  /** Plays a film that Python opened. */
  openedElsewhere() {
    const { model } = this;
    if (model.opened === this.seen || !window.tinkerformer?.ready) return;
    this.seen = model.opened;
    const isPlaying = this.isAsked || !model.waits;
    this.isAsked = false;
    this.whenThere(() => this.begin(isPlaying));
  }

  /** Calls a function once the diagram is drawn. @param {() => void} then */
  whenThere(then, tries = 120) {
    if (window.tinkerformer?.look()) then();
    else if (tries) requestAnimationFrame(() => this.whenThere(then, tries - 1));
  }

  /** @param {boolean} isPlaying whether to play immediately */
  begin(isPlaying) {
    const { model, clock } = this;
    if (!model.value.length) return;
    this.isOpen = true;
    this.stills = prefersStillness();
    this.at = this.acted = -1;
    this.take();
    clock.goTo(0);
    model.send_msg({ type: "begin" });
    if (isPlaying && !this.stills) clock.play();
    scrollTo({ top: 0, behavior: "instant" });
    this.showState();
    this.run();
    // The buttons are back, play and next.
    /** @type {NodeListOf<HTMLElement>} */
    const buttons = this.node.querySelectorAll(".buttons button");
    if (isPlaying) buttons[this.stills ? 2 : 1].focus({ preventScroll: true });
  }

  /** Reloads the scenes after the numbers changed. */
  renew() {
    if (!this.isOpen || !this.model.value.length) return;
    this.at = -1;
    this.take();
    this.run();
  }

  take() {
    const { value } = this.model;
    window.tinkerformer?.film.begin(value);
    this.clock.length = value.reduce((sum, { seconds }) => sum + seconds, 0);
    this.draw();
  }

  leave() {
    if (!this.isOpen) return;
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.clock.pause();
    this.isOpen = false;
    const hadFocus = this.node.getRootNode() === document || this.node.matches(":focus-within");
    window.tinkerformer?.film.leave();
    this.model.send_msg({ type: "leave" });
    this.acted = -1;
    this.showState();
    if (hadFocus && this.opener instanceof HTMLElement) this.opener.focus({ preventScroll: true });
  }

  toggle() {
    if (this.clock.isPlaying) this.clock.pause();
    else {
      this.clock.play();
      this.run();
    }
    this.showState();
  }

  pause() {
    if (this.clock.isPlaying) this.toggle();
  }

  /** @param {number} seconds */
  scrub(seconds) {
    if (this.stills) this.toStill(window.tinkerformer?.film.sceneAt(seconds).at ?? 0);
    else this.clock.goTo(seconds);
    this.run();
  }

  /** @param {number} by scenes */
  step(by) {
    const { clock, at } = this;
    const { value } = this.model;
    if (this.stills && by > 0 && at === value.length - 1) clock.goTo(clock.length);
    else if (this.stills) this.toStill(clock.isOver ? value.length - 1 : at + by);
    else {
      const begin = this.line.beginOf(at);
      // In the middle of a scene, Back first returns to its start.
      const isLate = by < 0 && clock.seconds - begin > 1.2;
      clock.goTo(isLate ? begin : this.line.beginOf(at + by));
    }
    this.run();
  }

  /** Goes to the start of a scene, or to its still. @param {number} scene */
  go(scene) {
    if (this.stills) this.toStill(scene);
    else this.clock.goTo(this.line.beginOf(scene));
    this.run();
  }

  /** Moves by a second; with stills, by a scene. @param {number} by */
  second(by) {
    if (this.stills) {
      this.step(by);
      return;
    }
    this.clock.goTo(this.clock.seconds + by * SECOND);
    this.run();
  }

  /** @param {number} at */
  toStill(at) {
    const k = Math.max(0, Math.min(this.model.value.length - 1, at));
    const { seconds, swing } = this.model.value[k];
    this.clock.goTo(this.line.beginOf(k) + seconds * (swing ? STILL.swing : STILL.usual));
  }

  /** Shows the current time, and keeps running while the film plays. */
  run() {
    if (this.stills && this.at < 0) this.toStill(0);
    this.frame ||= requestAnimationFrame((now) => this.tick(now));
  }

  /** @param {number} now ms */
  tick(now) {
    this.frame = 0;
    const film = window.tinkerformer?.film;
    if (!this.isOpen || !film) return;
    const { clock } = this;
    const isReady = film.isReady(clock.seconds);
    this.waiting = isReady ? 0 : this.waiting || now;
    clock.tick(now, !isReady && now - this.waiting < PATIENCE);
    const { at } = film.sceneAt(clock.seconds);
    if (at !== this.at || (this.isOver && !clock.isOver)) this.enter(at);
    this.act(clock.isOver ? -1 : at);
    film.show(clock.seconds, { cuts: this.stills, returns: clock.isPlaying });
    this.draw();
    if (clock.isOver) this.over();
    const isMoving = clock.isPlaying || !film.isReady(clock.seconds);
    if (isMoving && !clock.isOver) this.run();
  }

  /** @param {number} at */
  enter(at) {
    this.at = at;
    this.isOver = false;
    this.caption = rich(this.model.value[at].caption);
  }

  /** Makes the page show the numbers of a scene if it has its own. @param {number} at */
  act(at) {
    const wanted = this.model.value[at]?.acts ? at : -1;
    if (wanted === this.acted) return;
    this.acted = wanted;
    this.model.send_msg({ type: "scene", scene: wanted });
  }

  over() {
    if (this.isOver) return;
    this.isOver = true;
    this.caption = YOUR_TURN;
    this.showState();
    const turn = /** @type {HTMLElement} */ (this.node.querySelector(".turn"));
    if (this.node.matches(":focus-within")) turn.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  space(event) {
    if (this.stills || isTyping(event)) return false;
    const [target] = event.composedPath();
    if (target instanceof HTMLElement && target.closest("button, select, a")) return false;
    this.toggle();
    return true;
  }

  /**
   * While the film is paused, keys outside the player keep their meaning on the page. On the ticks,
   * arrow keys move between the ticks.
   * @param {KeyboardEvent} event @param {() => void} move
   */
  moves(event, move) {
    const path = event.composedPath();
    const isOwn = path.includes(this.node) && !(path[0] instanceof HTMLSelectElement);
    const isOnTicks = path.includes(this.line.marks) && event.key.startsWith("Arrow");
    if (isTyping(event) || isOnTicks) return false;
    if (!isOwn && !this.clock.isPlaying) return false;
    move();
    return true;
  }

  /** Shows whether the film is open, and whether it plays. */
  showState() {
    if (this.isOpen) this.root.dataset.film = this.clock.isPlaying ? "plays" : "paused";
    else delete this.root.dataset.film;
    // If the page was opened for the film, the film can be opened again.
    this.root.toggleAttribute("data-film-again", !this.isOpen && this.model.waits);
    this.draw();
  }
}
