/** Buttons that remove one part of the model, and the measured effect. */

import { asControl } from "../shared/control.js";
import { make, oncePerFrame, setText } from "../shared/dom.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {object} Properties
 * @property {string} value
 * @property {[name: string, label: string][]} options
 * @property {string} about
 */

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const buttons = make("div", { class: "buttons", role: "group", "aria-label": "Break it" });
  const about = make("p", { class: "message", role: "status" });

  function show() {
    const { value, options } = model;
    const key = JSON.stringify([value, options]);
    if (buttons.dataset.key !== key) {
      const focused = [...buttons.children].findIndex((each) => each.matches(":focus"));
      buttons.dataset.key = key;
      buttons.replaceChildren(
        ...options.map(([name, label]) =>
          make(
            "button",
            {
              type: "button",
              class: "button",
              "aria-pressed": String(name === value),
              onclick: () => {
                model.value = name;
              },
            },
            label,
          ),
        ),
      );
      const again = buttons.children[focused];
      if (again instanceof HTMLElement) again.focus();
    }
    setText(about, model.about);
  }

  const later = oncePerFrame(show);
  for (const name of ["value", "options", "about"]) model.on(name, later);
  show();
  return asControl(
    model,
    make("section", { class: "control" }, make("h2", {}, "Break it"), buttons, about),
  );
}
