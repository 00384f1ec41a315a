/** Finds the cell to which a key moves the focus in a table. */

export const WALK_KEYS = ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown", "Home", "End"];

/**
 * @param {string} key @param {[row: number, column: number]} from @param {unknown[][]} cells
 * @returns {[row: number, column: number] | null} null for any other key
 */
export function walk(key, [i, j], cells) {
  const last = cells[i].length - 1;
  /** @type {Record<string, [number, number]>} */
  const goals = {
    ArrowLeft: [i, j - 1],
    ArrowRight: [i, j + 1],
    ArrowUp: [i - 1, j],
    ArrowDown: [i + 1, j],
    Home: [i, 0],
    End: [i, last],
  };
  const goal = goals[key];
  if (!goal) return null;
  const row = Math.max(0, Math.min(cells.length - 1, goal[0]));
  return [row, Math.max(0, Math.min(cells[row].length - 1, goal[1]))];
}
