/** Shows a page in the custom element of course pages, after loading its script if needed. */

import { make } from "../shared/dom.js";

/**
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {{value: string, script: string, height: string}} Properties
 */

/** @param {{model: Model<Properties>}} component */
export function render({ model }) {
  if (!customElements.get("tinker-former"))
    document.head.append(make("script", { src: model.script }));
  return make("tinker-former", { src: model.value, height: model.height });
}
