/** The panels of the page: the menu, the settings of the model, and the inspector. */

import { areas } from "./areas.js";
import { TABLET } from "./layout.js";

(() => {
  const root = document.documentElement;
  const narrow = matchMedia(`(max-width: ${TABLET - 0.02}px)`);

  /** @param {string} selector @param {ParentNode} [within] @returns {HTMLElement} */
  function find(selector, within = document) {
    const found = within.querySelector(selector);
    if (!(found instanceof HTMLElement)) throw new Error(`the page has no ${selector}`);
    return found;
  }

  const frame = find(".frame");
  const main = find("#main");
  const stage = find("#stage");

  // -- the menu --------------------------------------------------------------------------------

  const menu = find("#menu");
  const menuButton = find("#menu-button");

  /** @param {HTMLElement} panel */
  const isShown = (panel) => panel.matches(":popover-open");

  menu.addEventListener("toggle", () => {
    menuButton.setAttribute("aria-expanded", String(isShown(menu)));
  });

  find("#go-to-button").addEventListener("click", () => {
    menu.hidePopover();
    document.dispatchEvent(new CustomEvent("tinkerformer:ask-matrix", { detail: null }));
  });

  /** @param {Node | undefined} node */
  function isInMenu(node) {
    for (let at = node; at; at = at instanceof ShadowRoot ? at.host : (at.parentNode ?? undefined))
      if (at === menu) return true;
    return false;
  }

  // An action in the menu may open a dialog elsewhere; closing that dialog then closes the menu.
  let isInUse = false;
  let isOfMenu = false; // whether the open dialog was opened from the menu
  for (const type of ["click", "keydown"])
    addEventListener(
      type,
      (event) => {
        isInUse = event.composedPath().includes(menu);
      },
      { capture: true },
    );

  // A dialog opened from the menu is inside the menu's element, so the menu is hidden, not closed,
  // until the dialog closes.
  document.addEventListener("tinkerformer:dialog", ({ detail }) => {
    // One that opens by itself, as when a recording is over, opens the menu, too.
    if (detail.open && !isShown(menu)) menu.togglePopover(isInMenu(detail.dialog));
    menu.classList.toggle("behind", detail.open && isShown(menu));
    if (detail.open) isOfMenu = isInUse || isInMenu(detail.dialog);
    if (detail.open || !isOfMenu) return;
    menu.hidePopover();
    menuButton.focus({ preventScroll: true });
  });

  // -- the settings ----------------------------------------------------------------------------

  const settings = find("#left");
  const drawerClose = find("#drawer-close");

  // What the menu is about is left with the room.
  new MutationObserver(() => menu.hidePopover()).observe(root, {
    attributeFilter: ["data-room"],
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    const path = event.composedPath();
    // In an open dialog, Escape closes only the dialog.
    if (path.some((node) => node instanceof HTMLDialogElement && node.open)) return;
    const open = [menu, settings].find(isShown);
    if (open) open.hidePopover();
    else if (narrow.matches && path.includes(inspector)) setInspector(false);
    else if (drawerClose.checkVisibility() && !window.tinkerformer?.oscillating())
      drawerClose.click();
    else return;
    event.preventDefault(); // this key press closes nothing else
  });

  // -- the inspector ---------------------------------------------------------------------------
  // On a wide page the inspector is in the side column while a number is selected. Otherwise it is
  // a low sheet that does not cover a pressed number; it is raised by its handle.

  const inspector = find("#right");
  const inspectorButton = find("#inspector-button");
  const inspectorLink = find('.skip a[href="#right"]');
  // In an iframe the page may be shown without the inspector.
  const isThere = (root.dataset.embed ?? "inspector").split(" ").includes("inspector");
  const isOpen = () => inspector.classList.contains("open");

  /** @typedef {{path: string, i: number, j: number}} Selected */
  let selected = /** @type {Selected | null} */ (null);

  function showState() {
    inspectorButton.setAttribute("aria-expanded", String(isOpen()));
    // Without a selection the inspector would be empty.
    inspectorLink.hidden = !selected && !isOpen();
    inspectorButton.hidden = !narrow.matches || inspectorLink.hidden;
  }

  /**
   * @param {boolean} open
   * @param {{moveFocus?: boolean, raised?: boolean, above?: number}} [how] `raised`: a sheet has
   *   half of the window; `above`: CSS px of the window that it leaves free
   */
  function setInspector(open, { moveFocus = false, raised = false, above } = {}) {
    if (open && !isThere) return;
    const hadFocus = inspector.contains(document.activeElement);
    inspector.classList.toggle("open", open);
    areas.set({ inspector: open, raised, above });
    showState();
    if (open && moveFocus) inspector.focus({ preventScroll: true });
    if (!open && (moveFocus || hadFocus))
      document.dispatchEvent(new CustomEvent("tinkerformer:focus-board", { detail: null }));
  }

  const BELOW = 30; // CSS px, from the press to below the number
  let pressed = /** @type {number | undefined} */ (undefined); // CSS px below a pressed number
  let isPressed = false;
  let touched = false; // whether the reader has acted; earlier selections are made by the page
  let chosen = "";

  addEventListener(
    "pointerdown",
    (event) => {
      isPressed = touched = true;
      pressed = event.composedPath().includes(stage) ? event.clientY + BELOW : undefined;
    },
    { capture: true },
  );
  for (const type of ["pointerup", "pointercancel"])
    addEventListener(
      type,
      () => {
        isPressed = false;
        follow();
      },
      { capture: true },
    );
  addEventListener(
    "keydown",
    () => {
      touched = true;
      pressed = undefined;
    },
    { capture: true },
  );

  document.addEventListener("tinkerformer:selection", ({ detail }) => {
    selected = detail;
    inspector.scrollTop = 0;
    showState();
    follow();
  });

  /** Opens the inspector for a selection, or closes it, once no pointer is pressed. */
  function follow() {
    if (isPressed) return;
    const at = selected;
    const before = chosen;
    chosen = at ? `${at.path} ${at.i} ${at.j}` : "";
    if (chosen === before) return;
    // A sheet would cover half of an opening picture or of a film.
    if (narrow.matches && at && (!touched || root.hasAttribute("data-film"))) return;
    setInspector(at !== null, { above: pressed });
    if (at && narrow.matches && pressed === undefined) requestAnimationFrame(() => lift(at));
    pressed = undefined;
  }

  /**
   * Scrolls a cell into the part of the view that the open sheet leaves visible.
   * @param {Selected} cell
   */
  function lift({ path, i, j }) {
    const board = window.tinkerformer;
    if (!board?.paths().includes(path)) return;
    let cell = null;
    try {
      cell = board.rect(path, i, j);
    } catch {
      return; // the cell is not drawn in the open view
    }
    const top = frame.offsetHeight;
    const bottom = inspector.getBoundingClientRect().top;
    if (cell.y < top || cell.y + cell.height > bottom)
      scrollBy({ top: cell.y - (top + bottom) / 2 });
  }

  /** @param {boolean} moveFocus */
  function openFully(moveFocus) {
    setInspector(true, { moveFocus, raised: true });
    if (narrow.matches && selected) lift(selected);
  }

  inspectorButton.addEventListener("click", () => {
    menu.hidePopover();
    if (isOpen()) setInspector(false, { moveFocus: true });
    else openFully(true);
  });
  const close = find(".close", inspector);
  let isDragged = false;
  close.addEventListener("click", () => {
    if (isDragged) isDragged = false;
    else if (narrow.matches) setInspector(false, { moveFocus: true });
    else window.tinkerformer?.select(null).catch(() => {});
  });
  // The close button is also the handle of the sheet: dragging it up opens the sheet fully, down
  // closes it.
  const DRAGGED = 30; // CSS px
  let heldAt = 0;
  close.addEventListener("pointerdown", ({ clientY, pointerId }) => {
    heldAt = clientY;
    isDragged = false;
    close.setPointerCapture(pointerId);
  });
  close.addEventListener("pointerup", ({ clientY }) => {
    isDragged = narrow.matches && Math.abs(clientY - heldAt) > DRAGGED;
    if (!isDragged) return;
    if (clientY > heldAt) setInspector(false, { moveFocus: true });
    else openFully(false);
  });

  find(".back", inspector).addEventListener("click", async () => {
    await window.tinkerformer?.select(null).catch(() => {});
    document.dispatchEvent(new CustomEvent("tinkerformer:focus-guide", { detail: null }));
  });

  narrow.addEventListener("change", () => {
    setInspector(!narrow.matches && selected !== null);
  });
  document.addEventListener("tinkerformer:selected-again", () => {
    if (narrow.matches && touched && !isOpen()) setInspector(true, { above: pressed });
  });
  document.addEventListener("tinkerformer:focus-inspector", () => setInspector(true));
  // Close the sheet when the view changes.
  new MutationObserver(() => {
    if (narrow.matches) setInspector(false);
  }).observe(root, { attributeFilter: ["data-view"] });
  showState();

  // A skip link to a closed panel opens it.
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll(".skip a");
  for (const link of links) {
    link.addEventListener("click", (event) => {
      const name = link.hash.slice(1);
      event.preventDefault();
      if (name === settings.id) settings.showPopover();
      else if (name === inspector.id) openFully(true);
      else if (name !== main.id || root.dataset.room !== "explore")
        document.getElementById(name)?.focus();
      else document.dispatchEvent(new CustomEvent("tinkerformer:focus-board", { detail: null }));
    });
  }
})();
