/** What a cell's flag byte says of it, as `wire.py` writes it: bits add up. */

export const DROPPED = 1;
export const EDITED = 2;
export const OVERRIDDEN = 4;
/** The selected cell reaches it. */
export const REACHED = 8;

/** A number that is not what the model computed or began with. */
export const CHANGED = EDITED | OVERRIDDEN;
