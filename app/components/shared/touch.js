/** Returns whether the primary pointer is a finger, as on a phone. */
export const byTouch = () => matchMedia("(pointer: coarse)").matches;
