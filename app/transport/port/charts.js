/** Draws the page's charts with BokehJS, from a copy of Python's Bokeh document. */

/**
 * The parts of BokehJS that are used here.
 * @typedef {object} BokehDocument
 * @property {(patch: object, buffers: Map<string, ArrayBuffer>) => void} apply_json_patch
 * @property {(id: string) => object | null} get_model_by_id
 * @typedef {{build: (into: HTMLElement) => void, remove: () => void}} ChartView
 * @typedef {object} Bokeh
 * @property {(name: string) => any} require
 * @property {{add?: (view: ChartView) => void, delete?: (view: ChartView) => void}} [index]
 */

export class Charts {
  /** @param {() => Promise<unknown>} loadBokeh loads BokehJS; called before the first chart */
  constructor(loadBokeh) {
    this.loadBokeh = loadBokeh;
    /**
     * Resolves when the last requested task is done; tasks run in order.
     * @type {Promise<unknown>}
     */
    this.last = Promise.resolve();
    /** @type {Promise<{bokeh: Bokeh, document: BokehDocument}> | null} */
    this.opened = null;
  }

  /** @returns {Promise<{bokeh: Bokeh, document: BokehDocument}>} */
  open() {
    this.opened ??= this.loadBokeh().then(() => {
      const bokeh = /** @type {Bokeh} */ (/** @type {unknown} */ (window.Bokeh));
      return { bokeh, document: new (bokeh.require("document").Document)() };
    });
    return this.opened;
  }

  /**
   * Runs a task on the Bokeh document, after all earlier tasks.
   * @template Found @param {(open: {bokeh: Bokeh, document: BokehDocument}) => Found} task
   * @returns {Promise<Awaited<Found>>}
   */
  next(task) {
    const done = this.last.then(() => this.open()).then(task);
    this.last = done.catch((error) => console.error(error));
    return /** @type {Promise<Awaited<Found>>} */ (done);
  }

  /** @param {string} text @param {[string, ArrayBuffer][]} buffers */
  patch(text, buffers) {
    this.next(({ document }) => document.apply_json_patch(JSON.parse(text), new Map(buffers)));
  }

  /**
   * Draws a figure into an element.
   * @param {string} id @param {HTMLElement} into
   * @returns {Promise<() => void>} removes the figure
   */
  draw(id, into) {
    return this.next(async ({ bokeh, document }) => {
      const model = document.get_model_by_id(id);
      if (!model || !into.isConnected) return () => {}; // the chart was replaced meanwhile
      const { build_view } = bokeh.require("core/build_views");
      /** @type {ChartView} */
      const view = await build_view(model, { parent: null });
      view.build(into);
      bokeh.index?.add?.(view);
      return () => {
        bokeh.index?.delete?.(view);
        view.remove();
      };
    });
  }
}
