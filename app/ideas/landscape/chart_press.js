/** Finds a Bokeh chart by its name, and converts screen positions to its coordinates. */

/**
 * The parts of Bokeh's views that are used here.
 * @typedef {{invert: (at: number) => number, compute: (x: number) => number}} BokehScale
 * @typedef {{left: number, right: number, top: number, bottom: number}} BokehBox
 * @typedef {object} BokehPlot
 * @property {{name?: string | null}} [model] @property {HTMLElement} [el]
 * @property {BokehPlot[]} [child_views]
 * @property {{x_scale: BokehScale, y_scale: BokehScale, bbox: BokehBox}} [frame]
 */

/** @param {string} name @returns {BokehPlot | undefined} */
export function chartNamed(name) {
  /** @param {BokehPlot} view @returns {BokehPlot | undefined} */
  const find = (view) => {
    if (view.model?.name === name && view.frame) return view;
    for (const child of view.child_views ?? []) {
      const found = find(child);
      if (found) return found;
    }
    return undefined;
  };
  for (const view of window.Bokeh?.index ?? []) {
    const found = find(/** @type {BokehPlot} */ (/** @type {unknown} */ (view)));
    if (found) return found;
  }
  return undefined;
}

/**
 * Returns the position of a pointer in a chart.
 * @param {BokehPlot} chart @param {MouseEvent} event
 * @param {boolean} [beyond] whether to include positions outside the frame
 * @returns {[x: number, y: number] | null} null if it is outside the chart's frame
 */
export function placeIn({ el, frame }, event, beyond = false) {
  if (!el || !frame || !el.isConnected) return null;
  const box = el.getBoundingClientRect();
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  const { left, right, top, bottom } = frame.bbox;
  if (!beyond && (x < left || x > right || y < top || y > bottom)) return null;
  return [frame.x_scale.invert(x), frame.y_scale.invert(y)];
}

/**
 * Returns the distance of a pointer from a place in a chart, in CSS px.
 * @param {BokehPlot} chart @param {[number, number]} place
 * @param {{clientX: number, clientY: number}} at
 */
export function distanceTo({ el, frame }, [x, y], { clientX, clientY }) {
  if (!el || !frame) return Number.POSITIVE_INFINITY;
  const box = el.getBoundingClientRect();
  const [left, top] = [box.left + frame.x_scale.compute(x), box.top + frame.y_scale.compute(y)];
  return Math.hypot(clientX - left, clientY - top);
}
