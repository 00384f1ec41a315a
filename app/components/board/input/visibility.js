/** What the board learns from the browser: what is near the screen, which stage is under the reader's eye, its own width. */

const NEAR = "200px";

export class Watch {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    // scrollMargin: the page may scroll inside an element, where rootMargin alone has no say.
    this.nearness = new IntersectionObserver((entries) => this.moved(entries), {
      rootMargin: NEAR,
      scrollMargin: NEAR,
    });
    this.reading = new IntersectionObserver((entries) => this.read(entries), {
      rootMargin: "-25% 0px -70% 0px",
    });
    /** @type {Set<HTMLElement>} The stages under the reader's eye, in the order in which they came there. */
    this.inSight = new Set();
    this.width = new ResizeObserver(() => board.resized());
    this.width.observe(board.article);
    /** @type {Map<Element, MatrixView | Links>} */
    this.watched = new Map();
    this.sent = "";
    this.retheme = () => board.themed();
    document.addEventListener("tinkerformer:theme", this.retheme);
    this.refocus = () => board.grids.restoreFocus();
    document.addEventListener("tinkerformer:focus-board", this.refocus);
    this.watchZoom();
  }

  /** Moving the window to another screen, or zooming, changes how many device pixels a CSS pixel has. */
  watchZoom() {
    this.zoom = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
    this.zoomed = () => {
      this.board.resized(true);
      this.watchZoom();
    };
    this.zoom.addEventListener("change", this.zoomed, { once: true });
  }

  /** After a new manifest: watch what is there now. */
  renew() {
    const now = new Map();
    for (const stage of this.board.stages.values())
      for (const row of stage.rows)
        for (const { view, links } of row.terms) now.set((view || links).el, view || links);
    for (const el of this.watched.keys()) if (!now.has(el)) this.nearness.unobserve(el);
    for (const el of now.keys()) if (!this.watched.has(el)) this.nearness.observe(el);
    this.watched = now;
    this.reading.disconnect();
    this.inSight.clear();
    for (const stage of this.board.stages.values()) this.reading.observe(stage.el);
    this.sent = "";
    this.report();
  }

  moved(entries) {
    for (const entry of entries) this.watched.get(entry.target)?.approach(entry.isIntersecting);
    this.report();
  }

  /** Debounced by a frame: a fast scroll passes many. */
  report() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      const near = new Set();
      for (const place of this.watched.values())
        if (place.near)
          for (const matrix of place.matrices || [place.matrix]) near.add(matrix.index);
      const indices = [...near].sort((a, b) => a - b);
      const text = `${this.board.manifest?.version}:${indices}`;
      if (text === this.sent || !this.board.manifest) return;
      this.sent = text;
      this.board.send({ type: "visible", indices, version: this.board.manifest.version });
    });
  }

  read(entries) {
    // A busy page gets the news of several frames at once: what came into sight may be gone again.
    for (const { target, isIntersecting } of entries) {
      this.inSight.delete(target);
      if (isIntersecting) this.inSight.add(target);
    }
    const id = [...this.inSight].at(-1)?.dataset.stage;
    if (!id || id === this.board.stageInSight) return;
    this.board.stageInSight = id;
    document.dispatchEvent(new CustomEvent("tinkerformer:stage", { detail: { id } }));
  }

  remove() {
    for (const observer of [this.nearness, this.reading, this.width]) observer.disconnect();
    document.removeEventListener("tinkerformer:theme", this.retheme);
    document.removeEventListener("tinkerformer:focus-board", this.refocus);
    this.zoom.removeEventListener("change", this.zoomed);
    cancelAnimationFrame(this.pending);
  }
}
