/**
 * Which areas the page has, by the width of its window and what is open. Lengths are those of CSS,
 * so that no area has to know how high another one turned out.
 *
 * @typedef {"phone" | "tablet" | "desk"} Kind
 * @typedef {object} Open what is open
 * @property {boolean} [film]
 * @property {boolean} [side] the room has a side column
 * @property {boolean} [lesson]
 * @property {boolean} [drawer]
 * @property {boolean} [tall] the drawer has all but the line that opens it
 * @property {boolean} [pull] numbers are listed
 * @property {boolean} [inspector]
 * @property {number} [above] CSS px at the top of the window that a sheet leaves free
 *
 * @typedef {object} Layout
 * @property {Kind} kind
 * @property {string} under the height of what is below the view
 * @property {string} right the width of the side column
 * @property {string} upper the height of what is first in the side column
 * @property {string} above that, if the inspector is below it
 * @property {string} sheet the height of the inspector below the view
 * @property {string} more how much the page is higher than its window, to be scrolled from under it
 * @property {string} areas the areas, their rows and columns: CSS's `grid-template`
 */

/** The limits of the three widths, which CSS repeats. CSS px. */
const PHONE = 600;
export const TABLET = 1100;

const LESSON = "33dvh";
const HALF = "calc(50dvh - var(--bar, 0px))";
const HANDLE = "48px";
const DRAWER = "min(38dvh, 360px)";
const TABLET_DRAWER = "min(34dvh, 360px)";
const PHONE_DRAWER = "50dvh";
/** While numbers are listed above the view, it keeps two fifths of the window. */
const DRAWER_UNDER_LIST = "max(150px, min(46dvh, 480px, 60dvh - var(--top) - 94px))";
const TALL = "calc(100dvh - var(--top) - var(--bar, 0px) - var(--forms))";
const COLUMN = "calc(100dvh - var(--top))";
const PART = "max(320px, 0.45 * (100dvh - var(--top)))";

/** @param {number} width CSS px of the window @returns {Kind} */
const kindOf = (width) => (width < PHONE ? "phone" : width < TABLET ? "tablet" : "desk");

/** @param {Open} open @param {Kind} kind */
function drawerHeight({ tall, pull }, kind) {
  if (tall) return TALL;
  if (kind === "desk") return DRAWER;
  if (pull) return DRAWER_UNDER_LIST;
  return kind === "tablet" ? TABLET_DRAWER : PHONE_DRAWER;
}

/** @param {Open} open @param {Kind} kind */
function underView(open, kind) {
  if (open.film) return "auto"; // its caption takes the lines that it needs
  if (open.drawer) return drawerHeight(open, kind);
  return open.lesson && kind !== "desk" ? LESSON : "0px";
}

/** @param {Open} open */
function sheetOf({ inspector, above }) {
  if (!inspector) return "0px";
  const free = `100dvh - ${above}px - var(--bar, 0px)`;
  return above === undefined ? HALF : `clamp(${HANDLE}, ${free}, ${HALF})`;
}

/** @param {{width: number}} size of the window @param {Open} open @returns {Layout} */
export function layout({ width }, open) {
  const kind = kindOf(width);
  const isDesk = kind === "desk";
  const under = underView(open, kind);
  if (!isDesk || open.film) {
    const sheet = open.film ? "0px" : sheetOf(open);
    const more = under === "0px" ? sheet : "0px";
    const areas = `"main" 1fr "under" ${more === "0px" ? under : more} / minmax(0, 1fr)`;
    return { kind, under, right: "0px", upper: COLUMN, above: "0px", sheet, more, areas };
  }
  const { pull = false, lesson = false, inspector = false, side = false } = open;
  const isShared = Number(pull) + Number(lesson) + Number(inspector) > 1;
  const [upper, above] = isShared ? [PART, PART] : [COLUMN, "0px"];
  const right = side || lesson ? "var(--inspector)" : "0px";
  const areas = `"main side" 1fr "under side" ${under} / minmax(0, 1fr) ${right}`;
  return { kind, under, right, upper, above, sheet: "0px", more: "0px", areas };
}
