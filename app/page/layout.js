/**
 * Which areas the page has, by the width of its window and what is open. Lengths are those of CSS,
 * so that no area has to know how high another one turned out.
 *
 * @typedef {"phone" | "tablet" | "desk"} Kind
 * @typedef {object} Open what is open
 * @property {boolean} [film]
 * @property {boolean} [lesson]
 * @property {boolean} [drawer]
 * @property {boolean} [tall] the drawer has all but the line that opens it
 * @property {boolean} [sheet] the inspector, below the view
 * @property {boolean} [pull] numbers are listed above the view
 *
 * @typedef {object} Layout
 * @property {Kind} kind
 * @property {string} under the height of what is below the view
 * @property {string} template the areas, their rows and columns: CSS's `grid-template`
 */

const PHONE = 600; // CSS px
const TABLET = 1100;
/** Below it the rooms are at the lower edge of the window, and a lesson is above them. */
const NARROW = 900;

const LESSON = "33dvh";
const SHEET = "calc(50dvh - var(--bar, 0px))";
const DRAWER = "min(38dvh, 360px)";
const NARROW_DRAWER = "50dvh";
/** While numbers are listed above the view, it keeps two fifths of the window. */
const DRAWER_UNDER_LIST = "max(150px, min(46dvh, 480px, 60dvh - var(--top) - 94px))";
const TALL = "calc(100dvh - var(--top) - var(--bar, 0px) - var(--forms))";

/** @param {number} width CSS px of the window @returns {Kind} */
const kindOf = (width) => (width < PHONE ? "phone" : width < TABLET ? "tablet" : "desk");

/** @param {Open} open @param {boolean} isNarrow */
function drawerHeight({ tall, pull }, isNarrow) {
  if (tall) return TALL;
  if (!isNarrow) return DRAWER;
  return pull ? DRAWER_UNDER_LIST : NARROW_DRAWER;
}

/** @param {Open} open @param {boolean} isNarrow */
function underView(open, isNarrow) {
  if (open.film) return "auto"; // its caption takes the lines that it needs
  if (open.sheet) return SHEET;
  if (open.drawer) return drawerHeight(open, isNarrow);
  return open.lesson && isNarrow ? LESSON : "0px";
}

/** @param {{width: number}} size of the window @param {Open} open @returns {Layout} */
export function layout({ width }, open) {
  const isNarrow = width < NARROW;
  const under = underView(open, isNarrow);
  const kind = kindOf(width);
  if (isNarrow || open.film)
    return { kind, under, template: `"main" 1fr "under" ${under} / minmax(0, 1fr)` };
  const [left, lesson] = open.lesson ? ["lesson ", "var(--lesson) "] : ["", ""];
  const rows = `"${left}main side" 1fr "${left}under side" ${under}`;
  return { kind, under, template: `${rows} / ${lesson}minmax(0, 1fr) var(--right)` };
}
