/**
 * Whether Python still answers. A worker that computes without an end, or hangs, says nothing of it
 * itself: it is asked again and again, and silence is told.
 */

/** @typedef {{silent: () => void, answers: () => void}} Hears */

const EVERY = 2000; // ms
// So many in a row; one alone may be a laptop that has slept.
const UNANSWERED = 5;

export class Pulse {
  /** @param {() => void} ask @param {Hears} hears */
  constructor(ask, hears) {
    this.ask = ask;
    this.hears = hears;
    this.unanswered = 0;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
  }

  begin() {
    this.end();
    this.timer = setInterval(() => this.beat(), EVERY);
  }

  end() {
    clearInterval(this.timer);
    this.unanswered = 0;
  }

  beat() {
    // One question waits at a time: a worker that is busy would find a heap of them.
    if (this.unanswered === 0) this.ask();
    this.unanswered += 1;
    if (this.unanswered === UNANSWERED) this.hears.silent();
  }

  /** Whatever it says, it is there. */
  heard() {
    if (this.unanswered >= UNANSWERED) this.hears.answers();
    this.unanswered = 0;
  }
}
