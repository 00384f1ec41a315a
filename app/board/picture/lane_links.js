/**
 * Attention between lanes: a link from each key at the left to each query at the right, whose
 * thickness and strength show the weight. Masked pairs have no link; very small weights have a
 * hairline.
 */

import { MASKED } from "../data/flags.js";
import { MIN_WEIGHT, shiftOf, strength, thickness, trace } from "../links/curve.js";
import {
  byColor,
  LinkCurves,
  MAX_STROKES,
  MOST_COLORS,
  STANDS_OUT,
  strokeLinks,
  thinOut,
} from "../links/link_curves.js";
import { unheardHeads } from "../paint/silence_badge.js";
import { placeDown, scales } from "./camera.js";
import { LinkGrid } from "./link_grid.js";
import { LANE, LANE_GAP } from "./plan.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {LinkDrawing} from "../links/curve.js"
 * @import {PictureView} from "../paint/view.js"
 * @import {PictureServices} from "./picture_grid.js"
 * @import {Lanes, PlacedLinks} from "./plan.js"
 */

const FADED = 0.5; // remaining strength of silenced links, and of all links under painted changes
/** The strength and relative width of the other links while some are emphasized. */
const BEHIND = { strength: 0.42, wide: 0.6 };
const BEFORE = 1.45; // relative width of emphasized links
const LEAST_CHANGE = 0.01; // the least change of a weight that is drawn
const SLENDER = 0.55; // links are thinner than in other views, because many cross here
/** Turning points of the links of the first and the last lane: distance from the queries, 0 … 1. */
const TURNS = { first: 0.2, last: 0.84 };
const HAIRLINES = 700; // largest number of pairs with hairlines; more would be a gray area

/** @implements {PictureView} */
export class LaneLinks {
  /**
   * @param {PictureServices} picture @param {PlacedLinks} placed @param {Matrix[]} matrices
   * @param {ReadonlyMap<string, Lanes>} lanes of each stack
   */
  constructor(picture, placed, matrices, lanes) {
    this.kind = /** @type {const} */ ("picture");
    this.el = picture.el;
    this.services = picture.services;
    this.viewpoint = picture.viewpoint;
    this.canvas = picture.canvas;
    this.headAlone = picture.headAlone;
    this.placed = placed;
    this.matrices = matrices;
    this.lanes = lanes;
    this.near = true;
    this.repaint = true;
    this.curves = new LinkCurves();
    this.silenced = new LinkCurves();
    /** Strengths of links by color, and the arrays from which they were computed. */
    this.byColor = /** @type {[Float32Array, Float32Array][]} */ ([]);
    this.partedOf = /** @type {(Float32Array | null)[]} */ ([]);
    // Read silences once: another structure creates new links.
    const { store } = picture.services;
    this.silent = unheardHeads(store, placed.part);
    const { rows } = matrices[0];
    this.silentIn = Array.from({ length: rows }, (_, row) => unheardHeads(store, placed.part, row));
    this.grids = matrices.map((matrix) => new LinkGrid(picture, this, matrix));
    for (const matrix of matrices) this.services.painter.add(matrix, this);
  }

  paint() {
    return this.canvas.paintLinks(this);
  }

