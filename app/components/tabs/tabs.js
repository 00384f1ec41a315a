/**
 * The views of the page, as tabs. Charts are drawn with colors that the server puts in, so it also
 * hears when the theme changes.
 */

import { asControl } from "../shared/control.js";
import { TabList } from "../shared/tab_list.js";

/**
 * @import {Model} from "../shared/model.js"
 * @import {ControlProperties} from "../shared/control.js"
 * @import {TabLabels} from "../shared/tab_list.js"
 *
 * @typedef {ControlProperties & {tabs: TabLabels, value: string, dark: boolean}} Properties
 */

const MAX_TRIES = 60;

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
  /** @type {string | null} A stage that the map leads to; stages are in the first view. */
  let goal = null;

  const list = new TabList("Views", (name) => {
    places.set(model.value, scrollY);
    model.value = name;
  });
  const show = () => {
    // The frame of the page is not the same in every view.
    document.documentElement.dataset.view = model.value;
    list.show(model.tabs, model.value);
  };
  const arrived = () => {
    show();
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
    const [first] = model.tabs[0];
    if (model.value === first) return;
    goal = event.detail?.id ?? null;
    list.open(first);
  });

  const sendTheme = () => {
    model.dark = document.documentElement.dataset.theme === "dark";
  };
  document.addEventListener("tinkerformer:theme", sendTheme);
  sendTheme();

  model.on("tabs", show);
  model.on("value", arrived);
  show();
  return asControl(model, list.node);
}
