/** Returns whether the user prefers reduced motion. */
export const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Animates an element once, and cancels the animation after a time limit, because browsers on a
 * busy machine may delay an animation and show its first keyframe until then.
 * @param {HTMLElement} el @param {Keyframe[]} frames
 * @param {{duration: number, easing: string}} timing @param {number} most the time limit, in ms
 */
export function moveOnce(el, frames, timing, most = 2 * timing.duration) {
  const moving = el.animate(frames, timing);
  setTimeout(() => moving.cancel(), most);
}
