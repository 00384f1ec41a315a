/**
 * Binds keys to an element. The declarations are kept with the element: the page's list of keys,
 * which `?` opens, is made of them.
 */

/**
 * @typedef {object} KeyBinding
 * @property {string[]} keys names as in `event.key`, letters in capitals, with `Control+`, `Alt+`
 *   and `Shift+` in front
 * @property {string} does what they do, in a few words
 * @property {string} [shown] how the list writes them, where they are many
 * @property {() => boolean} [when] whether the list has them now
 * @property {(event: KeyboardEvent) => boolean | void} run returns false if the key means nothing
 *   now, so that it goes on
 *
 * @typedef {{place: string, bindings: KeyBinding[]}} BoundKeys
 */

/** The property of an element that has them; each component has a copy of this module. */
const KEYS = Symbol.for("tinkerformer.keys");

/** A key press in the names of a declaration. @param {KeyboardEvent} event */
function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  const isControl = ctrlKey || metaKey;
  const isSign = key.length === 1 && key !== " ";
  const name = key === " " ? "Space" : isSign ? key.toUpperCase() : key;
  // A sign has Shift in it already.
  const isShift = shiftKey && (!isSign || isControl || altKey);
  const held = [isControl && "Control", altKey && "Alt", isShift && "Shift"];
  return [...held.filter(Boolean), name].join("+");
}

/**
 * @param {EventTarget} el where the keys are heard
 * @param {string} place what the list of keys calls it, such as “In the picture”
 * @param {KeyBinding[]} bindings the first that takes a key has it
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
