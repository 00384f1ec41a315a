/**
 * Shows a distribution over the vocabulary as bars with numbers. A second column can show the
 * probabilities after filtering.
 */

import { html, nothing } from "../../components/shared/lit-html.js";
import { probabilityText } from "../../components/shared/number_format.js";
import { inUnits } from "../../components/shared/units.js";

/** @import {Distribution} from "./types.js" */

/**
 * @param {string} caption @param {Distribution} distribution
 * @param {{before?: string, after?: string, chosen?: string}} [names] captions of the columns, and
 *   the mark of the chosen word
 */
export function bars(
  caption,
  { rows, others },
  { before = "probability", after, chosen: mark = "written" } = {},
) {
  const allCut = others.cut === others.count;
  return html`<table class=${after ? "bars two" : "bars"}>
    <caption class="visually-hidden">${caption}</caption>
    <thead>
      <tr>
        <th scope="col">${inUnits("word")}</th>
        <th scope="col">${before}</th>
        ${after ? html`<th scope="col">${after}</th>` : nothing}
      </tr>
    </thead>
    <tbody>
      ${rows.map(({ word, p, q, chosen, cut = false }) => {
        const note = chosen ? mark : "";
        return line(word, note, chosen ? "chosen" : "", cell(p), after && cell(q ?? 0, cut));
      })}
      ${
        others.count
          ? line(
              others.count === 1 ? "and 1 other" : `and ${others.count} others`,
              others.cut && !allCut ? `${others.cut} cut` : "",
              "others",
              cell(others.p),
              after && cell(others.q ?? 0, allCut),
            )
          : nothing
      }
    </tbody>
  </table>`;
}

/** @param {string} word @param {string} note @param {string} kind @param {...unknown} cells */
const line = (word, note, kind, ...cells) => html`<tr class=${kind}>
  <th scope="row"><div class="named">${
    note ? html`<span class="mark">${note}</span>` : nothing
  }<span class="word" title=${word}>${word}</span></div></th>
  ${cells}
</tr>`;

/** @param {number} p @param {boolean} [cut] */
const cell = (p, cut = false) => html`<td class=${cut ? "cut" : ""}>
  <div class="measure">
    <span class="track" aria-hidden="true"
      ><span class="bar" style="transform: scaleX(${p})"></span
    ></span>
    <span class="number">${cut ? "cut" : probabilityText(p)}</span>
  </div>
</td>`;
