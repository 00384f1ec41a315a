/**
 * The views of the page, as tabs. Charts are drawn with colors that the server puts in, so it also
 * hears when the theme changes.
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
/** The view that stages are in. */
const STAGES = "stages";

/**
 * Run once the page has laid out what was hidden: until it says true, for some frames.
 * @param {() => boolean} run
 */
function afterLayout(run, tries = MAX_TRIES) {
  requestAnimationFrame(() => {
    if (!run() && tries) afterLayout(run, tries - 1);
  });
}

/** @param {{model: Model<Properties>}} component */
export function render({ model }) {
  /** Where the reader was in each view. @type {Map<string, number>} */
  const places = new Map();
  /** @type {string | null} A stage that is to be gone to. */
  let goal = null;

  let isChosen = false; // whether it was a press that opened the view
  let isOpened = false; // whether any view has been opened since the page was
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
  // What all tabs would take: the page sees by it whether they have to make do with less.
  const sizer = make("div", { class: "sizer tabs", "aria-hidden": "true" });
  const line = make("div", { class: "line" }, list.node, more.node);
  const node = make("div", { class: "control views" }, sizer, line);

  const usual = () => model.tabs.filter(([name]) => !model.rare.includes(name));

  /** How many of the usual tabs stand in the line. */
  const fitting = () => {
    const widths = [...sizer.children].map((item) => item.getBoundingClientRect().width);
    const room = node.clientWidth;
    const sum = (/** @type {number[]} */ some) => some.reduce((total, width) => total + width, 0);
    // The last one is More, which stands there if anything is in it.
    const rest = model.rare.length ? widths.length : widths.length - 1;
    // The page makes room for them by it, however many stand in the line now.
    document.documentElement.dataset.viewsWidth = `${Math.ceil(sum(widths.slice(0, rest)))}`;
    if (sum(widths.slice(0, rest)) <= room + 1) return widths.length - 1;
    let count = widths.length - 2;
    while (count > 0 && sum([...widths.slice(0, count), widths[widths.length - 1]]) > room + 1)
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
    // The frame of the page is not the same in every view.
    document.documentElement.dataset.view = model.value;
    // More says which of its views is open: it has room for the longest of the rare ones.
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
    // What a link or a reload opens scrolls to the number that is selected there.
    const isRestored = !isOpened;
    const isLed = !isChosen && "lesson" in document.documentElement.dataset;
    isOpened = true;
    isChosen = false;
    // A lesson takes the reader to where its step looks, a moment later.
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

  // What a link or the address opens may have come before there was anybody to hear of it.
  document.addEventListener("tinkerformer:scenario", () => {
    if (document.documentElement.dataset.view !== model.value) show();
  });
  model.on("tabs", show);
  model.on("value", arrived);
  let room = -1;
  new ResizeObserver(() => {
    if (node.clientWidth === room) return;
    room = node.clientWidth;
    lay();
  }).observe(node);
  show();
  // Its name is that of the tabs; nothing of the line can be pressed while it is disabled.
  asControl(model, list.node);
  const lock = () => {
    node.inert = model.disabled;
  };
  model.on("disabled", lock);
  lock();
  return node;
}
