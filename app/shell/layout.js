/**
 * Computes the areas of the page from the width of its window and the open parts. Lengths are CSS
 * expressions, so that no area depends on the measured height of another.
 *
 * @typedef {"phone" | "tablet" | "desk"} Kind
 * @typedef {object} Open the open parts of the page
 * @property {boolean} [film]
 * @property {boolean} [side] whether the room has a side column
 * @property {boolean} [lesson]
 * @property {boolean} [drawer]
 * @property {boolean} [tall] the drawer fills the window below the tabs of the forms
 * @property {boolean} [pull] the list of numbers is open
 * @property {boolean} [plane] gradients or changes are shown in place of values
 * @property {boolean} [inspector]
 * @property {boolean} [raised] whether a sheet fills half of the window, not only its top's height
 * @property {number} [above] CSS px at the top of the window that a sheet leaves free
 *
 * @typedef {object} Layout
 * @property {Kind} kind
 * @property {string} under the height of the area below the view
 * @property {string} right the width of the side column
 * @property {string} upper the height of the first part of the side column
 * @property {string} below the height of the gradients at the end of the side column
 * @property {string} above the same height if the inspector is below it, else 0px
 * @property {string} sheet the height of the inspector below the view
 * @property {string} more additional height of the page, to scroll content out from under the sheet
 * @property {string} areas the areas with their rows and columns, as CSS `grid-template`
 */

/** The least widths of a tablet and of a desk, in CSS px; also in the style sheets. */
const PHONE = 600;
export const TABLET = 1100;

const LESSON = "33dvh";
const HALF = "calc(50dvh - var(--bar, 0px))";
/**
 * The height of a sheet: what identifies and changes a number, in a row on a tablet, in two on a
 * phone. It covers what is below the rows of the picture, and none of the rows.
 */
const LOW = { phone: "94px", tablet: "56px" };
const HANDLE = "48px";
const DRAWER = "min(38dvh, 360px)";
const TABLET_DRAWER = "min(34dvh, 360px)";
const PHONE_DRAWER = "50dvh";
/** While the list of numbers is above the view, the view keeps two fifths of the window. */
const DRAWER_UNDER_LIST = "max(150px, min(46dvh, 480px, 60dvh - var(--top) - 94px))";
const TALL = "calc(100dvh - var(--top) - var(--bar, 0px) - var(--forms))";
const COLUMN = "calc(100dvh - var(--top))";
const PART = "max(320px, 0.45 * (100dvh - var(--top)))";

/** @param {number} width CSS px of the window */
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
  if (open.film) return "auto"; // the caption of a film has a variable number of lines
  if (open.drawer) return drawerHeight(open, kind);
  return open.lesson && kind !== "desk" ? LESSON : "0px";
}

/** @param {Open} open @param {"phone" | "tablet"} kind */
function sheetOf({ inspector, raised, above }, kind) {
  if (!inspector) return "0px";
  if (raised) return HALF;
  const free = above === undefined ? HALF : `100dvh - ${above}px - var(--bar, 0px)`;
  return `clamp(${HANDLE}, ${free}, ${LOW[kind]})`;
}

/** @param {{width: number}} size of the window @param {Open} open @returns {Layout} */
export function layout({ width }, open) {
  const kind = kindOf(width);
  const under = underView(open, kind);
  if (kind !== "desk" || open.film) {
    const sheet = kind === "desk" || open.film ? "0px" : sheetOf(open, kind);
    const more = under === "0px" ? sheet : "0px";
    const areas = `"main" 1fr "under" ${more === "0px" ? under : more} / minmax(0, 1fr)`;
    return {
      kind,
      under,
      right: "0px",
      upper: COLUMN,
      below: "0px",
      above: "0px",
      sheet,
      more,
      areas,
    };
  }
  const { pull = false, lesson = false, inspector = false, side = false } = open;
  const isShared = Number(pull) + Number(lesson) + Number(inspector) > 1;
  const [upper, above] = isShared ? [PART, PART] : [COLUMN, "0px"];
  const below = open.plane && !pull && !lesson ? "var(--gradients)" : "0px";
  const right = side || lesson ? "var(--inspector)" : "0px";
  const areas = `"main side" 1fr "under side" ${under} / minmax(0, 1fr) ${right}`;
  return { kind, under, right, upper, below, above, sheet: "0px", more: "0px", areas };
}
