/** The element of course pages, in a document that may not know it yet. */

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
