/** Whether a finger points, as on a phone. */
export const byTouch = () => matchMedia("(pointer: coarse)").matches;
