/**
 * The oscillation that is shown, if there is one: asked for, begun where the number is, carried on
 * with every display frame, and ended.
 */

import { announce } from "../../shared/announce.js";
import { Orbit } from "../data/orbit.js";

/**
 * @import {Matrix} from "../data/matrix.js"
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
    this.orbit = /** @type {Orbit | null} */ (null);
  }

  get isOn() {
    return this.orbit !== null;
  }

  /**
   * @param {boolean} on @param {number | null} amplitude @param {number | null} period
   * @returns {Promise<number>} the version of the page in which it does
   */
  ask(on, amplitude, period) {
    if (!on && this.orbit) this.orbit.held = true; // at once, not when the server has heard of it
    return this.send({ type: "oscillate", on, amplitude, period });
  }

  /** Frames of it are coming; if it is another one, it takes over. @param {OrbitMessage} message */
  begin(message) {
    if (this.orbit?.isSame(message)) return;
    const { path, i, j, period } = message;
    const value = this.store.value(path, i, j);
    const falling = this.orbit?.falling ?? false;
    this.orbit?.end();
    this.orbit = new Orbit(message);
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

  /** A matrix whose frames have come swings along. @param {Matrix} matrix */
  add(matrix) {
    this.orbit?.add(matrix);
  }

  /** @param {Matrix} matrix that has a value of its own again */
  leave(matrix) {
    this.orbit?.matrices.delete(matrix);
  }

  /** @param {Matrix} matrix */
  has(matrix) {
    return this.orbit?.matrices.has(matrix) ?? false;
  }

  /**
   * Go on with it.
   * @param {number} now ms
   * @returns {boolean} whether there is another frame of it
   */
  tick(now) {
    const { orbit, painter } = this;
    if (!orbit) return false;
    painter.schedule();
    // Counts as painted even with nothing of it on screen: the rest of the page follows it, too.
    if (!orbit.advance(now)) return false;
    for (const matrix of orbit.matrices) painter.touchMatrix(matrix);
    announce("swing", { share: orbit.share });
    return true;
  }
}
