/** Renders lit-html templates; their elements stay when values change. */

import { asControl } from "./control.js";
import { html, render as renderIn } from "./lit-html.js";
import { onChange } from "./model.js";

/**
 * @import {ControlProperties} from "./control.js"
 * @import {TemplateResult} from "./lit-html.js"
 * @import {Model} from "./model.js"
 */

/**
 * Creates the only root element of a template.
 * @template {HTMLElement | SVGElement} [Root=HTMLElement]
 * @param {() => TemplateResult} template
 * @returns {{node: Root, show: () => void}} the element, which stays, and a function that renders
 *   the template again
 */
export function drawn(template) {
  const place = document.createDocumentFragment();
  const show = () => {
    renderIn(template(), place);
  };
  show();
  return { node: /** @type {Root} */ (place.firstElementChild), show };
}

/** A base class for objects drawn by a template with one root element, which is never replaced. */
export class FromTemplate {
  #place = document.createDocumentFragment();
  #node = /** @type {HTMLElement | null} */ (null);

  /** @returns {TemplateResult} */
  template() {
    throw new Error("A subclass must define template().");
  }

  /** Renders the template, for the first time or again. */
  draw() {
    renderIn(this.template(), this.#place);
    this.#node ??= /** @type {HTMLElement} */ (this.#place.firstElementChild);
  }

  /** The root element. */
  get node() {
    if (!this.#node) this.draw();
    return /** @type {HTMLElement} */ (this.#node);
  }
}

/**
 * Creates the only root element of a control's template. After one of the properties has changed,
 * the template is rendered again before the next paint.
 * @param {Model<ControlProperties>} model @param {string[]} names
 * @param {() => TemplateResult} template
 */
export function drawnFrom(model, names, template) {
  const { node, show } = drawn(template);
  onChange(model, names, show);
  return asControl(model, node);
}

/** Joins the names of classes that apply. @param {...(string | false | undefined | null)} names */
export const classes = (...names) => names.filter(Boolean).join(" ");

/** Returns the options of a select. @param {readonly [value: string, label: string][]} choices */
export const optionsOf = (choices) =>
  choices.map(([value, label]) => html`<option value=${value}>${label}</option>`);
