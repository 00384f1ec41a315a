/** A sentence at the lower left of the view, with an optional button. */

import { setNames } from "../shared/cell_name.js";
import { asControl } from "../shared/control.js";
import { make, setText } from "../shared/dom.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {{said: {text?: string, button?: string, number?: number}}} Properties
 */

/** @param {{model: Model<ControlProperties & Properties>}} component */
export function render({ model }) {
  const text = make("p", { role: "status" });
  const act = make("button", { type: "button", class: "button act", onclick: press });
  const close = make(
    "button",
    { type: "button", class: "close", "aria-label": "Close", onclick: hide },
    "×",
  );
  const line = make("div", { class: "saying", hidden: true }, text, act, close);

  function press() {
    model.send_msg({ type: "press", number: model.said.number });
    hide();
  }

  function hide() {
    line.hidden = true;
    setNames(text, "");
  }

  function show() {
    const { text: sentence = "", button = "" } = model.said;
    say(sentence, button);
  }

  /** @param {string} sentence @param {string} [button] */
  function say(sentence, button = "") {
    hide();
    if (!sentence) return;
    line.hidden = false;
    setNames(text, sentence);
    setText(act, button);
    act.hidden = !button;
  }

  /** Hides a notice without a button at the reader's next action. @param {Event} event */
  const moveOn = (event) => {
    if (!model.said.button && !event.composedPath().includes(line)) hide();
  };
  const listening = new AbortController();
  for (const type of ["pointerdown", "keydown"])
    document.addEventListener(type, moveOn, { capture: true, signal: listening.signal });
  /** Shows why a message was not sent. @param {CustomEvent<{sentence: string}>} event */
  const refused = ({ detail }) => say(detail.sentence);
  document.addEventListener("tinkerformer:refused", refused, { signal: listening.signal });
  model.on("remove", () => listening.abort());
  model.on("said", show);
  show();
  return asControl(model, make("div", { class: "control" }, line));
}
