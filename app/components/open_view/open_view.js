/**
 * Sets attributes of the page's root by the open room, view and drawer, for style sheets; sets the
 * title of the window; and keeps the scroll position of each view. Also reports the theme to
 * Python, because charts use its colors, and makes the tools of the first line one Tab stop.
 */

import { make } from "../shared/dom.js";
import { bindKeys } from "../shared/keys.js";
import { OneStop } from "../shared/one_stop.js";
import { isTyping } from "../shared/typing.js";

/**
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {{room: string, view: string, drawer: string, form: string, dark: boolean,
 *   title: string}} Properties
 */

const MAX_TRIES = 60;
const EXPLORE = "explore";
const PICTURE = "picture";
const FORMULAS = "formulas";
const IDEA = "idea:";

/**
 * Runs a function after the page has laid out a view that was hidden, once a frame until it returns
 * true.
 * @param {() => boolean} run
 */
function afterLayout(run, tries = MAX_TRIES) {
  requestAnimationFrame(() => {
    if (!run() && tries) afterLayout(run, tries - 1);
  });
}

/** Scrolls to the selected number; returns whether it is drawn. */
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

/** @param {{model: Model<Properties>}} component */
export function render({ model }) {
  const root = document.documentElement;
  /** The scroll position of each view. @type {Map<string, number>} */
  const places = new Map();
  /** Scrolls to a part of the view that is being opened; returns whether the part exists yet. */
  let goal = /** @type {(() => boolean) | null} */ (null);
  let isPressed = false; // whether the reader has pressed a pointer on the page
  let isOpened = false; // whether any view has been opened since the page was loaded
  let shown = model.view;

  const mark = () => {
    root.dataset.room = model.room;
    root.dataset.view = model.view;
    if (model.drawer) root.dataset.drawer = model.drawer;
    else delete root.dataset.drawer;
    document.dispatchEvent(new Event("tinkerformer:view"));
  };
  addEventListener(
    "pointerdown",
    () => {
      isPressed = true;
    },
    { capture: true },
  );
  /** The last focus of the picture for which the formulas were scrolled. */
  let led = "";
  const leave = () => {
    places.set(model.view, scrollY);
    if (model.view === PICTURE) goal = toFocus();
  };
  /** Scrolls the formulas to the focus of the picture; null if they were scrolled there before. */
  function toFocus() {
    const board = window.tinkerformer;
    const selected = board?.selection();
    const stage = board?.ready ? board.stageInFocus() : null;
    const focus = selected ? JSON.stringify(selected) : (stage ?? "");
    if (!focus || focus === led) return null;
    led = focus;
    return selected || !stage ? toSelection : () => board?.goto(stage) ?? false;
  }
  document.addEventListener("tinkerformer:leave-view", leave);

  const arrived = () => {
    mark();
    if (model.view === shown) return;
    shown = model.view;
    // A link or a reload scrolls to the selected number.
    const isRestored = !isOpened && !isPressed;
    const isLed = "lesson" in root.dataset;
    isOpened = true;
    // A lesson scrolls to the subject of its step a moment later.
    if (isLed) scrollTo({ top: 0, behavior: "instant" });
    if (isRestored || isLed) return;
    // The explanation of an idea is at the top.
    const place = model.view.startsWith(IDEA) ? 0 : (places.get(model.view) ?? 0);
    if (model.view !== FORMULAS) goal = null;
    afterLayout(() => {
      if (goal) {
        const isThere = goal();
        if (isThere) goal = null;
        return isThere;
      }
      scrollTo({ top: place, behavior: "instant" });
      return Math.abs(scrollY - place) < 2;
    });
  };

  /** @param {string} form */
  const open = (form) => {
    leave();
    isOpened = true;
    model.form = form;
  };
  document.addEventListener("tinkerformer:goto", (event) => {
    if (model.view === FORMULAS) return;
    const { id } = event.detail;
    open(FORMULAS);
    goal = () => window.tinkerformer?.goto(id) ?? false;
  });
  document.addEventListener("tinkerformer:idea", ({ detail }) => open(detail.view));
  const switchForm = (/** @type {KeyboardEvent} */ event) => {
    if (isTyping(event) || event.shiftKey) return false;
    if (model.room !== EXPLORE || root.dataset.embed !== undefined) return false;
    const isToFormulas = model.form === PICTURE;
    open(isToFormulas ? FORMULAS : PICTURE);
    return true;
  };
  const does = "from the picture to the formulas, and back";
  bindKeys(document, "Anywhere", [{ keys: ["F"], does, run: switchForm }]);
  const tools = document.querySelector(".tools");
  if (tools instanceof HTMLElement) new OneStop(tools, "In the first line");

  const sendTheme = () => {
    model.dark = root.dataset.theme === "dark";
  };
  document.addEventListener("tinkerformer:theme", sendTheme);
  sendTheme();
  // The view that a link opens may have arrived before this listener existed.
  document.addEventListener("tinkerformer:scenario", () => {
    if (root.dataset.view !== model.view) mark();
  });
  const entitle = () => {
    if (model.title) document.title = model.title;
  };
  model.on("title", entitle);
  entitle();
  for (const name of ["room", "view", "drawer"]) model.on(name, arrived);
  mark();
  return make("div", { hidden: true });
}
