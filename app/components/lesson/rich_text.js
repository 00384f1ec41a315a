/** Builds a lesson's text from nested lists, so that nothing in it is parsed as HTML. */

import { make } from "../shared/dom.js";
import { typeset } from "../shared/katex.js";

/** @typedef {string | [mark: string, ...inside: any[]]} Rich a string, or a mark and its content */

/** @typedef {keyof HTMLElementTagNameMap} Tag */

/** Marks that become elements of the same name. @type {ReadonlySet<string>} */
const ELEMENTS = new Set([
  ...["p", "ul", "ol", "li", "blockquote", "table", "thead", "tbody", "tr", "th", "td"],
  ...["h4", "em", "strong", "span"],
]);

/**
 * @param {Rich} part
 * @returns {Node}
 */
function element(part) {
  if (typeof part === "string") return document.createTextNode(part);
  const [mark, ...inside] = part;
  if (mark === "math" || mark === "display") {
    const formula = make(mark === "math" ? "span" : "div", { class: "formula" });
    typeset(formula, String(inside[0]), mark === "display");
    return formula;
  }
  if (mark === "code") return make("code", {}, String(inside[0]));
  if (mark === "pre") return make("pre", {}, String(inside[0]));
  if (mark === "hr") return make("hr");
  if (mark === "live") return make("span", { class: "live", "data-live": Number(inside[0]) });
  if (mark === "cell") return cell(inside);
  if (mark === "view")
    return make(
      "button",
      { type: "button", class: "goal", "data-to-view": String(inside[0]) },
      ...inside.slice(1).map(element),
    );
  if (mark === "a") return link(inside);
  const tag = /** @type {Tag} */ (ELEMENTS.has(mark) ? mark : "span");
  return make(tag, {}, ...inside.map(element));
}

/** @param {Rich[]} text */
export const elements = (text) => text.map(element);

/** A link to a number on the page. @param {any[]} inside */
function cell([path, i, j, ...words]) {
  const go = () => window.tinkerformer?.show(String(path), Number(i), Number(j));
  return make("button", { type: "button", class: "goal", onclick: go }, ...words.map(element));
}

/** @param {any[]} inside */
function link([href, ...words]) {
  const attributes = { href: String(href), target: "_blank", rel: "noopener noreferrer" };
  return make("a", /^https?:/.test(String(href)) ? attributes : {}, ...words.map(element));
}
