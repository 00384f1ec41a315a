/**
 * Formats numbers. A number in a cell is split into parts from a small set, so that the painter can
 * cache a bitmap of each part: −6.5e−1 into −6.5 and e−1, and −0.41 into −0. and 41. `codes`
 * computes the parts arithmetically, because to build strings for a thousand numbers per frame is
 * too slow.
 */

export const MINUS = "−";

/** Formats with `digits` decimals and a minus sign. @param {number} x @param {number} digits */
export const fixed = (x, digits) => x.toFixed(digits).replace("-", MINUS);

/**
 * Parses a number as people type it, also with a decimal comma or a typographic minus sign.
 * @param {string} text @returns {number} NaN if the text is not a number
 */
export function typedNumber(text) {
  const plain = text.trim().replace(MINUS, "-").replace(",", ".");
  return plain && Number.isFinite(Number(plain)) ? Number(plain) : Number.NaN;
}

// Codes of heads, the first parts of numbers; a name is the center or start of a range of codes.
const ZERO = 1;
const NOT_A_NUMBER = 2;
const INFINITE = 3;
const MINUS_INFINITE = 4;
const MINUS_ZERO_POINT = 5;
const POINT = 6; // no zero before the point, for narrow cells
const MINUS_POINT = 7;
export const TENTHS = 200; // ± 1.0 … 9.9, in tenths
const DIGIT = 320; // ± 1 … 9, before an exponent of two digits
const INTEGER = 200000; // ± integers
export const WHOLE = 600000; // ± 0. … 99999. with the point
// Codes of tails, the second parts: 0 is no tail; exponents −99 … 99; fractions of 2 and 1 digits.
export const EXPONENT = 200;
export const FRACTION = 400;
export const FRACTION_1 = 600;

const TEN = Array.from({ length: 60 }, (_, k) => 10 ** (k - 45));
const LARGEST_DECIMAL = 99999.5;
const MOST_DECIMALS = 3;
const POWERS = [1, 10, 100, 1000];

/**
 * The format of the numbers of one matrix. All decimals have the same number of digits after the
 * point, and their points are aligned.
 * @typedef {object} NumberFormat
 * @property {boolean} scientific
 * @property {boolean} zero whether there is a 0 before the point: 0.44 instead of.44
 * @property {number} before characters up to and including the point
 * @property {number} decimals digits after the point
 * @property {number} most numbers of at least this magnitude have no decimals
 * @property {number} limit numbers of at least this magnitude have an exponent
 */

/** @type {NumberFormat} */
export const SCIENTIFIC = {
  scientific: true,
  zero: true,
  before: 0,
  decimals: 0,
  most: 0,
  limit: 0,
};

/**
 * Returns the decimal format with as many digits as fit: 0.44 or −0.44 in five characters; in
 * four,.44 and −.44, or 1.4 among larger numbers. Returns `SCIENTIFIC` if every number would be 0.
 * @param {number} largest magnitude in the matrix
 * @param {boolean} isShare whether all numbers are from 0 to 1
 * @param {number} characters that fit in a cell
 */
export function decimalFormat(largest, isShare, characters) {
  const sign = isShare ? 0 : 1;
  const places = characters - sign;
  const limit = Math.min(LARGEST_DECIMAL, 10 ** places - 0.5);
  /** @param {number} whole digits before the point */
  const beside = (whole) => Math.max(0, Math.min(MOST_DECIMALS, places - whole - 1));
  // Numbers with more digits before the point lose their decimals, so that others keep one.
  const atMost = beside(1) ? Math.max(1, places - 2) : places;
  let whole = largest < 10 ? 1 : Math.min(atMost, Math.floor(Math.log10(largest)) + 1);
  let decimals = largest ? beside(whole) : 0;
  if (whole < atMost && Math.round(largest * POWERS[decimals]) >= 10 ** (whole + decimals)) {
    whole += 1;
    decimals = beside(whole);
  }
  // If no number needs the zero before the point, omitting it leaves space for one more digit.
  const without = Math.min(MOST_DECIMALS, places - 1);
  const needsZero = !largest || Math.round(largest * POWERS[without]) >= POWERS[without];
  const zero = decimals === MOST_DECIMALS || needsZero || (decimals > 1 && largest >= 0.0995);
  if (!zero) decimals = without;
  if (largest && !Math.round(largest * POWERS[decimals])) return SCIENTIFIC;
  const before = sign + (zero ? whole : 0) + (decimals ? 1 : 0);
  const most = 10 ** whole - 0.5 / POWERS[decimals];
  return { scientific: false, zero, before, decimals, most, limit };
}

