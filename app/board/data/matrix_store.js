/** All matrices of the manifest, with lookup of cells. */

import { Matrix } from "./matrix.js";

/** @import {Manifest} from "./types.js" */

/**
 * @typedef {{matrix: Matrix, i: number, j: number}} Place a cell, and the matrix that contains it
 */

export class MatrixStore {
  constructor() {
    this.manifest = /** @type {Manifest | null} */ (null);
    this.matrices = /** @type {Map<string, Matrix>} */ (new Map());
    /** The window on each large matrix, by the path of the large matrix. */
    this.large = /** @type {Map<string, Matrix>} */ (new Map());
    this.byIndex = /** @type {Matrix[]} */ ([]);
    /** Matrices whose newest values have not arrived yet. @type {Set<Matrix>} */
    this.stale = new Set();
    /** Matrices whose values have arrived since the last manifest. @type {Set<Matrix>} */
    this.came = new Set();
  }

  /**
   * Takes a new manifest; matrices that remain keep their values, unless the model changed.
   * @param {Manifest} manifest @returns {boolean} whether the model changed
   */
  take(manifest) {
    const isOther = this.manifest !== null && this.manifest.model !== manifest.model;
    const known = isOther ? new Map() : this.matrices;
    this.manifest = manifest;
    this.matrices = new Map();
    this.byIndex = manifest.matrices.map((entry, index) => {
      // A path may occur several times but is one matrix, described by its first entry; views read
      // the notes of the other entries.
      const listed = this.matrices.get(entry.path);
      if (listed) return listed;
      const kept = known.get(entry.path);
      kept?.describe(entry, index);
      const matrix = kept ?? new Matrix(entry, index);
      this.matrices.set(entry.path, matrix);
      return matrix;
    });
    this.stale = new Set(this.byIndex);
    this.came = new Set();
    this.large = new Map();
    for (const matrix of this.byIndex) {
      const { overview, origin } = matrix.entry;
      if (overview && origin) this.large.set(origin[0], matrix);
    }
    return isOther;
  }

  get version() {
    return this.manifest?.version;
  }

  /** The matrix that is drawn for a path; for a large matrix, its window. @param {string} path */
  drawn(path) {
    return this.large.get(path) ?? this.matrices.get(path);
  }

  /**
   * Whether a cell's matrix is drawn: as a whole, through a window, or as a part with the cell.
   * @param {string} path @param {number} i @param {number} j
   */
  isDrawn(path, i, j) {
    return this.matrices.has(path) || this.large.has(path) || this.partsWith(path, i, j).length > 0;
  }

  /**
   * The drawn parts of a matrix that contain a cell, except the 1 × 1 part of the selected cell.
   * @param {string} path @param {number} i @param {number} j
   */
  partsWith(path, i, j) {
    const { selected } = this.manifest ?? {};
    const found = this.parts(path, i, j, i, j).map(([matrix]) => matrix);
    return found.filter(
      ({ path: own, index, entry }) => own !== path && index !== selected && !entry.block,
    );
  }

  /**
   * The matrix with an index, if it has the given size; otherwise null.
   * @param {{index: number, rows: number, cols: number}} entry
   */
  fitting({ index, rows, cols }) {
    const matrix = this.byIndex[index];
    return matrix && matrix.rows === rows && matrix.cols === cols ? matrix : null;
  }

  /**
   * Records that values have arrived. All matrices that Python did not list as stale are current.
   * @param {Iterable<Matrix>} fresh @param {number[]} stale indices of stale matrices
   */
  freshen(fresh, stale) {
    // Matrices without new values since the last manifest still have values of an earlier one.
    const never = [...this.stale].filter((matrix) => !this.came.has(matrix));
    this.stale = new Set([...never, ...stale.flatMap((index) => this.byIndex[index] ?? [])]);
    for (const matrix of fresh) {
      this.came.add(matrix);
      this.stale.delete(matrix);
    }
  }

  /** Updates the lookup after a matrix has changed to another part. @param {Matrix} matrix */
  changeOver(matrix) {
    const { coming, path } = matrix;
    if (!coming || !this.manifest) return;
    matrix.coming = matrix.baseline = null;
    for (const entry of this.manifest.matrices)
      if (entry.path === path) Object.assign(entry, coming);
    if (coming.path !== undefined && coming.path !== path) {
      this.matrices.delete(path);
      matrix.path = coming.path;
      this.matrices.set(matrix.path, matrix);
    }
  }

  /**
   * Finds the matrix that contains a cell of `path`: the matrix itself, or a window on it, or a
   * part of it. The 1 × 1 part has the selected number even if the window does not show it.
   * @param {string} path @param {number} i @param {number} j @returns {Place | null}
   */
  cell(path, i, j) {
    const whole = this.matrices.get(path);
    if (whole) return i < whole.rows && j < whole.cols ? { matrix: whole, i, j } : null;
    let found = null;
    for (const matrix of this.matrices.values()) {
      const { origin, products, block, overview } = matrix.entry;
      if (!origin || products || block || origin[0] !== path) continue;
      const y = i - origin[1];
      const x = j - origin[2];
      if (y < 0 || x < 0 || y >= matrix.rows || x >= matrix.cols) continue;
      if (matrix.index === this.manifest?.selected) return { matrix, i: y, j: x };
      if (!found || overview) found = { matrix, i: y, j: x };
    }
    return found;
  }

  /** The number now on screen. @param {string} path @param {number} i @param {number} j */
  value(path, i, j) {
    const place = this.cell(path, i, j);
    return place?.matrix.values?.[place.i * place.matrix.cols + place.j];
  }

  /**
   * Returns every matrix that draws some of these cells, each with the rectangle that it draws:
   * [matrix, i, j, i2, j2].
   * @param {string} path @param {number} i @param {number} j @param {number} i2 @param {number} j2
   */
  parts(path, i, j, i2, j2) {
    /** @type {[Matrix, number, number, number, number][]} */
    const found = [];
    const whole = this.matrices.get(path);
    if (whole) found.push([whole, i, j, i2, j2]);
    for (const matrix of this.matrices.values()) {
      const { origin, products, block: [high, wide] = [1, 1] } = matrix.entry;
      if (!origin || products || origin[0] !== path) continue;
      const [, row, column] = origin;
      const top = Math.floor(Math.max(i - row, 0) / high);
      const left = Math.floor(Math.max(j - column, 0) / wide);
      const bottom = Math.min(Math.floor((i2 - row) / high), matrix.rows - 1);
      const right = Math.min(Math.floor((j2 - column) / wide), matrix.cols - 1);
      if (i2 >= row && j2 >= column && top <= bottom && left <= right)
        found.push([matrix, top, left, bottom, right]);
    }
    return found;
  }
}
