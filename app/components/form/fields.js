/** The controls of a form, one for each kind of field. */

import { withNames } from "../shared/cell_name.js";
import { bindKeys } from "../shared/keys.js";
import { html, nothing } from "../shared/lit-html.js";
import { drawn } from "../shared/template.js";
import { isTyping } from "../shared/typing.js";

/**
 * @import {TemplateResult} from "../shared/lit-html.js"
 *
 * @typedef {"integer" | "number" | "choice" | "switch" | "text" | "action" | "note" | "output"}
 *   Kind
 *
 * @typedef {object} Field
 * @property {string} name
 * @property {string} label
 * @property {Kind} kind
 * @property {unknown} value
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {number} [step]
 * @property {[unknown, string][]} [options]
 * @property {string} [help]
 * @property {string} [key] the key that turns a switch, anywhere on the page
 * @property {string} [title] tooltip of an action
 * @property {string} [caption] words beside the icon of an action, if there is room
 * @property {string} [room] the longest label of an action, which determines its width
 * @property {"line" | "menu"} [place] in the header or in its menu; style sheets show one of the
 *   two, depending on the room
 * @property {string} [group]
 * @property {boolean} [folded]
 * @property {boolean} [disabled]
 * @property {boolean} [hidden]
 * @property {boolean} [live] whether text is also sent while it is typed
 * @property {"good" | "bad" | ""} [tone] color of an output
 *
 * @typedef {(value: unknown, type?: "typing") => void} SendValue
 *
 * @typedef {object} Control
 * @property {HTMLElement} box the element at the right of the label
 * @property {HTMLElement} target the element to which the label and the error refer
 * @property {(field: Field) => void} update shows the field's value
 *
 * @typedef {(field: Field, id: string, send: SendValue) => Control} MakeControl
 */

/** Adds without rounding errors: 0.1 + 0.2 is 0.3. @param {number} value @param {number} step */
function addStep(value, step) {
  return Number((value + step).toFixed(10));
}

/**
 * A number with − and + buttons. Its input accepts any text, because Python explains errors.
 * @type {MakeControl}
 */
