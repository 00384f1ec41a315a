/** A form built from descriptions of its fields. */

import { withNames } from "../shared/cell_name.js";
import { asControl } from "../shared/control.js";
import { make, oncePerFrame, setAttribute, setText } from "../shared/dom.js";
import { shownIn } from "../shared/line_or_menu.js";
import { html, render as renderIn } from "../shared/lit-html.js";
import { ask } from "../shared/model.js";
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
 * Writes a label. What it has in brackets is an aside, which the line of the header leaves to
 * screen readers.
 * @param {HTMLElement} el @param {string} text
 */
function label(el, text) {
  if (el.textContent === text) return;
  const at = text.indexOf(" (");
  const [name, aside] = at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at)];
  if (aside) el.title = text;
  renderIn([withNames(name), aside && html`<span class="aside">${aside}</span>`], el);
}

/**
 * One field: label, control, help and error. It shows Python's value again once everything it sent
 * has been answered.
 */
class Row {
  /** @param {Field} field @param {Send} send */
  constructor(field, send) {
    this.waiting = 0;
    this.field = field;
    this.error = /** @type {string | null} */ (null);
    this.refused = "";
    const id = `field-${field.name}`;
    this.control = CONTROLS[field.kind](field, id, (value, type) => {
      this.waiting += 1;
      const answered = (/** @type {string} */ refused) =>
        requestAnimationFrame(() => this.answered(refused));
      send(field.name, value, type).then(
        () => answered(""),
        (error) => answered(error.message),
      );
    });
    this.message = make("p", { class: "problem", id: `${id}-error`, role: "status" });
    this.help = make("p", { class: "help", id: `${id}-help`, hidden: true });
    this.label = make("label", { for: id });
    label(this.label, field.label);
    const about = field.help ? this.helpToggle(field) : null;
    const name = ["action", "note"].includes(field.kind) ? null : this.label;
    this.node = make(
      "div",
      { class: `field kind-${field.kind}` },
      make(
        "div",
        { class: "line" },
        name && make("div", { class: "name" }, name, about),
        this.control.box,
      ),
      this.help,
      this.message,
    );
    if (field.place) this.node.style.display = shownIn(field.place, field.name);
    this.show(field, null);
  }

  /** A button that shows and hides a field's help. @param {Field} field */
  helpToggle(field) {
    const toggle = make(
      "button",
      {
        type: "button",
        class: "help-button",
        "aria-label": `about ${field.label}`,
        "aria-expanded": "false",
        onclick: () => show(Boolean(this.help.hidden)),
      },
      "?",
    );
    /** @param {boolean} isShown */
    const show = (isShown) => {
      this.help.hidden = !isShown;
      toggle.setAttribute("aria-expanded", String(isShown));
    };
    // Where it lies over what is below, it goes as soon as something else is used.
    toggle.addEventListener("blur", () => {
      if (getComputedStyle(this.help).position === "absolute") show(false);
    });
    toggle.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.help.hidden) return;
      event.stopPropagation();
      show(false);
    });
    return toggle;
  }

  /** @param {Field} field @param {string | null} error */
  show(field, error) {
    this.field = field;
    this.error = error;
    this.node.hidden = Boolean(field.hidden);
    label(this.label, field.label);
    setText(this.help, field.help ?? "");
    const sentence = error || this.refused;
    setText(this.message, sentence);
    const { target } = this.control;
    setAttribute(target, "aria-invalid", sentence ? "true" : null);
    const described = [field.help && this.help.id, sentence && this.message.id]
      .filter(Boolean)
      .join(" ");
    setAttribute(target, "aria-describedby", described || null);
    // While answers are pending the reader is ahead of Python, whose earlier value must not come
    // back.
    if (this.waiting === 0) this.control.update(field);
  }

  /** @param {string} refused why the message could not be delivered; empty if it was */
  answered(refused) {
    this.waiting -= 1;
    this.refused = refused;
    this.show(this.field, this.error);
  }
}

/** Identifies a form's structure: everything but the values. @param {Field[]} fields */
function shapeOf(fields) {
  return JSON.stringify(
    fields.map(({ name, kind, group, folded, help }) => [name, kind, group, folded, Boolean(help)]),
  );
}

/**
 * @param {Field[]} fields @param {Map<string, Row>} rows
 * @param {Map<string, boolean>} opened groups that the reader opened or closed
 */
function groupNodes(fields, rows, opened) {
  /** @type {Map<string, Field[]>} */
  const groups = new Map();
  for (const field of fields)
    groups.set(field.group ?? "", [...(groups.get(field.group ?? "") ?? []), field]);
  return [...groups].map(([group, members]) => {
    const body = make(
      "div",
      { class: "rows" },
      ...members.map((field) => rows.get(field.name)?.node),
    );
    if (!members.some((field) => field.folded)) {
      return make("section", {}, group ? make("h2", {}, group) : null, body);
    }
    const details = make(
      "details",
      { open: opened.get(group) ?? false },
      make("summary", {}, group),
      body,
    );
    details.addEventListener("toggle", () => opened.set(group, details.open));
    return details;
  });
}

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const form = make("div", { class: `control form form-${model.layout}` });
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
      form.replaceChildren(...groupNodes(fields, rows, opened));
      shape = shapeOf(fields);
      const again = focused ? form.querySelector(`#${CSS.escape(focused)}`) : null;
      if (again instanceof HTMLElement) again.focus();
    }
    for (const field of fields) {
      const row = rows.get(field.name);
      row?.show(field, errors[field.name] ?? null);
      // An error in a closed group would not be seen.
      if (errors[field.name]) row?.node.closest("details")?.setAttribute("open", "");
    }
  }

  // The properties of one update arrive one after the other, so wait until all have.
  const later = oncePerFrame(show);
  model.on("fields", later);
  model.on("errors", later);
  show();
  return asControl(model, form);
}
