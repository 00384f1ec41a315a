/**
 * What the page does without a server: theme, help, and the sides as drawers on narrow screens.
 */
(() => {
  const root = document.documentElement;
  const narrow = matchMedia("(max-width: 899.98px)");
  const scrim = document.querySelector(".scrim");
  const main = document.getElementById("main");

  /** @param {string} name event without its prefix */
  const announce = (name, detail) =>
    document.dispatchEvent(new CustomEvent(`tinkerformer:${name}`, { detail }));

  // -- light and dark --------------------------------------------------------------------------

  const themeButton = document.getElementById("theme-button");

  /** @param {'light'|'dark'} theme */
  function setTheme(theme) {
    root.dataset.theme = theme;
    themeButton.setAttribute("aria-pressed", String(theme === "dark"));
    announce("theme", { theme });
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

  const help = document.getElementById("help");
  document.getElementById("help-button").addEventListener("click", () => help.showModal());
  help.addEventListener("click", (event) => {
    // A click on the dialog itself, not on what is in it, is a click beside it.
    if (event.target === help || event.target.closest("[data-close-help]")) help.close();
  });

  // -- drawers ---------------------------------------------------------------------------------
  // The left side covers the page, so the rest is inert while it is open. The right side is a sheet at the
  // bottom that leaves the matrices in view: a slider is of no use if what it moves is hidden.

  const sides = { left: document.getElementById("left"), right: document.getElementById("right") };
  const buttons = Object.fromEntries(
    [...document.querySelectorAll(".drawer-button")].map((button) => [
      button.dataset.drawer,
      button,
    ]),
  );

  const isOpen = (name) => sides[name].classList.contains("open");

  /** @param {'left'|'right'} name @param {boolean} open @param {boolean} [moveFocus] */
  function setDrawer(name, open, moveFocus = true) {
    if (open === isOpen(name)) return;
    if (open) setDrawer(name === "left" ? "right" : "left", false, false);
    sides[name].classList.toggle("open", open);
    buttons[name].setAttribute("aria-expanded", String(open));
    root.classList.toggle(`sheet`, isOpen("right"));
    const modal = isOpen("left");
    scrim.hidden = !modal;
    main.inert = modal;
    if (!moveFocus) return;
    if (open) sides[name].focus({ preventScroll: true });
    else buttons[name].focus({ preventScroll: true });
  }

  for (const [name, button] of Object.entries(buttons)) {
    button.addEventListener("click", () => setDrawer(name, !isOpen(name)));
    sides[name].querySelector(".close").addEventListener("click", () => setDrawer(name, false));
    sides[name].addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented && isOpen(name)) setDrawer(name, false);
    });
  }
  scrim.addEventListener("click", () => setDrawer("left", false));
  narrow.addEventListener("change", () => {
    setDrawer("left", false, false);
    setDrawer("right", false, false);
  });

  /** Scroll a cell into the strip that an open sheet leaves free. @param {HTMLElement} sheet */
  function liftAbove(sheet, path, i, j) {
    const cell = window.tinkerformer.rect(path, i, j);
    const top = document.querySelector(".top").offsetHeight;
    const bottom = innerHeight - sheet.offsetHeight;
    if (cell.y < top || cell.y + cell.height > bottom)
      scrollBy({ top: cell.y - (top + bottom) / 2 });
  }

  // What the page selects by itself, when it opens or another view is drawn, must not cover half of a phone.
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
    const { path, i, j } = event.detail ?? {};
    const same = path && chosen === `${path} ${i} ${j}`;
    chosen = path ? `${path} ${i} ${j}` : "";
    if (same) return;
    setDrawer("right", Boolean(path), false);
    // Out from under the sheet that has just opened over it.
    if (path)
      requestAnimationFrame(() => {
        if (window.tinkerformer.paths().includes(path)) liftAbove(sides.right, path, i, j);
      });
  });
  document.addEventListener("tinkerformer:focus-inspector", () => {
    if (narrow.matches) setDrawer("right", true, false);
  });
  // The map takes the reader elsewhere: out of the way with the drawer it is in.
  document.addEventListener("tinkerformer:goto", () => setDrawer("left", false, false));

  // The skip links of a closed drawer open it.
  for (const link of document.querySelectorAll(".skip a")) {
    link.addEventListener("click", (event) => {
      const name = link.hash.slice(1);
      event.preventDefault();
      if (narrow.matches && name in sides) setDrawer(name, true);
      else document.getElementById(name).focus();
    });
  }
})();
