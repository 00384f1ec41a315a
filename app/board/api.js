/**
 * `window.tinkerformer`, the API for course pages, tests and the page's other components. A
 * surrounding page may call part of it through `shell/parent.js`. Methods that change something
 * return a promise. It resolves when the page shows the change, or rejects with an error whose
 * message is a sentence.
 */

import { Composition } from "./export/composition.js";
import { likeliestWords, swingOrder } from "./stages/next_tokens.js";

/**
 * @import {MatrixStore} from "./data/matrix_store.js"
 * @import {Lane, MatrixEntry, ViewSettings} from "./data/types.js"
 * @import {Pictured} from "./export/picture.js"
 * @import {Fresh} from "./export/matrix_drawing.js"
 * @import {Svg} from "./export/svg.js"
 * @import {Likeliest} from "./stages/next_tokens.js"
 * @import {Board} from "./board.js"
 * @import {FilmStage} from "./film/film_stage.js"
 */

/**
 * @typedef {{x: number, y: number, zoom: number, isAll: boolean, following: Lane | null, unfolded:
 *   string[]}} Look
 *
 * @typedef {"selection" | "frame" | "scenario" | "score"} EventName
 *
 * @typedef {object} Interface the public API, stable for one version
 * @property {1} version the version of this interface
 * @property {boolean} ready whether the page shows numbers
 * @property {number} frames number of frames painted so far
 * @property {() => string[]} paths the paths of all drawn matrices; for a large matrix, of which
 *   only a window is drawn, the path of the whole matrix
 * @property {(path: string) => MatrixEntry | undefined} matrix the manifest entry of a matrix; for
 *   a large matrix, with the size of the whole matrix
 * @property {(path: string, i: number, j: number) => number | undefined} value the number on
 *   screen; during an oscillation, the number in the last painted frame. Undefined until the
 *   matrix's values have arrived, and during an oscillation if the matrix is off screen. For a
 *   large matrix, only cells in its window and the selected cell are known: `select` a cell first
 * @property {(path: string, i: number, j: number) => number | undefined} gradient ∂loss/∂cell while
 *   gradients are shown, known for the same cells as `value`; NaN without a gradient, as in a mask
 * @property {(path: string, i: number, j: number) => {x: number, y: number, width: number, height:
 *   number}} rect scrolls a cell into view, moves a window to it if necessary, and returns its
 *   position in the viewport, in CSS px
 * @property {(path: string | null, i?: number, j?: number) => Promise<void>} select selects a cell
 *   of any matrix of the model (on a page that shows a single stage: of the matrices of that
 *   stage); the page switches to the layer and head of the cell, and moves windows to the cell
 * @property {() => {path: string, i: number, j: number} | null} selection the selected cell
 * @property {(path: string, i: number, j: number, x: number) => Promise<void>} set sets a cell of a
 *   parameter or of a computed matrix; everything that depends on it is recomputed
 * @property {(path: string, i: number, j: number) => Promise<void>} restore restores a cell's
 *   original or computed value
 * @property {(on: boolean, how?: {amplitude?: number | null, period?: number | null}) =>
 *   Promise<void>} oscillate starts or stops the oscillation of the selected cell; period in
 *   seconds
 * @property {() => boolean} oscillating whether a cell oscillates
 * @property {() => {id: string, part: string | undefined, title: string}[]} stages the stages on
 *   the page, in order of computation
 * @property {() => string | undefined} stage the stage being read
 * @property {(id: string) => boolean} goto scrolls to a stage; returns whether the stage exists
 * @property {() => {id: string, title: string, stack: string}[]} parts the parts of the whole
 *   picture
 * @property {() => Look | null} look the center, zoom, followed word and unfolded parts of the
 *   whole picture; null if the picture is not open
 * @property {(part: string | null) => void} near moves the camera to a part; null shows all
 * @property {(stack: string | null, position?: number) => void} follow follows a word through the
 *   picture; null follows none
 * @property {(parts: string[]) => Promise<void>} unfold unfolds exactly these parts: every step of
 *   their computation is drawn
 * @property {() => object | null} scenario the session's state, as in shared links
 * @property {(event: EventName, listener: (detail: unknown) => void) => () => void} listen listens
 *   to the selection, `{path, i, j}` or null; to each painted frame, `{frames}`; to each change of
 *   the scenario; or to the score of the open dare (a lesson's challenge to change the model),
 *   `{dare, score, reached, best, measure, said}` or null. Returns a function that stops listening
 *
 * @typedef {Interface & Inside} Tinkerformer
 *
 * @typedef {object} Inside methods for the page's own components only
 * @property {(path: string, i?: number, j?: number) => Promise<void>} show selects a cell, and
 *   scrolls to it once it is drawn
 * @property {(path: string) => void} walk focuses the first cell of a matrix, once it is drawn
 * @property {(path: string, i: number, j: number) => void} check raises an error with a sentence if
 *   the page has no such cell
 * @property {(cells: [path: string, i: number, j: number, i2: number, j2: number][]) => void} ring
 *   rings exactly these rectangles of cells, wherever they are drawn
 * @property {(row: number, count: number) => Likeliest | null} likeliest returns the likeliest next
 *   words after a token
 * @property {(row: number) => string[] | null} swingOrder the next words after a token, sorted by
 *   their largest probability in an oscillation; null if no number oscillates
 * @property {(row: number) => HTMLElement | null} nextWordsAt the element for the bars of a row's
 *   next words in the picture; null if the bars are not shown there
 * @property {(id: string, head: number | "all") => void} head chooses the head that a stage shows
 * @property {() => ViewSettings} view
 * @property {() => string | null} stageInFocus the stage of the part in view in the whole picture
 * @property {FilmStage} film shows the scenes of a film on the board
 * @property {Motion} motion
 * @property {(what: Pictured) => string[]} picturePaths paths of all matrices in a picture
 * @property {(what: Pictured, colors: Record<string, string>, fresh?: Map<string, Fresh>) => Svg}
 *   picture
 */

