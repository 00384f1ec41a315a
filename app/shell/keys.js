/**
 * `?` lists the keys for the focused element. The list is made from the key bindings of components
 * (`components/shared/keys.js`), from the focused element outward.
 */

import { watchDialog } from "../components/shared/announce.js";
import { isTyping } from "../components/shared/typing.js";
import { find } from "./find.js";

const KEYS = Symbol.for("tinkerformer.keys");

/**
 * @typedef {{keys: string[], does: string, shown?: string, when?: () => boolean}} Line
 * @typedef {{place: string, bindings: Line[]}} Bound
 */

// -- finding the keys ------------------------------------------------------------------------

/** @param {EventTarget} node */
const boundTo = (node) =>
  /** @type {{[KEYS]?: Bound[]}} */ (/** @type {unknown} */ (node))[KEYS] ?? [];

/** @param {Element | ShadowRoot} root @returns {Element[]} visible grids of numbers */
function gridsIn(root) {
  return [...root.children].flatMap((child) => {
    if (child.matches(".board [role=grid]")) return child.checkVisibility() ? [child] : [];
    return [...(child.shadowRoot ? gridsIn(child.shadowRoot) : []), ...gridsIn(child)];
  });
}

/** @param {Element} el @returns {EventTarget[]} the element and its ancestors */
function pathOf(el) {
  const path = /** @type {EventTarget[]} */ ([]);
  for (let node = /** @type {Node | null} */ (el); node; ) {
    path.push(node);
    node = node instanceof ShadowRoot ? node.host : (node.parentNode ?? null);
  }
  return path;
}

/** @param {EventTarget[]} path @returns {Map<string, Line[]>} by place, the nearest place first */
function linesOf(path) {
  /** @type {Map<string, Line[]>} */
  const places = new Map();
  for (const { place, bindings } of path.flatMap(boundTo)) {
    const lines = bindings.filter(({ when }) => !when || when());
    if (lines.length) places.set(place, [...(places.get(place) ?? []), ...lines]);
  }
  return places;
}

// -- showing the list ------------------------------------------------------------------------

/** @type {Record<string, string>} */
const SIGNS = {
  ...{ ArrowLeft: "←", ArrowUp: "↑", ArrowRight: "→", ArrowDown: "↓" },
  ...{ PageUp: "Page Up", PageDown: "Page Down", Escape: "Esc", Control: "Ctrl" },
};

/** @param {string} text */
function kbd(text) {
  const el = document.createElement("kbd");
  el.textContent = text;
  return el;
}

/** @param {Line} line */
function written({ keys, shown }) {
  if (shown) return [kbd(shown)];
  return keys.flatMap((key) => {
    const parts = key === "+" ? [key] : key.split("+");
    return [...parts.flatMap((part, k) => [k ? "+" : "", kbd(SIGNS[part] ?? part)]), " "];
  });
}

/** @param {string} place @param {Line[]} lines */
function section(place, lines) {
  const title = document.createElement("h3");
  title.textContent = place;
  const rows = document.createElement("dl");
  for (const line of lines) {
    const keys = document.createElement("dt");
    keys.append(...written(line));
    const does = document.createElement("dd");
    does.textContent = line.does;
    rows.append(keys, does);
  }
  return [title, rows];
}

/** @param {EventTarget[]} path @returns {Node[]} the list of keys for the path's first node */
function listFor(path) {
  const isNowhere = !path.some((node) => node !== document && boundTo(node).length);
  const [grid] = isNowhere ? gridsIn(document.body) : [];
  const places = linesOf(grid ? pathOf(grid) : path);
  return [...places].flatMap(([place, lines]) => section(place, lines));
}

export function listKeys() {
  const dialog = /** @type {HTMLDialogElement} */ (find("#keys"));
  watchDialog(dialog);
  let dialogs = 0; // number of open dialogs
  document.addEventListener("tinkerformer:dialog", ({ detail }) => {
    dialogs = Math.max(0, dialogs + (detail.open ? 1 : -1));
  });

  const bound = [{ keys: ["?"], does: "lists the keys for where you are" }];
  Object.assign(document, {
    [KEYS]: [...boundTo(document), { place: "Anywhere", bindings: bound }],
  });
  document.addEventListener("keydown", (event) => {
    const isKey = bound[0].keys.includes(event.key);
    if (!isKey || event.defaultPrevented || isTyping(event) || dialogs) return;
    event.preventDefault();
    find("#keys-list").replaceChildren(...listFor(event.composedPath()));
    dialog.showModal();
    dialog.scrollTop = 0;
  });
  find("#keys-help").addEventListener("click", () => {
    dialog.close();
    find("#help-button").click();
  });
}
