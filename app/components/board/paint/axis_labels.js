import { firstOf, isIndexLabel, LABEL_FONT } from "./layout.js";

/** 1, 2, 4, 8 …: labels at even places are easier to count from. */
export const step = (least) => 2 ** Math.max(0, Math.ceil(Math.log2(least)));

/** Row and column labels; those of the cell under the pointer or the keyboard in full ink. */
export function paintLabels(view) {
  const { ctx, matrix, geometry: g, theme, ratio, xs, ys, marked } = view;
  const { row_labels: rows, col_labels: cols } = matrix.entry,
    [above, before] = firstOf(matrix.entry);
  const [top, bottom, left, right] = view.inSight();
  const pen = new LabelPen(ctx, theme, ratio);
  const head = Math.round(g.top * ratio),
    side = Math.round(g.label * ratio);
  ctx.clearRect(0, 0, side, view.canvas.height);
  ctx.clearRect(0, 0, view.canvas.width, head);
  // Where cells are smaller than a line of text, only every n-th label is written.
  const every = step(14 / g.height);
  for (let i = top; i < bottom; i++) {
    const emphasized = marked && marked.i === i;
    if (
      (i % every && !emphasized) ||
      i >= rows.length ||
      (marked && !emphasized && Math.abs(i - marked.i) < every)
    )
      continue;
    pen.emphasize(emphasized);
    pen.right(
      rows[i],
      above + i,
      side - 7 * ratio,
      Math.max((ys[i] + ys[i + 1]) / 2 - view.dy, head + 6 * ratio),
      side - 8 * ratio,
    );
  }
  const room = g.upright ? 12 : 6 + 6 * `${before + cols.length - 1}`.length;
  const skip = step(room / g.cell);
  for (let j = left; j < right; j++) {
    const emphasized = marked && marked.j === j;
    if (
      (j % skip && !emphasized) ||
      j >= cols.length ||
      (marked && !emphasized && Math.abs(j - marked.j) < skip)
    )
      continue;
    pen.emphasize(emphasized);
    const x = (xs[j] + xs[j + 1]) / 2 - view.dx;
    if (g.upright) pen.upright(cols[j], before + j, x, head - 5 * ratio, head - 6 * ratio);
    else pen.middle(cols[j], before + j, x, head - 9 * ratio, side + 1);
  }
  // Cells that scrolled under the labels must not show at their corner.
  ctx.clearRect(0, 0, side, head);
}

/** Sets one label, with the digits of d0 as a subscript and long words elided. */
export class LabelPen {
  constructor(ctx, theme, ratio) {
    Object.assign(this, { ctx, theme, ratio });
    this.small = `${8.5 * ratio}px ${theme.fontText}`;
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
  }

  emphasize(on) {
    this.ctx.fillStyle = on ? this.theme.ink : this.theme.muted;
    this.font = `${on ? "600 " : ""}${LABEL_FONT * this.ratio}px ${this.theme.fontText}`;
  }

  /** @returns {{text: string, sub: string, textWidth: number, width: number}} */
  measure(label, k, room) {
    const { ctx } = this;
    const index = isIndexLabel(label, k);
    let text = index ? label[0] : label || "∅",
      sub = index ? label.slice(1) : "";
    ctx.font = this.font;
    let width = ctx.measureText(text).width;
    if (room && width > room) {
      while (text.length > 1 && ctx.measureText(text + "…").width > room) text = text.slice(0, -1);
      text += "…";
      width = ctx.measureText(text).width;
    }
    ctx.font = this.small;
    return { text, sub, textWidth: width, width: width + (sub ? ctx.measureText(sub).width : 0) };
  }

  put({ text, sub, textWidth }, x, y) {
    const { ctx } = this;
    ctx.font = this.font;
    ctx.fillText(text, x, y);
    if (!sub) return;
    ctx.font = this.small;
    ctx.fillText(sub, x + textWidth, y + 3 * this.ratio);
  }

  right(label, k, x, y, room) {
    const m = this.measure(label, k, room);
    this.put(m, Math.round(x - m.width), Math.round(y));
  }

  middle(label, k, x, y, least) {
    const m = this.measure(label, k, 0);
    const most = this.ctx.canvas.width - Math.ceil(m.width);
    this.put(m, Math.max(least, Math.min(Math.round(x - m.width / 2), most)), Math.round(y));
  }

  upright(label, k, x, y, room) {
    const m = this.measure(label, k, room),
      { ctx } = this;
    ctx.save();
    ctx.translate(Math.round(x), Math.round(y));
    ctx.rotate(-Math.PI / 2);
    this.put(m, 0, 0);
    ctx.restore();
  }
}
