/**
 * window.tinkerformer: for course pages, tests, and the other components of the page. The page
 * of a frame may ask for some of it from outside (`page/parent.js`). What changes something is a
 * promise: it is kept when the page shows the change, or fails with a sentence.
 */

import { likeliestWords } from "./stages/next_tokens.js";

/**
 * @import {Lane, MatrixEntry, ViewSettings} from "./data/types.js"
 * @import {Pictured} from "./export/picture.js"
 * @import {Fresh} from "./export/matrix_drawing.js"
 * @import {Svg} from "./export/svg.js"
 * @import {Likeliest} from "./stages/next_tokens.js"
 * @import {Board} from "./board.js"
 */

/**
 * @typedef {{x: number, y: number, zoom: number, isAll: boolean, following: Lane | null,
 *   unfolded: string[]}} Look
 *
 * @typedef {"selection" | "frame" | "scenario"} Heard
 *
 * @typedef {object} Interface what a course page may rely on, as long as the version is the same
 * @property {1} version
 * @property {boolean} ready whether numbers are on the page
 * @property {number} frames painted so far
 * @property {() => string[]} paths all that is drawn: large matrices by their own path, not by that
 *   of the window on them
 * @property {(path: string) => MatrixEntry | undefined} matrix what the manifest says of it; of a
 *   large one, with the rows and columns that it really has
 * @property {(path: string, i: number, j: number) => number | undefined} value the number now on
 *   screen; during an oscillation that of the frame painted last. Off screen it is undefined while
 *   something moves. Of a large matrix only what is in its window, or selected, is known here:
 *   `select` a cell first
 * @property {(path: string, i: number, j: number) => number | undefined} gradient ∂loss/∂cell,
 *   while gradients are shown: as `value`; NaN where there is none, as of a mask
 * @property {(path: string, i: number, j: number) => {x: number, y: number, width: number, height:
 *   number}} rect
 *   scrolls a cell into view, in a large matrix its window, too, and says where it then is in the
 *   viewport
 * @property {(path: string | null, i?: number, j?: number) => Promise<void>} select a cell of any
 *   matrix of the model; the page goes to its layer and head, and windows move to it
 * @property {() => {path: string, i: number, j: number} | null} selection the selected cell
 * @property {(path: string, i: number, j: number, x: number) => Promise<void>} set a cell, a
 *   computed one too; what depends on it follows
 * @property {(path: string, i: number, j: number) => Promise<void>} restore what a cell was, or
 *   what is computed there
 * @property {(on: boolean, how?: {amplitude?: number | null, period?: number | null}) =>
 *   Promise<void>} oscillate the selected cell, or let it rest; `how` is an object of amplitude and
 *   period
 * @property {() => boolean} oscillating whether it does
 * @property {() => {id: string, part: string | undefined, title: string}[]} stages on the page, in
 *   the order of computation
 * @property {() => string | undefined} stage the one that is read
 * @property {(id: string) => boolean} goto a stage; whether it is on the way
 * @property {() => {id: string, title: string, stack: string}[]} parts of the whole picture
 * @property {() => Look | null} look at the whole picture, if that is open: what is in its middle,
 *   how near, the word that is followed and what is unfolded
 * @property {(part: string | null) => void} near fly to a part of it; null: all is to be in sight
 * @property {(stack: string | null, position?: number) => void} follow a word through it, or none
 * @property {(parts: string[]) => Promise<void>} unfold every step of these parts, and of no others
 * @property {() => object | null} scenario all that was set, as links have it
 * @property {(event: Heard, listener: (detail: unknown) => void) => () => void} listen what is
 *   selected, `{path, i, j}` or null; each frame that is painted, `{frames}`; the scenario after
 *   each change of it. What is given back ends it
 *
 * @typedef {Interface & Inside} Tinkerformer
 *
 * @typedef {object} Inside what the rest of the page needs beside it
 * @property {(path: string, i?: number, j?: number) => Promise<void>} show selects a cell and
 *   scrolls to it, as soon as it is drawn
 * @property {(cells: [path: string, i: number, j: number, i2: number, j2: number][]) => void} ring
 *   rectangles of cells, wherever they are drawn, and no others
 * @property {(row: number, count: number) => Likeliest | null} likeliest next words after a token,
 *   and of how many
 * @property {(id: string, head: number | "all") => void} head to show in a stage
 * @property {() => ViewSettings} view
 * @property {(what: Pictured) => string[]} picturePaths every matrix that a picture needs
 * @property {(what: Pictured, colors: Record<string, string>, fresh?: Map<string, Fresh>) => Svg}
 *   picture
 */

/** @type {readonly Heard[]} */
const HEARD = ["selection", "frame", "scenario"];

