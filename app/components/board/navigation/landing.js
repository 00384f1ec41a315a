/** Going to a place of the page, and being there also when what is around it has been drawn. */

import { prefersStillness } from "../../shared/motion.js";

const FAR = 3; // screens; a longer way flies by too fast to be followed
const SETTLING_MS = 600;
const TAKING_OVER = ["wheel", "touchmove", "pointerdown", "keydown"];

export class Landing {
  constructor() {
    this.calls = new AbortController();
  }

  /** @param {HTMLElement} el to begin right under the frame of the page */
  on(el) {
    this.leave();
    this.calls = new AbortController();
    const { signal } = this.calls;
    for (const type of TAKING_OVER)
      addEventListener(type, () => this.leave(), { signal, passive: true });
    const way = Math.abs(el.getBoundingClientRect().top);
    if (prefersStillness() || way > FAR * innerHeight) this.settle(el, signal);
    else {
      document.addEventListener("scrollend", () => this.settle(el, signal), { signal, once: true });
      el.scrollIntoView({ block: "start", behavior: "smooth" });
    }
  }

  /** Wherever it was going, the reader has taken over. */
  leave() {
    this.calls.abort();
  }

  /**
   * Rows above may take another height when they are drawn, a moment after they come near the
   * screen.
   * @param {HTMLElement} el @param {AbortSignal} signal
   */
  settle(el, signal) {
    const end = performance.now() + SETTLING_MS;
    const hold = () => {
      if (signal.aborted) return;
      el.scrollIntoView({ block: "start", behavior: "instant" });
      if (performance.now() < end) requestAnimationFrame(hold);
      else this.leave();
    };
    hold();
  }
}