  /** @param {CanvasRenderingContext2D} ctx in CSS px */
  paintOn(ctx) {
    const { theme, plane } = this.services.appearance;
    const all = this.drawing();
    if (!all) return false;
    const shown = this.ofHead(all);
    if (plane === "change" && this.matrices.some(({ baseline }) => baseline)) {
      this.fade(ctx, theme.paper, FADED);
      this.paintChanges(ctx, shown);
      this.paintSelected(ctx, all, theme.accent);
      return true;
    }
    const [silent, drawing] = this.parted(shown);
    const emphasized = this.emphasized(drawing);
    const isAlone = this.headAlone() !== null;
    const { linkTime } = this.canvas;
    const begin = performance.now();
    const mayDraw = (/** @type {boolean} */ isSharper) =>
      isSharper ? linkTime.isLeftToSharpen : linkTime.isLeft;
    let isCurrent = true;
    if (silent.layers.length) {
      isCurrent = this.silenced.paint(ctx, silent, theme, mayDraw);
      this.fade(ctx, theme.paper, FADED);
    }
    this.paintHairlines(ctx, shown, theme.muted);
    const isMany = drawing.layers.length > MOST_COLORS;
    // If nothing is emphasized, heads have different colors, unless there are too many.
    const isPlain = !emphasized && (isAlone || !isMany);
    const base = isPlain ? theme : theme.withGrayLinks(isMany);
    const wide = emphasized ? BEHIND.wide : 1;
    const links = { ...drawing, step: drawing.step * wide };
    isCurrent = this.curves.paint(ctx, links, base, mayDraw) && isCurrent;
    if (emphasized) {
      this.fade(ctx, theme.paper, BEHIND.strength);
      ctx.save();
      this.clipToGrown(ctx);
      for (const layer of emphasized.gray.layers)
        strokeLinks(ctx, emphasized.gray, layer, theme.lineStrong);
      for (const layer of emphasized.colored.layers)
        strokeLinks(ctx, emphasized.colored, layer, theme.headColor(layer.head));
      ctx.restore();
    }
    linkTime.spend(performance.now() - begin);
    if (!isCurrent) linkTime.late.add(this);
    this.paintSelected(ctx, all, theme.accent);
    return true;
  }

  /** In a film, clips links, which grow from their keys. @param {CanvasRenderingContext2D} ctx */
  clipToGrown(ctx) {
    const grown = this.services.grown(this.placed.part);
    if (grown >= 1) return;
    const { x, y, width, height } = this.viewpoint.boxOf(this.placed.box);
    ctx.beginPath();
    ctx.rect(x, y, width * grown, height);
    ctx.clip();
  }

  /**
   * The emphasized links, colored or gray: with many heads, only the strongest of a pair is
   * colored. The head with the strongest link is painted last, on top. Null if none is emphasized.
   * @param {LinkDrawing} drawing @returns {{colored: LinkDrawing, gray: LinkDrawing} | null}
   */
  emphasized(drawing) {
    const all = drawing.layers.map(({ head }) => this.strengthsOf(head));
    if (all.every((each) => each === null)) return null;
    const weights = drawing.layers.map(({ values }) => values);
    // Reuse the result while only the camera moves.
    const of = [...all, ...weights];
    const isKnown =
      of.length === this.partedOf.length && of.every((x, k) => x === this.partedOf[k]);
    if (!isKnown) {
      this.partedOf = of;
      this.byColor = all.map((_, n) => byColor(weights, n, all));
      for (const which of /** @type {const} */ ([0, 1]))
        thinOut(
          weights,
          this.byColor.map((parts) => parts[which]),
        );
    }
    const most = (/** @type {{strengths: Float32Array}} */ { strengths }) => Math.max(...strengths);
    const layers = (/** @type {0 | 1} */ which) =>
      drawing.layers
        .map((layer, n) => ({ ...layer, strengths: this.byColor[n][which] }))
        .sort((a, b) => most(a) - most(b));
    return {
      colored: { ...drawing, step: drawing.step * BEFORE, layers: layers(0) },
      gray: { ...drawing, layers: layers(1) },
    };
  }

  /**
   * Paints the change of each weight since the baseline: size as thickness, sign as color.
   * @param {CanvasRenderingContext2D} ctx @param {LinkDrawing} drawing
   */
  paintChanges(ctx, drawing) {
    const { theme } = this.services.appearance;
    const { layers, rows, cols, step } = drawing;
    for (const { head, shift } of layers) {
      const change = this.grids.find((grid) => grid.head === head)?.matrix.plane("change");
      for (let k = 0; change && k < rows * cols; k++) {
        const by = Math.abs(change[k]);
        if (!(by >= LEAST_CHANGE)) continue;
        ctx.strokeStyle = change[k] > 0 ? theme.positive : theme.negative;
        ctx.globalAlpha = strength(by);
        ctx.lineWidth = thickness(by, step);
        ctx.beginPath();
        trace(ctx, drawing, Math.floor(k / cols), k % cols, shift);
        ctx.stroke();
      }
    }
    ctx.globalAlpha = 1;
  }

