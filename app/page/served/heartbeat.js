/**
 * Whether the server still answers on the socket. A process that is stopped, or a network that
 * swallows what is sent, closes nothing: silence is told. Whatever is sent is a question; where
 * nothing is, the server is asked whether it is there, less often if nobody touches the page.
 *
 * A page that was itself held up (in the background, frozen, asleep) hears late what was answered
 * in time: it begins to wait when it goes on. Time is that of `performance`, which no change of the
 * clock moves.
 */

/**
 * @typedef {object} Hears
 * @property {() => void} slow it has not answered for a moment: perhaps it is only busy
 * @property {() => void} answers it does again
 * @property {() => void} silent it has not answered for long
 */

// ms; slow is told within 3 s of the last answer: EVERY + SLOW and two beats.
const BEAT = 250;
const EVERY = 800;
const EVERY_IDLE = 5000;
const IDLE = 30_000;
const SLOW = 1600;
const SILENT = 12_000;
const AGAIN = 3000; // silence is told so often
const OPENING = 6000; // it makes the page before it hears the first question
const HELD_UP = 1000;

export class Heartbeat {
  /** @param {() => void} ask @param {Hears} hears */
  constructor(ask, hears) {
    this.ask = ask;
    this.hears = hears;
    this.isSlow = false;
    this.isOpening = true;
    this.beaten = this.heardAt = this.touchedAt = performance.now();
    this.told = 0;
    /** When the question was asked that waits for its answer. @type {number | null} */
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
      this.asked = this.told = now;
    } else {
      this.wait(now, this.asked);
    }
  }

  /** @param {number} now @param {number} asked */
  wait(now, asked) {
    // While something still arrives, the answer may stand behind it.
    const quiet = now - Math.max(asked, this.heardAt);
    if (!this.isSlow && quiet >= (this.isOpening ? OPENING : SLOW)) {
      this.isSlow = true;
      this.hears.slow();
    }
    if (now - asked >= SILENT && now - this.told >= AGAIN) {
      this.told = now;
      this.hears.silent();
    }
  }

  /** Somebody is there. */
  touched() {
    this.touchedAt = performance.now();
  }

  /** The page is there. */
  opened() {
    this.isOpening = false;
  }

  /** Something was sent that is answered. */
  sent() {
    this.asked ??= performance.now();
  }

  /** Something has come. */
  heard() {
    this.heardAt = performance.now();
  }

  /** An answer has come. */
  answered() {
    this.heard();
    this.asked = null;
    if (this.isSlow) this.hears.answers();
    this.isSlow = false;
  }
}
