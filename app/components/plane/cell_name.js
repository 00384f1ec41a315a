/** The name of a cell, such as W_src^E[black, d2], with what stands below and above its letter. */

/**
 * @param {string} name
 * @returns {["sub" | "sup" | "", string][]} parts of it, in order, and where each is set
 */
export function nameParts(name) {
  // What is in brackets are words, in which such signs are letters.
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
