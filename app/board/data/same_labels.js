/** Matches rows or columns before and after a change of their words. */

const MOST = 300; // largest number of compared labels, without the common start and end

/**
 * Pairs indices of equal or replaced labels, in order; others were removed or added.
 * @param {readonly string[]} before @param {readonly string[]} now
 * @returns {[before: number, now: number][]}
 */
export function sameLabels(before, now) {
  const least = Math.min(before.length, now.length);
  let first = 0;
  while (first < least && before[first] === now[first]) first++;
  let last = 0;
  while (last < least - first && before[before.length - 1 - last] === now[now.length - 1 - last])
    last++;
  const middle = [before.slice(first, before.length - last), now.slice(first, now.length - last)];
  const found = /** @type {[number, number][]} */ ([]);
  for (let k = 0; k < first; k++) found.push([k, k]);
  for (const [i, j] of within(middle[0], middle[1])) found.push([first + i, first + j]);
  for (let k = last; k > 0; k--) found.push([before.length - k, now.length - k]);
  return found;
}

/**
 * Pairs the indices that a shortest sequence of edits keeps or replaces; an edit replaces, inserts
 * or removes a label. With more than `MOST` labels, pairs equal indices.
 * @param {string[]} before @param {string[]} now
 */
function within(before, now) {
  const [n, m] = [before.length, now.length];
  const found = /** @type {[number, number][]} */ ([]);
  if (Math.max(n, m) > MOST) {
    for (let k = 0; k < Math.min(n, m); k++) found.push([k, k]);
    return found;
  }
  /** edits[i][j]: the edit distance of the labels from `i` on and those from `j` on. */
  const edits = Array.from({ length: n + 1 }, (_, i) =>
    Uint16Array.from({ length: m + 1 }, (__, j) => n - i + m - j),
  );
  for (let i = n - 1; i >= 0; i--)
    for (let j = m - 1; j >= 0; j--) {
      const pair = edits[i + 1][j + 1] + (before[i] === now[j] ? 0 : 1);
      edits[i][j] = Math.min(pair, edits[i + 1][j] + 1, edits[i][j + 1] + 1);
    }
  let [i, j] = [0, 0];
  while (i < n && j < m) {
    const pair = edits[i + 1][j + 1] + (before[i] === now[j] ? 0 : 1);
    if (edits[i][j] === pair) found.push([i++, j++]);
    else if (edits[i][j] === edits[i + 1][j] + 1) i++;
    else j++;
  }
  return found;
}
