/**
 * Shows an introduction, the button of the film, things to try and a legend. In a wide window, the
 * guide is beside the view, and the inspector replaces it during a selection. Otherwise it is one
 * line above the view, and the things to try are in a menu.
 */

import { announce } from "../../components/shared/announce.js";
import { nameOf, withNames } from "../../components/shared/cell_name.js";
import { asControl } from "../../components/shared/control.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { closeMenu, closeOnEscape } from "../../components/shared/menu.js";
import { onChange, untilRemoved } from "../../components/shared/model.js";
import { OneStop } from "../../components/shared/one_stop.js";
import { classes, drawn } from "../../components/shared/template.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 *
 * @typedef {"row" | "sign" | "link" | "weight" | "change"} Drawn
 * @typedef {{value: string, things: [name: string, label: string][],
 *   reading: [drawn: Drawn, text: string][], symbols: [symbols: string, meaning: string][],
 *   shared: boolean, film: string, run: "" | "pause" | "play"}} Properties
 */

const RUNS = { pause: "Pause", play: "Continue" };
const NARROW = "(max-width: 1099.98px)";

/**
 * Splits a text into the first sentence, which is enough on a phone, and the rest.
 * @param {string} text @returns {[string, string]}
 */
function split(text) {
  const [, first, rest] = /^(.+?[.!?])(\s.+)$/s.exec(text) ?? ["", text, ""];
  return [first, rest];
}

/** @param {Properties["reading"]} reading @param {Properties["symbols"]} symbols */
const legend = (reading, symbols) => html`<details class="reading">
  <summary>How to read it</summary>
  <dl class="legend">${reading.map(
    ([drawing, text]) => html`<dt class=${drawing} aria-hidden="true"
      ><i></i><i></i><i></i><i></i></dt><dd>${text}</dd>`,
  )}</dl>
  <dl class="symbols" ?hidden=${symbols.length === 0}>${symbols.map(
    ([names, meaning]) => html`<dt>${names.split(" ").map(nameOf)}</dt><dd>${meaning}</dd>`,
  )}</dl>
</details>`;

/**
 * The main button: plays the film, or pauses or continues a training run. It keeps its size.
 * @param {string} film what the film shows @param {Properties["run"]} run
 * @param {(name: string) => void} press
 */
function mainButton(film, run, press) {
  const [verb, ...rest] = film.split(" ");
  const words = html`▶ ${verb}<span class="film-rest"> ${rest.join(" ")}</span>`;
  if (!run)
    return html`<button type="button" class="film" ?hidden=${!film}
      @click=${() => announce("film")}>${words}</button>`;
  return html`<button type="button" class="film runs" @click=${() => press(run)}
    ><span aria-hidden="true">${words}</span><span>${RUNS[run]}</span></button>`;
}

/** @param {Component<Properties>} component */
export function render({ model }) {
  const narrow = matchMedia(NARROW);
  /** Whether the things to try are in a menu; a link's changes are shown without a menu. */
  const isMenu = () => narrow.matches && !model.shared;

  const { node, show: draw } = drawn(() => {
    const { shared, value, film, run, reading, symbols, things } = model;
    const [first, rest] = split(value);
    const inMenu = isMenu();
    return html`<section class="control tries" aria-label="Things to try"><div class=${classes(
      "all",
      shared && "shared",
    )}>
      <p class="line" title=${shared ? value : nothing}
        ><span class="title">${withNames(first)}</span><span class="rest">${withNames(rest)}</span
      ></p>
      ${shared ? nothing : mainButton(film, run, press)}
      <button type="button" class="toggle" popovertarget="guide-body" ?hidden=${!inMenu}
        ><span class="film-rest">Things to </span>try</button>
      <div id="guide-body" popover=${inMenu ? "auto" : nothing}>
        <h2 class="heading">${shared ? "What now" : "Things to try"}</h2>
        <ul role="list">${things.map(
          ([thing, label]) => html`<li><button type="button" class="button ${thing}"
            @click=${() => press(thing)}>${label}</button></li>`,
        )}</ul>
        ${legend(reading, symbols)}
      </div>
    </div></section>`;
  });

  /** @param {string} name of a thing to try */
  function press(name) {
    if (isMenu()) closeMenu(body, toggle);
    model.send_msg({ type: "press", name });
  }

  function show() {
    draw();
    // page.css places the guide depending on this attribute.
    document.documentElement.toggleAttribute("data-of-link", model.shared);
  }

  onChange(model, ["value", "things", "reading", "symbols", "shared", "film", "run"], show);
  const signal = untilRemoved(model);
  const body = /** @type {HTMLElement} */ (node.querySelector("#guide-body"));
  const toggle = /** @type {HTMLElement} */ (node.querySelector(".toggle"));
  const buttons = () => /** @type {HTMLElement[]} */ ([...body.querySelectorAll("li button")]);
  const focus = () => (isMenu() ? node.querySelector("button") : buttons()[0])?.focus();
  document.addEventListener("tinkerformer:focus-guide", focus, { signal });
  narrow.addEventListener("change", show, { signal });
  show();
  closeOnEscape(node, body, toggle);
  const unfold = /** @type {HTMLElement} */ (node.querySelector("summary"));
  new OneStop(body, "On the things to try", { way: "both", items: () => [...buttons(), unfold] });
  return asControl(model, node);
}