  /**
   * Fades what is painted so far by covering it with the paper color, since links set their own
   * alpha. Links that must not fade are painted afterwards.
   * @param {CanvasRenderingContext2D} ctx @param {string} paper
   * @param {number} left strength that remains
   */
  fade(ctx, paper, left) {
    const { x, y, width, height } = this.viewpoint.boxOf(this.placed.box);
    ctx.save();
    ctx.globalAlpha = 1 - left;
    ctx.fillStyle = paper;
    ctx.fillRect(x, y, width, height);
    ctx.restore();
  }

  /**
   * Separates the links of silenced heads from the others.
   * @param {LinkDrawing} drawing @returns {[silent: LinkDrawing, speaking: LinkDrawing]}
   */
  parted(drawing) {
    const isSilent = (/** @type {{head: number}} */ { head }) => this.silent.has(head);
    const layers = drawing.layers.filter((layer) => !isSilent(layer));
    return [
      { ...drawing, layers: drawing.layers.filter(isSilent) },
      { ...drawing, layers },
    ];
  }

  /** The links of the head shown alone, or all links. @param {LinkDrawing} drawing */
  ofHead(drawing) {
    const head = this.headAlone();
    const layers = drawing.layers.filter((layer) => head === null || layer.head === head);
    return { ...drawing, layers };
  }

  /**
   * The links in CSS px of the view, without weights that a question asks for; null without values.
   * @returns {LinkDrawing | null}
   */
  drawing() {
    const { viewpoint, placed, matrices } = this;
    const { camera, view } = viewpoint;
    if (!matrices.some((matrix) => matrix.values)) return null;
    const { rows, cols } = matrices[0];
    const { across: zoom, down: tall } = scales(camera);
    const isSparse = rows * cols * matrices.length <= MAX_STROKES;
    const step = LANE * tall * SLENDER;
    const most = thickness(1, step * BEFORE);
    const shift = (/** @type {number} */ k) => shiftOf(k, matrices.length, LANE * tall, most);
    const top = (/** @type {string} */ stack) => this.lanes.get(stack)?.top ?? 0;
    const [queries, keys] = [top(placed.item.stack), top(placed.item.keys)];
    const middle = (LANE - LANE_GAP) / 2;
    const y = (/** @type {number} */ from, /** @type {number} */ k) =>
      placeDown(camera, from + k * LANE + middle);
    const left = (placed.left - camera.x) * zoom;
    const right = (placed.right - camera.x) * zoom;
    return {
      layers: matrices.flatMap(({ stated: values, entry }, k) =>
        values ? [{ values, head: entry.head ?? 0, shift: shift(k) }] : [],
      ),
      rows,
      cols,
      a: right,
      b: left,
      height: view.height,
      step,
      yFrom: (i) => y(queries, i),
      yTo: (j) => y(keys, j),
      shown: this.isThere(cols),
      which: "all",
      middle: isSparse && queries > keys ? (i) => turnOf(i, rows) : undefined,
    };
  }

  /** Whether a question hides weights of a query, in any head. @param {number} i */
  isAsked(i) {
    return this.matrices.some(({ stated, cols }) =>
      stated?.subarray(i * cols, (i + 1) * cols).some(Number.isNaN),
    );
  }

  /** Whether query i must not look at key j. @param {number} i @param {number} j */
  isMasked(i, j) {
    const [{ flags, cols }] = this.matrices;
    return Boolean((flags?.[i * cols + j] ?? 0) & MASKED);
  }

