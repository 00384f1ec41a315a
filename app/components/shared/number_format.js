/**
 * Numbers to text. A cell shows a number in two parts, `head` and `tail` (−6.5 and e−1, or −0. and
 * 41), each out of a small set, so that the painter can keep every part as a ready picture. `codes`
 * finds the parts by arithmetic alone: a thousand numbers a frame leave no time to build strings.
 */

export const MINUS = "−";
export const SCIENTIFIC = 0;
export const DECIMAL = 1;
export const SHORT_DECIMAL = 2;

// Ranges of head codes. A code is a small integer; headText turns it into text the first time it is
// drawn.
const ZERO = 1;
const NOT_A_NUMBER = 2;
const INFINITE = 3;
const MINUS_INFINITE = 4;
const MINUS_ZERO_POINT = 5;
export const TENTHS = 200; // ± 1.0 … 9.9, in tenths
const DIGIT = 320; // ± 1 … 9, beside an exponent of two digits
const WHOLE = 500; // ± 0. … 99. with the point
const HUNDREDTHS = 700; // ± .00 … .99, the short form
const INTEGER = 200000; // ± integers
// Tails: 0 is none; exponents from −99 to 99; fractions of two digits and of one.
export const EXPONENT = 200;
export const FRACTION = 400;
const FRACTION_1 = 600;

const TEN = Array.from({ length: 60 }, (_, k) => 10 ** (k - 45));

/**
 * @type {{head: number, tail: number}} the answer of `codes`: one object, since it is called for
 *   every cell
 */
const parts = { head: 0, tail: 0 };

/**
 * @param {number} v @param {number} style SCIENTIFIC, DECIMAL or SHORT_DECIMAL
 * @returns {{head: number, tail: number}}
 */
export function codes(v, style) {
  parts.tail = 0;
  if (v === 0) parts.head = ZERO;
  else if (Number.isNaN(v)) parts.head = NOT_A_NUMBER;
  else if (v === Infinity) parts.head = INFINITE;
  else if (v === -Infinity) parts.head = MINUS_INFINITE;
  else if (style === SCIENTIFIC) scientificCodes(v);
  else if (style === DECIMAL) decimalCodes(v);
  else shortCodes(v);
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
  // Beside an exponent of two digits there is room for one digit alone.
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

/** @param {number} v */
function decimalCodes(v) {
  const size = Math.abs(v);
  const sign = v < 0 ? -1 : 1;
  if (size < 9.995) {
    const n = Math.round(size * 100);
    const whole = Math.floor(n / 100);
    parts.head = whole === 0 && sign < 0 ? MINUS_ZERO_POINT : WHOLE + sign * whole;
    parts.tail = FRACTION + (n % 100);
  } else if (size < 99.95) {
    const n = Math.round(size * 10);
    parts.head = WHOLE + sign * Math.floor(n / 10);
    parts.tail = FRACTION_1 + (n % 10);
  } else if (size < 99999.5) parts.head = INTEGER + sign * Math.round(size);
  else scientificCodes(v);
}

/** Two significant digits in the room of four characters. @param {number} v */
function shortCodes(v) {
  const size = Math.abs(v);
  const sign = v < 0 ? -1 : 1;
  if (size < 0.995) {
    const n = Math.round(size * 100);
    parts.head = n === 0 ? ZERO : HUNDREDTHS + sign * n;
  } else if (size < 9.95) parts.head = TENTHS + sign * Math.round(size * 10);
  else if (size < 999.5) parts.head = INTEGER + sign * Math.round(size);
  else scientificCodes(v);
}

/** @param {number} n */
const signed = (n) => (n < 0 ? MINUS + -n : `${n}`);

/** @param {number} code @returns {string} */
export function headText(code) {
  if (code === ZERO) return "0";
  if (code === NOT_A_NUMBER) return "·"; // only where there is nothing to compare with
  if (code === INFINITE) return "∞";
  if (code === MINUS_INFINITE) return `${MINUS}∞`;
  if (code === MINUS_ZERO_POINT) return `${MINUS}0.`;
  if (code < 300) return (code < TENTHS ? MINUS : "") + (Math.abs(code - TENTHS) / 10).toFixed(1);
  if (code < 330) return signed(code - DIGIT);
  if (code < 600) return `${signed(code - WHOLE)}.`;
  if (code < 800)
    return `${code < HUNDREDTHS ? MINUS : ""}.${`${Math.abs(code - HUNDREDTHS)}`.padStart(2, "0")}`;
  return signed(code - INTEGER);
}

/** @param {number} code @returns {string} */
export function tailText(code) {
  if (code === 0) return "";
  if (code >= FRACTION_1) return `${code - FRACTION_1}`;
  if (code >= FRACTION) return `${code - FRACTION}`.padStart(2, "0");
  return `e${signed(code - EXPONENT)}`;
}

/** −4.1e-1, as the spoken read-out has it. @param {number} v @param {number} [digits] */
export function scientificText(v, digits = 1) {
  if (v === undefined) return "not computed yet";
  if (!Number.isFinite(v)) return headText(codes(v, SCIENTIFIC).head);
  return v === 0 ? "0" : v.toExponential(digits).replace("e+", "e").replace(/^-/, MINUS);
}

/** −4.12e-3, or none. @param {number} g */
export function gradientText(g) {
  return Number.isNaN(g) ? "none" : scientificText(g, 2);
}

/** The shortest decimal that gives this float32 back. @param {number} v */
export function decimalText(v) {
  if (!Number.isFinite(v)) return scientificText(v);
  for (let digits = 1; digits < 10; digits++) {
    const n = Number(v.toPrecision(digits));
    if (Math.fround(n) === Math.fround(v)) return plain(n);
  }
  return plain(v);
}

/** Never 1e-7: a decimal is what was asked for. @param {number} n */
function plain(n) {
  const text = Math.abs(n) < 1e-6 && n !== 0 ? n.toFixed(20).replace(/0+$/, "") : `${n}`;
  return text.replace(/^-/, MINUS);
}
