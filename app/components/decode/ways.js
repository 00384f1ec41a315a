/** A line of tabs, one for each way of decoding. */

import { TabList } from "../shared/tab_list.js";

/**
 * @import {Model} from "../shared/model.js"
 * @import {TabLabels} from "../shared/tab_list.js"
 */

/** @param {{model: Model<{ways: TabLabels, chosen: string}>}} component */
export function render({ model }) {
  const list = new TabList("Ways of decoding", (name) => model.send_msg({ type: "choose", name }));
  const show = () => list.show(model.ways, model.chosen);
  model.on("chosen", show);
  show();
  return list.node;
}
