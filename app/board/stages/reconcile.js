/**
 * Updates the stages on the page to those of a new manifest. Unchanged stages keep their elements,
 * so that typing a token is cheap and moves neither the focus nor the scroll position.
 */

/**
 * @import {MatrixEntry, StageEntry} from "../data/types.js"
 */

/**
 * A stage on the page.
 * @typedef {object} Standing
 * @property {HTMLElement} el
 * @property {string} key identifies everything on which the stage's elements depend
 * @property {number | "all"} head
 * @property {(spec: StageEntry) => void} describe
 * @property {(head: number | "all") => void} showHead
 * @property {() => void} remove
 */

/**
 * @template {Standing} S
 * @param {Map<string, S>} standing the stages on the page, by id
 * @param {{stages: StageEntry[], matrices: MatrixEntry[]}} manifest
 * @param {HTMLElement} article parent of the stages
 * @param {{keyOf: (spec: StageEntry, matrices: MatrixEntry[]) => string, build: (spec: StageEntry)
 *   => S}} make
 * @returns {Map<string, S>} the stages now on the page
 */
export function reconcile(standing, manifest, article, { keyOf, build }) {
  // First remove stages that are not in the manifest, so that the remaining stages are in order.
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
    // Move only elements that are out of order, because a moved element loses the focus.
    /** @type {Element | null} */
    const next = before ? before.nextElementSibling : article.firstElementChild;
    if (next !== stage.el) article.insertBefore(stage.el, next);
    before = stage.el;
  }
  return stages;
}
