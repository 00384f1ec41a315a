/**
 * Make an element. Children that are strings become text, so nothing a visitor typed is ever read as HTML.
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes] `class`, `for`, `aria-…` as in HTML; `on…` functions listen
 * @param {...(Node|string|null)} children
 * @returns {HTMLElement}
 */
export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

/** Set an attribute, or take it away when the value is null, without touching what is right already. */
export function setAttribute(node, name, value) {
  if (value == null) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

/** Set the text of a node only if it differs: text that stays does not lay the page out again. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