/**
 * @typedef {object} Motion methods for recording the picture
 * @property {() => {phase: number, period: number} | null} swing the phase of the current
 *   oscillation, in radians, and its period, in seconds
 * @property {(isStill?: boolean) => Composition | null} composition composes the current view as a
 *   video frame or a still; null if the picture is not shown
 */

/** @type {readonly EventName[]} */
const EVENT_NAMES = ["selection", "frame", "scenario", "score"];

/** @param {Board} board @returns {Tinkerformer} */
export function apiOf(board) {
  const { appearance, store } = board.numbers;
  const { pictures } = board.formulas;
  return {
    ...{ ...numbersOf(board), ...changesOf(board), ...placesOf(board), ...pictureOf(board) },
    version: 1,
    get ready() {
      return board.numbers.loop.ready;
    },
    get frames() {
      return board.numbers.loop.frames;
    },
    scenario: () => scenarioOf(board),
    listen: (event, listener) => listen(board, event, listener),
    view: () => ({ ...appearance.settings }),
    ring: (cells) => board.inputs.rings.pointOut(cells),
    likeliest: (row, count) => likeliestWords(store, row, count),
    swingOrder: (row) => swingOrder(store, row),
    nextWordsAt: (row) => board.whole.nextWords.at(row),
    film: board.projector,
    motion: motionOf(board),
    picturePaths: (what) => pictures.paths(what),
    picture: (what, colors, fresh) => pictures.draw(what, colors, fresh),
  };
}

/** @param {Board} board */
const scenarioOf = ({ scenario }) => scenario && JSON.parse(scenario);

/**
 * @param {Board} board @param {EventName} event @param {(detail: unknown) => void} listener
 * @returns {() => void} stops listening
 */
function listen(board, event, listener) {
  if (!EVENT_NAMES.includes(event))
    throw new Error(`There is no event ${event}; there are ${EVENT_NAMES.join(", ")}.`);
  const hear = (/** @type {Event} */ happened) => {
    const { detail } = /** @type {CustomEvent} */ (happened);
    listener(event === "scenario" ? scenarioOf(board) : detail);
  };
  document.addEventListener(`tinkerformer:${event}`, hear);
  return () => document.removeEventListener(`tinkerformer:${event}`, hear);
}

/**
 * Raises an error with a sentence if the page has no such cell.
 * @param {MatrixStore} store @param {string} path @param {number} i @param {number} j
 */
function check(store, path, i, j) {
  const matrix = store.matrices.get(path) ?? store.large.get(path);
  if (!matrix && store.cell(path, i, j)) return; // only a part of the matrix is drawn
  if (!matrix) throw new Error(`There is no matrix ${path} on the page.`);
  const { overview, whole } = matrix.entry;
  const [rows, cols] = overview && whole ? whole : [matrix.rows, matrix.cols];
  if (!(i >= 0 && i < rows && j >= 0 && j < cols))
    throw new Error(`${path} has no cell ${i}, ${j}.`);
}

/**
 * Returns the methods that concern matrices and their numbers.
 * @param {Board} board
 * @returns {Pick<Tinkerformer, "paths" | "matrix" | "value" | "gradient" | "rect" | "check">}
 */
