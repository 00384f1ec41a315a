import { setAttribute } from "./dom.js";

/** @typedef {{label: string, disabled: boolean, problem: string}} ControlProperties */

/**
 * @template P
 * @typedef {{model: import("./model.js").Model<P & ControlProperties>}} Component
 */

/**
 * Adds an accessible name and a disabled state to a control, and updates both.
 * @param {import("./model.js").Model<ControlProperties>} model
 * @param {HTMLElement} node the control
 * @returns {HTMLElement} the control
 */
export function asControl(model, node) {
  const own = node.getAttribute("aria-label");
  const show = () => {
    setAttribute(node, "aria-label", model.label || own);
    setAttribute(node, "aria-disabled", model.disabled ? "true" : null);
    node.inert = model.disabled;
  };
  for (const name of ["label", "disabled"]) model.on(name, show);
  show();
  return node;
}
