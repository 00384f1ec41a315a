/**
 * Whether canvases are drawn by the processor. Where the browser draws them with OpenGL and there
 * is no graphics card, OpenGL itself is emulated, and a stroke takes half a millisecond (WebKit on
 * Linux); Chromium and Firefox notice that by themselves. A trial tells, once in a page.
 */

const SIDE = 256; // px; browsers draw small canvases by the processor in any case
const STROKES = 16;
const SLOW = 6; // ms for all of them, with reading them back
const TIMES = 5; // so much faster it has to be by the processor

/** @type {boolean | null} */
let known = null;

export function isDrawnByProcessor() {
  known ??= /AppleWebKit/.test(navigator.userAgent) && isFasterByProcessor();
  return known;
}

function isFasterByProcessor() {
  const usual = trial({});
  usual(); // the first picture also starts what draws it
  const time = usual();
  if (!(time > SLOW)) return false;
  const other = trial({ willReadFrequently: true });
  other();
  return time > TIMES * other();
}

/**
 * @param {CanvasRenderingContext2DSettings} settings
 * @returns {() => number} draws a few curves, and says how many ms that took
 */
function trial(settings) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  const ctx = canvas.getContext("2d", settings);
  return () => {
    if (!ctx) return 0;
    const begin = performance.now();
    ctx.globalAlpha = 0.5;
    ctx.lineWidth = 3.5; // thin and opaque ones are faster
    for (let k = 0; k < STROKES; k++) {
      const y = (k * SIDE) / STROKES;
      ctx.beginPath();
      ctx.moveTo(0, y);
      ctx.bezierCurveTo(SIDE / 2, y, SIDE / 2, SIDE - y, SIDE, SIDE - y);
      ctx.stroke();
    }
    ctx.getImageData(0, 0, 1, 1); // waits until all is drawn
    return performance.now() - begin;
  };
}