function numberControl(first, id, send) {
  let now = first;
  let typing = false; // while a typed text is not sent, values from Python must not replace it
  let at = Number(first.value); // the shown value
  const limits = () => ({ least: now.minimum ?? -Infinity, most: now.maximum ?? Infinity });

  /** Shows a value, and enables the buttons within the limits. @param {unknown} text */
  const put = (text) => {
    typing = false;
    input.value = String(text);
    at = Number(text);
    draw();
  };
  /** Adds or subtracts one step within the limits, and sends the value. @param {1 | -1} sign */
  const move = (sign) => {
    const { least, most } = limits();
    const typed = Number(input.value);
    const value = input.value.trim() === "" || !Number.isFinite(typed) ? Number(now.value) : typed;
    const next = String(Math.min(most, Math.max(least, addStep(value, sign * (now.step ?? 1)))));
    if (now.disabled || next === input.value) return;
    put(next);
    send(next);
  };
  /** @param {1 | -1} sign */
  const button = (sign) => {
    const { least, most } = limits();
    // Not `disabled`: a focused button that becomes disabled loses the keyboard focus.
    const isOff = Boolean(now.disabled) || (sign < 0 ? at <= least : at >= most);
    return html`<button type="button" aria-disabled=${isOff}
      aria-label="${sign < 0 ? "decrease" : "increase"} ${first.label}" @click=${() => move(sign)}
      >${sign < 0 ? "−" : "+"}</button>`;
  };
  const change = () => {
    typing = false;
    send(input.value);
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    const isEscape = event.key === "Escape" && input.value !== String(now.value);
    if (!isEscape && event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    if (isEscape) put(now.value);
    else move(event.key === "ArrowUp" ? 1 : -1);
  };
  const types = (/** @type {boolean} */ isTyping) => () => {
    typing = isTyping;
  };
  const { node, show: draw } = drawn(
    () => html`<div class="stepper">${button(-1)}<input id=${id} type="text" autocomplete="off"
      inputmode=${first.kind === "integer" ? "numeric" : "decimal"} spellcheck="false"
      ?disabled=${now.disabled} @focus=${() => input.select()} @keydown=${key} @change=${change}
      @input=${types(true)} @blur=${types(false)}>${button(1)}</div>`,
  );
  const input = /** @type {HTMLInputElement} */ (node.querySelector("input"));
  return {
    box: node,
    target: input,
    update(field) {
      now = field;
      if (typing) draw();
      else put(field.value);
    },
  };
}

/**
 * Makes a control from a template of its field.
 * @template {HTMLElement} [Target=HTMLElement]
 * @param {Field} first @param {(field: Field) => TemplateResult} template
 * @param {(target: Target, field: Field) => void} [set] shows the field's value in the target, also
 *   after Python has refused the user's value
 * @returns {Control}
 */
function drawnControl(first, template, set) {
  let now = first;
  const { node, show } = drawn(() => template(now));
  const target = /** @type {Target} */ (node.id ? node : node.firstElementChild);
  return {
    box: node,
    target,
    update(field) {
      now = field;
      show();
      set?.(target, field);
    },
  };
}

/** @type {MakeControl} */
function choiceControl(first, id, send) {
  /** @param {Field} field */
  const template = ({ options = [], disabled }) => {
    const change = (/** @type {Event} */ { currentTarget }) =>
      send(options[/** @type {HTMLSelectElement} */ (currentTarget).selectedIndex][0]);
    return html`<div class="choice"><select id=${id} ?disabled=${disabled} @change=${change}
      >${options.map(([, label]) => html`<option>${label}</option>`)}</select></div>`;
  };
  /** @param {HTMLSelectElement} select @param {Field} field */
  const set = (select, { options = [], value }) => {
    // Values may be numbers, true or null, so options are compared as JSON.
    const key = JSON.stringify(value);
    select.selectedIndex = options.findIndex(([each]) => JSON.stringify(each) === key);
  };
  return drawnControl(first, template, set);
}

/** @type {MakeControl} */
function switchControl(first, id, send) {
  const change = (/** @type {Event} */ { currentTarget }) => {
    const { checked } = /** @type {HTMLInputElement} */ (currentTarget);
    send(checked);
  };
  /** @param {HTMLInputElement} input @param {Field} field */
  const set = (input, { value }) => {
    input.checked = Boolean(value);
  };
  const control = drawnControl(
    first,
    ({ disabled }) => html`<div class="switch"><input id=${id} type="checkbox" role="switch"
      aria-keyshortcuts=${first.key ?? nothing} ?disabled=${disabled} @change=${change}></div>`,
    set,
  );
  if (first.key) turnByKey(/** @type {HTMLInputElement} */ (control.target), first);
  return control;
}

/** Binds a switch's key to the page. @param {HTMLInputElement} input @param {Field} field */
function turnByKey(input, { key = "", label }) {
  const when = () => input.isConnected && !input.disabled;
  const run = (/** @type {Event} */ event) => {
    if (isTyping(event) || !when()) return false;
    input.click();
    return true;
  };
  bindKeys(document, "Anywhere", [{ keys: [key], does: `${label}: on or off`, when, run }]);
}

/** @type {MakeControl} */
function textControl(first, id, send) {
  let shown = /** @type {string | null} */ (null);
  const typed = (/** @type {Event} */ { currentTarget, type }) => {
    const { value } = /** @type {HTMLInputElement} */ (currentTarget);
    if (type === "change") send(value);
    else if (first.live) send(value, "typing");
  };
  /** @param {HTMLInputElement} input @param {Field} field */
  const set = (input, field) => {
    const value = String(field.value ?? "");
    // Keep a rejected text, so that the user can correct it, and a text being typed.
    const kept =
      field.live &&
      (input.hasAttribute("aria-invalid") || (value === shown && input.matches(":focus")));
    if (!kept && input.value !== value) input.value = value;
    shown = value;
  };
  return drawnControl(
    first,
    ({ disabled }) => html`<div class="text"><input id=${id} type="text" autocomplete="off"
      autocapitalize="off" spellcheck="false" ?disabled=${disabled} @input=${typed}
      @change=${typed}></div>`,
    set,
  );
}

/** @type {MakeControl} */
const actionControl = (first, id, send) =>
  drawnControl(
    first,
    ({ label, caption, title, room, disabled }) => html`<button id=${id} type="button"
      class="button" aria-label=${title ?? nothing} title=${title ?? nothing}
      data-room=${room ?? nothing} ?disabled=${disabled} @click=${() => send(null)}>${label}${
        caption ? html`<span class="caption">${caption}</span>` : nothing
      }</button>`,
  );

/** @type {MakeControl} */
const noteControl = (first, id) =>
  drawnControl(first, ({ value }) => html`<p id=${id} class="note">${withNames(`${value}`)}</p>`);

/** A labeled text that cannot be edited. @type {MakeControl} */
const outputControl = (first, id) =>
  drawnControl(
    first,
    ({ value, tone }) => html`<output id=${id} class="output ${tone ?? ""}">${value}</output>`,
  );

/** @type {Record<Kind, MakeControl>} */
export const CONTROLS = {
  integer: numberControl,
  number: numberControl,
  choice: choiceControl,
  switch: switchControl,
  text: textControl,
  action: actionControl,
  note: noteControl,
  output: outputControl,
};
