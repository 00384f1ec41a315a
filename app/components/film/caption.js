/** Builds a caption from nested lists, so that nothing in it is parsed as HTML. */

import { make } from "../shared/dom.js";

/** @typedef {string | [mark: string, ...inside: any[]]} Marked a text, or a mark and its content */

/** @param {Marked} part @returns {Node} */
function element(part) {
  if (typeof part === "string") return document.createTextNode(part);
  const [mark, ...inside] = part;
  const tag =
    mark === "strong" ? "strong" : mark === "code" ? "code" : mark === "em" ? "em" : "span";
  return make(tag, {}, ...inside.map((each) => element(each)));
}

/** @param {Marked[]} caption */
export const captionOf = (caption) => caption.map(element);
