/** Tabs in the ARIA pattern: one Tab stop; arrow keys move between tabs and open them. */

import { bindKeys } from "./keys.js";
import { html, nothing } from "./lit-html.js";
import { drawn } from "./template.js";

/** @typedef {readonly [name: string, label: string][]} TabLabels */

export class TabList {
  /**
   * @param {string} label of the whole list @param {(name: string) => void} choose opens a tab
   * @param {() => void} [again] called when the chosen tab is pressed
   */
  constructor(label, choose, again = () => {}) {
    this.choose = choose;
    this.again = again;
    this.tabs = /** @type {TabLabels} */ ([]);
    this.chosen = "";
    this.busy = ""; // the name of a tab that is computing, whether open or not
    const { node, show } = drawn(
      () => html`<div class="control tabs" role="tablist" aria-label=${label}
        >${this.tabs.map(([name, text]) => this.tab(name, text))}</div>`,
    );
    this.node = node;
    this.draw = show;
    const keys = ["ArrowLeft", "ArrowRight", "Home", "End"];
    const run = (/** @type {KeyboardEvent} */ event) => this.pressed(event);
    bindKeys(this.node, `In the tabs “${label}”`, [{ keys, does: "opens another one", run }]);
  }

  /** @param {TabLabels} tabs @param {string} chosen @param {string} [busy] see `this.busy` */
  show(tabs, chosen, busy = "") {
    Object.assign(this, { tabs, chosen, busy });
    const isFocused = this.node.matches(":focus-within");
    this.draw();
    const open = this.node.querySelector("[aria-selected=true]");
    if (isFocused && open instanceof HTMLElement) open.focus();
  }

  /** @param {string} name @param {string} label */
  tab(name, label) {
    const { tabs, chosen } = this;
    // If none of these tabs is open, the first tab is the Tab stop.
    const stop = tabs.some(([each]) => each === chosen) ? chosen : tabs[0][0];
    return html`<button type="button" role="tab" aria-selected=${name === chosen}
      tabindex=${name === stop ? 0 : -1} class=${name === this.busy ? "busy" : ""}
      title=${name === this.busy ? "Running" : nothing}
      @click=${() => (name === chosen ? this.again() : this.open(name))}>${label}</button>`;
  }

  /** @param {string} name */
  open(name) {
    if (name !== this.chosen) this.choose(name);
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const names = this.tabs.map(([name]) => name);
    const at = names.indexOf(this.chosen);
    /** @type {Record<string, string | undefined>} */
    const next = {
      ArrowRight: names[(at + 1) % names.length],
      ArrowLeft: names.at(Math.max(at, 0) - 1),
      Home: names[0],
      End: names.at(-1),
    };
    const name = next[event.key];
    if (name === undefined) return false;
    this.open(name);
    return true;
  }
}