/**
 * @typedef {object} NumberCodes
 * @property {number} head code of the first part @property {number} tail code of the second part
 * @property {number} last code of the third decimal, from FRACTION_1 on; 0 without a third decimal
 * @property {boolean} isTiny whether the number is not 0 although all its shown digits are 0
 */

/**
 * @type {NumberCodes} the result of `codes`, a single object that is reused, because `codes` runs
 *   for every cell
 */
const parts = { head: 0, tail: 0, last: 0, isTiny: false };

/** @param {number} v @param {NumberFormat} format */
export function codes(v, format) {
  parts.tail = parts.last = 0;
  parts.isTiny = false;
  if (v === 0) parts.head = ZERO;
  else if (Number.isNaN(v)) parts.head = NOT_A_NUMBER;
  else if (v === Infinity) parts.head = INFINITE;
  else if (v === -Infinity) parts.head = MINUS_INFINITE;
  else if (format.scientific || Math.abs(v) >= format.limit) scientificCodes(v);
  else decimalCodes(v, format);
  return parts;
}

/** @param {number} v */
function scientificCodes(v) {
  const size = Math.abs(v);
  const sign = v < 0 ? -1 : 1;
  let exponent = Math.floor(Math.log10(size));
  if (exponent < -45) {
    parts.head = ZERO;
    return;
  }
  const power = exponent > 14 ? 10 ** exponent : TEN[exponent + 45];
  // Beside an exponent of two digits, only one digit fits.
  const digits = exponent > 9 || exponent < -9 ? 1 : 10;
  let mantissa = Math.round((size / power) * digits);
  if (mantissa >= 10 * digits) {
    mantissa /= 10;
    exponent += 1;
  }
  if (digits === 1) parts.head = DIGIT + sign * mantissa;
  else if (exponent > 9) parts.head = DIGIT + sign * (mantissa / 10);
  else parts.head = TENTHS + sign * mantissa;
  parts.tail = EXPONENT + exponent;
}

/** @param {number} v @param {NumberFormat} format */
function decimalCodes(v, { decimals, zero, most }) {
  const size = Math.abs(v);
  const power = size < most ? POWERS[decimals] : 1;
  const n = Math.round(size * power);
  const whole = Math.floor(n / power);
  parts.isTiny = n === 0;
  const sign = v < 0 && n > 0 ? -1 : 1; // −.00 is shown as .00
  if (power === 1) {
    parts.head = INTEGER + sign * whole;
    return;
  }
  if (whole || (zero && sign > 0)) parts.head = WHOLE + sign * whole;
  else if (zero) parts.head = MINUS_ZERO_POINT;
  else parts.head = sign < 0 ? MINUS_POINT : POINT;
  fractionCodes(n - whole * power, decimals);
}

/** @param {number} rest the digits after the point @param {number} decimals their count */
function fractionCodes(rest, decimals) {
  if (decimals === 1) parts.tail = FRACTION_1 + rest;
  else if (decimals === 2) parts.tail = FRACTION + rest;
  else {
    parts.tail = FRACTION + Math.floor(rest / 10);
    parts.last = FRACTION_1 + (rest % 10);
  }
}

/** @param {number} n */
const signed = (n) => (n < 0 ? MINUS + -n : `${n}`);

/** @param {number} code */
export function headText(code) {
  if (code === ZERO) return "0";
  if (code === NOT_A_NUMBER) return "·"; // no number, such as a change without a baseline
  if (code === INFINITE) return "∞";
  if (code === MINUS_INFINITE) return `${MINUS}∞`;
  if (code === MINUS_ZERO_POINT) return `${MINUS}0.`;
  if (code === POINT) return ".";
  if (code === MINUS_POINT) return `${MINUS}.`;
  if (code < 300) return (code < TENTHS ? MINUS : "") + (Math.abs(code - TENTHS) / 10).toFixed(1);
  if (code < 330) return signed(code - DIGIT);
  if (code < 400000) return signed(code - INTEGER);
  return `${signed(code - WHOLE)}.`;
}

/**
 * Returns whether a number is aligned with the others of its matrix. Not aligned are ∞, and numbers
 * without decimals among numbers with decimals.
 * @param {number} head @param {NumberFormat} format
 */
export const isAligned = (head, { scientific, decimals }) =>
  !scientific && (hasPoint(head) || head === ZERO || (decimals === 0 && head > INTEGER / 2));

/** Returns whether a head ends in a point, at which numbers are aligned. @param {number} code */
export const hasPoint = (code) =>
  code > 400000 || code === MINUS_ZERO_POINT || code === POINT || code === MINUS_POINT;

