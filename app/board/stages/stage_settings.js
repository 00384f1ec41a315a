/** Form fields for the settings of the model that belong to a stage. */

import { CONTROLS } from "../../components/form/fields.js";
import { setNames } from "../../components/shared/cell_name.js";
import { make } from "../../components/shared/dom.js";

/**
 * @import {Control, Field} from "../../components/form/fields.js"
 * @import {Send} from "../data/types.js"
 */

export class StageSettings {
  /** @param {string} stage @param {Field[]} fields @param {Send} send */
  constructor(stage, fields, send) {
    /** @type {Map<string, Control>} */
    this.controls = new Map();
    this.el = make("div", { class: "stage-settings", role: "group", "aria-label": "Settings" });
    for (const field of fields) {
      const id = `setting-${stage}-${field.name}`;
      const control = CONTROLS[field.kind](field, id, (value) =>
        send({ type: "setting", name: field.name, value }),
      );
      this.controls.set(field.name, control);
      const label = make("label", { for: id, title: field.help ?? null });
      setNames(label, field.label);
      this.el.append(make("div", { class: "stage-setting" }, label, control.box));
    }
    this.show(fields);
  }

  /** @param {Field[]} fields the same fields with current values */
  show(fields) {
    for (const field of fields) this.controls.get(field.name)?.update(field);
  }
}
