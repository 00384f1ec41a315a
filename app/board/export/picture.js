/**
 * Draws a stage or a matrix as SVG, with real text and rectangles, on white in the light theme's
 * colors. The layout does not depend on the width of the screen.
 */

import { FIXED_MAXIMUM } from "../../components/shared/color_scale.js";
import { make } from "../../components/shared/dom.js";
import { MINUS } from "../../components/shared/number_format.js";
import { STEPS, Theme } from "../paint/color.js";
import { fitRow } from "../paint/layout.js";
import { LEGEND_NUMBERS, placeOnBar } from "../paint/legend.js";
import { drawLinks } from "./link_drawing.js";
import { drawMatrix, Shown } from "./matrix_drawing.js";
import { PICTURE_MARGIN, SvgDrawing } from "./svg.js";

/**
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {MatrixEntry, RowEntry, StageEntry} from "../data/types.js"
 * @import {Appearance} from "../paint/appearance.js"
 * @import {Fresh} from "./matrix_drawing.js"
 * @import {Svg} from "./svg.js"
 */

const ROOM = 1080;
const OPERATOR = 34;
const BETWEEN = 22;
const LINKS = 330;

/**
 * @typedef {{spec: StageEntry, isShown: (entry: MatrixEntry) => boolean}} PicturedStage a stage,
 *   and whether a matrix belongs to its chosen head
 * @typedef {{stage: string} | {path: string}} Pictured what is drawn: a stage or a matrix
 * @typedef {{operator: string | null, indices: number[], links: boolean, note?: string}}
 *   PicturedItem
 */

export class Pictures {
  /**
   * @param {HTMLElement} root the board's @param {MatrixStore} store @param {Appearance} appearance
   * @param {(id: string) => PicturedStage} stageOf throws if there is no such stage
   */
  constructor(root, store, appearance, stageOf) {
    this.root = root;
    this.store = store;
    this.appearance = appearance;
    this.stageOf = stageOf;
  }

  /** The paths of all matrices in a picture. @param {Pictured} what @returns {string[]} paths */
  paths(what) {
    if ("path" in what) return [this.store.drawn(what.path)?.path ?? what.path];
    const stage = this.stageOf(what.stage);
    const items = stage.spec.rows.flatMap((row) => this.itemsInView(stage, row));
    const indices = new Set(items.flatMap((item) => item.indices));
    return [...new Set([...indices].map((index) => this.entryOf(index).path))];
  }

  /**
   * @param {Pictured} what @param {Record<string, string>} colors custom properties by name
   * @param {Map<string, Fresh>} [fresh] values by path that replace the values on screen
   * @returns {Svg}
   */
  draw(what, colors, fresh = new Map()) {
    const on = new SvgDrawing(this.themeOf(colors));
    return "path" in what
      ? this.drawOne(on, what.path, fresh)
      : this.drawStage(on, this.stageOf(what.stage), fresh);
  }

  /** @param {Record<string, string>} colors */
  themeOf(colors) {
    const probe = make("span");
    for (const [name, value] of Object.entries(colors)) probe.style.setProperty(`--${name}`, value);
    this.root.append(probe);
    const theme = new Theme(probe);
    probe.remove();
    return theme;
  }

  /** @param {number} index */
  entryOf(index) {
    // Prefer the manifest's entry, because each drawing of a matrix may have its own note.
    return this.store.manifest?.matrices[index] ?? this.store.byIndex[index].entry;
  }

  /** @param {MatrixEntry} entry @param {Map<string, Fresh>} fresh @param {string} [note] */
  shown(entry, fresh, note) {
    const matrix = this.store.matrices.get(entry.path);
    if (!matrix) throw new Error(`no matrix ${entry.path}`);
    return new Shown(entry, matrix, fresh.get(entry.path), this.appearance, note);
  }

  /** @param {SvgDrawing} on @param {string} path @param {Map<string, Fresh>} fresh */
  drawOne(on, path, fresh) {
    const matrix = this.store.drawn(path);
    if (!matrix) throw new Error(`no matrix ${path}`);
    const [g] = fitRow([matrix.entry], ROOM, 0, on.theme.fontText, 0);
    drawMatrix(on, this.shown(matrix.entry, fresh), g, PICTURE_MARGIN, PICTURE_MARGIN);
    return on.svg(matrix.name);
  }

