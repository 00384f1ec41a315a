/**
 * The panels of the page: the menu, the settings of the model, and the inspector, which is beside
 * the view while a number is selected or, on a narrow page, a sheet at the bottom.
 */
(() => {
  const root = document.documentElement;
  const narrow = matchMedia("(max-width: 899.98px)");

  /** @param {string} selector @param {ParentNode} [within] @returns {HTMLElement} */
  function find(selector, within = document) {
    const found = within.querySelector(selector);
    if (!(found instanceof HTMLElement)) throw new Error(`the page has no ${selector}`);
    return found;
  }

  const frame = find(".frame");
  const main = find("#main");
  const scrim = find(".scrim");

  // -- the menu --------------------------------------------------------------------------------

  const menu = find("#menu");
  const menuButton = find("#menu-button");

  /** @param {boolean} open @param {boolean} [moveFocus] to its button, when it closes */
  function setMenu(open, moveFocus = false) {
    const isChange = menu.hidden === open;
    menu.hidden = !open;
    menuButton.setAttribute("aria-expanded", String(open));
    if (isChange && !open && moveFocus) menuButton.focus({ preventScroll: true });
  }

  menuButton.addEventListener("click", () => setMenu(Boolean(menu.hidden)));

  find("#go-to-button").addEventListener("click", () => {
    setMenu(false);
    document.dispatchEvent(new CustomEvent("tinkerformer:ask-matrix", { detail: null }));
  });

  /** @param {Node | undefined} node */
  function isInMenu(node) {
    for (let at = node; at; at = at instanceof ShadowRoot ? at.host : (at.parentNode ?? undefined))
      if (at === menu) return true;
    return false;
  }

  // A dialog opened from the menu is inside the menu's element, so the menu is hidden, not closed,
  // until the dialog closes.
  document.addEventListener("tinkerformer:dialog", ({ detail }) => {
    // One that opens by itself, as when a recording is over, opens the menu, too.
    if (detail.open && menu.hidden) setMenu(isInMenu(detail.dialog));
    if (menu.hidden) return;
    menu.classList.toggle("behind", detail.open);
    if (!detail.open) setMenu(false, true);
  });

  // -- the settings ----------------------------------------------------------------------------
  // On a narrow page the settings cover the rest, which is inert while they are open. On a wide
  // one the rest stays usable.

  const settings = find("#left");
  const drawerClose = find("#drawer-close");
  const areSettingsOpen = () => settings.classList.contains("open");

  /** @param {boolean} open @param {boolean} [moveFocus] */
  function setSettings(open, moveFocus = true) {
    if (open === areSettingsOpen()) return;
    if (open) setSheet(false, false);
    settings.classList.toggle("open", open);
    scrim.hidden = !(open && narrow.matches);
    main.inert = open && narrow.matches;
    const focus = moveFocus && !open;
    const detail = { name: settings.id, open, focus };
    document.dispatchEvent(new CustomEvent("tinkerformer:panel", { detail }));
    if (open && moveFocus) settings.focus({ preventScroll: true });
  }

  document.addEventListener("tinkerformer:ask-panel", ({ detail }) => {
    if (detail.name === settings.id) setSettings(!areSettingsOpen());
  });
  find(".close", settings).addEventListener("click", () => setSettings(false));
  scrim.addEventListener("click", () => setSettings(false));

  // What the menu is about is left with the room.
  new MutationObserver(() => setMenu(false)).observe(root, { attributeFilter: ["data-room"] });

  // A press outside closes the menu and the settings; their own buttons toggle them.
  document.addEventListener("pointerdown", (event) => {
    const path = event.composedPath();
    if (!path.includes(menu) && !path.includes(menuButton)) setMenu(false);
    if (areSettingsOpen() && !path.includes(settings) && !path.includes(frame))
      setSettings(false, false);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    const path = event.composedPath();
    // In an open dialog, Escape closes only the dialog.
    if (path.some((node) => node instanceof HTMLDialogElement && node.open)) return;
    if (!menu.hidden) setMenu(false, path.includes(menu));
    else if (areSettingsOpen()) setSettings(false, path.includes(settings));
    else if (narrow.matches && path.includes(inspector)) setSheet(false);
    else if (drawerClose.checkVisibility() && !window.tinkerformer?.oscillating())
      drawerClose.click();
    else return;
    event.preventDefault(); // this key press closes nothing else
  });

  // -- the inspector ---------------------------------------------------------------------------
  // Beside the view it is there while a number is selected, unless its handle put it away. As a
  // sheet it leaves the numbers visible, because a slider is useless if its effect is hidden.

  const inspector = find("#right");
  const inspectorButton = find("#inspector-button");
  const inspectorLink = find('.skip a[href="#right"]');
  // In an iframe the page may be shown without the inspector.
  const isThere = (root.dataset.embed ?? "inspector").split(" ").includes("inspector");
  const isSheetOpen = () => inspector.classList.contains("open");
  const isBeside = () => !root.classList.contains("no-inspector");

  /** @typedef {{path: string, i: number, j: number}} Selected */
  let selected = /** @type {Selected | null} */ (null);
  let isCrowded = false; // an open lesson needs the width

  const showState = () => {
    const open = narrow.matches ? isSheetOpen() : isBeside();
    inspectorButton.setAttribute("aria-expanded", String(open));
    // Without a selection it would be empty.
    inspectorButton.hidden = !selected && !open;
    inspectorLink.hidden = inspectorButton.hidden;
  };

  /** @param {boolean} open @param {boolean} [moveFocus] */
  function setSheet(open, moveFocus = true) {
    if (open && !isThere) return;
    inspector.classList.toggle("open", open);
    root.classList.toggle("sheet", open);
    showState();
    if (!moveFocus) return;
    if (open) inspector.focus({ preventScroll: true });
    else document.dispatchEvent(new CustomEvent("tinkerformer:focus-board", { detail: null }));
  }

  const AWAY = "tinkerformer-inspector-away";

  function isAway() {
    try {
      return sessionStorage.getItem(AWAY) !== null;
    } catch {
      return false; // storage denied: the inspector comes with every selection
    }
  }

  /** @param {boolean} away */
  function keepAway(away) {
    try {
      if (away) sessionStorage.setItem(AWAY, "1");
      else sessionStorage.removeItem(AWAY);
    } catch {
      // Storage denied: it is put away until the next selection.
    }
  }

  /** @param {boolean} open beside the view */
  function setBeside(open) {
    clearTimeout(coming);
    coming = 0;
    if (open === isBeside() || (open && !isThere)) return;
    if (!open && inspector.contains(document.activeElement))
      document.dispatchEvent(new CustomEvent("tinkerformer:focus-board", { detail: null }));
    root.classList.toggle("no-inspector", !open);
    showState();
  }

  /** Opens it beside the view for what is selected, or closes it. */
  function follow() {
    if (!narrow.matches) setBeside(selected !== null && !isCrowded && !isAway());
    showState();
  }

  // The view becomes narrower when the inspector opens: not while a number is dragged, and not
  // between the presses of a double click, whose second one would meet another place.
  const DOUBLE = 260; // ms
  const RECENT = 1500; // ms within which a selection follows from what the reader did
  let isPressed = false;
  let pressedAt = -RECENT; // ms, the last release
  let actedAt = -RECENT; // ms, that or the last key
  let coming = 0; // the timer
  function followLater() {
    clearTimeout(coming);
    coming = 0;
    if (isPressed) return; // see the release
    const wait = selected && !isBeside() ? pressedAt + DOUBLE - performance.now() : 0;
    if (wait > 0) coming = setTimeout(openBeside, wait);
    else openBeside();
  }

  function openBeside() {
    const wasBeside = isBeside();
    follow();
    const at = selected;
    if (wasBeside || !isBeside() || !at || performance.now() - actedAt > RECENT) return;
    if (root.dataset.view === "picture") return; // which sees to it that no number moves
    // Once the view has its new width: bring what was selected back into sight.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (selected === at) placeOf(at);
      }),
    );
  }

  addEventListener(
    "pointerdown",
    () => {
      isPressed = true;
    },
    { capture: true },
  );
  for (const type of ["pointerup", "pointercancel"])
    addEventListener(
      type,
      () => {
        isPressed = false;
        pressedAt = actedAt = performance.now();
        if (!narrow.matches) followLater();
        else if (awaitsRelease) followBelow();
      },
      { capture: true },
    );

  addEventListener(
    "keydown",
    () => {
      actedAt = performance.now();
    },
    { capture: true },
  );

  // An open lesson takes width. If too little is left, the inspector is put away until the lesson
  // closes or the handle is pressed, unless the lesson uses the inspector.
  const WIDE = 1300; // CSS px
  new MutationObserver(() => {
    isCrowded =
      root.dataset.lesson?.split(" ").includes("inspector") === false && innerWidth < WIDE;
    followLater();
  }).observe(root, { attributeFilter: ["data-lesson"] });

  inspectorButton.addEventListener("click", () => {
    if (narrow.matches) {
      setMenu(false);
      setSheet(!isSheetOpen());
      return;
    }
    isCrowded = false;
    keepAway(isBeside());
    setBeside(!isBeside());
  });
  const close = find(".close", inspector);
  close.addEventListener("click", () => {
    if (narrow.matches) setSheet(false);
    else window.tinkerformer?.select(null).catch(() => {});
  });
  // It is the handle of a sheet, too: a finger that drags it down closes it.
  const DRAGGED = 30; // CSS px
  let heldAt = 0;
  close.addEventListener("pointerdown", ({ clientY }) => {
    heldAt = clientY;
  });
  close.addEventListener("pointerup", ({ clientY }) => {
    if (narrow.matches && clientY - heldAt > DRAGGED) setSheet(false);
  });

  find(".back", inspector).addEventListener("click", async () => {
    await window.tinkerformer?.select(null).catch(() => {});
    document.dispatchEvent(new CustomEvent("tinkerformer:focus-guide", { detail: null }));
  });

  // The inspector's handle is on its edge; of a sheet, whose edge would cover numbers, in the menu.
  const menuButtons = find(".menu-buttons");
  const placeHandle = () => {
    if (narrow.matches) menuButtons.prepend(inspectorButton);
    else scrim.before(inspectorButton);
  };
  narrow.addEventListener("change", () => {
    setSettings(false, false);
    setSheet(false, false);
    placeHandle();
    follow();
  });
  placeHandle();
  showState();

  /**
   * Where a cell is drawn; it is brought into sight.
   * @param {Selected} selected
   */
  function placeOf({ path, i, j }) {
    const board = window.tinkerformer;
    if (!board?.paths().includes(path)) return null;
    try {
      return board.rect(path, i, j);
    } catch {
      return null; // the cell is not drawn in the open view
    }
  }

  /**
   * Scrolls a cell into the part of the view that the open sheet leaves visible.
   * @param {Selected} selected
   */
  function liftAboveSheet(selected) {
    const cell = placeOf(selected);
    if (!cell) return;
    const top = frame.offsetHeight;
    const bottom = inspector.getBoundingClientRect().top;
    if (cell.y < top || cell.y + cell.height > bottom)
      scrollBy({ top: cell.y - (top + bottom) / 2 });
  }

  // A selection that the page makes itself, when it opens, the view changes or a film shows a
  // number, does not open the sheet, which would cover half of a phone's screen.
  let chosen = "";
  let touched = false;
  let awaitsRelease = false; // a selection that was made while a pointer is down
  for (const type of ["pointerdown", "keydown"])
    addEventListener(
      type,
      () => {
        touched = true;
      },
      { capture: true, once: true },
    );
  document.addEventListener("tinkerformer:selection", ({ detail }) => {
    selected = detail;
    inspector.scrollTop = 0;
    if (!narrow.matches) {
      followLater();
      showState();
      return;
    }
    showState();
    followBelow();
  });

  /** Opens the sheet for what is selected, or closes it, once no pointer holds a number. */
  function followBelow() {
    awaitsRelease = isPressed;
    if (isPressed || !touched || root.hasAttribute("data-film")) return;
    const at = selected;
    const before = chosen;
    chosen = at ? `${at.path} ${at.i} ${at.j}` : "";
    if (at && chosen === before) return;
    setSheet(at !== null, false);
    // Scroll the cell out from under the sheet that just opened.
    if (at) requestAnimationFrame(() => liftAboveSheet(at));
  }
  document.addEventListener("tinkerformer:selected-again", () => {
    if (narrow.matches && touched) setSheet(true, false);
  });
  document.addEventListener("tinkerformer:focus-inspector", () => {
    if (narrow.matches) {
      setSheet(true, false);
      return;
    }
    isCrowded = false;
    keepAway(false);
    setBeside(true);
  });
  // Close the sheet when the view changes.
  new MutationObserver(() => {
    if (narrow.matches) setSheet(false, false);
  }).observe(root, { attributeFilter: ["data-view"] });

  // A skip link to a closed panel opens it.
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll(".skip a");
  for (const link of links) {
    link.addEventListener("click", (event) => {
      const name = link.hash.slice(1);
      event.preventDefault();
      if (name === settings.id) setSettings(true);
      else if (name === inspector.id && narrow.matches) setSheet(true);
      else {
        if (name === inspector.id) {
          keepAway(false);
          setBeside(true);
        }
        if (name !== main.id || root.dataset.room !== "explore")
          document.getElementById(name)?.focus();
        else document.dispatchEvent(new CustomEvent("tinkerformer:focus-board", { detail: null }));
      }
    });
  }
})();
