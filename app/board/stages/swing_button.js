/** A button that starts an oscillation of the selected number, for pages without an inspector. */

import { isEmbedded } from "../../components/shared/address.js";
import { make, setText } from "../../components/shared/dom.js";

/** @import {CellOf} from "../data/types.js" */

/**
 * @param {{isOn: () => boolean, ask: (on: boolean) => void, canSwing: (cell: CellOf) =>
 *   boolean}} of
 * @param {AbortSignal} signal removes the listeners
 */
export function swingButton({ isOn, ask, canSwing }, signal) {
  const onclick = () => ask(!isOn());
  const el = make(
    "button",
    { type: "button", class: "followed", hidden: true, onclick },
    "Oscillate",
  );
  const hasInspector = document.documentElement.dataset.embed?.split(" ").includes("inspector");
  const isWanted = isEmbedded() && !hasInspector;
  /** @param {{detail: {on: boolean}}} event */
  const show = ({ detail }) => setText(el, detail.on ? "Stop" : "Oscillate");
  document.addEventListener("tinkerformer:orbit", show, { signal });
  /** @param {{detail: CellOf | null}} event */
  const select = ({ detail }) => {
    el.hidden = !isWanted || !detail || !canSwing(detail);
  };
  document.addEventListener("tinkerformer:selection", select, { signal });
  return el;
}
