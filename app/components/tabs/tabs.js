/** A row of tabs; those that do not fit are in a menu. */

import { announce } from "../shared/announce.js";
import { asControl } from "../shared/control.js";
import { html } from "../shared/lit-html.js";
import { TabList } from "../shared/tab_list.js";
import { drawn } from "../shared/template.js";
import { MoreMenu } from "./more_menu.js";

/**
 * @import {Model} from "../shared/model.js"
 * @import {ControlProperties} from "../shared/control.js"
 * @import {TabLabels} from "../shared/tab_list.js"
 *
 * @typedef {ControlProperties & {
 *   tabs: TabLabels, rare: string[], more: string, of: string, value: string, busy: string
 * }} Properties
 */

/** @param {{model: Model<Properties>}} component */
export function render({ model }) {
  /** @param {string} name */
  const choose = (name) => {
    if (name === model.value) return;
    announce("leave-view");
    model.value = name;
  };
  const list = new TabList(model.label, choose, () => model.send_msg({ type: "again" }));
  const more = new MoreMenu(model.more, model.label, choose);
  const usual = () => model.tabs.filter(([name]) => !model.rare.includes(name));
  // An invisible copy of all tabs measures their width, which determines how many fit.
  const { node, show: draw } = drawn(
    () => html`<div class="control views"><div class="sizer tabs" aria-hidden="true"
      >${[...usual().map(([, label]) => label), `${model.more} ▾`].map(
        (label) => html`<span>${label}</span>`,
      )}</div><div class="line">${list.node}${more.node}</div></div>`,
  );
  const sizer = /** @type {HTMLElement} */ (node.firstElementChild);

  // Measure again after each change of size: the width is 0 until the tabs are shown.
  let measured = "";
  const sizes = new ResizeObserver(() => {
    const now = `${node.clientWidth} ${sizer.scrollWidth}`;
    if (now === measured) return;
    measured = now;
    lay();
  });

  const lay = () => {
    const { wanted, count } = fitting(sizer, node.clientWidth, model.rare.length > 0);
    if (wanted) {
      // The page reserves this width, regardless of the number of tabs shown now.
      document.documentElement.setAttribute(`data-${model.of}-width`, `${wanted}`);
      node.style.setProperty("--wanted", `${wanted}px`);
    }
    let shown = count;
    divide(shown);
    // The menu's button shows the name of a chosen tab in it, which may be longer than its label.
    const line = /** @type {HTMLElement} */ (node.lastElementChild);
    while (shown > 0 && line.scrollWidth > line.clientWidth + 1) divide(--shown);
  };
  /** @param {number} count of the tabs in the line; the others are in the menu */
  const divide = (count) => {
    const inLine = usual().slice(0, count);
    const isInLine = (/** @type {string} */ name) => inLine.some(([other]) => other === name);
    list.show(inLine, model.value, model.busy);
    more.show(
      model.tabs.filter(([name]) => !isInLine(name)),
      model.value,
      model.rare,
    );
  };
  const show = () => {
    draw();
    sizes.disconnect();
    for (const each of [node, ...sizer.children]) sizes.observe(each);
    lay();
  };
  for (const name of ["tabs", "value", "busy"]) model.on(name, show);
  show();
  // The label belongs to the list of tabs; while disabled, the More menu cannot be pressed, either.
  asControl(model, list.node);
  const lock = () => {
    node.inert = model.disabled;
  };
  model.on("disabled", lock);
  lock();
  return node;
}

/**
 * @param {Element} sizer contains all tabs except rare tabs, followed by the More button
 * @param {number} available CSS px @param {boolean} hasRare whether there are rare tabs
 * @returns {{wanted: number, count: number}} the width of all these tabs, in whole CSS px, and the
 *   number of tabs that fit
 */
function fitting(sizer, available, hasRare) {
  const widths = [...sizer.children].map((item) => item.getBoundingClientRect().width);
  const sum = (/** @type {number[]} */ some) => some.reduce((total, width) => total + width, 0);
  const more = widths[widths.length - 1];
  const wanted = sum(hasRare ? widths : widths.slice(0, -1));
  if (!wanted) return { wanted, count: 0 }; // the tabs are not shown
  let count = widths.length - 1;
  if (wanted > available + 1) {
    count -= 1;
    while (count > 0 && sum([...widths.slice(0, count), more]) > available + 1) count -= 1;
  }
  return { wanted: Math.ceil(wanted), count };
}
