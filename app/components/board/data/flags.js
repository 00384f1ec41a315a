/** What a cell's flag byte says of it, as `wire.py` writes it: bits add up. */

export const DROPPED = 1;
export const EDITED = 2;
export const OVERRIDDEN = 4;
/** The selected cell reaches it. */
export const REACHED = 8;
/** A mask closes it: a score of −∞, or the weight of exactly 0 that comes of one. */
export const MASKED = 16;

/** A number that is not what the model computed or began with. */
export const CHANGED = EDITED | OVERRIDDEN;
