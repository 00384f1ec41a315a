/**
 * The panels of the page: the menu, the model's settings, and the inspector, which is beside the
 * view or, on a narrow page, a sheet at the bottom.
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

  // -- the menus -------------------------------------------------------------------------------

  const menuButton = find("#menu-button");
  /** The button of each menu. @type {Map<HTMLElement, HTMLElement>} */
  const menus = new Map([
    [find("#menu"), menuButton],
    [find("#show"), find("#show-button")],
    [find("#dropout"), find("#dropout-button")],
  ]);
  const openMenu = () => [...menus.keys()].find((menu) => !menu.hidden);

  /** @param {HTMLElement | undefined} menu none: close what is open @param {boolean} [moveFocus] */
  function setMenu(menu, moveFocus = false) {
    const before = openMenu();
    for (const [each, button] of menus) {
      each.hidden = each !== menu;
      button.setAttribute("aria-expanded", String(each === menu));
    }
    if (before && !menu && moveFocus) menus.get(before)?.focus({ preventScroll: true });
  }

  find("#dropout-menu-button").addEventListener("click", () => setMenu(find("#dropout")));
  for (const [menu, button] of menus)
    button.addEventListener("click", () => setMenu(menu.hidden ? menu : undefined));

  // A dialog opened from the menu is inside the menu's element, so the menu is hidden, not closed,
  // until the dialog closes.
  document.addEventListener("tinkerformer:dialog", ({ detail }) => {
    const menu = openMenu();
    if (!menu) return;
    menu.classList.toggle("behind", detail.open);
    if (!detail.open) setMenu(undefined, true);
  });

  // -- the settings ----------------------------------------------------------------------------
  // On a narrow page the settings cover the rest, which is inert while they are open. On a wide
  // one the rest stays usable.

  const settings = find("#left");
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
    for (const menu of menus.keys()) if (detail.name === menu.id) setMenu(menu);
  });
  find(".close", settings).addEventListener("click", () => setSettings(false));
  scrim.addEventListener("click", () => setSettings(false));

  // A press outside closes the menu and the settings; their own buttons toggle them.
  document.addEventListener("pointerdown", (event) => {
    const path = event.composedPath();
    const menu = openMenu();
    const button = menu && menus.get(menu);
    if (menu && !path.includes(menu) && !(button && path.includes(button))) setMenu(undefined);
    if (areSettingsOpen() && !path.includes(settings) && !path.includes(frame))
      setSettings(false, false);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    const path = event.composedPath();
    // In an open dialog, Escape closes only the dialog.
    if (path.some((node) => node instanceof HTMLDialogElement && node.open)) return;
    const menu = openMenu();
    if (menu) setMenu(undefined, path.includes(menu));
    else if (areSettingsOpen()) setSettings(false, path.includes(settings));
    else if (narrow.matches && path.includes(inspector)) setSheet(false);
    else return;
    event.preventDefault(); // this key press closes nothing else
  });

  // -- the inspector ---------------------------------------------------------------------------
  // Beside the view, the inspector can be hidden. As a sheet it leaves the numbers visible, because
  // a slider is useless if its effect is hidden.

  const inspector = find("#right");
  const inspectorButton = find("#inspector-button");
  // In an iframe the page may be shown without the inspector.
  const isThere = (root.dataset.embed ?? "inspector").split(" ").includes("inspector");
  const isSheetOpen = () => inspector.classList.contains("open");

  const showState = () => {
    const open = narrow.matches ? isSheetOpen() : !root.classList.contains("no-inspector");
    inspectorButton.setAttribute("aria-expanded", String(open));
  };

  /** @param {boolean} open @param {boolean} [moveFocus] */
  function setSheet(open, moveFocus = true) {
    if (open && !isThere) return;
    inspector.classList.toggle("open", open);
    root.classList.toggle("sheet", open);
    showState();
    if (moveFocus) (open ? inspector : inspectorButton).focus({ preventScroll: true });
  }

  const AWAY = "tinkerformer-inspector-away";

  /** @param {boolean} open */
  function setInspector(open) {
    if (open && !isThere) return;
    root.classList.toggle("no-inspector", !open);
    showState();
    try {
      if (open) sessionStorage.removeItem(AWAY);
      else sessionStorage.setItem(AWAY, "1");
    } catch {
      // Storage denied: the inspector is beside the view again after a reload.
    }
  }

  try {
    if (sessionStorage.getItem(AWAY)) setInspector(false);
  } catch {
    // Storage denied.
  }

  // An open lesson takes width. If too little is left, the inspector is put away until the lesson
  // closes or the handle is pressed, unless the lesson uses the inspector.
  const WIDE = 1300; // CSS px
  new MutationObserver(() => {
    const wanted = root.dataset.lesson?.split(" ").includes("inspector");
    let isAway = wanted === false && innerWidth < WIDE;
    try {
      isAway ||= sessionStorage.getItem(AWAY) !== null;
    } catch {
      // Storage denied.
    }
    if (!isThere || narrow.matches) return;
    root.classList.toggle("no-inspector", isAway);
    showState();
  }).observe(root, { attributeFilter: ["data-lesson"] });

  inspectorButton.addEventListener("click", () => {
    if (narrow.matches) setSheet(!isSheetOpen());
    else setInspector(root.classList.contains("no-inspector"));
  });
  find(".close", inspector).addEventListener("click", () => setSheet(false));

  // The guide is above the inspector; on a narrow page, where that is a sheet, above the view.
  const guide = find("#guide");
  const placeGuide = () => {
    if (narrow.matches) main.prepend(guide);
    else find(".close", inspector).after(guide);
  };

  // The inspector's handle is on its edge; as a sheet, where it would cover numbers, in the header.
  const placeHandle = () => {
    if (narrow.matches) menuButton.before(inspectorButton);
    else scrim.before(inspectorButton);
  };
  // After a new selection, scroll the inspector to its top.
  document.addEventListener("tinkerformer:selection", () => {
    inspector.scrollTop = 0;
  });
  narrow.addEventListener("change", () => {
    setSettings(false, false);
    setSheet(false, false);
    placeGuide();
    placeHandle();
  });
  placeGuide();
  placeHandle();
  showState();

  /**
   * Scrolls a cell into the part of the view that the open sheet leaves visible.
   * @param {{path: string, i: number, j: number}} selected
   */
  function liftAboveSheet({ path, i, j }) {
    const board = window.tinkerformer;
    if (!board?.paths().includes(path)) return;
    let cell;
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

  // A selection that the page makes itself, when it opens or the view changes, does not open the
  // sheet, which would cover half of a phone's screen.
  let chosen = "";
  let touched = false;
  for (const type of ["pointerdown", "keydown"])
    addEventListener(
      type,
      () => {
        touched = true;
      },
      { capture: true, once: true },
    );
  document.addEventListener("tinkerformer:selection", (event) => {
    if (!narrow.matches || !touched) return;
    const selected = event.detail;
    const before = chosen;
    chosen = selected ? `${selected.path} ${selected.i} ${selected.j}` : "";
    if (selected && chosen === before) return;
    setSheet(selected !== null, false);
    // Scroll the cell out from under the sheet that just opened.
    if (selected) requestAnimationFrame(() => liftAboveSheet(selected));
  });
  document.addEventListener("tinkerformer:selected-again", () => {
    if (narrow.matches && touched) setSheet(true, false);
  });
  document.addEventListener("tinkerformer:focus-inspector", () => {
    if (narrow.matches) setSheet(true, false);
    else setInspector(true);
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
        if (name === inspector.id) setInspector(true);
        document.getElementById(name)?.focus();
      }
    });
  }
})();
