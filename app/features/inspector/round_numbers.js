/** Rounds numbers for controls to the precision of a pointer. */

/** Returns 1, 2 or 5 times a power of ten, at most x. @param {number} x positive */
export function roundBelow(x) {
  const power = 10 ** Math.floor(Math.log10(x) + 1e-9);
  const factor = [5, 2, 1].find((k) => k * power <= x * (1 + 1e-9)) ?? 1;
  return Number((factor * power).toPrecision(6));
}

/** Rounds up to two significant digits. @param {number} x positive */
export function roundAbove(x) {
  const power = 10 ** (Math.floor(Math.log10(x) + 1e-9) - 1);
  return Number((Math.ceil(x / power - 1e-6) * power).toPrecision(6));
}

/**
 * Rounds to the digits that differ between adjacent pixels.
 * @param {number} value @param {number} pixel the change of the value per pixel
 */
export function roundTo(value, pixel) {
  const digit = 10 ** Math.floor(Math.log10(pixel) + 1e-9);
  return Number((Math.round(value / digit) * digit).toPrecision(9));
}
