/**
 * The choice of what is learned, at the top of Train, and the button for data of the user's own.
 */

import { asControl } from "../shared/control.js";
import { make, oncePerFrame, setAttribute, setText } from "../shared/dom.js";
import { OwnData } from "./own_data.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 * @import {OwnDataProperties} from "./own_data.js"
 *
 * @typedef {object} ChoiceProperties
 * @property {string} value
 * @property {[name: string, label: string][]} options
 * @property {string} note
 * @property {string} own label of the button that opens the dialog
 *
 * @typedef {ChoiceProperties & OwnDataProperties & ControlProperties} Properties
 */

/** @param {{model: Model<Properties>}} component */
export function render({ model }) {
  const ownData = new OwnData(model);
  const choice = make("select", {
    id: "learn-data",
    onchange: () => {
      model.value = choice.value;
    },
  });
  const own = make("button", {
    type: "button",
    class: "button",
    "aria-haspopup": "dialog",
    onclick: () => ownData.open(),
  });
  const note = make("p", { class: "message" });

  function show() {
    const { value, options } = model;
    const key = JSON.stringify(options);
    if (choice.dataset.key !== key) {
      choice.dataset.key = key;
      choice.replaceChildren(
        ...options.map(([name, label]) => make("option", { value: name }, label)),
      );
    }
    choice.value = value;
    setText(own, model.own);
    setText(note, model.note);
    setAttribute(note, "title", model.note || null);
  }

  const later = oncePerFrame(show);
  for (const name of ["value", "options", "note", "own"]) model.on(name, later);
  show();
  const line = make(
    "section",
    { class: "control train-on", "aria-label": "Choice of data" },
    make("label", { for: choice.id }, "Train on"),
    choice,
    own,
    note,
    ownData.dialog,
  );
  return asControl(model, line);
}
