/**
 * Painting a matrix as a picture: one pixel a cell, enlarged without smoothing. Even a million cells are then one copy.
 */

import { paintMarks } from "./cells.js";
import { shade } from "./color.js";

/** @param {MatrixView} view */
export function paintPicture(view) {
  const { ctx, matrix, theme, geometry: g, ratio, xs, ys } = view;
  const { flags, maximum, cols } = matrix,
    values = matrix.plane(view.board.view.plane);
  const [top, bottom, left, right] = view.inSight();
  const w = right - left,
    h = bottom - top;
  if (w <= 0 || h <= 0) return;
  const small = (view.small ||= document.createElement("canvas"));
  if (small.width !== w || small.height !== h) {
    small.width = w;
    small.height = h;
    view.image = small.getContext("2d").createImageData(w, h);
  }
  const pixels = new Uint32Array(view.image.data.buffer);
  let p = 0;
  for (let i = top; i < bottom; i++)
    for (let k = i * cols + left, end = i * cols + right; k < end; k++)
      pixels[p++] = theme.pixels[shade(values[k], maximum)];
  small.getContext("2d").putImageData(view.image, 0, 0);
  const x = xs[left] - view.dx,
    y = ys[top] - view.dy,
    width = xs[right] - xs[left],
    height = ys[bottom] - ys[top];
  ctx.imageSmoothingEnabled = false;
  ctx.drawImage(small, x, y, width, height);
  if (g.cell >= 8) {
    // room for the gaps that make cells of it
    const line = Math.max(1, Math.floor(ratio));
    for (let j = left; j < right; j++) ctx.clearRect(xs[j + 1] - view.dx - line, y, line, height);
    for (let i = top; i < bottom; i++) ctx.clearRect(x, ys[i + 1] - view.dy - line, width, line);
  }
  if (!flags || g.cell < 6) return;
  for (let i = top; i < bottom; i++)
    for (let j = left; j < right; j++) {
      const mark = flags[i * cols + j];
      if (mark)
        paintMarks(
          view,
          mark,
          xs[j] - view.dx,
          ys[i] - view.dy,
          xs[j + 1] - xs[j],
          ys[i + 1] - ys[i],
        );
    }
}
