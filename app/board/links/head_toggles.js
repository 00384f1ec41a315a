/**
 * Buttons that show or hide heads. A double click, or Shift+Enter, shows only one head; a second
 * one shows all heads again.
 */

import { bindKeys } from "../../components/shared/keys.js";
import { html } from "../../components/shared/lit-html.js";
import { drawn } from "../../components/shared/template.js";
import { HEAD_COLORS } from "../paint/color.js";

export class HeadToggles {
  /** @param {number[]} heads @param {() => void} changed */
  constructor(heads, changed) {
    this.heads = heads;
    this.changed = changed;
    this.on = new Set(heads);
    const { node, show } = drawn(
      () => html`<div class="swatches" role="group" aria-label="Heads to show"
        ?hidden=${heads.length < 2}>${heads.map(
          (head) => html`<button type="button" style="--head: ${headVariable(head)}"
            title="Pressed twice, or Shift+Enter: only this head, or all again"
            aria-pressed=${this.on.has(head)} @click=${() => this.toggle(head)}
            @dblclick=${() => this.alone(head)}><i></i>head ${head + 1}</button>`,
        )}<span class="hint">double-click: only this head</span></div>`,
    );
    this.el = node;
    this.show = show;
    [...node.querySelectorAll("button")].forEach((button, k) => {
      const does = "only this head, or all again";
      const run = () => this.alone(heads[k]);
      bindKeys(button, "On a head", [{ keys: ["Shift+Enter"], does, run }]);
    });
  }

  /** @param {number} head */
  toggle(head) {
    const on = new Set(this.on);
    if (!on.delete(head)) on.add(head);
    this.set(on);
  }

  /** @param {number} head */
  alone(head) {
    this.set(new Set(this.on.size === 1 && this.on.has(head) ? this.heads : [head]));
  }

  /** @param {Set<number>} on */
  set(on) {
    this.on = on;
    this.show();
    this.changed();
  }
}

/** The custom property with the color of a head. @param {number} head */
export const headVariable = (head) => `var(--head-${(head % HEAD_COLORS) + 1})`;
