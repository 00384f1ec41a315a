/** Numbers that are handy to set and to read: no more digits than a hand can aim at. */

/**
 * 1, 2 or 5 times a power of ten, not above x.
 * @param {number} x more than 0
 */
export function roundBelow(x) {
  const power = 10 ** Math.floor(Math.log10(x) + 1e-9);
  const factor = [5, 2, 1].find((k) => k * power <= x * (1 + 1e-9)) ?? 1;
  return Number((factor * power).toPrecision(6));
}

/** Two digits, not below x. @param {number} x more than 0 */
export function roundAbove(x) {
  const power = 10 ** (Math.floor(Math.log10(x) + 1e-9) - 1);
  return Number((Math.ceil(x / power - 1e-6) * power).toPrecision(6));
}

/**
 * As many digits of a number as differ from one pixel to the next.
 * @param {number} value @param {number} pixel what a pixel is worth
 */
export function roundTo(value, pixel) {
  const digit = 10 ** Math.floor(Math.log10(pixel) + 1e-9);
  return Number((Math.round(value / digit) * digit).toPrecision(9));
}
