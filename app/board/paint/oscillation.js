/** Requests an oscillation, starts it at the current value, advances it by frames, and ends it. */

import { announce } from "../../components/shared/announce.js";
import { SwingFrames } from "../data/swing_frames.js";

/**
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {OrbitMessage} from "../data/messages.js"
 * @import {Send} from "../data/types.js"
 * @import {Painter} from "./painter.js"
 */

export class Oscillation {
  /** @param {MatrixStore} store @param {Painter} painter @param {Send} send */
  constructor(store, painter, send) {
    this.store = store;
    this.painter = painter;
    this.send = send;
    this.orbit = /** @type {SwingFrames | null} */ (null);
  }

  get isOn() {
    return this.orbit !== null;
  }

  /**
   * @param {boolean} on @param {number | null} amplitude @param {number | null} period
   * @returns {Promise<number>} the page version that includes the change
   */
  ask(on, amplitude, period) {
    if (!on && this.orbit) this.orbit.held = true; // stop immediately, without waiting for Python
    return this.send({ type: "oscillate", on, amplitude, period });
  }

  /** Plays an orbit from the current value; ends the previous one. @param {OrbitMessage} message */
  begin(message) {
    if (this.orbit?.isSame(message)) return;
    const { path, i, j, period } = message;
    const value = this.store.value(path, i, j);
    const falling = this.orbit?.falling ?? false;
    this.orbit?.end();
    this.orbit = new SwingFrames(message);
    this.orbit.startAt(value, falling);
    announce("orbit", { on: true, path, i, j, period });
  }

  end() {
    if (!this.orbit) return;
    const { path, i, j } = this.orbit;
    this.orbit.end();
    this.orbit = null;
    announce("orbit", { on: false, path, i, j });
  }

  /** @param {number} now ms @returns {boolean} whether a new frame is shown */
  tick(now) {
    const { orbit, painter } = this;
    if (!orbit) return false;
    painter.schedule();
    // A new frame counts as painted even if off screen, because the rest of the page shows it, too.
    if (!orbit.advance(now)) return false;
    for (const matrix of orbit.matrices) painter.touchMatrix(matrix);
    return true;
  }
}
