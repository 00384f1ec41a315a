/**
 * Names the plane that the board shows in place of values, with a button back to the values and
 * the plane's largest cells. For gradients, also takes steps of gradient descent.
 */

import { announce } from "../../components/shared/announce.js";
import { nameOf } from "../../components/shared/cell_name.js";
import { html } from "../../components/shared/lit-html.js";
import { shortText } from "../../components/shared/number_format.js";
import { classes, drawnFrom } from "../../components/shared/template.js";
import { DescentStep } from "./descent_step.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 * @import {RateField, Taught} from "./descent_step.js"
 *
 * @typedef {object} LargestCell see plane.py
 * @property {string} what @property {string} path @property {number} i @property {number} j
 * @property {string} name @property {string} place @property {string} where
 * @property {number} value
 *
 * @typedef {{value: string, meaning: string, cells: LargestCell[], nothing: string,
 *   rate: RateField | null, stepped: string[], swings: boolean} & Taught} Properties
 */

const NAMES = [
  ...["value", "meaning", "cells", "nothing", "rate", "stepped", "right", "known"],
  ...["teaches", "can_write", "problem", "swings"],
];

/** @param {Component<Properties>} component */
export function render({ model }) {
  const step = new DescentStep((message) => model.send_msg(message));
  const node = drawnFrom(model, NAMES, () => {
    const { value, meaning, cells, right, stepped, swings } = model;
    const teaches = stepped.length > 0 || right.some(({ writes }) => writes);
    const kinds = classes(teaches && "teaches-words", right.length > 0 && "has-words");
    step.show(model.rate, model, stepped, model.problem);
    return html`<section class="control plane-line ${kinds}"
      aria-label="What is shown in place of values">
      <strong class="plane-badge">${value}</strong>
      <button type="button" class="button"
        @click=${() => model.send_msg({ type: "back" })}>Back to values</button>
      <p class="plane-meaning" ?hidden=${!meaning}>${meaning}</p>
      ${step.node}
      <ul role="list" class="plane-cells${swings ? " is-outdated" : ""}">
        ${cells.map((cell) => largest(cell, swings, () => model.send_msg({ type: "go" })))}
      </ul>
      <span class="plane-nothing">${cells.length ? "" : model.nothing}</span>
    </section>`;
  });
  // The line may be a card over the board, which keeps content clear of the card.
  const root = document.documentElement;
  const seen = new ResizeObserver(() => {
    // See areas.js, and page.css for its height.
    if (node.offsetHeight) root.dataset.plane = model.rate ? "steps" : "cells";
    else root.removeAttribute("data-plane");
    announce("card", node);
  });
  seen.observe(node);
  model.on("remove", () => {
    seen.disconnect();
    root.removeAttribute("data-plane");
  });
  return node;
}

/**
 * Returns a button to a large cell. While a number oscillates, it is the largest cell at rest.
 * @param {LargestCell} cell @param {boolean} swings @param {() => void} go
 */
function largest({ what, name, place, where, path, i, j, value }, swings, go) {
  const number = shortText(value);
  const all = `${name} = ${number}: ${place}, ${where}`;
  const press = () => {
    go();
    window.tinkerformer?.show(path, i, j);
  };
  return html`<li>
    <span class="plane-what">${what}${swings ? ", at rest" : ""}:</span>
    <button type="button" class="button" title="${all}. Go there."
      aria-label="${what}: ${all}. Go there." @click=${press}
      ><span class="plane-name">${nameOf(name)}</span><span class="plane-number">${number}</span
      ><span class="plane-place">${place}</span></button>
  </li>`;
}
