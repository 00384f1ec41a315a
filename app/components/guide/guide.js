/** What the page is, and things to try; put away until it is wanted again. */

import { asControl } from "../shared/control.js";
import { make, oncePerFrame, setAttribute, setText } from "../shared/dom.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {{value: string, things: [name: string, label: string][]}} Properties
 */

const KEY = "tinkerformer-guide";

/** Whether the reader has put it away in this browser. */
function isPutAway() {
  try {
    return localStorage.getItem(KEY) === "away";
  } catch {
    return false; // storage refused: there it is
  }
}

/** @param {boolean} away */
function keep(away) {
  try {
    if (away) localStorage.setItem(KEY, "away");
    else localStorage.removeItem(KEY);
  } catch {
    /* not kept, still put away */
  }
}

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const line = make("p", { class: "line" });
  const things = make("ul", { role: "list" });
  const body = make("div", { id: "guide-body" }, line, things);
  const toggle = make(
    "button",
    {
      type: "button",
      class: "toggle",
      "aria-controls": "guide-body",
      onclick: () => {
        keep(!body.hidden);
        body.hidden = !body.hidden;
        show();
      },
    },
    "Things to try",
  );
  body.hidden = isPutAway();

  function show() {
    setText(line, model.value);
    setAttribute(toggle, "aria-expanded", String(!body.hidden));
    const shown = [...things.children].map((item) => item.textContent);
    if (
      model.things.some(([, label], at) => shown[at] !== label) ||
      shown.length !== model.things.length
    )
      things.replaceChildren(
        ...model.things.map(([name, label]) => {
          const press = () => model.send_msg({ type: "press", name });
          const button = make("button", { type: "button", class: "button", onclick: press }, label);
          return make("li", {}, button);
        }),
      );
  }

  const later = oncePerFrame(show);
  model.on("value", later);
  model.on("things", later);
  show();
  return asControl(
    model,
    make("section", { class: "control tries", "aria-label": "Things to try" }, toggle, body),
  );
}
