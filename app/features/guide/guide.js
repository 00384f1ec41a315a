/**
 * Shows an introduction, things to try and a legend. In a wide window, the guide is beside the
 * view, and the inspector replaces it during a selection. Otherwise it is a line above the view,
 * which the user or a selection folds to its title; in a low window, it starts folded. On a phone
 * it is two buttons beside the forms of the model, of which the second opens the things to try.
 */

import { announce } from "../../components/shared/announce.js";
import { nameOf, withNames } from "../../components/shared/cell_name.js";
import { asControl } from "../../components/shared/control.js";
import { bindKeys } from "../../components/shared/keys.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { onChange, untilRemoved } from "../../components/shared/model.js";
import { OneStop } from "../../components/shared/one_stop.js";
import { classes, drawn } from "../../components/shared/template.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 *
 * @typedef {"row" | "sign" | "link" | "weight" | "change"} Drawn
 * @typedef {{value: string, things: [name: string, label: string][],
 *   reading: [drawn: Drawn, text: string][], symbols: [symbols: string, meaning: string][],
 *   shared: boolean, film: string}} Properties
 */

const KEY = "tinkerformer-guide";
const NARROW = "(max-width: 1099.98px)";
const LOW = "(max-width: 1099.98px) and (max-height: 559.98px)";
const PHONE = "(max-width: 599.98px) and (min-height: 560px)";

/** Returns whether the user has left the guide open in this browser; null if never changed. */
function kept() {
  try {
    const found = localStorage.getItem(KEY);
    return found === "open" || found === "away" ? found === "open" : null;
  } catch {
    return null; // storage denied
  }
}

/** @param {boolean} open */
function keep(open) {
  try {
    localStorage.setItem(KEY, open ? "open" : "away");
  } catch {
    /* not remembered */
  }
}

/** Determines whether the guide is open, from the window, a shared link and the user. */
class Fold {
  /** @param {Properties} model */
  constructor(model) {
    this.model = model;
    this.low = matchMedia(LOW);
    this.narrow = matchMedia(NARROW);
    this.phone = matchMedia(PHONE);
    this.chosen = kept();
    this.isOpenInLow = false;
    this.isSharedOpen = true; // open at first: the user has not yet seen what the link changed
  }

  /** Whether the things to try are in a menu. */
  get isMenu() {
    return this.phone.matches && !this.model.shared;
  }

  get isOpen() {
    if (!this.narrow.matches) return true;
    if (this.model.shared) return this.isSharedOpen;
    return this.low.matches ? this.isOpenInLow : (this.chosen ?? true);
  }

  toggle() {
    const open = !this.isOpen;
    if (this.model.shared) this.isSharedOpen = open;
    else if (this.low.matches) this.isOpenInLow = open;
    else {
      this.chosen = open;
      keep(open);
    }
  }
}

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

/** @param {string} film what it shows @param {boolean} isHidden */
function filmButton(film, isHidden) {
  const [verb, ...rest] = film.split(" ");
  return html`<button type="button" class="film" ?hidden=${isHidden || !film}
    @click=${() => announce("film")}>▶ ${verb}<span
    class="film-rest"> ${rest.join(" ")}</span></button>`;
}

/** Opens the things to try as a menu. */
const menuButton = () => html`<button type="button" class="toggle" popovertarget="guide-body"
  >Try</button>`;

/** @param {Fold} fold @param {() => void} toggle */
const foldButton = (fold, toggle) => html`<button type="button" class="toggle"
  aria-controls="guide-body" aria-expanded=${fold.isOpen} @click=${toggle}
  >${fold.model.shared ? "Shared with you" : "Things to try"}</button>`;

/** @param {Component<Properties>} component */
export function render({ model }) {
  const fold = new Fold(model);
  const toggle = () => {
    fold.toggle();
    show();
  };

  const { node, show: draw } = drawn(() => {
    const { shared, value, film, reading, symbols, things } = model;
    const [first, rest] = split(value);
    const { isMenu } = fold;
    const button = filmButton(film, shared);
    return html`<section class="control tries" aria-label="Things to try"><div class=${classes(
      "folding",
      isMenu && "as-menu",
    )}>
      ${isMenu ? button : nothing}${isMenu ? menuButton() : foldButton(fold, toggle)}
      <div id="guide-body" class=${shared ? "shared" : ""} popover=${isMenu ? "auto" : nothing}
        ?hidden=${!isMenu && !fold.isOpen}>
        <p class="line" title=${shared ? value : nothing}
          ><span class="title">${withNames(first)}</span><span class="rest">${withNames(rest)}</span
        ></p>
        ${isMenu ? nothing : button}
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
    if (fold.isMenu) body.hidePopover();
    model.send_msg({ type: "press", name });
  }

  function show() {
    draw();
    // page.css places the guide depending on this attribute.
    document.documentElement.toggleAttribute("data-of-link", model.shared);
  }

  onChange(model, ["value", "things", "reading", "symbols", "shared", "film"], show);
  const signal = untilRemoved(model);
  const body = /** @type {HTMLElement} */ (node.querySelector("#guide-body"));
  const buttons = () => /** @type {HTMLElement[]} */ ([...body.querySelectorAll("li button")]);
  // While the guide is folded, focus the button that unfolds it.
  const isOpen = () => fold.isOpen && !fold.isMenu;
  const focus = () => (isOpen() ? buttons()[0] : node.querySelector("button"))?.focus();
  document.addEventListener("tinkerformer:focus-guide", focus, { signal });
  for (const each of [fold.low, fold.narrow, fold.phone])
    each.addEventListener("change", show, { signal });
  show();
  const isShown = () => body.matches(":popover-open");
  const run = () => body.hidePopover();
  bindKeys(node, "In a menu", [{ keys: ["Escape"], does: "closes it", when: isShown, run }]);
  const unfold = /** @type {HTMLElement} */ (node.querySelector("summary"));
  new OneStop(body, "On the things to try", { way: "both", items: () => [...buttons(), unfold] });
  return asControl(model, node);
}
