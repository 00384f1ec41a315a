/** The classes of components that a page brings with itself as texts. */

/**
 * @import {ComponentClass} from "./thing.js"
 * @typedef {{esm: string, styles: string[]}} ClassText
 */

/** @param {ClassText} text @returns {Promise<ComponentClass>} */
async function load({ esm, styles }) {
  const url = URL.createObjectURL(new Blob([esm], { type: "text/javascript" }));
  try {
    return { styles, module: await import(url) };
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** What loads a class by its name, once. @returns {(name: string) => Promise<ComponentClass>} */
export function loader() {
  /** @type {Record<string, ClassText>} */
  const texts = JSON.parse(document.querySelector("#classes")?.textContent ?? "{}");
  /** @type {Map<string, Promise<ComponentClass>>} */
  const loaded = new Map();
  return (name) => {
    const found = loaded.get(name) ?? load(texts[name]);
    loaded.set(name, found);
    return found;
  };
}
