/** Lists the cells from which a number was computed, as buttons that select the cells. */

import { withNames } from "../../components/shared/cell_name.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { decimalText } from "../../components/shared/number_format.js";

/** @import {Operand} from "./types.js" */

/**
 * @param {Operand[]} [operands] @param {number} [more] number of operands that are not listed
 * @param {string} [title]
 */
export const operandBox = (operands = [], more = 0, title = "The cells it was computed from") =>
  html`<details class="operand-box" ?hidden=${operands.length === 0}>
    <summary>${title}</summary>
    <ul role="list" class="operands">
      ${operands.map(
        ({ path, i, j, name, value }) => html`<li><button type="button"
          @click=${() => window.tinkerformer?.show(path, i, j)}
          ><span class="operand-name">${withNames(name)}</span><span class="operand-value"
          >${textOf(value)}</span></button></li>`,
      )}
      ${more ? html`<li class="more">and ${more} more</li>` : nothing}
    </ul>
  </details>`;

/** @param {number | null} value */
const textOf = (value) => (value === null ? "−∞" : decimalText(Number(value.toPrecision(4))));
