/**
 * Attention as links between tokens: on the left who listens, on the right to whom; a link is as thick and as strong as
 * the weight it stands for. Several heads lie over one another.
 */

const LINK_STEP = 27, LINK_SIDE = 74;

class Links {
  /** @param {Matrix[]} matrices weights of the heads @param {Board} board */
  constructor(matrices, board) {
    this.matrices = matrices;
    this.board = board;
    this.near = false;
    this.el = make("figure", "links");
    this.box = make("div", "box");
    const caption = make("figcaption");
    caption.append("who listens ", make("span", "arrow", "→"), " to whom");
    this.el.append(this.box, caption);
    this.repaint = true;
    for (const matrix of matrices) matrix.views.add(this);
  }

  /** @param {number} width */
  place(width) {
    this.width = width;
    const {rows, cols} = this.matrices[0];
    this.height = Math.max(rows, cols) * LINK_STEP + 6;
    this.box.style.width = `${width}px`;
    this.box.style.height = `${this.height}px`;
    if (this.canvas) this.size();
  }

  size() {
    this.ratio = devicePixelRatio;
    this.canvas.width = Math.round(this.width * this.ratio);
    this.canvas.height = Math.round(this.height * this.ratio);
    this.canvas.style.width = `${this.width}px`;
    this.board.touch(this);
  }

  approach(near) {
    this.near = near;
    if (near && !this.canvas) {
      this.canvas = make("canvas");
      this.canvas.setAttribute("aria-hidden", "true");
      this.ctx = this.canvas.getContext("2d");
      this.box.append(this.canvas);
      if (this.width) this.size();
    } else if (!near && this.canvas) {
      this.canvas.width = 0;
      this.canvas.remove();
      this.canvas = this.ctx = null;
    }
  }

  paint() {
    if (!this.canvas || !this.width) return false;
    const {ctx, ratio, width, height} = this, {theme} = this.board;
    const {row_labels: from, col_labels: to} = this.matrices[0].entry;
    const {rows, cols} = this.matrices[0];
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, width, height);
    const pen = new LabelPen(ctx, theme, 1);
    const y = (k, n) => (height - n * LINK_STEP) / 2 + (k + 0.5) * LINK_STEP;
    const {pointed} = this.board;
    const lit = pointed && this.matrices.includes(pointed.view.matrix) ? pointed : null;
    for (let i = 0; i < rows; i++) {
      pen.emphasize(lit?.i === i);
      pen.right(from[i], i, LINK_SIDE - 8, y(i, rows), LINK_SIDE - 10);
    }
    for (let j = 0; j < cols; j++) {
      pen.emphasize(lit?.j === j);
      const m = pen.measure(to[j], j, LINK_SIDE - 10);
      pen.put(m, width - LINK_SIDE + 8, y(j, cols));
    }
    ctx.strokeStyle = theme.attention;
    const a = LINK_SIDE, b = width - LINK_SIDE, middle = (a + b) / 2;
    for (const {entry, values} of this.matrices) {
      if (!values || this.headHidden(entry)) continue;
      for (let i = 0; i < rows; i++)
        for (let j = 0; j < cols; j++) {
          const weight = values[i * cols + j];
          if (!(weight > 0.004)) continue;
          ctx.globalAlpha = Math.min(1, (0.12 + 0.8 * Math.sqrt(weight)) * (lit && lit.i !== i ? 0.25 : 1));
          ctx.lineWidth = 0.5 + 6 * Math.min(1, weight);
          ctx.beginPath();
          ctx.moveTo(a, y(i, rows));
          ctx.bezierCurveTo(middle, y(i, rows), middle, y(j, cols), b, y(j, cols));
          ctx.stroke();
        }
    }
    ctx.globalAlpha = 1;
    return true;
  }

  headHidden(entry) {
    const stage = this.stage;
    return stage && stage.spec.heads > 1 && stage.head !== "all" && entry.head !== null && entry.head !== stage.head;
  }

  remove() {
    this.approach(false);
    for (const matrix of this.matrices) matrix.views.delete(this);
  }
}
