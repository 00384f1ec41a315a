/** Keeps the scroll position of each view, and scrolls to the part for which a view is opened. */

const MAX_TRIES = 60;
export const PICTURE = "picture";
export const FORMULAS = "formulas";
const IDEA = "idea:";

/**
 * Runs a function once per frame until it returns true, because a new view has no layout yet.
 * @param {() => boolean} run
 */
function afterLayout(run, tries = MAX_TRIES) {
  requestAnimationFrame(() => {
    if (!run() && tries) afterLayout(run, tries - 1);
  });
}

/** Scrolls to the selected number, if any; returns false if the number is not drawn yet. */
function toSelection() {
  const board = window.tinkerformer;
  const selected = board?.selection();
  if (!board || !selected) return true;
  try {
    board.rect(selected.path, selected.i, selected.j);
    return true;
  } catch {
    return false;
  }
}

export class ViewScroll {
  /** @param {string} shown the open view */
  constructor(shown) {
    this.shown = shown;
    /** The scroll position of each view. @type {Map<string, number>} */
    this.places = new Map();
    /** Scrolls to a part of the view that is being opened; returns whether the part exists yet. */
    this.goal = /** @type {(() => boolean) | null} */ (null);
    /** The focus of the picture to which the formulas were last scrolled. */
    this.focus = "";
    this.isPressed = false; // whether the user has pressed a pointer on the page
    this.isOpened = false; // whether any view has been opened since the page was loaded
    const press = () => {
      this.isPressed = true;
    };
    addEventListener("pointerdown", press, { capture: true });
  }

  leave() {
    this.places.set(this.shown, scrollY);
    if (this.shown === PICTURE) this.goal = this.toFocus();
  }

  /** Leaves the view for a part of another view. @param {() => boolean} [goal] see `goal` */
  leaveFor(goal) {
    this.leave();
    this.isOpened = true;
    if (goal) this.goal = goal;
  }

  /** Returns a `goal` that scrolls the formulas to the picture's focus; null if already done. */
  toFocus() {
    const board = window.tinkerformer;
    const selected = board?.selection();
    const stage = board?.ready ? board.stageInFocus() : null;
    const focus = selected ? JSON.stringify(selected) : (stage ?? "");
    if (!focus || focus === this.focus) return null;
    this.focus = focus;
    return selected || !stage ? toSelection : () => board?.goto(stage) ?? false;
  }

  /** @param {string} view */
  arrive(view) {
    if (view === this.shown) return;
    this.shown = view;
    // After a link or a reload, the board scrolls to the selected number.
    const isRestored = !this.isOpened && !this.isPressed;
    const isLed = "lesson" in document.documentElement.dataset;
    this.isOpened = true;
    // A lesson scrolls to the subject of its step a moment later.
    if (isLed) scrollTo({ top: 0, behavior: "instant" });
    if (isRestored || isLed) return;
    // The explanation of an idea is at the top.
    const place = view.startsWith(IDEA) ? 0 : (this.places.get(view) ?? 0);
    if (view !== FORMULAS) this.goal = null;
    afterLayout(() => {
      if (this.goal) {
        const isThere = this.goal();
        if (isThere) this.goal = null;
        return isThere;
      }
      scrollTo({ top: place, behavior: "instant" });
      return Math.abs(scrollY - place) < 2;
    });
  }
}
