/** The work of a display frame: paint, acknowledge, and notify the rest of the page. */

import { announce } from "../../components/shared/announce.js";

/** @import {Numbers} from "../numbers.js" */

/**
 * @typedef {Pick<Numbers, "store" | "cursors" | "painter" | "oscillation" | "emphasis" | "values">
 *   & FrameListeners} FrameServices
 * @typedef {object} FrameListeners
 * @property {() => void} onPainted called when something was painted
 * @property {() => void} onShown called when the read-out may have to be updated
 * @property {() => void} onTick called after the acknowledgment, when nothing due is left to paint
 */

export class FrameLoop {
  /** @param {FrameServices} services */
  constructor(services) {
    this.services = services;
    this.frames = 0; // number of frames painted
    this.ready = false; // whether the page shows numbers
  }

  /** @param {number} now ms */
  tick(now) {
    const { painter, oscillation, emphasis, values, onPainted, onShown, onTick } = this.services;
    const moved = oscillation.tick(now);
    emphasis.tick(now);
    const painted = painter.paint() || moved;
    if (painted) onPainted();
    const { areNews } = values;
    if (!painted && !areNews) return;
    this.frames += 1;
    onShown();
    if (areNews) this.acknowledge();
    onTick();
    announce("frame", { frames: this.frames });
  }

  acknowledge() {
    const { store, cursors, oscillation, values } = this.services;
    values.acknowledge();
    if (!oscillation.isOn) cursors.focused?.materialize?.();
    if (this.ready || !store.byIndex.some((matrix) => matrix.values)) return;
    this.ready = true;
    announce("ready");
  }
}
