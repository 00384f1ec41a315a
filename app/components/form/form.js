/** A form built from descriptions of its fields. */

import { withNames } from "../shared/cell_name.js";
import { asControl } from "../shared/control.js";
import { beforePaint } from "../shared/display_frame.js";
import { setAttribute } from "../shared/dom.js";
import { shownIn } from "../shared/line_or_menu.js";
import { html, nothing } from "../shared/lit-html.js";
import { ask, onChange } from "../shared/model.js";
import { drawn, FromTemplate } from "../shared/template.js";
import { CONTROLS } from "./fields.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 * @import {Field} from "./fields.js"
 *
 * @typedef {object} Properties
 * @property {Field[]} fields in display order
 * @property {Record<string, string>} errors error sentences by field name
 * @property {"column" | "row"} layout
 *
 * @typedef {(name: string, value: unknown, type?: "change" | "typing") => Promise<unknown>} Send
 *   rejects with a sentence if the message could not be delivered
 */

/**
 * Returns a label. In the header, only screen readers read an aside in brackets.
 * @param {string} id of the control @param {string} text
 */
function label(id, text) {
  const at = text.indexOf(" (");
  const [name, aside] = at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at)];
  return html`<label for=${id} title=${aside ? text : nothing}>${withNames(name)}${
    aside ? html`<span class="aside">${aside}</span>` : nothing
  }</label>`;
}

/** One field: label, control, help, error. Shows Python's value after all answers. */
class Row extends FromTemplate {
  /** @param {Field} field @param {Send} send */
  constructor(field, send) {
    super();
    this.waiting = 0;
    this.field = field;
    this.error = /** @type {string | null} */ (null);
    this.refused = "";
    const id = `field-${field.name}`;
    this.control = CONTROLS[field.kind](field, id, (value, type) => {
      this.waiting += 1;
      const answered = (/** @type {string} */ refused) =>
        beforePaint("write", () => this.answered(refused));
      send(field.name, value, type).then(
        () => answered(""),
        (error) => answered(error.message),
      );
    });
    this.id = id;
    this.isHelped = false;
    this.show(field, null);
  }

  /** The error of the value; empty without an error. */
  get sentence() {
    return this.error || this.refused;
  }

  template() {
    const { field, id } = this;
    const isNamed = !["action", "note"].includes(field.kind);
    return html`<div class="field kind-${field.kind}" ?hidden=${field.hidden}
      style=${field.place ? `display: ${shownIn(field.place, field.name)}` : nothing}>
      <div class="line">${
        isNamed
          ? html`<div class="name">${label(id, field.label)}${
              field.help ? this.about() : nothing
            }</div>`
          : nothing
      }${this.control.box}</div>
      <p class="help" id="${id}-help" ?hidden=${!this.isHelped}>${
        field.help && withNames(field.help)
      }</p>
      <p class="problem" id="${id}-error" role="status">${this.sentence}</p>
    </div>`;
  }

  /** Returns a button that shows and hides the field's help. */
  about() {
    /** @param {boolean} isHelped */
    const show = (isHelped) => {
      this.isHelped = isHelped;
      this.draw();
    };
    // Help that overlays other controls is hidden when the button loses the focus.
    const blur = () => {
      const help = /** @type {Element} */ (this.node.querySelector(".help"));
      if (getComputedStyle(help).position === "absolute") show(false);
    };
    const key = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape" || !this.isHelped) return;
      event.stopPropagation();
      show(false);
    };
    return html`<button type="button" class="help-button" aria-label="about ${this.field.label}"
      aria-expanded=${this.isHelped} @click=${() => show(!this.isHelped)} @blur=${blur}
      @keydown=${key}>?</button>`;
  }

  /** @param {Field} field @param {string | null} error */
  show(field, error) {
    this.field = field;
    this.error = error;
    this.draw();
    const { target } = this.control;
    const described = [field.help && `${this.id}-help`, this.sentence && `${this.id}-error`];
    setAttribute(target, "aria-invalid", this.sentence ? "true" : null);
    setAttribute(target, "aria-describedby", described.filter(Boolean).join(" ") || null);
    // While answers are pending, Python's value may be older than the user's.
    if (this.waiting === 0) this.control.update(field);
  }

  /** @param {string} refused the reason why the message could not be delivered, or empty */
  answered(refused) {
    this.waiting -= 1;
    this.refused = refused;
    this.show(this.field, this.error);
  }
}

/** Returns a key of a form's structure; the same if only values differ. @param {Field[]} fields */
function shapeOf(fields) {
  return JSON.stringify(
    fields.map(({ name, kind, group, folded, help }) => [name, kind, group, folded, Boolean(help)]),
  );
}

/**
 * @param {Field[]} fields @param {Map<string, Row>} rows
 * @param {Map<string, boolean>} opened groups that the user has opened or closed
 */
function groupsOf(fields, rows, opened) {
  /** @type {Map<string, Field[]>} */
  const groups = new Map();
  for (const field of fields)
    groups.set(field.group ?? "", [...(groups.get(field.group ?? "") ?? []), field]);
  return [...groups].map(([group, members]) => {
    const body = html`<div class="rows">${members.map(({ name }) => rows.get(name)?.node)}</div>`;
    if (!members.some((field) => field.folded))
      return html`<section>${group ? html`<h2>${group}</h2>` : nothing}${body}</section>`;
    const toggle = (/** @type {Event} */ { currentTarget }) =>
      opened.set(group, /** @type {HTMLDetailsElement} */ (currentTarget).open);
    return html`<details ?open=${opened.get(group)} @toggle=${toggle}
      ><summary>${group}</summary>${body}</details>`;
  });
}

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  let groups = /** @type {unknown} */ (nothing);
  const { node: form, show: draw } = drawn(
    () => html`<div class="control form form-${model.layout}">${groups}</div>`,
  );
  /** @type {Map<string, Row>} */
  const rows = new Map();
  /** @type {Map<string, boolean>} */
  const opened = new Map();
  let shape = "";

  /** @type {Send} */
  const send = (name, value, type = "change") => ask(model, { type, name, value });

  function show() {
    const { fields, errors } = model;
    if (shapeOf(fields) !== shape) {
      const root = /** @type {Document | ShadowRoot} */ (form.getRootNode());
      const focused = root.activeElement?.id;
      rows.clear();
      for (const field of fields) rows.set(field.name, new Row(field, send));
      groups = nothing;
      draw(); // each group needs new elements
      groups = groupsOf(fields, rows, opened);
      draw();
      shape = shapeOf(fields);
      const again = focused ? form.querySelector(`#${CSS.escape(focused)}`) : null;
      if (again instanceof HTMLElement) again.focus();
    }
    for (const field of fields) {
      const row = rows.get(field.name);
      row?.show(field, errors[field.name] ?? null);
      // An error in a closed group would be invisible.
      if (errors[field.name]) row?.node.closest("details")?.setAttribute("open", "");
    }
  }

  // The properties of one update arrive one after another, so wait for all of them.
  onChange(model, ["fields", "errors"], show);
  show();
  return asControl(model, form);
}
