/** The cells that a number was computed from, each a button that selects it. */

import { withNames } from "../shared/cell_name.js";
import { make } from "../shared/dom.js";
import { decimalText } from "../shared/number_format.js";

/** @import {Operand} from "./types.js" */

export class Operands {
  /** @param {string} [title] */
  constructor(title = "The cells it was computed from") {
    this.list = make("ul", { role: "list", class: "operands" });
    this.node = make("details", { class: "operand-box" }, make("summary", {}, title), this.list);
  }

  /** @param {Operand[]} operands @param {number} [more] number of operands that are not listed */
  take(operands, more = 0) {
    this.node.hidden = operands.length === 0;
    this.list.replaceChildren(
      ...operands.map(({ path, i, j, name, value }) =>
        make(
          "li",
          {},
          make(
            "button",
            { type: "button", onclick: () => window.tinkerformer?.show(path, i, j) },
            make("span", { class: "operand-name" }, ...withNames(name)),
            make(
              "span",
              { class: "operand-value" },
              value === null ? "−∞" : decimalText(Number(value.toPrecision(4))),
            ),
          ),
        ),
      ),
    );
    if (more) this.list.append(make("li", { class: "more" }, `and ${more} more`));
  }
}
