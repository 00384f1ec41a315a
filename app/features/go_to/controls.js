/**
 * Finds the controls of the page by name, including those in closed panels, menus and folds. The
 * DOM is searched each time, so no list has to be maintained.
 */

/**
 * @typedef {object} Control
 * @property {HTMLElement} el
 * @property {string} name its accessible name
 * @property {string} place the closed part of the page that contains it, in words
 * @property {boolean} isOff whether it is disabled
 */

const CONTROLS = "button, a[href], select, input, textarea, summary";
/** Elements that are skipped: other dialogs, and content hidden from assistive technology. */
const APART = "dialog, style, script, svg, canvas, [aria-hidden=true], [role=listbox], .skip";
/** Containers that this module can open; their contents are found also while they are closed. */
const MENU = "[popover], [role=menu]";
const PANEL = "#left";
/** The diagram, whose titles and link labels are buttons, too. */
const PICTURE = ".whole";

/** @param {HTMLElement} el */
function nameOf(el) {
  const { labels } = /** @type {HTMLInputElement} */ (el);
  const seen = [...el.childNodes].filter(
    (node) => !(node instanceof Comment || (node instanceof Element && node.ariaHidden)),
  );
  const text = seen.map(({ textContent }) => textContent).join("");
  const name = el.ariaLabel || labels?.[0]?.textContent || text || el.title;
  return name.replaceAll(/\s+/g, " ").trim();
}

/**
 * @param {Element | ShadowRoot} root
 * @param {string} [place] the closed part of the page that contains the root
 * @returns {Control[]}
 */
export function controlsIn(root, place = "") {
  return [...root.children].flatMap((el) => {
    if (!(el instanceof HTMLElement) || el.matches(APART)) return [];
    const { display, visibility } = getComputedStyle(el);
    const inside = el.matches(PANEL) ? "in Settings" : el.matches(MENU) ? "in the menu" : place;
    if (display === "none" && !el.matches(MENU)) return [];
    const own = el.matches(CONTROLS) && (inside || visibility === "visible") ? [el] : [];
    const { disabled } = /** @type {HTMLButtonElement} */ (el);
    const found = own.map((each) => ({
      ...{ el: each, name: nameOf(each), isOff: Boolean(disabled) },
      place: disabled ? "not now" : inside,
    }));
    return [...found, ...controlsIn(el.shadowRoot ?? el, inside)];
  });
}

/** Returns the words in a name or a typed text. @param {string} text @returns {string[]} */
const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/**
 * Returns the controls for which each typed word begins a word of the name or tooltip, best match
 * first: equal names, names with all typed words, names that begin with the text, others.
 * Controls in the diagram are last.
 * @param {Control[]} controls @param {string} text
 */
export function named(controls, text) {
  const typed = wordsOf(text);
  if (!typed.length) return [];
  const start = typed.join(" ");
  return controls
    .filter(({ el, name }) => {
      const words = wordsOf(`${name} ${el.title}`);
      return typed.every((each) => words.some((word) => word.startsWith(each)));
    })
    .map((control) => {
      const words = wordsOf(control.name);
      const isLabel = control.el.closest(PICTURE) !== null;
      const isNamed = typed.every((each) => words.includes(each));
      const begins = words.join(" ").startsWith(start);
      const rank =
        Number(isLabel) * 4 + (words.join(" ") === start ? 0 : isNamed ? 1 : begins ? 2 : 3);
      return { ...control, rank, count: words.length, isFirst: !isLabel && rank < 3 };
    })
    .sort((a, b) => a.rank - b.rank || a.count - b.count);
}

/** Returns whether typed words all begin words of `of`. @param {string} text @param {string} of */
export function fits(text, of) {
  const words = wordsOf(of);
  return wordsOf(text).every((each) => words.some((word) => word.startsWith(each)));
}

/** Opens a control's containers, and focuses the control or clicks it. @param {Control} control */
export function goToControl({ el }) {
  for (let at = /** @type {Node | null} */ (el); at; at = parentOf(at)) {
    if (at instanceof HTMLDetailsElement) at.open = true;
    if (!(at instanceof HTMLElement)) continue;
    if (at.matches("[popover]:not(:popover-open)")) at.showPopover();
  }
  el.scrollIntoView({ block: "nearest" });
  el.focus();
  if (el.matches("button, a")) el.click();
}

/** @param {Node} node @returns {Node | null} */
const parentOf = (node) => (node instanceof ShadowRoot ? node.host : node.parentNode);
