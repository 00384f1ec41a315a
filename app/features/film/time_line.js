/** Draws the line of a film: its time as a range, and a tick at the start of each scene. */

import { setText } from "../../components/shared/dom.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { OneStop } from "../../components/shared/one_stop.js";
import { FromTemplate } from "../../components/shared/template.js";
import { byTouch } from "../../components/shared/touch.js";

/** @import {Player} from "./film.js" */

const BEGUN = 0.01; // seconds after which a scene has begun

export class TimeLine extends FromTemplate {
  /** @param {Player} player */
  constructor(player) {
    super();
    this.player = player;
    /** The ticks, for the keyboard; the pointer operates the range. */
    this.marks = /** @type {HTMLElement} */ (this.node.querySelector(".marks"));
    this.pointed = /** @type {HTMLElement} */ (this.node.querySelector(".pointed"));
    new OneStop(this.marks, "On the scenes of a film");
  }

  template() {
    const { player } = this;
    const { clock, at, model } = player;
    const { seconds, length } = clock;
    const point = (/** @type {PointerEvent} */ { clientX }) => {
      const { x, width } = this.marks.getBoundingClientRect();
      this.nameAt((clientX - x) / width);
    };
    const up = (/** @type {PointerEvent} */ event) => {
      if (event.pointerType === "touch") this.nameAt(null);
    };
    const input = (/** @type {Event} */ { currentTarget }) => {
      const to = /** @type {HTMLInputElement} */ (currentTarget).valueAsNumber;
      player.scrub(to);
      if (byTouch()) this.nameAt(to / length);
    };
    const [now, end] = [seconds, length].map(Math.round);
    const scene = `Scene ${at + 1} of ${model.value.length}`;
    const text = `${scene}: ${this.nameOf(at)}, ${now} of ${end} seconds`;
    return html`<div class="time" @pointermove=${point} @pointerdown=${point} @pointerup=${up}
      @pointerleave=${() => this.nameAt(null)}>
      <input type="range" min="0" step="0.01" max=${length} aria-label="Time in the film"
        aria-valuetext=${text} style="--done: ${(seconds / length) * 100}%"
        .value=${String(seconds)} @input=${input} @change=${() => this.nameAt(null)}>
      <div class="marks" role="toolbar" aria-label="Scenes"
        >${model.value.map((_, k) => this.tickOf(k))}</div>
      <span class="pointed" aria-hidden="true" hidden></span>
    </div>`;
  }

  /** Returns the tick at the start of a scene. @param {number} k */
  tickOf(k) {
    const { player } = this;
    const { clock, at } = player;
    const begin = this.beginOf(k);
    return html`<button type="button" style="left: ${((begin / clock.length) * 100).toFixed(2)}%"
      aria-label="Scene ${k + 1}: ${this.nameOf(k)}, from second ${Math.round(begin)}"
      aria-current=${k === at ? "step" : nothing}
      @focus=${() => this.nameAt((begin + BEGUN) / clock.length)}
      @blur=${() => this.nameAt(null)} @click=${() => player.go(k)}></button>`;
  }

  /** Shows the name of a scene above the line. @param {number | null} share of the film */
  nameAt(share) {
    const { length } = this.player.clock;
    this.pointed.hidden = share === null || !length;
    if (share === null || this.pointed.hidden) return;
    const inside = Math.max(0, Math.min(1, share));
    const { at } = window.tinkerformer?.film.sceneAt(inside * length) ?? { at: 0 };
    setText(this.pointed, this.nameOf(at));
    // Keep the name within the ends of the line.
    const { offsetWidth: width } = this.pointed;
    const all = this.marks.offsetWidth;
    const x = Math.max(width / 2, Math.min(inside * all, all - width / 2));
    this.pointed.style.left = `${x + this.marks.offsetLeft}px`;
  }

  /** Returns the name of a scene, or else its number. @param {number} scene */
  nameOf(scene) {
    return this.player.model.value[scene]?.name || `scene ${scene + 1}`;
  }

  /** Returns the second at which a scene begins. @param {number} scene */
  beginOf(scene) {
    const before = this.player.model.value.slice(0, Math.max(0, scene));
    return before.reduce((sum, { seconds }) => sum + seconds, 0);
  }
}