function numbersOf(board) {
  const { store, appearance } = board.numbers;
  return {
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
      return of && board.numbers.values.isCurrent(of.matrix) ? store.value(path, i, j) : undefined;
    },
    gradient: (path, i, j) => {
      const of = appearance.showsGradients ? store.cell(path, i, j) : null;
      if (!of || !board.numbers.values.isCurrent(of.matrix)) return undefined;
      return of.matrix.gradients?.[of.i * of.matrix.cols + of.j];
    },
    rect: (path, i, j) => {
      check(store, path, i, j);
      board.formulas.journey.landing.leave(); // stop a scroll in progress
      const { view, y, x } = board.formulas.places.bringIntoView(path, i, j);
      const box = view.boxOf(y, x);
      const sheet = view.sheet.getBoundingClientRect();
      return { x: sheet.x + box.x, y: sheet.y + box.y, width: box.width, height: box.height };
    },
    check: (path, i, j) => check(store, path, i, j),
  };
}

/**
 * Returns methods that change something, whose promises resolve when the page shows the change.
 * @param {Board} board
 * @returns {Pick<Tinkerformer, "select" | "selection" | "show" | "set" | "restore" | "oscillate" |
 *   "oscillating" | "unfold">}
 */
function changesOf(board) {
  const { store, cursors } = board.numbers;
  /**
   * @template {unknown[]} Args @param {(...args: Args) => Promise<number>} ask
   * @returns {(...args: Args) => Promise<void>}
   */
  const done =
    (ask) =>
    (...args) => {
      try {
        const shown = board.whenShown(ask(...args));
        shown.catch(() => {}); // Python shows the reason; the caller receives it, too
        return shown;
      } catch (error) {
        return Promise.reject(error);
      }
    };
  return {
    select: done((path, i = 0, j = 0) => {
      if (path !== null && store.isDrawn(path, i, j)) check(store, path, i, j);
      return board.inputs.selection.select(path === null ? null : { path, i, j });
    }),
    selection: () => {
      const { selection } = cursors;
      return selection && { path: selection.path, i: selection.i, j: selection.j };
    },
    show: done((path, i = 0, j = 0) => {
      const selected = board.inputs.selection.select({ path, i, j });
      board.formulas.journey.toCell({ path, i, j });
      return selected;
    }),
    set: done((path, i, j, x) => {
      check(store, path, i, j);
      if (!Number.isFinite(Number(x))) throw new Error("A cell is set to a finite number.");
      return board.numbers.edits.set(path, i, j, Number(x));
    }),
    restore: done((path, i, j) => {
      check(store, path, i, j);
      return board.numbers.edits.restore({ path, i, j });
    }),
    oscillate: done((on, { amplitude = null, period = null } = {}) =>
      board.numbers.oscillation.ask(Boolean(on), amplitude, period),
    ),
    oscillating: () => board.numbers.oscillation.isOn,
    unfold: done((parts) => board.send({ type: "place", name: "unfolded", value: parts })),
  };
}

/**
 * Returns the methods that concern the stages.
 * @param {Board} board @returns {Pick<Tinkerformer, "stages" | "stage" | "goto" | "head" | "walk">}
 */
const placesOf = (board) => ({
  stages: () =>
    board.formulas.stages.all.map(({ spec: { id, part, title } }) => ({ id, part, title })),
  stage: () => board.formulas.reading.stage,
  goto: (id) => board.formulas.journey.toStage(id),
  head: (id, k) => board.formulas.layout.chooseHead(id, k),
  walk: (path) => board.formulas.journey.walkTo({ path, i: 0, j: 0 }),
});

/**
 * Returns the methods that concern the whole picture.
 * @param {Board} board
 * @returns {Pick<Tinkerformer, "parts" | "look" | "stageInFocus" | "near" | "follow">}
 */
function pictureOf({ whole }) {
  return {
    parts: () => (whole.entry?.parts ?? []).map(({ id, title, stack }) => ({ id, title, stack })),
    look: () => (whole.entry ? whole.look : null),
    stageInFocus: () => (whole.entry ? whole.stageInFocus : null),
    near: (part) => {
      if (part === null) whole.viewpoint.showAll();
      else whole.viewpoint.goToPart(part);
    },
    follow: (stack, index = 0) => whole.followed.follow(stack === null ? null : { stack, index }),
  };
}

/** @param {Board} board @returns {Motion} */
const motionOf = ({ numbers, whole }) => ({
  swing: () => {
    const { orbit } = numbers.oscillation;
    return orbit && { phase: orbit.phase, period: orbit.period };
  },
  composition: (isStill) => {
    const { entry, el, viewpoint } = whole;
    return entry && viewpoint.view.width ? new Composition(el, isStill) : null;
  },
});
