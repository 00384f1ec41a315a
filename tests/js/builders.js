/** Objects that several tests use. */

import { Matrix } from "../../app/board/data/matrix.js";
import { Emphasis } from "../../app/board/focus/emphasis.js";

/** The description of a matrix in a manifest. */
export const entry = (path, rows, cols, more = {}) => ({
  ...{ path, rows, cols, tex: "M", row_labels: [], col_labels: [], editable: false, head: null },
  ...more,
});

/** A matrix with its numbers. */
export function matrix(described, values, flags = null, index = 0) {
  const made = new Matrix(described, index);
  made.accept(Float32Array.from(values), flags && Uint8Array.from(flags), null);
  return made;
}

/** A strip of a part, by the index of its matrix. */
export const strip = (index, stack) => ({ strip: index, stack, title: "", under: [], lens: false });

/** The links of a part, by the indices of its heads' weights. */
export const links = (lanes, stack, keys) => ({ lanes, stack, keys });

/** A part of the picture; its tiles are indices of matrices. */
export const part = (id, kind, stack, items, tiles = []) => ({
  ...{ id, kind, stack, items, title: id, layer: null, tex: [] },
  tiles: tiles.map((tile) => ({ tex: "W", tiles: [tile] })),
});

/** The emphasis of a page on which nothing is focused, edited or marked, but for these services. */
export function emphasisOf(services) {
  const nothing = () => null;
  return new Emphasis({
    ...{ painter: { schedule() {}, touchAll() {} }, trail: {}, orbit: nothing, focus: nothing },
    ...{ selection: nothing, row: () => 1, isEditing: nothing, hasLearned: nothing },
    ...{ marksSearched: nothing, showsGradients: nothing },
    ...services,
  });
}

/** Random numbers from 0 to 1, the same at each run. */
export function random(seed) {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Resolves when every settled promise has been handled. */
export const settled = () => new Promise((done) => setImmediate(done));

/** Time that advances only from event to event. */
export class Time {
  now = 0;
  events = [];

  at(time, run) {
    const event = { time, run };
    this.events.push(event);
    this.events.sort((a, b) => a.time - b.time);
    return event;
  }

  after(run, ms = 0) {
    return this.at(this.now + ms, run);
  }

  /** Advances time until no event is left, or until this promise is settled. */
  async run(isOver = () => !this.events.length) {
    await settled();
    while (!isOver()) {
      const event = this.events.shift();
      if (event) {
        this.now = event.time;
        event.run();
      }
      await settled(); // all handlers of the event
    }
  }

  /** Advances time until a promise settles. */
  async until(it) {
    let isOver = false;
    it.finally(() => {
      isOver = true;
    });
    await this.run(() => isOver);
    return it;
  }
}
