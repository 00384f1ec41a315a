/**
 * Detects a server that no longer answers on the socket. A stopped process, or a network that drops
 * packets, does not close the socket, so silence has to be detected. When nothing has arrived for a
 * moment, the page sends a request; it does so less often while nobody uses the page.
 *
 * A page that was suspended (in the background, frozen, asleep) receives answers late, so the
 * waiting time starts again when the page resumes. Times are read from `performance`, which ignores
 * changes of the system clock.
 */

/**
 * @typedef {object} HeartbeatHandlers
 * @property {() => void} slow called when the server has not answered for a moment; it may be busy
 * @property {() => void} answers called when the server answers again
 * @property {() => void} silent called when the server has not answered for a long time
 */

// ms. `slow` is reported within 3 s of the last answer: EVERY + SLOW and two beats.
const BEAT = 250;
const EVERY = 800;
const EVERY_IDLE = 5000;
const IDLE = 30_000;
const SLOW = 1600;
const SILENT = 12_000;
const AGAIN = 3000; // time between two reports of silence
const OPENING = 6000; // the server builds the page before it answers the first question
const HELD_UP = 1000;

export class Heartbeat {
  /** @param {() => void} ask @param {HeartbeatHandlers} handlers */
  constructor(ask, handlers) {
    this.ask = ask;
    this.handlers = handlers;
    this.isSlow = false;
    this.isOpening = true;
    this.beaten = this.heardAt = this.touchedAt = performance.now();
    this.reportedAt = 0;
    /** The time of the oldest open request; null if none is open. @type {number | null} */
    this.asked = this.beaten;
    this.timer = setInterval(() => this.beat(), BEAT);
  }

  end() {
    clearInterval(this.timer);
  }

  beat() {
    const now = performance.now();
    const isHeldUp = now - this.beaten > HELD_UP || document.hidden;
    this.beaten = now;
    if (this.asked === null) {
      const every = now - this.touchedAt < IDLE ? EVERY : EVERY_IDLE;
      if (now - this.heardAt < every || isHeldUp) return;
      this.asked = now;
      this.ask();
    } else if (isHeldUp) {
      this.asked = this.reportedAt = now;
    } else {
      this.wait(now, this.asked);
    }
  }

  /** @param {number} now @param {number} asked */
  wait(now, asked) {
    // While messages arrive, the answer may be waiting behind them.
    const quiet = now - Math.max(asked, this.heardAt);
    if (!this.isSlow && quiet >= (this.isOpening ? OPENING : SLOW)) {
      this.isSlow = true;
      this.handlers.slow();
    }
    if (now - asked >= SILENT && now - this.reportedAt >= AGAIN) {
      this.reportedAt = now;
      this.handlers.silent();
    }
  }

  /** Records that somebody uses the page. */
  touched() {
    this.touchedAt = performance.now();
  }

  /** Records that the server has built the page. */
  opened() {
    this.isOpening = false;
  }

  /** Records that a part of a message was received. */
  received() {
    this.heardAt = performance.now();
  }

  /** Records that a whole message was received: the server answers. */
  answered() {
    this.received();
    this.asked = null;
    if (this.isSlow) this.handlers.answers();
    this.isSlow = false;
  }
}
