/** Typesets the name of a cell, such as W_src^E[black, d2], with subscripts and superscripts. */

/**
 * @param {string} name
 * @returns {["sub" | "sup" | "", string][]} the parts in order, each with its position
 */
export function nameParts(name) {
  // Signs in brackets are part of words, not subscripts or superscripts.
  const cut = name.indexOf("[");
  const symbol = cut < 0 ? name : name.slice(0, cut);
  const [letter, ...marks] = symbol.split(/(?=[_^])/);
  return [
    ["", letter],
    ...marks.map((mark) => /** @type {["sub" | "sup", string]} */ ([SET[mark[0]], mark.slice(1)])),
    ["", name.slice(symbol.length)],
  ];
}

/** @type {Record<string, "sub" | "sup">} */
const SET = { _: "sub", "^": "sup" };
