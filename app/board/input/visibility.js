/** Observes which matrices are near the screen, which stage is read, and the board's width. */

/**
 * An element that is observed as it nears and leaves the screen.
 * @typedef {object} Watched
 * @property {HTMLElement} el
 * @property {boolean} near
 * @property {(near: boolean) => void} [approach]
 * @property {readonly {index: number}[]} matrices the matrices that it shows
 */

const NEAR = "200px";
const READ_AT = 0.25; // y of the reading line, as a fraction of the window's height
const READ_PX = 40; // px, thickness of that line

export class Visibility {
  /**
   * @param {HTMLElement} article element whose width is observed
   * @param {object} listener
   * @param {(indices: number[]) => void} listener.onNear takes indices of near matrices
   * @param {(id: string) => void} listener.onStage receives the id of the stage that is read now
   * @param {(zoomed: boolean) => void} listener.onResize
   */
  constructor(article, { onNear, onStage, onResize }) {
    this.onNear = onNear;
    this.onStage = onStage;
    this.onResize = onResize;
    // scrollMargin applies if the page scrolls inside an element, where rootMargin has no effect.
    const margins = { rootMargin: NEAR, scrollMargin: NEAR };
    this.nearness = new IntersectionObserver((entries) => this.moved(entries), margins);
    this.reading = /** @type {IntersectionObserver | null} */ (null);
    this.stages = /** @type {HTMLElement[]} */ ([]);
    this.width = new ResizeObserver(() => {
      onResize(false);
      this.watchReading();
    });
    this.width.observe(article);
    /** @type {Map<Element, Watched>} */
    this.watched = new Map();
    /** The stages at the line, in the order in which they reached it. */
    this.inSight = /** @type {Set<Element>} */ (new Set());
    this.sent = "";
    this.pending = 0;
    this.zoomed = () => {
      onResize(true);
      this.watchZoom();
    };
    this.zoom = /** @type {MediaQueryList | null} */ (null);
    this.watchZoom();
  }

  /** Watches the device pixels per CSS pixel, which change with zoom and between screens. */
  watchZoom() {
    this.zoom = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
    this.zoom.addEventListener("change", this.zoomed, { once: true });
  }

  /** Observes a new manifest's elements. @param {Watched[]} all @param {HTMLElement[]} stages */
  renew(all, stages) {
    const now = new Map(all.map((each) => [/** @type {Element} */ (each.el), each]));
    for (const el of this.watched.keys()) if (!now.has(el)) this.nearness.unobserve(el);
    for (const el of now.keys()) if (!this.watched.has(el)) this.nearness.observe(el);
    this.watched = now;
    this.stages = stages;
    this.watchReading();
    this.sent = "";
    this.report();
  }

  /** Watches which stage is at the line below the header, to which links scroll a stage. */
  watchReading() {
    this.reading?.disconnect();
    this.inSight.clear();
    const [first] = this.stages;
    if (!first) return;
    const { scrollPaddingTop } = getComputedStyle(document.documentElement);
    const px = [scrollPaddingTop, getComputedStyle(first).scrollMarginTop].map(Number.parseFloat);
    const top = Math.max(READ_AT * innerHeight, (px[0] || 0) + (px[1] || 0) + 1);
    this.reading = new IntersectionObserver((entries) => this.read(entries), {
      rootMargin: `${-top}px 0px ${top + READ_PX - innerHeight}px 0px`,
    });
    for (const stage of this.stages) this.reading.observe(stage);
  }

  /** Draws all elements, even far from the screen, until observation starts again. */
  approachAll() {
    this.nearness.disconnect();
    for (const each of this.watched.values()) each.approach?.(true);
  }

  watch() {
    for (const el of this.watched.keys()) this.nearness.observe(el);
  }

  /** @param {IntersectionObserverEntry[]} entries */
  moved(entries) {
    for (const { target, isIntersecting } of entries)
      this.watched.get(target)?.approach?.(isIntersecting);
    this.report();
  }

  /** Reports at most once per display frame, since a fast scroll passes many elements. */
  report() {
    this.pending ||= requestAnimationFrame(() => {
      this.pending = 0;
      const near = new Set();
      for (const each of this.watched.values())
        if (each.near) for (const matrix of each.matrices) near.add(matrix.index);
      const indices = [...near].sort((a, b) => a - b);
      const text = `:${indices}`;
      if (text === this.sent) return;
      this.sent = text;
      this.onNear(indices);
    });
  }

  /** @param {IntersectionObserverEntry[]} entries */
  read(entries) {
    // A busy page receives several entries together, so an element may have left already.
    for (const { target, isIntersecting } of entries) {
      this.inSight.delete(target);
      if (isIntersecting) this.inSight.add(target);
    }
    const stage = [...this.inSight].at(-1);
    const id = stage?.getAttribute("data-stage");
    if (id) this.onStage(id);
  }

  remove() {
    for (const each of [this.nearness, this.reading, this.width]) each?.disconnect();
    this.zoom?.removeEventListener("change", this.zoomed);
    cancelAnimationFrame(this.pending);
  }
}
