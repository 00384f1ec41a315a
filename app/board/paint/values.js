/**
 * Receives the numbers from Python: requests the numbers near the screen, passes numbers of the
 * current manifest to their matrices, and acknowledges a frame once it is painted.
 */

import { readChange } from "../data/manifest.js";
import { decode } from "../data/wire.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {BaselineMessage, FrameMessage, MoveMessage, OrbitMessage,
 *   StepMessage} from "../data/messages.js"
 * @import {Send} from "../data/types.js"
 * @import {Numbers} from "../numbers.js"
 * @import {WireEntry} from "../data/wire.js"
 */

/**
 * @typedef {Pick<Numbers, "store" | "trail" | "painter" | "oscillation" | "edits"> & ValueOnly}
 *   ValueServices
 * @typedef {object} ValueOnly
 * @property {Send} send
 * @property {(matrix: Matrix) => void} onChangeOver called when a matrix changes to another part
 * @property {(matrices: Matrix[]) => void} onFresh called with matrices whose values have arrived
 */

export class Values {
  /** @param {ValueServices} services */
  constructor(services) {
    this.services = services;
    this.near = /** @type {Set<number>} */ (new Set());
    this.unacknowledged = 0;
    this.holds = -1; // the page version of the last frame
  }

  /** Reports to Python which matrices are near the screen. @param {number[]} indices of matrices */
  request(indices) {
    const { store, send } = this.services;
    const { version } = store;
    this.near = new Set(indices);
    if (version !== undefined) send({ type: "visible", indices, version });
  }

  /** @param {FrameMessage} message */
  acceptFrame({ bytes, stale }) {
    const { store, trail, oscillation, onFresh } = this.services;
    const frame = decode(bytes);
    // A frame of another manifest is not shown, but still acknowledged.
    if (frame.version === store.version) {
      const fitting = frame.entries.flatMap((entry) => {
        const matrix = store.fitting(entry);
        return matrix ? [{ matrix, values: entry.values, flags: entry.flags }] : [];
      });
      trail.take(fitting, performance.now());
      for (const { values, flags, gradients, ...entry } of frame.entries)
        this.give(entry, (matrix) => {
          oscillation.orbit?.matrices.delete(matrix);
          matrix.accept(values, flags, gradients);
        });
      const fresh = fitting.map(({ matrix }) => matrix);
      store.freshen(fresh, stale);
      onFresh(fresh);
    }
    this.acknowledgeAfterPaint(frame);
  }

  /** @param {OrbitMessage} message */
  acceptOrbit(message) {
    const { store, oscillation } = this.services;
    const frames = decode(message.bytes);
    if (frames.version === store.version) {
      oscillation.begin(message);
      for (const entry of frames.entries)
        this.give(entry, (matrix) => {
          matrix.frames = entry;
          oscillation.orbit?.add(matrix);
        });
    }
    this.acknowledgeAfterPaint(frames);
  }

  /**
   * Passes an entry to its matrix, if the matrix still exists. A matrix that waits for the values
   * of another part changes to that part.
   * @param {Pick<WireEntry, "index" | "rows" | "cols">} entry
   * @param {(matrix: Matrix) => void} take
   */
  give(entry, take) {
    const { store, painter, onChangeOver } = this.services;
    const matrix = store.fitting(entry);
    if (!matrix) return;
    if (matrix.coming) {
      store.changeOver(matrix);
      onChangeOver(matrix);
    }
    take(matrix);
    painter.touchMatrix(matrix);
  }

  /** Stores a change to another part until its values arrive. @param {MoveMessage} message */
  acceptMove({ index, json }) {
    const matrix = this.services.store.byIndex[index];
    if (matrix) matrix.coming = { ...matrix.coming, ...readChange(json) };
  }

  /** Sets the pinned baseline; removes it without bytes. @param {BaselineMessage} message */
  acceptBaseline({ bytes }) {
    const { store, painter } = this.services;
    if (!bytes) {
      for (const matrix of store.byIndex) matrix.baseline = null;
    } else {
      for (const [matrix, values] of this.fitting(bytes)) matrix.baseline = values;
    }
    painter.touchAll();
  }

  /** Sets values before a step, where the browser had none. @param {StepMessage} message */
  acceptStart({ bytes }) {
    if (!bytes) return;
    for (const [matrix, values] of this.fitting(bytes)) matrix.start = values;
  }

  /** Decodes values, by matrix; empty if of another structure. @param {ArrayBuffer} bytes */
  fitting(bytes) {
    const { store } = this.services;
    const { version, entries } = decode(bytes);
    const found = /** @type {Map<Matrix, Float32Array>} */ (new Map());
    if (version !== store.version) return found;
    for (const entry of entries) {
      const matrix = store.fitting(entry);
      if (matrix) found.set(matrix, entry.values);
    }
    return found;
  }

  /**
   * Whether the browser has the current values of a matrix. During an oscillation, Python sends
   * frames only for matrices near the screen and pinned matrices.
   * @param {Matrix} matrix
   */
  isCurrent(matrix) {
    const { store, oscillation } = this.services;
    if (oscillation.orbit?.matrices.has(matrix)) return true;
    const isSent = this.near.has(matrix.index) || store.manifest?.pinned?.includes(matrix.index);
    return !store.stale.has(matrix) && (!oscillation.isOn || Boolean(isSent));
  }

  /** @param {{seq: number, holds: number}} frame */
  acknowledgeAfterPaint({ seq, holds }) {
    this.unacknowledged = seq;
    this.holds = holds;
    this.services.painter.schedule();
  }

  /** Whether a frame has not been acknowledged yet. */
  get areNews() {
    return this.unacknowledged > 0;
  }

  acknowledge() {
    const { edits, send } = this.services;
    const seq = this.unacknowledged;
    this.unacknowledged = 0;
    if (!edits.painted(this.holds, seq)) send({ type: "ack", seq });
  }
}
