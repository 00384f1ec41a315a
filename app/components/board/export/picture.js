/**
 * Pictures of a stage, or of one matrix, as SVG: real text and rectangles, on white and in the light theme's colors,
 * laid out for a page of its own whatever the width of the screen.
 */

import { make } from "../../shared/dom.js";
import {
  codes,
  DECIMAL,
  FRACTION,
  headText,
  MINUS,
  SHORT_DECIMAL,
  tailText,
} from "../../shared/number_format.js";
import { FIXED_MAXIMUM } from "../data/matrix.js";
import { step } from "../paint/axis_labels.js";
import { STEPS, shade, Theme } from "../paint/color.js";
import { fitRow, LABEL_FONT, textWidth } from "../paint/layout.js";
import { LEGEND_NUMBERS, placeOnBar } from "../paint/legend.js";
import { Drawing, hundredths, PICTURE_MARGIN, xml } from "./svg.js";

const PICTURE_ROOM = 1080;

/** What is drawn of a matrix: its place in the manifest, its values and marks. */
class Shown {
  /** @param {Board} board @param {object} entry @param {Map<string, {values: Float32Array, flags: Uint8Array | null}>} fresh */
  constructor(board, entry, fresh, note = entry.note) {
    const matrix = board.matrices.get(entry.path);
    // What swings is taken as it stands on the screen; everything else as the server computed it.
    const of = matrix.frames ? matrix : fresh.get(entry.path) || matrix;
    this.entry = { ...entry, note };
    this.values = of.values || new Float32Array(entry.rows * entry.cols).fill(NaN);
    this.flags = of.flags;
    this.weights = this.values; // links are drawn by them, whatever the cells show
    if (board.view.plane === "change") {
      const before = matrix.baseline;
      this.values = this.values.map((v, k) =>
        !before ? NaN : v === before[k] ? 0 : v - before[k],
      );
      this.entry.note = `change since the baseline · ${note || ""}`;
    } else if (board.showsGradients) {
      this.values = of.gradients || this.values.map(() => NaN);
      this.entry.note = `gradient · ${note || ""}`;
    }
    this.notation = board.cellNotation;
    this.maximum = FIXED_MAXIMUM;
    if (board.ownScales)
      this.maximum = this.values.reduce(
        (most, v) => (Math.abs(v) > most && Math.abs(v) < Infinity ? Math.abs(v) : most),
        0,
      );
  }
}

/** @param {Drawing} on @param {Shown} shown @param {Geometry} g @returns {{width: number, height: number}} */
function drawMatrix(on, shown, g, x, y) {
  const { entry } = shown,
    { theme } = on;
  let at = x + on.math(entry.tex, x, y + 15, 16);
  if (typeof entry.head === "number")
    at += 8 + on.text(`head ${entry.head + 1}`, at + 8, y + 14, { size: 11, fill: theme.muted });
  at += 8 + on.text(entry.note || "", at + 8, y + 14, { size: 11, fill: theme.muted });
  if (shown.maximum !== FIXED_MAXIMUM)
    at +=
      8 +
      on.text(`scale ±${Number(shown.maximum.toPrecision(2))}`, at + 8, y + 14, {
        size: 11,
        fill: theme.muted,
      });
  const left = x + g.label,
    top = y + 22 + g.top;
  drawMatrixLabels(on, entry, g, left, top);
  drawCells(on, shown, g, left, top);
  return { width: Math.max(g.full, at - x), height: 22 + g.tall };
}

function drawMatrixLabels(on, { row_labels: rows, col_labels: cols }, g, left, top) {
  const { theme } = on,
    style = { size: LABEL_FONT, fill: theme.muted };
  const pick = (label, room) => {
    let text = label || "∅";
    const font = `${LABEL_FONT}px ${theme.fontText}`;
    if (textWidth(text, font) <= room) return text;
    while (text.length > 1 && textWidth(`${text}…`, font) > room) text = text.slice(0, -1);
    return `${text}…`;
  };
  const every = step(13 / g.height);
  rows.forEach((label, i) => {
    if (i % every) return;
    on.text(pick(label, g.label - 8), left - 7, top + (i + 0.5) * g.height + 4, {
      ...style,
      anchor: "end",
    });
  });
  const skip = step((g.upright ? 12 : 8 + 6 * `${cols.length - 1}`.length) / g.cell);
  cols.forEach((label, j) => {
    if (j % skip) return;
    const middle = left + (j + 0.5) * g.cell;
    if (g.upright) on.text(pick(label, g.top - 6), middle + 4, top - 5, { ...style, turn: true });
    else on.text(label || "∅", middle, top - 6, { ...style, anchor: "middle" });
  });
}

