/** Shows a caption from nested lists, so that nothing in it is parsed as HTML. */

import { html } from "../../components/shared/lit-html.js";

/** @typedef {string | [mark: string, ...inside: any[]]} Marked a text, or a mark and its content */

/** @param {Marked} part @returns {unknown} */
function shown(part) {
  if (typeof part === "string") return part;
  const [mark, ...inside] = part;
  const parts = inside.map(shown);
  if (mark === "strong") return html`<strong>${parts}</strong>`;
  if (mark === "code") return html`<code>${parts}</code>`;
  return mark === "em" ? html`<em>${parts}</em>` : html`<span>${parts}</span>`;
}

/** @param {Marked[]} caption */
export const captionOf = (caption) => caption.map(shown);
