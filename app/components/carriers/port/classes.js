/** The classes of components: each a module that exports `render` and its `styles`. */

/** @import {ComponentClass} from "./thing.js" */

/**
 * What loads a class from its own address.
 * @param {(name: string) => string} address
 * @param {Promise<unknown>} before what none of them is drawn without
 */
export function fromAddresses(address, before) {
  return async (/** @type {string} */ name) => {
    const [found] = await Promise.all([load(address(name)), before]);
    return found;
  };
}

/** What loads a class, once, from a text that the page brings with it. */
export function fromTexts() {
  /** @type {Record<string, string>} */
  const texts = JSON.parse(document.querySelector("#classes")?.textContent ?? "{}");
  /** @type {Map<string, Promise<ComponentClass>>} */
  const loaded = new Map();
  return (/** @type {string} */ name) => {
    const found = loaded.get(name) ?? loadText(texts[name]);
    loaded.set(name, found);
    return found;
  };
}

/** @param {string} url @returns {Promise<ComponentClass>} */
async function load(url) {
  const module = await import(url);
  return { module, styles: module.styles };
}

/** @param {string} text */
async function loadText(text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    return await load(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}
