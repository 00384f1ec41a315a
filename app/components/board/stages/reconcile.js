/**
 * The stages on the page against the stages of a new manifest: what did not change stays, so that
 * typing a token moves neither the focus nor the scroll position, and costs little.
 */

/**
 * @import {MatrixEntry, StageEntry} from "../data/types.js"
 */

/**
 * What the page has of a stage.
 * @typedef {object} Standing
 * @property {HTMLElement} el
 * @property {string} key what its elements depend on
 * @property {number | "all"} head
 * @property {(spec: StageEntry) => void} describe
 * @property {(head: number | "all") => void} showHead
 * @property {() => void} remove
 */

/**
 * @template {Standing} S
 * @param {Map<string, S>} standing the stages on the page, by id
 * @param {{stages: StageEntry[], matrices: MatrixEntry[]}} manifest
 * @param {HTMLElement} article where they stand
 * @param {{keyOf: (spec: StageEntry, matrices: MatrixEntry[]) => string, build: (spec: StageEntry)
 *   => S}} make
 * @returns {Map<string, S>} the stages that are on the page from now on
 */
export function reconcile(standing, manifest, article, { keyOf, build }) {
  // What is gone goes first: else all that comes after it would be out of order.
  const ids = new Set(manifest.stages.map(({ id }) => id));
  for (const [id, stage] of standing) if (!ids.has(id)) stage.remove();
  /** @type {Map<string, S>} */
  const stages = new Map();
  /** @type {Element | null} */
  let before = null;
  for (const spec of manifest.stages) {
    const key = keyOf(spec, manifest.matrices);
    let stage = standing.get(spec.id);
    if (stage?.key === key) stage.describe(spec);
    else {
      const head = stage?.head ?? 0;
      stage?.remove();
      stage = build(spec);
      stage.key = key;
      stage.showHead(head);
    }
    stages.set(spec.id, stage);
    // Only what is out of order is moved: moving an element would take the focus from it.
    /** @type {Element | null} */
    const next = before ? before.nextElementSibling : article.firstElementChild;
    if (next !== stage.el) article.insertBefore(stage.el, next);
    before = stage.el;
  }
  return stages;
}
