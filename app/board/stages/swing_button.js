/** A button that starts an oscillation of the selected number, for pages without an inspector. */

import { isEmbedded } from "../../components/shared/address.js";
import { make, setText } from "../../components/shared/dom.js";

/** @import {CellOf} from "../data/types.js" */

export class SwingButton {
  /**
   * @param {object} of @param {() => boolean} of.isOn whether a number oscillates
   * @param {(on: boolean) => void} of.ask @param {(cell: CellOf) => boolean} of.canSwing
   */
  constructor({ isOn, ask, canSwing }) {
    this.canSwing = canSwing;
    this.selected = /** @type {CellOf | null} */ (null);
    const press = () => ask(!isOn());
    this.el = make("button", { type: "button", class: "followed", onclick: press }, "Oscillate");
    const hasInspector = document.documentElement.dataset.embed?.split(" ").includes("inspector");
    this.isWanted = isEmbedded() && !hasInspector;
    this.el.hidden = true;
    this.listening = new AbortController();
    document.addEventListener(
      "tinkerformer:orbit",
      ({ detail }) => setText(this.el, detail.on ? "Stop" : "Oscillate"),
      { signal: this.listening.signal },
    );
    document.addEventListener("tinkerformer:selection", ({ detail }) => this.show(detail), {
      signal: this.listening.signal,
    });
  }

  /** @param {CellOf | null} selected */
  show(selected) {
    this.el.hidden = !this.isWanted || !selected || !this.canSwing(selected);
  }

  remove() {
    this.listening.abort();
  }
}
