/** The weights of a part as tiles under it: in rows, with the heads of one matrix side by side. */

/**
 * @import {PartEntry} from "../data/types.js"
 * @import {Label, PlacedMatrix, Sized} from "./plan.js"
 */

/** The height of a vector under a strip, or under the weights to whose product it is added. */
export const VECTOR = 6;
/** The height and largest width of any other vector, such as the losses. */
const ALONE = { height: 9, width: 84 };
const CELL = 4.6; // size of a cell in a tile with at most eight rows and columns
const LABEL = 24; // height of the room for a label above a tile
const APART = 15; // between two tiles
const ROWS_APART = 6;
const HEADS_APART = 4;
const FEW_HEADS = 2;
/**
 * The preferred greatest height of heads one above the other, and of one tile. More heads are
 * placed side by side; a tile that would be higher gets flatter rows.
 */
const HIGH = 40;
const FLAT = 0.7; // least height of a flatter row, as a share of the usual height

/**
 * Places the weights of a part.
 * @param {PartEntry} part @param {number} left @param {number} above top of their room
 * @param {(index: number) => Sized} matrixOf
 */
export function weightTiles({ tiles, id }, left, above, matrixOf) {
  const matrices = /** @type {PlacedMatrix[]} */ ([]);
  const labels = /** @type {Label[]} */ ([]);
  let x = left;
  let right = left;
  let [top, bottom] = [above, above];
  let under = { y: 0, cols: 0, x: 0, cell: 0 };
  for (const { tex, tiles: indices, starts_row: startsRow } of tiles) {
    const first = matrixOf(indices[0]);
    if (startsRow) [x, top, under] = [left, bottom + ROWS_APART, { ...under, cols: 0 }];
    // A bias is placed under the weights to whose product it is added.
    const isVector = first.rows === 1 && first.cols === under.cols;
    const { cell, height } = isVector
      ? { cell: under.cell, height: VECTOR }
      : tileSize(first, indices.length);
    const y = isVector ? under.y : top + LABEL;
    const at = isVector ? under.x : x;
    const width = first.cols * cell;
    const tall = first.rows * height + HEADS_APART;
    const beside = isVector ? 1 : sideBySide(indices.length, tall);
    const across = beside * (width + HEADS_APART) - HEADS_APART;
    const down = Math.ceil(indices.length / beside) * tall;
    if (!isVector)
      labels.push({
        ...{ kind: "symbol", text: tex, tex: true, part: id, path: first.path },
        ...{ x: at + across / 2, y: y - 4, room: Math.max(across, 18) + APART },
        ...{ over: { x: at, y, width: across, height: down }, meaning: first.meaning },
      });
    indices.forEach((index, k) => {
      const { rows, cols } = matrixOf(index);
      matrices.push({
        ...{ index, kind: "tile", part: id, stack: null, cell, height, rows, cols },
        ...{ x: at + (k % beside) * (width + HEADS_APART), y: y + Math.floor(k / beside) * tall },
      });
    });
    bottom = Math.max(bottom, y + down - HEADS_APART);
    right = Math.max(right, at + across);
    under = { y: y + down, cols: first.cols, x: at, cell };
    if (!isVector) x = Math.max(at + across, at + 16) + APART;
  }
  return { matrices, labels, right, bottom };
}

/** The size of a cell, which decreases with the count. @param {number} count of rows or columns */
const cellOf = (count) => CELL * (8 / Math.max(8, count)) ** 0.42;

/**
 * The cell size of a tile. Tiles of a part are about equally high; those of many heads are narrow.
 * @param {Sized} matrix @param {number} heads
 */
function tileSize({ rows, cols }, heads) {
  if (rows === 1) return { cell: Math.min(ALONE.height, ALONE.width / cols), height: ALONE.height };
  const tall = cellOf(rows);
  const cell = cellOf(heads > FEW_HEADS ? Math.max(rows, cols) : cols);
  return { cell, height: Math.max(FLAT * tall, Math.min(tall, HIGH / rows)) };
}

/**
 * The number of heads to place side by side, so that the heads are at most `HIGH` high together if
 * one head is. It divides the number of heads evenly.
 * @param {number} count @param {number} tall height of each
 */
function sideBySide(count, tall) {
  const least = Math.min(count, Math.ceil((count * tall) / HIGH));
  for (let k = least; k < count; k++) if (count % k === 0) return k;
  return count;
}
