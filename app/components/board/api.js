/** window.tinkerformer: for course pages, tests, and the other components of the page. */

import { likeliestWords } from "./stages/next_tokens.js";

/** @param {Board} board */
export function publish(board) {
  const shape = (path) => {
    const matrix = board.matrices.get(path) || board.large.get(path);
    if (!matrix) throw new Error(`no matrix ${path}`);
    return matrix.entry.overview ? matrix.entry.whole : [matrix.rows, matrix.cols];
  };
  const check = (path, i, j) => {
    const [rows, cols] = shape(path);
    if (!(i >= 0 && i < rows && j >= 0 && j < cols))
      throw new Error(`${path} has no cell ${i}, ${j}`);
  };
  window.tinkerformer = {
    get ready() {
      return board.ready;
    },
    get frames() {
      return board.frames;
    },
    /** All that is drawn: large matrices by their own path, not by that of the window on them. */
    paths: () =>
      [...board.matrices.values()].flatMap(({ entry, path, index }) =>
        entry.block || index === board.manifest.likeliest || index === board.manifest.selected
          ? []
          : entry.overview
            ? entry.origin[0]
            : path,
      ),
    /** What the manifest says of a matrix; of a large one, with the rows and columns that it really has. */
    matrix: (path) => {
      const { entry } = board.matrices.get(path) || board.large.get(path) || {};
      return entry?.overview
        ? { ...entry, path, rows: entry.whole[0], cols: entry.whole[1] }
        : entry;
    },
    /**
     * The number now on screen; during an oscillation that of the frame painted last. Of a large matrix only what is
     * in its window, or selected, is known here: `select` a cell first.
     */
    value: (path, i, j) => {
      const of = board.windows.cell(path, i, j);
      return of?.matrix.values ? of.matrix.values[of.i * of.matrix.cols + of.j] : undefined;
    },
    /** ∂loss/∂cell, while gradients are shown: as `value`; NaN where there is none, as of a mask. */
    gradient: (path, i, j) => {
      const of = board.windows.cell(path, i, j);
      return board.showsGradients
        ? of?.matrix.gradients?.[of.i * of.matrix.cols + of.j]
        : undefined;
    },
    /** Scrolls a cell into view, in a large matrix its window, too, and tells where it then is in the viewport. */
    rect: (path, i, j) => {
      check(path, i, j);
      const { view, y, x } = board.bringIntoView(path, i, j);
      const box = view.boxOf(y, x),
        sheet = view.sheet.getBoundingClientRect();
      return { x: sheet.x + box.x, y: sheet.y + box.y, width: box.width, height: box.height };
    },
    /** A cell of any matrix of the model; the page goes to its layer and head, and windows move to it. */
    select: (path, i = 0, j = 0) => {
      if (path !== null && board.isDrawn(path)) check(path, i, j);
      board.select(path, i, j);
    },
    /** Selects a cell and scrolls to it, as soon as it is drawn. */
    show: (path, i = 0, j = 0) => board.showCell(path, i, j),
    /** The likeliest next words after a token, and of how many. */
    likeliest: (row, count) => likeliestWords(board, row, count),
    set: (path, i, j, x) => {
      check(path, i, j);
      board.edits.set(path, i, j, Number(x));
    },
    restore: (path, i, j) => {
      check(path, i, j);
      board.send({ type: "restore", path, i, j });
    },
    oscillate: (on, { amplitude = null, period = null } = {}) =>
      board.oscillate(Boolean(on), amplitude, period),
    oscillating: () => board.orbit !== null,
    scenario: () => board.scenario && JSON.parse(board.scenario),
    selection: () =>
      board.selection && { path: board.selection.path, i: board.selection.i, j: board.selection.j },
    stages: () =>
      [...board.stages.values()].map(({ spec: { id, part, title } }) => ({ id, part, title })),
    stage: () => board.stageInSight,
    goto: (id) => board.goTo(id),
    head: (id, k) => board.chooseHead(id, k),
    view: () => ({ ...board.view }),
  };
}
