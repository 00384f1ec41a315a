/**
 * Windows on large matrices: which part of each is on the board, and the wish to see another. One wish at a time is under
 * way; meanwhile only the newest waits, so that a drag over an overview never runs ahead of the numbers.
 */

const WINDOW_PATIENCE = 1500;

export class Windows {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.reset();
  }

  /** After a new manifest: what was wished for may be gone. */
  reset() {
    clearTimeout(this.timer);
    this.waiting = false;
    this.next = null;
    /** @type {Map<string, {row: number, column: number}>} where each window is going, by the path of its matrix */
    this.goals = new Map();
  }

  /** The window on a matrix. @param {string} path @returns {Matrix | undefined} */
  on(path) {
    return this.board.large.get(path);
  }

  /** Where the window on a matrix is or is going. */
  place(path) {
    const goal = this.goals.get(path),
      [, row, column] = this.on(path).entry.origin;
    return goal || { row, column };
  }

  /** Move a window so that this is its first row and column, as far as the matrix reaches. */
  ask(path, row, column) {
    const {
        rows,
        cols,
        entry: { whole },
      } = this.on(path),
      now = this.place(path);
    const goal = {
      row: Math.max(0, Math.min(row, whole[0] - rows)),
      column: Math.max(0, Math.min(column, whole[1] - cols)),
    };
    if (goal.row === now.row && goal.column === now.column) return;
    this.goals.set(path, goal);
    this.next = { path, ...goal };
    for (const view of this.on(path).views) view.overview?.showFrame();
    this.send();
  }

  /** Move a window, if need be, so that it shows a cell: by as little as it takes, or with the cell in its middle. */
  reveal(path, i, j, little = false) {
    const { rows, cols } = this.on(path),
      { row, column } = this.place(path);
    const near = (first, count, k) => (k < first ? k : k >= first + count ? k - count + 1 : first);
    if (near(row, rows, i) === row && near(column, cols, j) === column) return;
    if (little) this.ask(path, near(row, rows, i), near(column, cols, j));
    else this.ask(path, i - (rows >> 1), j - (cols >> 1));
  }

  send() {
    if (this.waiting || !this.next) return;
    this.board.send({ type: "window", ...this.next });
    this.next = null;
    this.waiting = true;
    this.timer = setTimeout(() => this.arrived(), WINDOW_PATIENCE);
  }

  /** Its numbers are there, or will not come. */
  arrived() {
    clearTimeout(this.timer);
    this.waiting = false;
    if (this.next) this.send();
    else this.goals.clear();
  }

  /**
   * The matrix that has a cell of the matrix `path`: that matrix itself, or a window or another part of it. The selected
   * cell is a part of its own, the one that has its number even while the window is out of sight.
   * @returns {{matrix: Matrix, i: number, j: number} | null}
   */
  cell(path, i, j) {
    const whole = this.board.matrices.get(path);
    if (whole) return i < whole.rows && j < whole.cols ? { matrix: whole, i, j } : null;
    let found = null;
    for (const matrix of this.board.matrices.values()) {
      const { origin, products, block } = matrix.entry;
      if (!origin || products || block || origin[0] !== path) continue;
      const y = i - origin[1],
        x = j - origin[2];
      if (y < 0 || x < 0 || y >= matrix.rows || x >= matrix.cols) continue;
      if (matrix.index === this.board.manifest.selected) return { matrix, i: y, j: x };
      if (!found || matrix.entry.overview) found = { matrix, i: y, j: x };
    }
    return found;
  }

  /** Every matrix in which some of these cells are drawn, with the part of them that it has: [matrix, i, j, i2, j2]. */
  parts(path, i, j, i2, j2) {
    const found = [],
      whole = this.board.matrices.get(path);
    if (whole) found.push([whole, i, j, i2, j2]);
    for (const matrix of this.board.matrices.values()) {
      const { origin, products, block: [high, wide] = [1, 1] } = matrix.entry;
      if (!origin || products || origin[0] !== path) continue;
      const [, row, column] = origin;
      const top = Math.floor(Math.max(i - row, 0) / high),
        left = Math.floor(Math.max(j - column, 0) / wide);
      const bottom = Math.min(Math.floor((i2 - row) / high), matrix.rows - 1),
        right = Math.min(Math.floor((j2 - column) / wide), matrix.cols - 1);
      if (i2 >= row && j2 >= column && top <= bottom && left <= right)
        found.push([matrix, top, left, bottom, right]);
    }
    return found;
  }
}
