/**
 * The tabs of the page's views. Also tells Python when the theme changes, because charts are drawn
 * with colors from Python.
 */

import { asControl } from "../shared/control.js";
import { make } from "../shared/dom.js";
import { TabList } from "../shared/tab_list.js";
import { MoreMenu } from "./more_menu.js";

/**
 * @import {Model} from "../shared/model.js"
 * @import {ControlProperties} from "../shared/control.js"
 * @import {TabLabels} from "../shared/tab_list.js"
 *
 * @typedef {ControlProperties & {tabs: TabLabels, rare: string[], value: string, dark: boolean}}
 *   Properties
 */

const MAX_TRIES = 60;
/** The view that contains the stages. */
const STAGES = "stages";

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

/** @param {{model: Model<Properties>}} component */
export function render({ model }) {
  /** The scroll position of each view. @type {Map<string, number>} */
  const places = new Map();
  /** @type {string | null} The stage to scroll to. */
  let goal = null;

  let isChosen = false; // whether a press opened the view
  let isOpened = false; // whether any view has been opened since the page was loaded
  /** @param {string} name */
  const choose = (name) => {
    isOpened = true;
    isChosen = true;
    places.set(model.value, scrollY);
    model.value = name;
  };
  const list = new TabList("Views", choose);
  const more = new MoreMenu((name) => {
    if (name !== model.value) choose(name);
  });
  // An invisible copy that measures the width of all tabs, so that the page can tell whether they
  // fit.
  const sizer = make("div", { class: "sizer tabs", "aria-hidden": "true" });
  const line = make("div", { class: "line" }, list.node, more.node);
  const node = make("div", { class: "control views" }, sizer, line);

  const usual = () => model.tabs.filter(([name]) => !model.rare.includes(name));

  /** How many of the usual tabs fit in the header. */
  const fitting = () => {
    const widths = [...sizer.children].map((item) => item.getBoundingClientRect().width);
    const available = node.clientWidth;
    const sum = (/** @type {number[]} */ some) => some.reduce((total, width) => total + width, 0);
    // The last tab is More, which is shown if its menu has entries.
    const rest = model.rare.length ? widths.length : widths.length - 1;
    // The page makes room by this width, however many tabs the header shows now.
    document.documentElement.dataset.viewsWidth = `${Math.ceil(sum(widths.slice(0, rest)))}`;
    if (sum(widths.slice(0, rest)) <= available + 1) return widths.length - 1;
    let count = widths.length - 2;
    while (count > 0 && sum([...widths.slice(0, count), widths[widths.length - 1]]) > available + 1)
      count -= 1;
    return count;
  };

  const lay = () => {
    const count = fitting();
    const inLine = usual().slice(0, count);
    const isInLine = (/** @type {string} */ name) => inLine.some(([other]) => other === name);
    list.show(inLine, model.value);
    more.show(
      model.tabs.filter(([name]) => !isInLine(name)),
      model.value,
    );
  };
  const show = () => {
    // The page's layout differs between views.
    document.documentElement.dataset.view = model.value;
    // More names its open view, so it is as wide as the longest rare view.
    const rare = model.tabs.filter(([name]) => model.rare.includes(name));
    const longest = ["More", ...rare.map(([, label]) => label)].reduce((a, b) =>
      b.length > a.length ? b : a,
    );
    const labels = [...usual().map(([, label]) => label), `${longest} ▾`];
    sizer.replaceChildren(...labels.map((label) => make("span", {}, label)));
    lay();
  };
  const arrived = () => {
    show();
    // A link or a reload scrolls to the selected number.
    const isRestored = !isOpened;
    const isLed = !isChosen && "lesson" in document.documentElement.dataset;
    isOpened = true;
    isChosen = false;
    // A lesson scrolls to what its step is about, a moment later.
    if (isLed) scrollTo({ top: 0, behavior: "instant" });
    if (isRestored || isLed) return;
    const place = places.get(model.value) ?? 0;
    afterLayout(() => {
      if (goal !== null) {
        const isOnTheWay = window.tinkerformer?.goto(goal) ?? false;
        if (isOnTheWay) goal = null;
        return isOnTheWay;
      }
      scrollTo({ top: place, behavior: "instant" });
      return Math.abs(scrollY - place) < 2;
    });
  };
  document.addEventListener("tinkerformer:goto", (event) => {
    if (model.value === STAGES) return;
    goal = event.detail?.id ?? null;
    list.open(STAGES);
  });

  const sendTheme = () => {
    model.dark = document.documentElement.dataset.theme === "dark";
  };
  document.addEventListener("tinkerformer:theme", sendTheme);
  sendTheme();

  // What a link opens may have arrived before this listener existed.
  document.addEventListener("tinkerformer:scenario", () => {
    if (document.documentElement.dataset.view !== model.value) show();
  });
  model.on("tabs", show);
  model.on("value", arrived);
  let available = -1;
  new ResizeObserver(() => {
    if (node.clientWidth === available) return;
    available = node.clientWidth;
    lay();
  }).observe(node);
  show();
  // The list is labeled by the tabs themselves; while disabled none of them can be pressed.
  asControl(model, list.node);
  const lock = () => {
    node.inert = model.disabled;
  };
  model.on("disabled", lock);
  lock();
  return node;
}