/** @param {Board} board @returns {Tinkerformer} */
export function apiOf(board) {
  const { store, cursors, appearance, pictures } = board;
  /** @param {string} path @param {number} i @param {number} j */
  const check = (path, i, j) => {
    const matrix = store.matrices.get(path) ?? store.large.get(path);
    if (!matrix && store.cell(path, i, j)) return; // a part of it is here
    if (!matrix) throw new Error(`There is no matrix ${path} on the page.`);
    const { overview, whole } = matrix.entry;
    const [rows, cols] = overview && whole ? whole : [matrix.rows, matrix.cols];
    if (!(i >= 0 && i < rows && j >= 0 && j < cols))
      throw new Error(`${path} has no cell ${i}, ${j}.`);
  };
  /**
   * A call that is done when the page shows what comes of it.
   * @template {unknown[]} Args @param {(...args: Args) => Promise<number>} ask
   * @returns {(...args: Args) => Promise<void>}
   */
  const done =
    (ask) =>
    (...args) => {
      try {
        const shown = board.whenShown(ask(...args));
        shown.catch(() => {}); // Python shows why; who calls hears it, too
        return shown;
      } catch (error) {
        return Promise.reject(error);
      }
    };
  const scenario = () => board.scenario && JSON.parse(board.scenario);
  return {
    version: 1,
    get ready() {
      return board.loop.ready;
    },
    get frames() {
      return board.loop.frames;
    },
    paths: () =>
      [...store.matrices.values()].flatMap(({ entry, path, index }) => {
        const { likeliest, selected } = store.manifest ?? {};
        if (entry.block || index === likeliest || index === selected) return [];
        return entry.overview && entry.origin ? entry.origin[0] : path;
      }),
    matrix: (path) => {
      const entry = (store.matrices.get(path) ?? store.large.get(path))?.entry;
      return entry?.overview && entry.whole
        ? { ...entry, path, rows: entry.whole[0], cols: entry.whole[1] }
        : entry;
    },
    value: (path, i, j) => {
      const of = store.cell(path, i, j);
      return of && board.values.isCurrent(of.matrix) ? store.value(path, i, j) : undefined;
    },
    gradient: (path, i, j) => {
      const of = appearance.showsGradients ? store.cell(path, i, j) : null;
      if (!of || !board.values.isCurrent(of.matrix)) return undefined;
      return of.matrix.gradients?.[of.i * of.matrix.cols + of.j];
    },
    rect: (path, i, j) => {
      check(path, i, j);
      const { view, y, x } = board.places.bringIntoView(path, i, j);
      const box = view.boxOf(y, x);
      const sheet = view.sheet.getBoundingClientRect();
      return { x: sheet.x + box.x, y: sheet.y + box.y, width: box.width, height: box.height };
    },
    select: done((path, i = 0, j = 0) => {
      if (path !== null && store.isDrawn(path, i, j)) check(path, i, j);
      return board.selection.select(path === null ? null : { path, i, j });
    }),
    show: done((path, i = 0, j = 0) => {
      const selected = board.selection.select({ path, i, j });
      board.journey.toCell({ path, i, j });
      return selected;
    }),
    ring: (cells) => board.rings.pointOut(cells),
    likeliest: (row, count) => likeliestWords(store, row, count),
    set: done((path, i, j, x) => {
      check(path, i, j);
      if (!Number.isFinite(Number(x))) throw new Error("A cell is set to a finite number.");
      return board.edits.set(path, i, j, Number(x));
    }),
    restore: done((path, i, j) => {
      check(path, i, j);
      return board.edits.restore({ path, i, j });
    }),
    oscillate: done((on, { amplitude = null, period = null } = {}) =>
      board.oscillation.ask(Boolean(on), amplitude, period),
    ),
    oscillating: () => board.oscillation.isOn,
    scenario,
    listen: (event, listener) => {
      if (!HEARD.includes(event))
        throw new Error(`There is no event ${event}; there are ${HEARD.join(", ")}.`);
      const hear = (/** @type {Event} */ happened) => {
        const { detail } = /** @type {CustomEvent} */ (happened);
        listener(event === "scenario" ? scenario() : detail);
      };
      document.addEventListener(`tinkerformer:${event}`, hear);
      return () => document.removeEventListener(`tinkerformer:${event}`, hear);
    },
    selection: () => {
      const { selection } = cursors;
      return selection && { path: selection.path, i: selection.i, j: selection.j };
    },
    stages: () => board.stages.all.map(({ spec: { id, part, title } }) => ({ id, part, title })),
    stage: () => board.reading.stage,
    goto: (id) => board.journey.toStage(id),
    head: (id, k) => board.layout.chooseHead(id, k),
    parts: () =>
      (board.whole.entry?.parts ?? []).map(({ id, title, stack }) => ({ id, title, stack })),
    look: () => (board.whole.entry ? board.whole.look : null),
    near: (part) => {
      const { viewpoint } = board.whole;
      if (part === null) viewpoint.showAll();
      else viewpoint.goToPart(part);
    },
    follow: (stack, index = 0) =>
      board.whole.followed.follow(stack === null ? null : { stack, index }),
    unfold: done((parts) => board.send({ type: "place", name: "unfolded", value: parts })),
    view: () => ({ ...appearance.settings }),
    picturePaths: (what) => pictures.paths(what),
    picture: (what, colors, fresh) => pictures.draw(what, colors, fresh),
  };
}
