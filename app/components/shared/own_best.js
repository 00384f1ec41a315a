/** The user's best result in each dare, stored in this browser. */

const KEY = "tinkerformer-dares";

/** @typedef {{value: number, said: string}} Best the result, as a number and in words */

/** The results; without storage they last as long as the page. @type {Record<string, Best>} */
let bests = {};

function read() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof found === "object" && found !== null) bests = found;
  } catch {
    // Storage denied or damaged: use the results of this page.
  }
  return bests;
}

/** @param {string} dare */
export function ownBest(dare) {
  const all = read();
  const found = Object.hasOwn(all, dare) ? all[dare] : null;
  return typeof found?.value === "number" && typeof found.said === "string" ? found : null;
}

/**
 * Stores a result if it is better than the stored result; `more`: whether a larger value is better.
 * @param {string} dare @param {Best} now @param {boolean} more
 */
export function keepBest(dare, now, more) {
  const before = ownBest(dare);
  if (before && (more ? before.value >= now.value : before.value <= now.value)) return;
  bests = { ...read(), [dare]: now };
  try {
    localStorage.setItem(KEY, JSON.stringify(bests));
  } catch {
    // Storage denied: see above.
  }
}
