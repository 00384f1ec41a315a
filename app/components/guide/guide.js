/**
 * Says what the page is and suggests things to try, in a line above the view. The reader can fold
 * it to its name; on a narrow page a selection does, and in a low window it starts folded.
 */

import { asControl } from "../shared/control.js";
import { make, oncePerFrame, setAttribute, setText } from "../shared/dom.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {{value: string, things: [name: string, label: string][]}} Properties
 */

const KEY = "tinkerformer-guide";
const NARROW = "(max-width: 899.98px)";
const LOW = "(max-width: 899.98px) and (max-height: 559.98px)";

/** Whether the reader opened or closed the guide in this browser; null if neither. */
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

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const line = make("p", { class: "line" });
  const things = make("ul", { role: "list" });
  const body = make("div", { id: "guide-body" }, line, things);
  const low = matchMedia(LOW);
  const narrow = matchMedia(NARROW);
  let chosen = kept();
  let isOpenInLow = false;
  let isSelected = Boolean(window.tinkerformer?.selection());
  const toggle = make(
    "button",
    {
      type: "button",
      class: "toggle",
      "aria-controls": "guide-body",
      onclick: () => {
        const open = Boolean(body.hidden);
        if (low.matches) isOpenInLow = open;
        else {
          chosen = open;
          keep(open);
        }
        show();
      },
    },
    "Things to try",
  );

  function show() {
    body.hidden = !(low.matches ? isOpenInLow : (chosen ?? !(narrow.matches && isSelected)));
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
  const listening = new AbortController();
  const onSelection = (/** @type {CustomEvent<object | null>} */ { detail }) => {
    isSelected = detail !== null;
    show();
  };
  document.addEventListener("tinkerformer:selection", onSelection, { signal: listening.signal });
  for (const each of [low, narrow])
    each.addEventListener("change", show, { signal: listening.signal });
  model.on("remove", () => listening.abort());
  show();
  return asControl(
    model,
    make(
      "section",
      { class: "control tries", "aria-label": "Things to try" },
      make("div", { class: "folding" }, toggle, body),
    ),
  );
}
