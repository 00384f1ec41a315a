/**
 * The controls of the page by their names, also those in a closed panel, menu or fold. Each is
 * found where it is: no list has to be kept.
 */

/**
 * @typedef {object} Control
 * @property {HTMLElement} el
 * @property {string} name its accessible name
 * @property {string} place where it is, in words
 * @property {boolean} isOff whether it can do nothing now
 */

const CONTROLS = "button, a[href], select, input, textarea, summary";
/** What has nothing to go to: another dialog, or a copy for the eye alone. */
const APART = "dialog, style, script, svg, canvas, [aria-hidden=true], [role=listbox], .skip";
/** What the page opens: its contents are found while it is closed. */
const MENU = "[popover], [role=menu]";
const PANEL = "#left";
/** Its titles and the words at its links are buttons, too. */
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
 * @param {string} [place] the closed part of the page that it is in
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

/** The words of a name or of what is typed. @param {string} text @returns {string[]} */
const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/**
 * The controls whose name or tip has all words that are typed, the nearest in name first: those
 * with exactly that name or these whole words in it, those whose name begins so, the others. Titles
 * and words of the picture are controls, too; they follow all others.
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

/** Whether all words of a text begin words of another. @param {string} text @param {string} of */
export function fits(text, of) {
  const words = wordsOf(of);
  return wordsOf(text).every((each) => words.some((word) => word.startsWith(each)));
}

/**
 * Opens what a control is in and takes the keyboard there; a button is pressed.
 * @param {Control} control
 */
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
