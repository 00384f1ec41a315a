/** A tab for each decoding method. */

import { asControl } from "../../components/shared/control.js";
import { TabList } from "../../components/shared/tab_list.js";

/**
 * @import {ControlProperties} from "../../components/shared/control.js"
 * @import {Model} from "../../components/shared/model.js"
 * @import {TabLabels} from "../../components/shared/tab_list.js"
 */

/** @param {{model: Model<{ways: TabLabels, value: string} & ControlProperties>}} component */
export function render({ model }) {
  const list = new TabList("Ways of decoding", (name) => {
    model.value = name;
  });
  const show = () => list.show(model.ways, model.value);
  model.on("value", show);
  show();
  return asControl(model, list.node);
}
