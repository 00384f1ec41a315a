/** The controls of a form, one for each kind of field. */

import { announce } from "../shared/announce.js";
import { make, setAttribute, setText } from "../shared/dom.js";

/**
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
 * @property {string} [opens] the id of a panel of the page that a switch opens when it is on
 * @property {string} [title] tooltip of an action
 * @property {string} [room] the longest label of an action, which sets its width
 * @property {"line" | "menu"} [place] shown in the header or the menu; the page decides where there
 *   is room
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
 * @property {HTMLElement} target the element that the label and the error refer to
 * @property {(field: Field) => void} update shows the field's value
 *
 * @typedef {(field: Field, id: string, send: SendValue) => Control} MakeControl
 */

/**
 * Adds a step without binary rounding errors: 0.1 + 0.2 is 0.3.
 * @param {number} value
 * @param {number} step
 */
function addStep(value, step) {
  return Number((value + step).toFixed(10));
}

/**
 * A number with − and + buttons. It is a text input, so that Python gets exactly what was typed and
 * can explain what is wrong.
 * @type {MakeControl}
 */
function numberControl(field, id, send) {
  let now = field;
  let typing = false; // typed but not sent: values from Python must not replace it
  const input = make("input", {
    id,
    type: "text",
    inputmode: field.kind === "integer" ? "numeric" : "decimal",
    autocomplete: "off",
    spellcheck: "false",
  });

  /** Returns the value after a press of − or +, within the limits. @param {1 | -1} sign */
  const next = (sign) => {
    const typed = Number(input.value);
    const value = input.value.trim() === "" || !Number.isFinite(typed) ? Number(now.value) : typed;
    return Math.min(
      now.maximum ?? Infinity,
      Math.max(now.minimum ?? -Infinity, addStep(value, sign * (now.step ?? 1))),
    );
  };
  /** @param {1 | -1} sign */
  const move = (sign) => {
    if (now.disabled || String(next(sign)) === input.value) return;
    typing = false;
    input.value = String(next(sign));
    limits();
    send(input.value);
  };
  const less = make(
    "button",
    { type: "button", "aria-label": `decrease ${field.label}`, onclick: () => move(-1) },
    "−",
  );
  const more = make(
    "button",
    { type: "button", "aria-label": `increase ${field.label}`, onclick: () => move(1) },
    "+",
  );
  // Not `disabled`: a focused button that becomes disabled loses the keyboard focus.
  const limits = () => {
    const value = Number(input.value);
    less.setAttribute(
      "aria-disabled",
      String(Boolean(now.disabled) || value <= (now.minimum ?? -Infinity)),
    );
    more.setAttribute(
      "aria-disabled",
      String(Boolean(now.disabled) || value >= (now.maximum ?? Infinity)),
    );
  };

  input.addEventListener("input", () => {
    typing = true;
  });
  input.addEventListener("change", () => {
    typing = false;
    send(input.value);
  });
  input.addEventListener("blur", () => {
    typing = false;
  });
  input.addEventListener("focus", () => input.select());
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      event.preventDefault();
      move(event.key === "ArrowUp" ? 1 : -1);
    } else if (event.key === "Escape" && input.value !== String(now.value)) {
      event.preventDefault();
      typing = false;
      input.value = String(now.value);
    }
  });
  return {
    box: make("div", { class: "stepper" }, less, input, more),
    target: input,
    update(field) {
      now = field;
      if (!typing) input.value = String(field.value);
      input.disabled = Boolean(field.disabled);
      limits();
    },
  };
}

/** @type {MakeControl} */
function choiceControl(_field, id, send) {
  /** @type {[unknown, string][]} */
  let options = [];
  let shown = "";
  const select = make("select", { id, onchange: () => send(options[select.selectedIndex][0]) });
  return {
    box: make("div", { class: "choice" }, select),
    target: select,
    update(field) {
      options = field.options ?? [];
      const key = JSON.stringify(options);
      if (key !== shown)
        select.replaceChildren(...options.map(([, label]) => make("option", {}, String(label))));
      shown = key;
      // Values may be numbers, true or null, so options are compared as JSON.
      select.selectedIndex = options.findIndex(
        ([value]) => JSON.stringify(value) === JSON.stringify(field.value),
      );
      select.disabled = Boolean(field.disabled);
    },
  };
}

/** @type {MakeControl} */
function switchControl(field, id, send) {
  const input = make("input", {
    id,
    type: "checkbox",
    role: "switch",
    onchange: () => {
      send(input.checked);
      if (field.opens && input.checked) announce("ask-panel", { name: field.opens });
    },
  });
  return {
    box: make("div", { class: "switch" }, input),
    target: input,
    update(field) {
      input.checked = Boolean(field.value);
      input.disabled = Boolean(field.disabled);
    },
  };
}

/** @type {MakeControl} */
function textControl(field, id, send) {
  let shown = /** @type {string | null} */ (null);
  const input = make("input", {
    id,
    type: "text",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    oninput: () => {
      if (field.live) send(input.value, "typing");
    },
    onchange: () => send(input.value),
  });
  return {
    box: make("div", { class: "text" }, input),
    target: input,
    update(field) {
      const value = String(field.value ?? "");
      // Keep what was rejected, so that it can be corrected, and what is being typed.
      const kept =
        field.live &&
        (input.hasAttribute("aria-invalid") || (value === shown && input.matches(":focus")));
      if (!kept && input.value !== value) input.value = value;
      shown = value;
      input.disabled = Boolean(field.disabled);
    },
  };
}

/** @type {MakeControl} */
function actionControl(field, id, send) {
  const button = make(
    "button",
    { id, type: "button", class: "button", onclick: () => send(null) },
    field.label,
  );
  return {
    box: button,
    target: button,
    update(field) {
      setText(button, field.label);
      setAttribute(button, "aria-label", field.title ?? null);
      setAttribute(button, "title", field.title ?? null);
      setAttribute(button, "data-room", field.room ?? null);
      button.disabled = Boolean(field.disabled);
    },
  };
}

/** @type {MakeControl} */
function noteControl(_field, id) {
  const line = make("p", { id, class: "note" });
  return { box: line, target: line, update: (field) => setText(line, String(field.value ?? "")) };
}

/** A labeled text that cannot be edited. @type {MakeControl} */
function outputControl(_field, id) {
  const line = make("output", { id, class: "output" });
  return {
    box: line,
    target: line,
    update(field) {
      setText(line, String(field.value ?? ""));
      line.className = `output ${field.tone ?? ""}`;
    },
  };
}

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
