/**
 * Sets attributes of the root element to the open room, view and drawer, for style sheets. Also
 * sets the window's title, opens the views that other components request, reports the theme, whose
 * colors charts use, to Python, and makes the tools of the first line one Tab stop.
 */

import { make } from "../shared/dom.js";
import { bindKeys } from "../shared/keys.js";
import { OneStop } from "../shared/one_stop.js";
import { isTyping } from "../shared/typing.js";
import { FORMULAS, PICTURE, ViewScroll } from "./view_scroll.js";

/**
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {{room: string, view: string, drawer: string, form: string, dark: boolean,
 *   title: string, sentences: number, unit: string}} Properties
 */

const EXPLORE = "explore";

/** @param {{model: Model<Properties>}} component */
export function render({ model }) {
  const { dataset } = document.documentElement;
  const mark = () => {
    dataset.room = model.room;
    dataset.view = model.view;
    if (model.drawer) dataset.drawer = model.drawer;
    else delete dataset.drawer;
    document.dispatchEvent(new Event("tinkerformer:view"));
  };
  openForms(model, mark);
  const tools = document.querySelector(".tools");
  if (tools instanceof HTMLElement) new OneStop(tools, "In the first line");

  const sendTheme = () => {
    model.dark = dataset.theme === "dark";
  };
  document.addEventListener("tinkerformer:theme", sendTheme);
  sendTheme();
  // A link may have changed the view before this module observed changes.
  document.addEventListener("tinkerformer:scenario", () => {
    if (dataset.view !== model.view) mark();
  });
  const entitle = () => {
    if (model.title) document.title = model.title;
  };
  model.on("title", entitle);
  entitle();
  const count = () => {
    dataset.sentences = String(model.sentences);
    dataset.unit = model.unit;
  };
  model.on("sentences", count);
  model.on("unit", count);
  count();
  mark();
  return make("div", { hidden: true });
}

/**
 * Opens the form of the model (picture, formulas, an idea) requested by an event or the key F.
 * @param {Model<Properties>} model @param {() => void} mark sets the attributes of the root element
 */
function openForms(model, mark) {
  const scroll = new ViewScroll(model.view);
  for (const name of ["room", "view", "drawer"])
    model.on(name, () => {
      mark();
      scroll.arrive(model.view);
    });
  document.addEventListener("tinkerformer:leave-view", () => scroll.leave());

  /** @param {string} form @param {() => boolean} [goal] scrolls to a part of the form */
  const open = (form, goal) => {
    scroll.leaveFor(goal);
    model.form = form;
  };
  document.addEventListener("tinkerformer:goto", ({ detail: { id } }) => {
    if (model.view !== FORMULAS) open(FORMULAS, () => window.tinkerformer?.goto(id) ?? false);
  });
  document.addEventListener("tinkerformer:idea", ({ detail }) => open(detail.view));
  const switchForm = (/** @type {KeyboardEvent} */ event) => {
    if (isTyping(event) || event.shiftKey) return false;
    if (model.room !== EXPLORE || document.documentElement.dataset.embed !== undefined)
      return false;
    open(model.form === PICTURE ? FORMULAS : PICTURE);
    return true;
  };
  const does = "from the picture to the formulas, and back";
  bindKeys(document, "Anywhere", [{ keys: ["F"], does, run: switchForm }]);
}