/** @param {number} code */
export function tailText(code) {
  if (code === 0) return "";
  if (code >= FRACTION_1) return `${code - FRACTION_1}`;
  if (code >= FRACTION) return `${code - FRACTION}`.padStart(2, "0");
  return `e${signed(code - EXPONENT)}`;
}

/** Formats a number with an exponent: −4.1e-1. @param {number} v @param {number} [digits] */
export function scientificText(v, digits = 1) {
  if (v === undefined) return "not computed yet";
  if (!Number.isFinite(v)) return headText(codes(v, SCIENTIFIC).head);
  return v === 0 ? "0" : v.toExponential(digits).replace("e+", "e").replace(/^-/, MINUS);
}

/** Formats a gradient, such as −4.12e-3; “none” for NaN. @param {number} g */
export function gradientText(g) {
  return Number.isNaN(g) ? "none" : scientificText(g, 2);
}

/** Returns the shortest decimal that parses to the same float32. @param {number} v */
export function decimalText(v) {
  if (!Number.isFinite(v)) return scientificText(v);
  for (let digits = 1; digits < 10; digits++) {
    const n = Number(v.toPrecision(digits));
    if (Math.fround(n) === Math.fround(v)) return plain(n);
  }
  return plain(v);
}

/** Formats a number with at most two decimals. @param {number} v */
export const twoDecimals = (v) => decimalText(Number(v.toFixed(2)));

/** Formats a number with at most three digits. @param {number} v */
export const rough = (v) => decimalText(Number(v.toPrecision(3)));

/** Whether a number has few zeros in decimals. @param {number} v @param {number} [limit] */
export const isHandy = (v, limit = 1e5) => v === 0 || (Math.abs(v) >= 1e-3 && Math.abs(v) < limit);

/** Formats with four digits, and an exponent if very small or very large. @param {number} v */
export const shortText = (v) =>
  isHandy(v) ? decimalText(Number(v.toPrecision(4))) : scientificText(v, 3);

/**
 * Formats a number with `digits` digits after the point, without a sign if all digits are 0.
 * @param {number} x @param {number} digits
 */
export const fixedText = (x, digits) =>
  x
    .toFixed(digits)
    .replace(/^-(?=[0.]*$)/, "")
    .replace("-", MINUS);

/**
 * Formats a number that moves: with three decimals, or with an exponent if it is always small. A
 * space replaces a missing sign or digit, so that the width stays the same.
 * @param {number} v @param {number} [most] its largest magnitude while it moves
 */
export function movingText(v, most = Math.abs(v)) {
  const isSmall = most > 0 && most < 1e-3;
  if (isSmall || !Number.isFinite(v)) return scientificText(v, 3);
  return fixedText(v, 3).padStart(fixedText(most, 3).length + 1, "\u00a0");
}

/** Formats a number below 1 without the zero: .85. @param {number} p @param {number} [digits] */
export const shareText = (p, digits = 2) => p.toFixed(digits).replace(/^0/, "");

/** Formats a probability like those beside the bars of the picture:.852. @param {number} p */
export const probabilityText = (p) => (p > 0 && p < 0.0005 ? "<.001" : shareText(p, 3));

/** Formats a count or a step with separators: 1,200. @param {number} n */
export const counted = (n) => n.toLocaleString("en");

/** Formats a number in about five characters, such as −.012 or −3e-5. @param {number} v */
export function narrowText(v) {
  const size = Math.abs(v);
  if (v === 0) return "0";
  const text =
    size < 0.00095
      ? v.toExponential(0)
      : size < 0.0995
        ? v.toFixed(3).replace("0.", ".")
        : v.toFixed(size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
  return text.replace("-", MINUS);
}

const MOST_CHARACTERS = 11;

/** Returns the shortest exact text, with an exponent instead of many zeros. @param {number} v */
export function exactText(v) {
  const decimal = decimalText(v);
  if (decimal.length <= MOST_CHARACTERS || !Number.isFinite(v)) return decimal;
  const digits = decimal.replace(/[^0-9]/g, "").replace(/^0+|0+$/g, "").length;
  const short = scientificText(v, Math.max(0, digits - 1));
  return short.length < decimal.length ? short : decimal;
}

/** Formats without an exponent, even where JavaScript would write 1e-7. @param {number} n */
function plain(n) {
  const text = Math.abs(n) < 1e-6 && n !== 0 ? n.toFixed(20).replace(/0+$/, "") : `${n}`;
  return text.replace(/^-/, MINUS);
}

/** @param {NumberFormat} a @param {NumberFormat} b */
export const isSameFormat = (a, b) =>
  a.scientific === b.scientific && a.before === b.before && a.decimals === b.decimals;
