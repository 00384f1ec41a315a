/** Whether the reader prefers reduced motion. */
export const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
