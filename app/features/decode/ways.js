/** Shows a tab for each decoding method. */

import { asControl } from "../../components/shared/control.js";
import { TabList } from "../../components/shared/tab_list.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 * @import {TabLabels} from "../../components/shared/tab_list.js"
 */

/** @param {Component<{ways: TabLabels, value: string}>} component */
export function render({ model }) {
  const list = new TabList("Ways of decoding", (name) => {
    model.value = name;
  });
  const show = () => list.show(model.ways, model.value);
  model.on("value", show);
  show();
  return asControl(model, list.node);
}