function drawCells(on, { entry, values, flags, maximum, notation }, g, left, top) {
  const { theme } = on,
    gap = g.cell < 8 ? 0 : 1;
  const short = notation === DECIMAL && g.mode === "stack" ? SHORT_DECIMAL : notation;
  for (let i = 0; i < entry.rows; i++)
    for (let j = 0; j < entry.cols; j++) {
      const k = i * entry.cols + j,
        tint = shade(values[k], maximum);
      const x = left + j * g.cell,
        y = top + i * g.height,
        w = g.cell - gap,
        h = g.height - gap;
      on.rect(x, y, w, h, theme.ground[tint]);
      if (g.mode !== "picture") {
        if (entry.editable) on.rect(x, y + h - 1.6, w, 1.6, theme.edge[tint]);
        drawNumber(
          on,
          codes(values[k], short),
          g,
          x + w / 2,
          y + h / 2,
          theme.inks[theme.inkOf[tint]],
        );
      }
      if (flags?.[k]) drawMarks(on, flags[k], x, y, w, h);
    }
}

function drawNumber(on, { head, tail }, g, x, y, fill) {
  const number = { family: on.theme.fontNumber, fill, anchor: "middle" };
  const main = headText(head),
    rest = tailText(tail);
  g = { ...g, head: hundredths(g.head * 0.94), tail: hundredths(g.tail * 0.94) }; // other fonts may be wider than the screen's
  if (!rest) on.text(main, x, y + g.head * 0.36, { ...number, size: g.head });
  else if (g.mode === "stack" && tail < FRACTION) {
    on.text(main, x, y - g.height * 0.2 + g.head * 0.36, { ...number, size: g.head });
    on.text(rest, x, y + g.height * 0.2 + g.tail * 0.36, { ...number, size: g.tail });
  } else {
    // A fraction belongs to its whole; an exponent is set smaller.
    const small = tail < FRACTION ? g.tail : g.head;
    on.parts.push(
      `<text x="${hundredths(x)}" y="${hundredths(y + g.head * 0.36)}" font-size="${g.head}" font-family="${xml(on.theme.fontNumber)}" ` +
        `fill="${fill}" text-anchor="middle">${xml(main)}<tspan font-size="${small}">${xml(rest)}</tspan></text>`,
    );
  }
}

function drawMarks(on, mark, x, y, w, h) {
  const { theme } = on;
  if (mark & 1) {
    let d = "";
    for (let s = -h + 5; s < w; s += 5) {
      const from = Math.max(s, 0),
        to = Math.min(s + h, w);
      d += `M${hundredths(x + from)} ${hundredths(y + h - (from - s))}L${hundredths(x + to)} ${hundredths(y + h - (to - s))}`;
    }
    on.path(d, `stroke="${theme.hatch}" stroke-width="1" stroke-opacity="0.7" fill="none"`);
  }
  if (mark & 6) {
    const side = Math.min(6, w / 2);
    on.path(
      `M${hundredths(x + w - side)} ${hundredths(y)}h${side}v${side}z`,
      `fill="${mark & 4 ? theme.operand : theme.accent}"`,
    );
  }
}

/** Attention as links: on the left who listens. @param {Shown[]} heads @returns {{width: number, height: number}} */
function drawLinks(on, heads, x, y) {
  const { theme } = on,
    { rows, cols, row_labels: from, col_labels: to } = heads[0].entry;
  const step = 24,
    side = 78,
    width = 320,
    height = Math.max(rows, cols) * step;
  const at = (k, n) => y + (height - n * step) / 2 + (k + 0.5) * step;
  const style = { size: LABEL_FONT, fill: theme.muted };
  from.forEach((label, i) =>
    on.text(label || "∅", x + side - 8, at(i, rows) + 4, { ...style, anchor: "end" }),
  );
  to.forEach((label, j) => on.text(label || "∅", x + width - side + 8, at(j, cols) + 4, style));
  const a = x + side,
    b = x + width - side,
    middle = (a + b) / 2;
  for (const { entry, weights } of heads)
    weights.forEach((weight, k) => {
      if (!(weight > 0.004)) return;
      const start = hundredths(at(Math.floor(k / cols), rows)),
        end = hundredths(at(k % cols, cols));
      const color =
        heads.length > 1 && theme.heads
          ? theme.heads[(entry.head ?? 0) % theme.heads.length]
          : theme.attention;
      on.path(
        `M${a} ${start}C${middle} ${start} ${middle} ${end} ${b} ${end}`,
        `fill="none" stroke="${color}" ` +
          `stroke-width="${hundredths(0.5 + 6 * Math.min(1, weight))}" stroke-opacity="${hundredths(Math.min(1, 0.12 + 0.8 * Math.sqrt(weight)))}"`,
      );
    });
  on.reach(x + width, y + height);
  return { width, height };
}

/** The items of a row with those of hidden heads taken out. An operator goes with what stands after it. */
function itemsInView(stage, board, row) {
  const { head, spec } = stage,
    kept = [];
  const visible = (index) => {
    const of = board.manifest.matrices[index].head;
    return of === null || of === undefined || !(spec.heads > 1) || head === "all" || of === head;
  };
  let operator = null;
  for (const item of row.items || []) {
    if (item.operator !== undefined) {
      operator = item.operator;
      continue;
    }
    const indices = [item.matrix ?? item.links ?? []].flat().filter(visible);
    if (indices.length) kept.push({ operator, indices, links: item.links !== undefined });
    // Many small pictures on the screen: on paper each is a matrix, and says whose it is.
    for (const [k, index] of (item.thumbs || []).entries()) {
      const layer = item.scopes[Math.floor(k / item.heads)].split(".")[1];
      kept.push({
        operator: null,
        indices: [index],
        links: false,
        note: `${item.stack} layer ${Number(layer) + 1} · ${item.label}`,
      });
    }
    operator = null;
  }
  return kept;
}

