/** The likeliest next words: out of all probabilities where the browser has them, else those that the server told. */

const PROBABILITIES_PATH = "output.probabilities";

/**
 * @param {Board} board @param {number} row @param {number} count
 * @returns {{rows: string[], of: number, best: {word: string, p: number}[]} | null} best first; rows are the tokens
 */
export function likeliestWords(board, row, count) {
  const told = board.manifest?.likeliest;
  const matrix = told === undefined ? board.matrices.get(PROBABILITIES_PATH) : board.byIndex[told];
  if (!matrix) return null;
  const { rows, cols, values, entry } = matrix,
    best = [];
  const found = { rows: entry.row_labels, of: entry.of ?? cols, best };
  const words = told === undefined ? entry.col_labels : entry.words?.[row];
  if (!values || !words || row >= rows) return found;
  for (let j = 0; j < cols; j++) {
    const p = values[row * cols + j];
    // A short list kept in order: no need to sort hundreds of words for six.
    if (best.length === count && p <= best[count - 1].p) continue;
    let at = best.length;
    while (at > 0 && best[at - 1].p < p) at--;
    best.splice(at, 0, { word: words[j], p });
    if (best.length > count) best.pop();
  }
  return found;
}
