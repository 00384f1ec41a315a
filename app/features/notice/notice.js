/** Shows a sentence at the lower left of the view, with an optional button. */

import { withNames } from "../../components/shared/cell_name.js";
import { asControl } from "../../components/shared/control.js";
import { html } from "../../components/shared/lit-html.js";
import { untilRemoved } from "../../components/shared/model.js";
import { drawn } from "../../components/shared/template.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 *
 * @typedef {{said: {text?: string, button?: string, number?: number}}} Properties
 */

/** @param {Component<Properties>} component */
export function render({ model }) {
  let [sentence, button] = ["", ""];
  const { node, show: draw } = drawn(
    () => html`<div class="control"><div class="saying" ?hidden=${!sentence}><p role="status"
      >${withNames(sentence)}</p><button type="button" class="button act" ?hidden=${!button}
      @click=${press}>${button}</button><button type="button" class="close" aria-label="Close"
      @click=${hide}>×</button></div></div>`,
  );
  const line = /** @type {Element} */ (node.firstElementChild);

  function press() {
    model.send_msg({ type: "press", number: model.said.number });
    hide();
  }

  function hide() {
    say("");
  }

  /** @param {string} said @param {string} [act] the label of the button */
  function say(said, act = "") {
    if (said) hide(); // so that a screen reader also reads the same sentence again
    [sentence, button] = [said, act];
    draw();
  }

  function show() {
    const { text = "", button: act } = model.said;
    say(text, act);
  }

  /** Hides a notice without a button at the user's next action. @param {Event} event */
  const moveOn = (event) => {
    if (!model.said.button && !event.composedPath().includes(line)) hide();
  };
  const signal = untilRemoved(model);
  for (const type of ["pointerdown", "keydown"])
    document.addEventListener(type, moveOn, { capture: true, signal });
  /** @param {CustomEvent<{sentence: string}>} event has the reason why a message was not sent */
  const notice = ({ detail }) => say(detail.sentence);
  document.addEventListener("tinkerformer:notice", notice, { signal });
  model.on("said", show);
  show();
  return asControl(model, node);
}
