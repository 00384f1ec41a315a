/**
 * Binds keys to an element. The declarations are stored on the element, and the page's list of
 * keys, opened by `?`, is made from them.
 */

/**
 * @typedef {object} KeyBinding
 * @property {string[]} keys names as in `event.key`, letters in capitals, with `Control+`, `Alt+`
 *   and `Shift+` in front
 * @property {string} does effect of the keys, in a few words
 * @property {string} [shown] a short form for the list, if there are many keys
 * @property {() => boolean} [when] whether the keys have an effect now, and are in the list
 * @property {(event: KeyboardEvent) => boolean | void} run returns false if the key has no effect
 *   now, so that the event is not handled
 *
 * @typedef {{place: string, bindings: KeyBinding[]}} BoundKeys
 */

/** The property with an element's keys; a global symbol, as each component bundles this module. */
const KEYS = Symbol.for("tinkerformer.keys");

/** Returns the name of a pressed key, as in `KeyBinding.keys`. @param {KeyboardEvent} event */
function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  const isControl = ctrlKey || metaKey;
  const isSign = key.length === 1 && key !== " ";
  const name = key === " " ? "Space" : isSign ? key.toUpperCase() : key;
  // The name of a character already includes Shift.
  const isShift = shiftKey && (!isSign || isControl || altKey);
  const held = [isControl && "Control", altKey && "Alt", isShift && "Shift"];
  return [...held.filter(Boolean), name].join("+");
}

/**
 * @param {EventTarget} el the target of the key events
 * @param {string} place the heading in the list of keys, such as “In the picture”
 * @param {KeyBinding[]} bindings tried in order until one of them handles the key
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
    for (const { keys, when, run } of bindings) {
      if (!keys.includes(name) || when?.() === false || run(event) === false) continue;
      event.preventDefault();
      return;
    }
  };
  el.addEventListener("keydown", pressed, { signal, capture });
}
