/** window.tinkerformer: for course pages, tests, and the other components of the page. */

/** @param {Board} board */
function publish(board) {
  const cell = (path, i, j) => {
    const matrix = board.matrices.get(path);
    if (!matrix) throw new Error(`no matrix ${path}`);
    if (!(i >= 0 && i < matrix.rows && j >= 0 && j < matrix.cols)) throw new Error(`${path} has no cell ${i}, ${j}`);
    return matrix;
  };
  window.tinkerformer = {
    get ready() { return board.ready; },
    get frames() { return board.frames; },
    paths: () => [...board.matrices.keys()],
    matrix: path => board.matrices.get(path)?.entry,
    /** The number now on screen; during an oscillation that of the frame painted last. */
    value: (path, i, j) => {
      const matrix = board.matrices.get(path);
      return matrix?.values && i < matrix.rows && j < matrix.cols ? matrix.values[i * matrix.cols + j] : undefined;
    },
    /** Scrolls a cell into view and tells where it then is in the viewport. */
    rect: (path, i, j) => {
      const view = board.bringIntoView(cell(path, i, j), i, j);
      const box = view.boxOf(i, j), sheet = view.sheet.getBoundingClientRect();
      return {x: sheet.x + box.x, y: sheet.y + box.y, width: box.width, height: box.height};
    },
    select: (path, i = 0, j = 0) => {
      if (path !== null) cell(path, i, j);
      board.select(path, i, j);
    },
    set: (path, i, j, x) => {
      cell(path, i, j);
      board.edits.set(path, i, j, Number(x));
    },
    restore: (path, i, j) => {
      cell(path, i, j);
      board.send({type: "restore", path, i, j});
    },
    oscillate: (on, {amplitude = null, period = null} = {}) => board.oscillate(Boolean(on), amplitude, period),
    oscillating: () => board.orbit !== null,
    scenario: () => board.scenario && JSON.parse(board.scenario),
    selection: () => board.selection && {path: board.selection.path, i: board.selection.i, j: board.selection.j},
    stages: () => [...board.stages.values()].map(({spec: {id, part, title}}) => ({id, part, title})),
    stage: () => board.stageInSight,
    goto: id => board.goTo(id),
    head: (id, k) => board.chooseHead(id, k),
    view: () => ({...board.view}),
  };
}
