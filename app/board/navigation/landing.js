/** Scrolls to an element, and holds it in place while content around it is drawn. */

import { intoView } from "../../components/shared/into_view.js";
import { prefersStillness } from "../../components/shared/motion.js";

const FAR = 3; // screens; a longer scroll would be too fast to follow, so it is not animated
const SETTLING_MS = 600;
const TAKING_OVER = ["wheel", "touchmove", "pointerdown", "keydown"];

export class Landing {
  constructor() {
    this.calls = new AbortController();
  }

  /** @param {HTMLElement} el to scroll to just below the header */
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
      intoView(el, { block: "start", behavior: "smooth" });
    }
  }

  /** Stops holding the element, when the user scrolls or the time is over. */
  leave() {
    this.calls.abort();
  }

  /**
   * Corrects the position while rows above change height, since they are drawn near the screen.
   * @param {HTMLElement} el @param {AbortSignal} signal
   */
  settle(el, signal) {
    const end = performance.now() + SETTLING_MS;
    const hold = () => {
      if (signal.aborted) return;
      intoView(el, { block: "start", behavior: "instant" });
      if (performance.now() < end) requestAnimationFrame(hold);
      else this.leave();
    };
    hold();
  }
}
