/** What the page does without a server: theme, help, and the sides as drawers on narrow screens. */
(() => {
  const root = document.documentElement;
  const narrow = matchMedia("(max-width: 899.98px)");

  /**
   * An element of the template.
   * @template {Element} Kind
   * @param {ParentNode} within @param {string} selector @param {new () => Kind} kind
   */
  function find(within, selector, kind) {
    const found = within.querySelector(selector);
    if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`);
    return found;
  }

  // Beside the frame stand the sides, and under it what is scrolled to.
  const frame = find(document, ".frame", HTMLElement);
  new ResizeObserver(() => {
    root.style.setProperty("--top", `${frame.offsetHeight}px`);
  }).observe(frame);

  const scrim = find(document, ".scrim", HTMLElement);
  const main = find(document, "#main", HTMLElement);

  // -- light and dark --------------------------------------------------------------------------

  const themeButton = find(document, "#theme-button", HTMLElement);

  /** @param {"light" | "dark"} theme */
  function setTheme(theme) {
    root.dataset.theme = theme;
    themeButton.setAttribute("aria-pressed", String(theme === "dark"));
    document.dispatchEvent(new CustomEvent("tinkerformer:theme", { detail: { theme } }));
  }

  themeButton.addEventListener("click", () => {
    const theme = root.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("tinkerformer-theme", theme);
    } catch {
      /* not kept, still switched */
    }
    setTheme(theme);
  });
  themeButton.setAttribute("aria-pressed", String(root.dataset.theme === "dark"));

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => {
    let kept = null;
    try {
      kept = localStorage.getItem("tinkerformer-theme");
    } catch {
      /* follow the system */
    }
    if (!kept) setTheme(event.matches ? "dark" : "light");
  });

  // -- help ------------------------------------------------------------------------------------

  const help = find(document, "#help", HTMLDialogElement);
  find(document, "#help-button", HTMLElement).addEventListener("click", () => help.showModal());
  help.addEventListener("click", ({ target }) => {
    // A click on the dialog itself, not on what is in it, is a click beside it.
    const isClose = target instanceof Element && target.closest("[data-close-help]");
    if (target === help || isClose) help.close();
  });

  // -- drawers ---------------------------------------------------------------------------------
  // The left side covers the page, so the rest is inert while it is open. The right side is a sheet
  // at the bottom that leaves the matrices in view: a slider is of no use if what it moves is
  // hidden.

  /** @typedef {"left" | "right"} Side */

  const sides = {
    left: find(document, "#left", HTMLElement),
    right: find(document, "#right", HTMLElement),
  };
  const buttons = {
    left: find(document, ".drawer-button[data-drawer=left]", HTMLElement),
    right: find(document, ".drawer-button[data-drawer=right]", HTMLElement),
  };

  /** @param {Side} name */
  const isOpen = (name) => sides[name].classList.contains("open");

  /** @param {Side} name @param {boolean} open @param {boolean} [moveFocus] */
  function setDrawer(name, open, moveFocus = true) {
    if (open === isOpen(name)) return;
    if (open) setDrawer(name === "left" ? "right" : "left", false, false);
    sides[name].classList.toggle("open", open);
    buttons[name].setAttribute("aria-expanded", String(open));
    root.classList.toggle("sheet", isOpen("right"));
    const modal = isOpen("left");
    scrim.hidden = !modal;
    main.inert = modal;
    if (!moveFocus) return;
    if (open) sides[name].focus({ preventScroll: true });
    else buttons[name].focus({ preventScroll: true });
  }

  for (const name of /** @type {Side[]} */ (["left", "right"])) {
    buttons[name].addEventListener("click", () => setDrawer(name, !isOpen(name)));
    const close = find(sides[name], ".close", HTMLElement);
    close.addEventListener("click", () => setDrawer(name, false));
    sides[name].addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented && isOpen(name)) setDrawer(name, false);
    });
  }
  scrim.addEventListener("click", () => setDrawer("left", false));
  narrow.addEventListener("change", () => {
    setDrawer("left", false, false);
    setDrawer("right", false, false);
  });

  /**
   * Scroll a cell into the strip that the open sheet leaves free.
   * @param {{path: string, i: number, j: number}} selected
   */
  function liftAboveSheet({ path, i, j }) {
    const board = window.tinkerformer;
    if (!board?.paths().includes(path)) return;
    const cell = board.rect(path, i, j);
    const top = frame.offsetHeight;
    const bottom = innerHeight - sides.right.offsetHeight;
    if (cell.y < top || cell.y + cell.height > bottom)
      scrollBy({ top: cell.y - (top + bottom) / 2 });
  }

  // What the page selects by itself, when it opens or another view is drawn, must not cover half of
  // a phone.
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
    setDrawer("right", selected !== null, false);
    // Out from under the sheet that has just opened over it.
    if (selected) requestAnimationFrame(() => liftAboveSheet(selected));
  });
  document.addEventListener("tinkerformer:focus-inspector", () => {
    if (narrow.matches) setDrawer("right", true, false);
  });
  // The map takes the reader elsewhere: out of the way with the drawer it is in.
  document.addEventListener("tinkerformer:goto", () => setDrawer("left", false, false));

  // The skip links of a closed drawer open it.
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll(".skip a");
  for (const link of links) {
    link.addEventListener("click", (event) => {
      const name = link.hash.slice(1);
      event.preventDefault();
      if (narrow.matches && (name === "left" || name === "right")) setDrawer(name, true);
      else document.getElementById(name)?.focus();
    });
  }
})();
