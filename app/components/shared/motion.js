/** Whether the reader prefers reduced motion. */
export const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Moves an element from where it was, and ends that in any case: on a busy machine browsers may
 * let an animation wait for its start, with the element where it began, or unseen.
 * @param {HTMLElement} el @param {Keyframe[]} frames
 * @param {{duration: number, easing: string}} timing
 * @param {number} most ms after which it is there in any case
 */
export function moveOnce(el, frames, timing, most = 2 * timing.duration) {
  const moving = el.animate(frames, timing);
  setTimeout(() => moving.cancel(), most);
}
