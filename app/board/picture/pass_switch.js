/**
 * A switch between the forward pass, which shows values, and the backward pass, which shows the
 * gradients from the loss to the inputs.
 */

import { setAttribute } from "../../components/shared/dom.js";
import { bindKeys } from "../../components/shared/keys.js";
import { html } from "../../components/shared/lit-html.js";
import { drawn } from "../../components/shared/template.js";
import { isTyping } from "../../components/shared/typing.js";

/** @import {Plane, Send} from "../data/types.js" */

export class PassSwitch {
  /**
   * @param {Send} send @param {() => boolean} isThere whether a picture is shown
   * @param {AbortSignal} signal removes the shortcut
   */
  constructor(send, isThere, signal) {
    this.send = send;
    this.plane = /** @type {Plane} */ ("value");
    this.el = drawn(
      () => html`<button type="button" class="pass-switch" aria-pressed="false"
        title="From the loss back to the inputs: gradients instead of values (B)"
        @click=${() => this.turn()}>Backward</button>`,
    ).node;
    const press = (/** @type {Event} */ event) => {
      if (isTyping(event)) return false;
      this.turn();
      return true;
    };
    const does = "back from the loss, as gradients; and forward again";
    bindKeys(document, "Anywhere", [{ keys: ["B"], does, when: isThere, run: press }], { signal });
  }

  /** @param {Plane} plane the plane that cells show */
  show(plane) {
    this.plane = plane;
    setAttribute(this.el, "aria-pressed", String(plane === "gradient"));
  }

  turn() {
    const value = this.plane === "gradient" ? "value" : "gradient";
    this.send({ type: "plane", value }).catch(() => {}); // Python shows the reason
  }
}
