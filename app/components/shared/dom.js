/** Elements, made and changed without a word of HTML. */

/**
 * @typedef {{[K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) =>
 *   void}} Listeners
 * @typedef {Listeners & Record<string, unknown>} Attributes `class`, `for`, `aria-…` as in HTML;
 *   `on…`
 *   functions listen; true is an attribute without a value, false, null and undefined are none
 */

/**
 * Make an element. Children that are strings become text, so nothing a user typed is ever read as
 * HTML.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on"))
      node.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, String(value));
  }
  for (const child of children) if (child != null) node.append(child);
  return node;
}

/**
 * Make an element of a drawing.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag @param {Attributes} [attributes] @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function makeSvg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on"))
      node.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (value != null) node.setAttribute(name, String(value));
  }
  node.append(...children);
  return node;
}

/**
 * Set an attribute, or take it away when the value is null, without touching what is right already.
 * @param {Element} node @param {string} name @param {string | number | null} value
 */
export function setAttribute(node, name, value) {
  if (value === null) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
}

/**
 * Set the text of a node only if it differs: text that stays does not lay the page out again.
 * @param {Node} node @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Run once before the next paint, however often it is asked for until then.
 * @param {() => void} run @returns {() => void} to ask for it
 */
export function oncePerFrame(run) {
  let request = 0;
  return () => {
    cancelAnimationFrame(request);
    request = requestAnimationFrame(run);
  };
}
