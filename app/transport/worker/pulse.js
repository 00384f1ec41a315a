/**
 * Detects a worker that has stopped answering. A worker in an endless computation cannot report it,
 * so the page asks it at intervals and reports silence.
 */

/** @typedef {{silent: () => void, answers: () => void}} PulseHandlers */

const EVERY = 2000; // ms
// Missed answers in a row before silence is reported; a single one may be a laptop that slept.
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
    // Only one question is open at a time, so that they do not pile up for a busy worker.
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
