/**
 * An element as high as the window leaves room for, so that the page does not scroll. In another
 * page that follows its height, the window has none of its own: there it goes by its width.
 */

const LEAST = 140; // CSS px
const STACKED_BELOW = 900; // CSS px of the window, under which the page scrolls past the curves
const LEAST_STACKED = 250; // CSS px
const OF_WIDTH = 0.6;
const LEAST_BY_WIDTH = 320; // CSS px

export class WindowHeight {
  /** @param {HTMLElement} el @param {() => void} onResize of the element */
  constructor(el, onResize) {
    this.el = el;
    this.observer = new ResizeObserver(() => {
      this.fill();
      onResize();
    });
    // What stands above and below it, too, takes of the window's height; a sheet grows with what
    // is said in it.
    for (const each of [el, ...document.querySelectorAll(".frame, main, #right, #curves")])
      this.observer.observe(each);
    this.refill = () => this.fill();
    addEventListener("resize", this.refill);
    this.sheets = new MutationObserver(this.refill);
    this.sheets.observe(document.documentElement, {
      attributeFilter: ["class", "data-lesson", "data-drawer", "data-film"],
    });
  }

  fill() {
    const { el } = this;
    if (!el.clientWidth) return;
    if (document.documentElement.dataset.height === "auto") {
      const height = Math.max(LEAST_BY_WIDTH, Math.round(el.clientWidth * OF_WIDTH));
      if (height !== el.clientHeight) el.style.height = `${height}px`;
      return;
    }
    const top = el.getBoundingClientRect().top + scrollY;
    const status = inFlow(el.parentElement?.querySelector(".status"));
    const page = getComputedStyle(document.documentElement);
    const bar = Number.parseFloat(page.getPropertyValue("--bar")) || 0;
    // On a narrow page the inspector is a sheet that comes over the lower half.
    const sheet = document.querySelector(".sheet #right");
    // So is an open lesson; the drawer lies under the picture at any width.
    const lower = ["[data-lesson] #lesson", "[data-drawer] #drawer", "[data-film] #film"].map(
      fixedHeight,
    );
    const under = sheet instanceof HTMLElement ? sheet.offsetHeight : 0;
    // In Train the curves of the run stand under it.
    const curves = document.getElementById("curves")?.offsetHeight ?? 0;
    // On a phone the picture's own controls stand under it.
    const controls = el.parentElement?.querySelector(".picture-bar");
    const tools = isBelow(controls, el) ? inFlow(controls) : 0;
    const below = curves + status + bar + Math.max(...lower);
    const room = Math.floor(innerHeight - top - tools - Math.max(below, under + bar));
    const isStacked = curves > 0 && innerWidth < STACKED_BELOW;
    const height = Math.max(isStacked ? LEAST_STACKED : LEAST, room);
    if (height !== el.clientHeight) el.style.height = `${height}px`;
  }

  remove() {
    this.observer.disconnect();
    removeEventListener("resize", this.refill);
    this.sheets.disconnect();
  }
}

/** The height that an element takes. @param {Element | null | undefined} el */
function inFlow(el) {
  if (!(el instanceof HTMLElement) || getComputedStyle(el).position === "absolute") return 0;
  return el.offsetHeight;
}

/** @param {Element | null | undefined} el @param {HTMLElement} other */
function isBelow(el, other) {
  return el instanceof HTMLElement && el.offsetTop > other.offsetTop;
}

/** The height of an element that lies over the window's lower edge. @param {string} selector */
function fixedHeight(selector) {
  const el = document.querySelector(selector);
  const isThere = el instanceof HTMLElement && getComputedStyle(el).position === "fixed";
  return isThere ? el.offsetHeight : 0;
}
