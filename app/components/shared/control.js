import { make, setAttribute, setText } from "./dom.js";

/** @typedef {{label: string, disabled: boolean, problem: string}} ControlProperties */

/**
 * Gives a control what all controls have: an accessible name, a disabled state, and a sentence
 * about a rejected input.
 * @param {import("./model.js").Model<ControlProperties>} model
 * @param {HTMLElement} node the control
 * @param {{problem?: boolean}} [options] whether the sentence is shown under the control
 * @returns {HTMLElement} the control
 */
export function asControl(model, node, { problem = false } = {}) {
  const own = node.getAttribute("aria-label");
  const sentence = make("p", { class: "problem", role: "status" });
  if (problem) node.append(sentence);
  const show = () => {
    setAttribute(node, "aria-label", model.label || own);
    setAttribute(node, "aria-disabled", model.disabled ? "true" : null);
    node.inert = model.disabled;
    setText(sentence, model.problem);
  };
  for (const name of ["label", "disabled", "problem"]) model.on(name, show);
  show();
  return node;
}
