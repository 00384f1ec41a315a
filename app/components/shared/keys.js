/**
 * Binds keys to an element. The declarations are stored on the element; the page's list of keys,
 * which `?` opens, is made from them.
 */

/**
 * @typedef {object} KeyBinding
 * @property {string[]} keys names as in `event.key`, letters in capitals, with `Control+`, `Alt+`
 *   and `Shift+` in front
 * @property {string} does their effect, in a few words
 * @property {string} [shown] a short form for the list, if there are many keys
 * @property {() => boolean} [when] whether the list currently includes them
 * @property {(event: KeyboardEvent) => boolean | void} run returns false if the key has no effect
 *   now, so that the event is not handled
 *
 * @typedef {{place: string, bindings: KeyBinding[]}} BoundKeys
 */

/** The property that stores them on an element; shared, as each component bundles this module. */
const KEYS = Symbol.for("tinkerformer.keys");

/** The name of a key press, as in a declaration. @param {KeyboardEvent} event */
function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  const isControl = ctrlKey || metaKey;
  const isSign = key.length === 1 && key !== " ";
  const name = key === " " ? "Space" : isSign ? key.toUpperCase() : key;
  // For a character, Shift is already part of the key's value.
  const isShift = shiftKey && (!isSign || isControl || altKey);
  const held = [isControl && "Control", altKey && "Alt", isShift && "Shift"];
  return [...held.filter(Boolean), name].join("+");
}

/**
 * @param {EventTarget} el the element that listens
 * @param {string} place its heading in the list of keys, such as “In the picture”
 * @param {KeyBinding[]} bindings the first that handles a key wins
 * @param {{signal?: AbortSignal, capture?: boolean}} [options]
 */
export function bindKeys(el, place, bindings, { signal, capture } = {}) {
  const holder = /** @type {{[KEYS]?: BoundKeys[]}} */ (/** @type {unknown} */ (el));
  const bound = { place, bindings };
  holder[KEYS] = [...(holder[KEYS] ?? []), bound];
  signal?.addEventListener("abort", () => {
    holder[KEYS] = holder[KEYS]?.filter((each) => each !== bound);
  });
  const pressed = (/** @type {Event} */ event) => {
    if (!(event instanceof KeyboardEvent) || event.defaultPrevented) return;
    const name = nameOf(event);
    for (const { keys, run } of bindings) {
      if (!keys.includes(name) || run(event) === false) continue;
      event.preventDefault();
      return;
    }
  };
  el.addEventListener("keydown", pressed, { signal, capture });
}
