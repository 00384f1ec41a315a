/**
 * Detects a worker that has stopped answering. A worker in an endless computation cannot report
 * this, so the page sends requests at intervals, and reports missing answers.
 */

/** @typedef {{silent: () => void, answers: () => void}} PulseHandlers */

const EVERY = 2000; // ms
// Consecutive missed answers before silence is reported; a laptop that slept also misses one.
const UNANSWERED = 5;

export class Pulse {
  /** @param {() => void} ask @param {PulseHandlers} handlers */
  constructor(ask, handlers) {
    this.ask = ask;
    this.handlers = handlers;
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
    // Only one request is open at a time, so that they do not accumulate for a busy worker.
    if (this.unanswered === 0) this.ask();
    this.unanswered += 1;
    if (this.unanswered === UNANSWERED) this.handlers.silent();
  }

  /** Any message shows that the worker is alive. */
  received() {
    if (this.unanswered >= UNANSWERED) this.handlers.answers();
    this.unanswered = 0;
  }
}
