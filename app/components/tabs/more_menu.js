/** The menu of the tabs that do not fit in their row. */

import { bindKeys } from "../shared/keys.js";
import { html } from "../shared/lit-html.js";
import { FromTemplate } from "../shared/template.js";

/** @import {TabLabels} from "../shared/tab_list.js" */

export class MoreMenu extends FromTemplate {
  /**
   * @param {string} label of the button @param {string} of the label of the row of tabs
   * @param {(name: string) => void} choose opens a tab
   */
  constructor(label, of, choose) {
    super();
    this.label = label;
    this.of = of.toLowerCase();
    this.choose = choose;
    this.tabs = /** @type {TabLabels} */ ([]);
    this.chosen = "";
    this.rare = /** @type {readonly string[]} */ ([]);
    this.button = /** @type {HTMLButtonElement} */ (this.node.querySelector(".more"));
    this.list = /** @type {HTMLElement} */ (this.node.querySelector(".menu"));
    const open = () => this.list.showPopover();
    bindKeys(this.button, "On a menu", [{ keys: ["ArrowDown"], does: "opens it", run: open }]);
    const run = (/** @type {KeyboardEvent} */ event) => this.pressed(event);
    bindKeys(this.list, "In a menu", [
      { keys: ["ArrowUp", "ArrowDown", "Home", "End"], does: "another entry", run },
      { keys: ["Escape"], does: "closes it", run: () => this.close() },
    ]);
    this.list.addEventListener("focusout", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && this.list.contains(relatedTarget)))
        this.list.hidePopover();
    });
  }

  /**
   * @param {TabLabels} tabs in the menu @param {string} chosen
   * @param {readonly string[]} rare the tabs that are always in the menu; if one of them is
   *   chosen, the button still shows `label`, not the name of that tab
   */
  show(tabs, chosen, rare) {
    Object.assign(this, { tabs, chosen, rare });
    this.draw();
  }

  template() {
    const { tabs, chosen, rare } = this;
    const isHere = tabs.find(([name]) => name === chosen);
    const of = `More ${this.of}`;
    const text = isHere && !rare.includes(chosen) ? isHere[1] : this.label;
    const choose = (/** @type {string} */ name) => () => {
      this.close();
      this.choose(name);
    };
    return html`<div class="more-box" ?hidden=${tabs.length === 0}><button type="button"
      class=${isHere ? "more chosen" : "more"} aria-haspopup="menu" popovertarget="more"
      aria-label=${isHere ? `${of}, now ${isHere[1]}` : of}
      ><span>${text}</span><span aria-hidden="true"> ▾</span></button><div class="menu" id="more"
      popover role="menu" aria-label=${of}>${tabs.map(
        ([name, label], at) => html`<button type="button" role="menuitemradio" tabindex="-1"
          ?autofocus=${at === 0} aria-checked=${name === chosen} @click=${choose(name)}
          >${label}</button>`,
      )}</div></div>`;
  }

  close() {
    this.list.hidePopover();
    this.button.focus();
  }

  get items() {
    return [...this.list.children].filter((item) => item instanceof HTMLElement);
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const { items } = this;
    const at = items.findIndex((item) => item.matches(":focus"));
    /** @type {Record<string, HTMLElement | undefined>} */
    const goals = {
      ArrowDown: items[(at + 1) % items.length],
      ArrowUp: items.at(at - 1),
      Home: items[0],
      End: items.at(-1),
    };
    goals[event.key]?.focus();
  }
}
