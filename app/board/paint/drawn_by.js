/**
 * Decides, by one measurement per page, whether the CPU draws canvases. WebKit on Linux uses OpenGL
 * even without a graphics card; OpenGL is then emulated, and a stroke takes half a millisecond.
 * Chromium and Firefox detect this case themselves.
 */

const SIDE = 256; // px; browsers draw smaller canvases by the CPU anyway
const STROKES = 16;
const SLOW = 6; // ms for all strokes and reading them back
const TIMES = 5; // the CPU must be faster by this factor

/** @type {boolean | null} */
let known = null;

export function isDrawnByProcessor() {
  known ??= /AppleWebKit/.test(navigator.userAgent) && isFasterByProcessor();
  return known;
}

function isFasterByProcessor() {
  const usual = trial({});
  usual(); // the first run includes the start of the renderer
  const time = usual();
  if (!(time > SLOW)) return false;
  const other = trial({ willReadFrequently: true });
  other();
  return time > TIMES * other();
}

/**
 * @param {CanvasRenderingContext2DSettings} settings
 * @returns {() => number} draws a few curves, and returns the time taken in ms
 */
function trial(settings) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  const ctx = canvas.getContext("2d", settings);
  return () => {
    if (!ctx) return 0;
    const begin = performance.now();
    ctx.globalAlpha = 0.5;
    ctx.lineWidth = 3.5; // thin and opaque strokes are faster
    for (let k = 0; k < STROKES; k++) {
      const y = (k * SIDE) / STROKES;
      ctx.beginPath();
      ctx.moveTo(0, y);
      ctx.bezierCurveTo(SIDE / 2, y, SIDE / 2, SIDE - y, SIDE, SIDE - y);
      ctx.stroke();
    }
    ctx.getImageData(0, 0, 1, 1); // waits until everything is drawn
    return performance.now() - begin;
  };
}