/** The scale of colors, with numbers at their true places. @returns {number} the height */
function drawScale(on, x, y) {
  const { theme } = on,
    width = 300;
  const stops = [0, STEPS, 2 * STEPS]
    .map((k, n) => `<stop offset="${n / 2}" stop-color="${theme.ground[k]}"/>`)
    .join("");
  on.parts.push(`<defs><linearGradient id="scale">${stops}</linearGradient></defs>`);
  on.rect(x, y, width, 9, "url(#scale)");
  for (const v of LEGEND_NUMBERS)
    on.text(`${v}`.replace("-", MINUS), x + width * placeOnBar(v, FIXED_MAXIMUM), y + 22, {
      size: 10,
      fill: theme.muted,
      anchor: "middle",
    });
  on.reach(x + width, y + 24);
  return 24;
}

/** @param {Stage} stage @param {Board} board */
function drawStage(stage, board, theme, fresh) {
  const on = new Drawing(theme),
    { spec } = stage,
    x = PICTURE_MARGIN;
  let y = PICTURE_MARGIN;
  if (spec.part) on.text(spec.part, x, y + 6, { size: 12, fill: theme.muted });
  on.text(spec.title, x, y + 30, { size: 21, weight: 650 });
  y += 52;
  for (const row of spec.rows || []) {
    const items = itemsInView(stage, board, row);
    if (!items.length && row.items?.length) continue;
    for (const tex of [row.tex || []].flat()) {
      on.math(tex, x, y + 20, 17);
      y += 32;
    }
    y += drawItems(on, items, board, fresh, x, y) + (items.length ? 8 : 0);
    if (row.caption)
      y += on.paragraph(row.caption, x, y, PICTURE_ROOM, { size: 13, fill: theme.muted }) + 4;
    y += 10;
  }
  if (!board.ownScales) drawScale(on, x + 8, y + 6);
  return on.svg([spec.part, spec.title].filter(Boolean).join(": "));
}

/** Side by side as far as there is room. @returns {number} the height they take */
function drawItems(on, items, board, fresh, x, y) {
  const entryOf = (index) => board.manifest.matrices[index];
  const plain = items.filter((item) => !item.links);
  const operators = items.filter((item) => item.operator !== null).length;
  const between = operators * 34 + items.length * 22 + (items.length - plain.length) * 330;
  const sizes = fitRow(
    plain.map((item) => entryOf(item.indices[0])),
    PICTURE_ROOM,
    between,
    on.theme.fontText,
    30,
  );
  const start = x,
    top = y;
  let tallest = 0;
  for (const item of items) {
    const shown = item.indices.map((index) => new Shown(board, entryOf(index), fresh, item.note));
    const g = item.links ? null : sizes[plain.indexOf(item)];
    const needed = (g ? g.full : 320) + (item.operator === null ? 0 : 34);
    if (x > start && x + needed > start + PICTURE_ROOM) {
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

function drawOne(path, board, theme, fresh) {
  const on = new Drawing(theme),
    { entry } = board.large.get(path) || board.matrices.get(path);
  const [g] = fitRow([entry], PICTURE_ROOM, 0, theme.fontText, 0);
  drawMatrix(on, new Shown(board, entry, fresh), g, PICTURE_MARGIN, PICTURE_MARGIN);
  return on.svg((board.large.get(path) || board.matrices.get(path)).name);
}

/** The theme of a picture, out of custom properties told by name. @param {Board} board @param {Record<string, string>} colors */
function themeOf(board, colors) {
  const probe = make("span");
  for (const [name, value] of Object.entries(colors)) probe.style.setProperty(`--${name}`, value);
  board.root.append(probe);
  const theme = new Theme(probe);
  probe.remove();
  return theme;
}

/** What the page's Export asks of the board, beside the rest of `window.tinkerformer`. @param {Board} board */
export function publishPictures(board) {
  const stageOf = (id) =>
    board.stages.get(id) ??
    (() => {
      throw new Error(`no stage ${id}`);
    })();
  Object.assign(window.tinkerformer, {
    /** Every matrix that a picture needs. @param {{stage?: string, path?: string}} what */
    picturePaths: ({ stage, path }) =>
      path
        ? [board.large.get(path)?.path ?? path]
        : [
            ...new Set(
              stageOf(stage).spec.rows.flatMap((row) =>
                itemsInView(stageOf(stage), board, row).flatMap((item) =>
                  item.indices.map((index) => board.manifest.matrices[index].path),
                ),
              ),
            ),
          ],
    /** @returns {{width: number, height: number, text: string}} an SVG; `fresh` are values by path, in place of the screen's */
    picture: ({ stage, path }, colors, fresh = new Map()) => {
      const theme = themeOf(board, colors);
      return path
        ? drawOne(path, board, theme, fresh)
        : drawStage(stageOf(stage), board, theme, fresh);
    },
  });
}
