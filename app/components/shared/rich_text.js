/** Shows the nested lists of lessons and films without parsing any text as HTML. */

import { make } from "./dom.js";
import { typeset } from "./katex.js";
import { html } from "./lit-html.js";

/** @typedef {string | [mark: string, ...inside: any[]]} Rich a string, or a mark and its content */

/** The template of each mark, except formulas. @type {Record<string, (inside: any) => unknown>} */
const ELEMENTS = {
  p: (inside) => html`<p>${inside}</p>`,
  ul: (inside) => html`<ul>${inside}</ul>`,
  ol: (inside) => html`<ol>${inside}</ol>`,
  li: (inside) => html`<li>${inside}</li>`,
  blockquote: (inside) => html`<blockquote>${inside}</blockquote>`,
  table: (inside) => html`<table>${inside}</table>`,
  thead: (inside) => html`<thead>${inside}</thead>`,
  tbody: (inside) => html`<tbody>${inside}</tbody>`,
  tr: (inside) => html`<tr>${inside}</tr>`,
  th: (inside) => html`<th>${inside}</th>`,
  td: (inside) => html`<td>${inside}</td>`,
  h4: (inside) => html`<h4>${inside}</h4>`,
  em: (inside) => html`<em>${inside}</em>`,
  strong: (inside) => html`<strong>${inside}</strong>`,
  code: (inside) => html`<code>${inside}</code>`,
  pre: (inside) => html`<pre>${inside}</pre>`,
  hr: () => html`<hr>`,
  live: ([at]) => html`<span class="live" data-live=${Number(at)}></span>`,
  view: ([view, ...words]) =>
    html`<button type="button" class="goal" data-to-view=${view}>${words}</button>`,
  cell: ([path, i, j, ...words]) => {
    const go = () => window.tinkerformer?.show(path, Number(i), Number(j));
    return html`<button type="button" class="goal" @click=${go}>${words}</button>`;
  },
  a: ([href, ...words]) =>
    /^https?:/.test(href)
      ? html`<a href=${href} target="_blank" rel="noopener noreferrer">${words}</a>`
      : html`<a>${words}</a>`,
};

/** The element of each formula, to be drawn again. @type {WeakMap<object, HTMLElement>} */
const formulas = new WeakMap();

/** @param {Rich} part @returns {unknown} */
function shown(part) {
  if (!Array.isArray(part)) return part;
  const [mark, ...inside] = part;
  if (mark === "math" || mark === "display") return formula(part, mark === "display");
  const template = Object.hasOwn(ELEMENTS, mark)
    ? ELEMENTS[mark]
    : (/** @type {unknown} */ all) => html`<span>${all}</span>`;
  return template(inside.map(shown));
}

/** @param {[mark: string, ...inside: any[]]} part @param {boolean} display */
function formula(part, display) {
  const found = formulas.get(part) ?? make(display ? "div" : "span", { class: "formula" });
  typeset(found, String(part[1]), display);
  formulas.set(part, found);
  return found;
}

/** @param {Rich[]} [text] */
export const rich = (text = []) => text.map(shown);
