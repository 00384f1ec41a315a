/** Whether the reader wants as little moving as can be. */
export const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
