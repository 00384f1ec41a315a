/** Writes the texts on the selected number: its value in several forms, and its former value. */

import {
  codes,
  decimalText,
  headText,
  movingText,
  SCIENTIFIC,
  scientificText,
  tailText,
} from "../../components/shared/number_format.js";

/** @import {CellDetails} from "./types.js" */

const SMALL = 1e-4; // below it, a decimal has so many zeros that it is hard to read
/** Between these sizes, scientific notation adds nothing to a decimal. */
const PLAIN = [1e-3, 1e5];

export const NO_TEXTS = { head: "", tail: "", small: "", pinned: "", result: "", overridden: "" };

/**
 * @param {number} value @param {CellDetails} details
 * @param {boolean} isShort whether numbers are in scientific notation
 * @param {boolean} isMoving whether it oscillates
 */
export function valueTexts(value, details, isShort, isMoving) {
  if (details.covered) return { ...NO_TEXTS, head: "?" };
  const size = Math.abs(value);
  const isSmall = !isShort && !isMoving && value !== 0 && size < SMALL;
  const { head: digits, tail } = codes(value, SCIENTIFIC);
  const decimal = isMoving ? movingText(value) : decimalText(value);
  const scientific = scientificText(value, 3);
  const head = isShort ? headText(digits) : isSmall ? scientific : decimal;
  const other = isShort || isSmall ? decimal : scientific;
  // Do not show a number twice if its exponent adds nothing.
  const isPlain = value === 0 || (size >= PLAIN[0] && size < PLAIN[1]);
  const adds = isShort ? !/e0$/.test(scientific) : !isPlain && !isMoving;
  return {
    head,
    tail: isShort ? tailText(tail) : "",
    small: adds && other !== head ? `= ${other}` : "",
    pinned: changeText(value, details.pinned ?? null, isMoving),
    ...resultTexts(value, details, isMoving),
  };
}

/**
 * Returns the arithmetic's result, and the overriding value if the two differ. While the cell
 * oscillates, the terms are not updated and would not add up to its value.
 * @param {number} value @param {CellDetails} details @param {boolean} isMoving
 */
function resultTexts(value, { edited, silenced, parameter, original }, isMoving) {
  const isOverridden = (edited || silenced) && !parameter && original !== undefined;
  const result = isOverridden ? original : value;
  const text = isMoving ? movingText : decimalText;
  const what = silenced ? "silenced: set to" : "overridden with";
  return {
    result: isMoving ? "…" : decimalText(Number(result.toPrecision(4))),
    overridden: isOverridden ? `but ${what} ${text(value)}` : "",
  };
}

/** @param {CellDetails} details */
export function originalText({ edited, silenced, original, parameter }) {
  if (!(edited || silenced) || original === undefined) return "";
  return `${parameter ? "was" : "computed"} ${decimalText(original)}`;
}

/**
 * @param {number} value @param {number | null} pinned its value in the baseline
 * @param {boolean} isMoving whether it oscillates
 */
function changeText(value, pinned, isMoving) {
  if (pinned === null) return "";
  const change = Number((value - pinned).toPrecision(6));
  const text = isMoving ? movingText : decimalText;
  return `before ${decimalText(pinned)}\nchange ${text(change)}`;
}