  /** @param {CanvasRenderingContext2D} ctx @param {LinkDrawing} drawing @param {string} color */
  paintHairlines(ctx, drawing, color) {
    const { layers, rows, cols } = drawing;
    if (rows * cols > HAIRLINES) return;
    ctx.beginPath();
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < cols; j++) {
        if (this.isMasked(i, j) || !drawing.shown(i, j)) continue;
        if (layers.some(({ values }) => values[i * cols + j] >= MIN_WEIGHT)) continue;
        trace(ctx, drawing, i, j);
      }
    ctx.strokeStyle = color;
    ctx.globalAlpha = 0.16;
    ctx.lineWidth = 0.5;
    ctx.stroke();
    ctx.globalAlpha = 1;
  }

  /**
   * Paints the links of the selected weight and of the one under the pointer, with an outline.
   * @param {CanvasRenderingContext2D} ctx @param {LinkDrawing} drawing @param {string} color
   */
  paintSelected(ctx, drawing, color) {
    const { layers, cols, step } = drawing;
    const { selection, pointed } = this.services.cursors;
    const cells = this.grids.flatMap((grid) => [
      ...(selection && selection.path === grid.matrix.path ? [{ ...selection, grid }] : []),
      ...(pointed && pointed.view === grid ? [{ i: pointed.i, j: pointed.j, grid }] : []),
    ]);
    for (const { i, j, grid } of cells) {
      const layer = layers.find(({ head }) => head === grid.head);
      if (!layer) continue;
      const weight = layer.values[i * cols + j];
      const path = new Path2D();
      trace(path, drawing, i, j, layer.shift);
      const { theme } = this.services.appearance;
      ctx.strokeStyle = color;
      ctx.lineWidth = thickness(weight, step) + 4;
      ctx.stroke(path);
      ctx.strokeStyle = theme.paper;
      ctx.lineWidth = thickness(weight, step) + 1.5;
      ctx.stroke(path);
      ctx.globalAlpha = strength(weight) * (this.silent.has(layer.head) ? FADED : 1);
      ctx.strokeStyle = theme.headColor(layer.head);
      ctx.lineWidth = thickness(weight, step);
      ctx.stroke(path);
      ctx.globalAlpha = 1;
    }
  }

  /**
   * The link at a point of the view, and its grid; while a word is followed, only emphasized links.
   * @param {number} x @param {number} y
   */
  at(x, y) {
    const drawing = this.drawing();
    const link = drawing && this.curves.at(this.answering(this.ofHead(drawing)), x, y);
    if (!link) return null;
    const grid = this.grids.find(({ head }) => head === link.head);
    return grid ? { grid, i: link.i, j: link.j } : null;
  }

  /** The links that the pointer can hit. @param {LinkDrawing} drawing */
  answering(drawing) {
    if (!this.services.followed()) return drawing;
    const layers = drawing.layers.map((layer) => {
      const strengths = this.strengthsOf(layer.head);
      return strengths ? { ...layer, strengths } : layer;
    });
    return { ...drawing, layers };
  }

  /**
   * Whether a link exists. In a film, words not written yet have no links.
   * @param {number} cols @returns {(i: number, j: number) => boolean}
   */
  isThere(cols) {
    const strengths = this.services.isFilmed() ? this.services.strengths(this.matrices[0]) : null;
    return strengths ? (i, j) => strengths[i * cols + j] > 0 : () => true;
  }

  /** @param {number} head @returns {Float32Array | null} strengths of its links */
  strengthsOf(head) {
    const grid = this.grids.find((each) => each.head === head);
    return grid ? this.services.strengths(grid.matrix) : null;
  }

  /**
   * The weights of a pair of words whose links are emphasized, for heads that are shown and not
   * silenced; empty if a question hides weights of query i.
   * @param {number} i @param {number} j
   */
  standingOut(i, j) {
    if (this.isAsked(i)) return [];
    const alone = this.headAlone();
    return this.grids.flatMap(({ head, matrix }) => {
      const weight = matrix.stated?.[i * matrix.cols + j];
      const strength = this.services.strengths(matrix)?.[i * matrix.cols + j] ?? 1;
      const isShown = (alone === null || alone === head) && !this.silent.has(head);
      return weight !== undefined && weight >= MIN_WEIGHT && isShown && strength >= STANDS_OUT
        ? { head, weight, cell: { path: matrix.path, i, j } }
        : [];
    });
  }

  remove() {
    for (const grid of this.grids) grid.remove();
    for (const matrix of this.matrices) this.services.painter.remove(matrix, this);
  }
}

/**
 * The position, 0 … 1, at which the links of query i turn if they come from a stack far above. It
 * differs by query, because links that all turn in the middle would form a bundle.
 * @param {number} i @param {number} rows
 */
const turnOf = (i, rows) =>
  rows > 1 ? TURNS.first + ((TURNS.last - TURNS.first) * i) / (rows - 1) : 0.5;
