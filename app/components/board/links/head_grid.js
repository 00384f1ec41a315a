/** All heads of one kind of attention, a line for each layer: small pictures of the weights. One of them is shown large. */

import { make } from "../../shared/dom.js";
import { mix } from "../paint/color.js";

const THUMB = 84,
  THUMB_BUTTON = 116,
  HEAD_SHADES = 64;

export class Thumbs {
  /** @param {Matrix[]} matrices weights, layer by layer, head by head @param {Board} board @param {object} item */
  constructor(matrices, board, item) {
    this.matrices = matrices;
    this.board = board;
    this.near = false;
    this.repaint = true;
    this.el = make("div", { class: "thumbs" });
    this.el.setAttribute("role", "group");
    this.el.setAttribute("aria-label", item.label);
    this.lines = make("div", { class: "lines" });
    this.el.append(make("p", { class: "thumbs-title" }, item.label), this.lines);
    this.thumbs = matrices.map((matrix, k) => this.thumb(matrix, item, k));
    this.lines.append(...this.thumbs.map(({ button }) => button));
    this.heads = item.heads;
    for (const matrix of matrices) matrix.views.add(this);
  }

  thumb(matrix, item, k) {
    const scope = item.scopes[Math.floor(k / item.heads)],
      head = k % item.heads,
      layer = Number(scope.split(".")[1]) + 1;
    const button = make("button", { class: "thumb" }),
      canvas = make("canvas");
    button.type = "button";
    button.dataset.scope = scope;
    button.dataset.head = head;
    canvas.setAttribute("aria-hidden", "true");
    button.append(canvas, make("span", {}, `${item.stack} ${layer} · head ${head + 1}`));
    button.style.setProperty("--head", `var(--head-${(head % 8) + 1})`);
    button.addEventListener("click", () => {
      this.asked = true;
      this.board.send({ type: "focus", scope, head });
    });
    return { button, canvas, matrix, scope, head };
  }

  describe() {
    const { focus } = this.board.manifest;
    for (const { button, scope, head } of this.thumbs) {
      button.classList.toggle("shown", scope === focus.scope);
      button.setAttribute("aria-pressed", String(scope === focus.scope && head === focus.head));
    }
    if (this.asked) requestAnimationFrame(() => this.showLarge());
    this.asked = false;
  }

  /** What was asked for may be below the edge of the window. */
  showLarge() {
    const stage = this.board.stages.get("attention.links");
    if (!stage || stage.el.getBoundingClientRect().top < innerHeight * 0.5) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    stage.el.scrollIntoView({ block: "start", behavior: calm ? "instant" : "smooth" });
  }

  /** @param {number} room */
  place(room) {
    let columns = this.heads;
    while (columns > 1 && columns * THUMB_BUTTON > room) columns = Math.ceil(columns / 2);
    this.lines.style.setProperty("--columns", columns);
    for (const {
      canvas,
      matrix: { rows, cols },
    } of this.thumbs) {
      const cell = Math.max(1, Math.min(22, Math.floor(THUMB / Math.max(rows, cols))));
      canvas.style.width = `${cols * cell}px`;
      canvas.style.height = `${rows * cell}px`;
    }
    this.board.touch(this);
  }

  approach(near) {
    this.near = near;
    if (near) this.board.touch(this);
  }

  paint() {
    if (!this.near) return false;
    for (const thumb of this.thumbs) this.picture(thumb);
    return true;
  }

  /** A pixel a cell; the browser enlarges it without smoothing. */
  picture(thumb) {
    const {
      canvas,
      matrix: { rows, cols, values },
      head,
    } = thumb;
    if (!values) return;
    if (canvas.width !== cols || canvas.height !== rows || !thumb.image) {
      canvas.width = cols;
      canvas.height = rows;
      thumb.ctx = canvas.getContext("2d");
      thumb.image = thumb.ctx.createImageData(cols, rows);
      thumb.pixels = new Uint32Array(thumb.image.data.buffer);
    }
    const shades = headShades(this.board.theme, head),
      { pixels } = thumb;
    for (let k = 0; k < pixels.length; k++)
      pixels[k] = shades[Math.min(HEAD_SHADES, Math.round(Math.sqrt(values[k]) * HEAD_SHADES))];
    thumb.ctx.putImageData(thumb.image, 0, 0);
  }

  remove() {
    for (const matrix of this.matrices) matrix.views.delete(this);
  }
}

/** From nothing to the color of a head, as pixels. @param {Theme} theme @param {number} head */
function headShades(theme, head) {
  theme.headShades ||= [];
  return (theme.headShades[head % 8] ||= Uint32Array.from({ length: HEAD_SHADES + 1 }, (_, k) => {
    const [r, g, b] = mix(theme.zeroRgb, theme.headRgb[head % 8], k / HEAD_SHADES).map(Math.round);
    return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
  }));
}
