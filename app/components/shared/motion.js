/** Whether the reader prefers reduced motion. */
export const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Moves an element from where it was, and ends that in any case: on a busy machine browsers may
 * let an animation wait for its start, with the element where it began, or unseen.
 * @param {HTMLElement} el @param {Keyframe[]} frames
 * @param {{duration: number, easing: string}} timing
 */
export function moveOnce(el, frames, timing) {
  const moving = el.animate(frames, timing);
  setTimeout(() => moving.cancel(), 2 * timing.duration);
}