  /** @param {SvgDrawing} on @param {PicturedStage} stage @param {Map<string, Fresh>} fresh */
  drawStage(on, stage, fresh) {
    const { spec } = stage;
    const { muted } = on.theme;
    const x = PICTURE_MARGIN;
    let y = PICTURE_MARGIN;
    if (spec.part) on.text(spec.part, x, y + 6, { size: 12, fill: muted });
    on.text(spec.title, x, y + 30, { size: 21, weight: 650 });
    y += 52;
    for (const row of spec.rows) {
      const items = this.itemsInView(stage, row);
      if (!items.length && row.items.length) continue;
      for (const tex of [row.tex ?? []].flat()) {
        on.math(tex, x, y + 20, 17);
        y += 32;
      }
      y += this.drawItems(on, items, fresh, x, y) + (items.length ? 8 : 0);
      if (row.caption) y += on.paragraph(row.caption, x, y, ROOM, { size: 13, fill: muted }) + 4;
      y += 10;
    }
    if (!this.appearance.ownScales) drawScale(on, x + 8, y + 6);
    return on.svg([spec.part, spec.title].filter(Boolean).join(": "));
  }

  /**
   * The items of a row, without items of hidden heads. An operator stays with the item after it.
   * @param {PicturedStage} stage @param {RowEntry} row
   */
  itemsInView(stage, row) {
    /** @type {PicturedItem[]} */
    const kept = [];
    /** @type {string | null} */
    let operator = null;
    for (const item of row.items) {
      if ("operator" in item) {
        operator = item.operator;
        continue;
      }
      if ("thumbs" in item)
        // Thumbnails become separate matrices, each labeled with its head.
        for (const [k, index] of item.thumbs.entries()) {
          const layer = item.scopes[Math.floor(k / item.heads)].split(".")[1];
          const note = `${item.label} layer ${Number(layer) + 1}`;
          kept.push({ operator: null, indices: [index], links: false, note });
        }
      const all = "matrix" in item ? [item.matrix] : "links" in item ? item.links : [];
      const indices = all.filter((index) => stage.isShown(this.entryOf(index)));
      if (indices.length) kept.push({ operator, indices, links: "links" in item });
      operator = null;
    }
    return kept;
  }

  /**
   * Draws items side by side, with wrapping.
   * @param {SvgDrawing} on @param {PicturedItem[]} items @param {Map<string, Fresh>} fresh
   * @param {number} start @param {number} top @returns {number} the height of all items
   */
  drawItems(on, items, fresh, start, top) {
    const plain = items.filter((item) => !item.links);
    const operators = items.filter((item) => item.operator !== null).length;
    const sizes = fitRow(
      plain.map((item) => this.entryOf(item.indices[0])),
      ROOM,
      operators * OPERATOR + items.length * BETWEEN + (items.length - plain.length) * LINKS,
      on.theme.fontText,
      30,
    );
    let x = start;
    let y = top;
    let tallest = 0;
    for (const item of items) {
      const shown = item.indices.map((index) => this.shown(this.entryOf(index), fresh, item.note));
      const g = item.links ? null : sizes[plain.indexOf(item)];
      const needed = (g ? g.full : LINKS - 10) + (item.operator === null ? 0 : OPERATOR);
      if (x > start && x + needed > start + ROOM) {
        x = start;
        y += tallest + 18;
        tallest = 0;
      }
      if (item.operator !== null) {
        const middle = y + 22 + (g ? g.top + (g.tall - g.top) / 2 : 0);
        x += Math.max(24, on.math(item.operator, x + 4, middle + 7, 20) + 12);
      }
      const box = g ? drawMatrix(on, shown[0], g, x, y) : drawLinks(on, shown, x, y);
      tallest = Math.max(tallest, box.height);
      x += box.width + 20;
    }
    return y + tallest - top;
  }
}

/** Draws the color scale. @param {SvgDrawing} on @param {number} x @param {number} y */
function drawScale(on, x, y) {
  const { theme } = on;
  const width = 300;
  const stops = [0, STEPS, 2 * STEPS]
    .map((k, n) => `<stop offset="${n / 2}" stop-color="${theme.ground[k]}"/>`)
    .join("");
  on.add(`<defs><linearGradient id="scale">${stops}</linearGradient></defs>`);
  on.rect(x, y, width, 9, "url(#scale)");
  for (const v of LEGEND_NUMBERS)
    on.text(`${v}`.replace("-", MINUS), x + width * placeOnBar(v, FIXED_MAXIMUM), y + 22, {
      size: 10,
      fill: theme.muted,
      anchor: "middle",
    });
  on.reach(x + width, y + 24);
}
