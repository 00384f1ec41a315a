/**
 * What stands beside the picture follows every display frame of an oscillation, or where those come
 * late, ten a second: then the picture itself has the time.
 */

const LATE = 22; // ms between two frames, on average
const PAUSE = 100; // ms
const SHARE = 0.1; // of one frame in that average
const MOST = 100; // ms that one frame counts there: a single pause is none of its own

/** @param {() => void} write @returns {() => void} to be called in each frame that paints */
export function spareFrames(write) {
  let before = 0;
  let usual = 0; // ms between two frames
  let isLate = false; // until the oscillation ends
  let written = 0;
  let timer = 0;
  const run = () => {
    written = performance.now();
    write();
  };
  return () => {
    const now = performance.now();
    clearTimeout(timer);
    if (!window.tinkerformer?.oscillating()) {
      isLate = false;
      usual = 0;
    } else {
      usual += usual ? SHARE * (Math.min(now - before, MOST) - usual) : 1;
      isLate ||= usual > LATE;
    }
    before = now;
    if (isLate && now - written < PAUSE) timer = setTimeout(run, PAUSE);
    else run();
  };
}
