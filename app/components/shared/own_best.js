/** The reader's own best at each dare, which this browser keeps. */

const KEY = "tinkerformer-dares";

/** @typedef {{value: number, said: string}} Best the measure, as a number and in words */

/** Where storage is denied, they last as long as the page. @type {Record<string, Best>} */
let bests = {};

function read() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof found === "object" && found !== null) bests = found;
  } catch {
    // Storage denied, or damaged: those of this page are used.
  }
  return bests;
}

/** @param {string} dare @returns {Best | null} */
export function ownBest(dare) {
  const all = read();
  const found = Object.hasOwn(all, dare) ? all[dare] : null;
  return typeof found?.value === "number" && typeof found.said === "string" ? found : null;
}

/** Keeps a measure if it is better. @param {string} dare @param {Best} now @param {boolean} more */
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
