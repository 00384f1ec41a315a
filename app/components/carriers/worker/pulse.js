/**
 * Detects a worker that has stopped answering. A worker in an endless computation cannot report it,
 * so the page asks it at intervals and reports silence.
 */

/** @typedef {{silent: () => void, answers: () => void}} Hears */

const EVERY = 2000; // ms
// Missed answers in a row before silence is reported; a single one may be a laptop that slept.
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
    // Only one question is open at a time, so that a busy worker does not find a pile of them.
    if (this.unanswered === 0) this.ask();
    this.unanswered += 1;
    if (this.unanswered === UNANSWERED) this.hears.silent();
  }

  /** Any message shows that the worker is alive. */
  heard() {
    if (this.unanswered >= UNANSWERED) this.hears.answers();
    this.unanswered = 0;
  }
}
