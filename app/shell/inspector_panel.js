/**
 * The panel of the inspector. On a wide page it is in the side column while a number is selected.
 * On a narrow page it is a low sheet that covers no row of the picture; a button raises it.
 */

import { areas } from "./areas.js";
import { find } from "./find.js";
import { TABLET } from "./layout.js";

/** @typedef {{path: string, i: number, j: number}} Selected */

const BELOW = 30; // CSS px from the press to a place below the number
const DRAGGED = 30; // CSS px of a drag that opens or closes the sheet
const root = document.documentElement;

export class InspectorPanel {
  constructor() {
    this.el = find("#right");
    this.narrow = matchMedia(`(max-width: ${TABLET - 0.02}px)`);
    this.button = find("#inspector-button");
    this.raise = find(".raise", this.el);
    this.link = find('.skip a[href="#right"]');
    // In an iframe the page may be shown without the inspector.
    this.isThere = (root.dataset.embed ?? "inspector").split(" ").includes("inspector");
    this.selected = /** @type {Selected | null} */ (null);
    this.pressed = /** @type {number | undefined} */ (undefined); // y below a pressed number
    this.isPressed = false;
    this.raised = false;
    this.touched = false; // whether the user has acted; the page makes earlier selections
    this.chosen = "";
    this.listenToInput();
    this.listenToSelection();
    this.listenToButtons();
    const toggle = () => (this.raised ? this.lower() : this.openFully(false));
    const close = () =>
      this.narrow.matches
        ? this.set(false, { moveFocus: true })
        : window.tinkerformer?.select(null).catch(() => {});
    this.listenToHandle(this.raise, toggle);
    this.listenToHandle(find(".close", this.el), close);
    this.narrow.addEventListener("change", () => {
      this.set(!this.narrow.matches && this.selected !== null);
    });
    // Close the sheet when the view changes.
    new MutationObserver(() => {
      if (this.narrow.matches) this.set(false);
    }).observe(root, { attributeFilter: ["data-view"] });
    this.showState();
  }

  get isOpen() {
    return this.el.classList.contains("open");
  }

  showState() {
    this.button.setAttribute("aria-expanded", String(this.isOpen));
    // Without a selection the inspector would be empty.
    this.link.hidden = !this.selected && !this.isOpen;
    this.button.hidden = !this.narrow.matches || this.link.hidden;
    this.raise.setAttribute("aria-expanded", String(this.raised));
  }

  /**
   * @param {boolean} open
   * @param {{moveFocus?: boolean, raised?: boolean, above?: number}} [how] `raised`: a sheet fills
   *   half of the window; `above`: CSS px that a sheet leaves free at the top of the window
   */
  set(open, { moveFocus = false, raised = false, above } = {}) {
    if (open && !this.isThere) return;
    const hadFocus = this.el.contains(document.activeElement);
    this.el.classList.toggle("open", open);
    this.raised = open && raised;
    areas.set({ inspector: open, raised, above });
    this.showState();
    if (open && moveFocus) this.el.focus({ preventScroll: true });
    if (!open && (moveFocus || hadFocus))
      document.dispatchEvent(new CustomEvent("tinkerformer:focus-board", { detail: null }));
  }

  /** @param {boolean} moveFocus */
  openFully(moveFocus) {
    this.set(true, { moveFocus, raised: true });
    if (this.narrow.matches && this.selected) this.lift(this.selected);
  }

  lower() {
    this.el.scrollTop = 0;
    this.set(true);
  }

  /** Opens the inspector for a selection, or closes it, once no pointer is pressed. */
  follow() {
    if (this.isPressed) return;
    const at = this.selected;
    const before = this.chosen;
    this.chosen = at ? `${at.path} ${at.i} ${at.j}` : "";
    if (this.chosen === before) return;
    const isNarrow = this.narrow.matches;
    // A sheet would cover half of a film, or of a picture that the user has not used yet.
    if (isNarrow && at && (!this.touched || root.hasAttribute("data-film"))) return;
    const raised = this.raised && this.pressed === undefined;
    this.set(at !== null, { raised, above: this.pressed });
    if (at && isNarrow && this.pressed === undefined) requestAnimationFrame(() => this.lift(at));
    this.pressed = undefined;
  }

  /** Scrolls a cell into the part of the view above the open sheet. @param {Selected} cell */
  lift({ path, i, j }) {
    const board = window.tinkerformer;
    if (!board?.paths().includes(path)) return;
    let cell = null;
    try {
      cell = board.rect(path, i, j);
    } catch {
      return; // the cell is not drawn in the open view
    }
    const top = find(".frame").offsetHeight;
    const bottom = this.el.getBoundingClientRect().top;
    if (cell.y < top || cell.y + cell.height > bottom)
      scrollBy({ top: cell.y - (top + bottom) / 2 });
  }

  /** Records where the pointer is pressed, and whether the user has acted. */
  listenToInput() {
    const capture = true;
    const stage = find("#stage");
    const press = (/** @type {PointerEvent} */ event) => {
      this.isPressed = this.touched = true;
      this.pressed = event.composedPath().includes(stage) ? event.clientY + BELOW : undefined;
    };
    const release = () => {
      this.isPressed = false;
      this.follow();
    };
    const type = () => {
      this.touched = true;
      this.pressed = undefined;
    };
    addEventListener("pointerdown", press, { capture });
    addEventListener("pointerup", release, { capture });
    addEventListener("pointercancel", release, { capture });
    addEventListener("keydown", type, { capture });
  }

  listenToSelection() {
    document.addEventListener("tinkerformer:selection", ({ detail }) => {
      this.selected = detail;
      this.el.scrollTop = 0;
      this.showState();
      this.follow();
    });
    document.addEventListener("tinkerformer:selected-again", () => {
      if (this.narrow.matches && this.touched && !this.isOpen)
        this.set(true, { above: this.pressed });
    });
    document.addEventListener("tinkerformer:focus-inspector", () =>
      this.set(true, { raised: this.raised }),
    );
  }

  listenToButtons() {
    this.button.addEventListener("click", () => {
      find("#menu").hidePopover();
      if (this.isOpen) this.set(false, { moveFocus: true });
      else this.openFully(true);
    });
    find(".back", this.el).addEventListener("click", async () => {
      await window.tinkerformer?.select(null).catch(() => {});
      document.dispatchEvent(new CustomEvent("tinkerformer:focus-guide", { detail: null }));
    });
  }

  /**
   * The buttons of a sheet are its handle: dragged up they raise it, down they lower or close it.
   * @param {HTMLElement} button @param {() => void} press
   */
  listenToHandle(button, press) {
    let heldAt = 0;
    let isDragged = false;
    button.addEventListener("click", () => {
      if (isDragged) isDragged = false;
      else press();
    });
    button.addEventListener("pointerdown", ({ clientY, pointerId }) => {
      heldAt = clientY;
      isDragged = false;
      button.setPointerCapture(pointerId);
    });
    button.addEventListener("pointerup", ({ clientY }) => {
      isDragged = this.narrow.matches && Math.abs(clientY - heldAt) > DRAGGED;
      if (!isDragged) return;
      if (clientY < heldAt) this.openFully(false);
      else if (this.raised) this.lower();
      else this.set(false, { moveFocus: true });
    });
  }
}
