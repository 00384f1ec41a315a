/** Computes the color of a number, the same for all drawings of the number. */

/** The magnitude at the end of the color scale that all matrices share. */
export const FIXED_MAXIMUM = 10;

/**
 * Returns a color intensity, 0 … 1: sin(π/2 · √(|v|/m)), steep near 0 to show small values.
 * @param {number} v @param {number} maximum
 */
export function intensity(v, maximum) {
  const share = Math.abs(v) / maximum;
  return share >= 1 ? 1 : Math.sin((Math.PI / 2) * Math.sqrt(share));
}

/**
 * Returns a color of some strength as CSS.
 * @param {string} end the property of the color at full strength @param {number} strength 0 … 1
 */
export function strengthColor(end, strength) {
  const share = `calc(100% * pow(${strength.toFixed(3)}, var(--fading, 1)))`;
  return `color-mix(in srgb, var(--zero), var(${end}) ${share})`;
}

/** Returns the CSS color of a number on the shared scale. @param {number | null} v null: −∞ */
export function cellColor(v) {
  if (v === null) return "color-mix(in srgb, var(--zero), var(--muted) 30%)";
  const end = v < 0 ? "--negative" : "--positive";
  return strengthColor(end, intensity(v, FIXED_MAXIMUM));
}
