/**
 * Connects a page in an iframe to the page around it: reports when it is ready and its height, and
 * carries out calls of `window.tinkerformer` for the origins that its owner allows. Others get no
 * answer.
 *
 * Sent to the parent: `{tinkerformer: 1, type: "ready"}`; `{tinkerformer: 1, type: "height",
 * height}` in CSS px (for learning platforms also as `lti.frameResize`); `{tinkerformer: 1, type,
 * detail}` for events that the parent listens to (type: selection, frame, scenario or score). A
 * request `{tinkerformer: 1, id, call, args}` is answered by `{tinkerformer: 1, id, result}` or
 * `{tinkerformer: 1, id, error}`, where error is a sentence. A call that changes something is
 * answered once the page shows the change; `{tinkerformer: 1, type: "taken", id}` acknowledges it
 * at once.
 */

/** @import {EventName} from "../board/api.js" */

(() => {
  const { parent } = window;
  if (parent === window) return;

  const VERSION = 1;
  const LESSON_HEIGHT = 680; // CSS px, for its text and the picture beside or above it
  const FRAME_MS = 100; // least time between two frame events that the parent gets

  /** @param {object} message @param {string} origin of the parent */
  const post = (message, origin) =>
    parent.postMessage({ tinkerformer: VERSION, ...message }, origin);

  // -- messages to any parent: ready and height ------------------------------------------------

  document.addEventListener("tinkerformer:ready", () => post({ type: "ready" }, "*"));

  const root = document.documentElement;
  const asked = new URLSearchParams(root.dataset.query ?? location.search).get("view") ?? "";
  if (root.dataset.height === "auto") {
    let told = 0;
    // Lay the page out for the requested lesson before it has loaded.
    let comes = /^(lesson|dare):/.test(asked);
    const tell = () => {
      const isOpen = root.dataset.lesson !== undefined;
      // If the lesson does not exist, the page shows the list of lessons.
      comes &&= !isOpen && root.dataset.view !== "lessons";
      // With the full height of the view, a lesson's text would be far from its picture.
      root.dataset.height = isOpen || comes ? "frame" : "auto";
      const own = Math.ceil(document.body.getBoundingClientRect().height);
      const height = isOpen || comes ? LESSON_HEIGHT : own;
      if (height === told) return;
      told = height;
      post({ type: "height", height }, "*");
      parent.postMessage({ subject: "lti.frameResize", height }, "*");
    };
    new ResizeObserver(tell).observe(document.body);
    new MutationObserver(tell).observe(root, { attributeFilter: ["data-lesson", "data-view"] });
  }

  // -- the calls that a parent may make --------------------------------------------------------

  /** @typedef {[check: (x: unknown) => boolean, is: string, optional?: boolean]} Argument */

  const MOST_CHARACTERS = 200;
  const isText = (/** @type {unknown} */ x) =>
    typeof x === "string" && x.length > 0 && x.length <= MOST_CHARACTERS;
  const isNumber = (/** @type {unknown} */ x) => typeof x === "number" && Number.isFinite(x);
  const isIndex = (/** @type {unknown} */ x) => Number.isInteger(x) && Number(x) >= 0;
  /** @param {unknown} x amplitude and period, each optional */
  const isSwing = (x) =>
    typeof x === "object" &&
    x !== null &&
    Object.entries(x).every(
      ([name, value]) => ["amplitude", "period"].includes(name) && isNumber(value) && value > 0,
    );

  /** @type {Argument} */
  const PATH = [isText, `text of at most ${MOST_CHARACTERS} characters`];
  /** @type {Argument} */
  const INDEX = [isIndex, "a whole number from 0"];
  /** @type {Argument} */
  const NUMBER = [isNumber, "a finite number"];
  /** @type {Argument} */
  const SWITCH = [(x) => typeof x === "boolean", "true or false"];
  const CELL = [PATH, INDEX, INDEX];

  /** @type {Record<string, Argument[]>} */
  const CALLS = {
    paths: [],
    value: CELL,
    gradient: CELL,
    set: [...CELL, NUMBER],
    restore: CELL,
    select: [
      [(x) => x === null || isText(x), `${PATH[1]}, or null`],
      [isIndex, INDEX[1], true],
      [isIndex, INDEX[1], true],
    ],
    selection: [],
    oscillate: [SWITCH, [isSwing, "an object of amplitude and period, numbers over 0", true]],
    oscillating: [],
    stages: [],
    goto: [PATH],
    scenario: [],
    listen: [PATH],
    unlisten: [PATH],
  };

  const READS = new Set(["value", "gradient"]);

  /**
   * Returns a sentence on the error of a request, or an empty string.
   * @param {unknown} call @param {unknown} args @returns {string}
   */
  function wrongIn(call, args) {
    if (typeof call !== "string" || !Object.hasOwn(CALLS, call))
      return `There is no such call; there are ${Object.keys(CALLS).join(", ")}.`;
    const wanted = CALLS[call];
    if (!Array.isArray(args) || args.length > wanted.length)
      return `The arguments of ${call} are a list of at most ${wanted.length}.`;
    const at = wanted.findIndex(([isRight, , optional], k) =>
      k < args.length ? !isRight(args[k]) : !optional,
    );
    return at < 0 ? "" : `Argument ${at + 1} of ${call} is ${wanted[at][1]}.`;
  }

  // -- calls -----------------------------------------------------------------------------------

  /** @type {Map<string, () => void>} how to stop each event that the parent listens to */
  const listening = new Map();

  /** @param {string} event @param {string} origin */
  function listen(event, origin) {
    let isDue = false;
    /** @type {unknown} */
    let last = null;
    const now = () => {
      isDue = false;
      post({ type: event, detail: last }, origin);
    };
    const stop = page().listen(/** @type {EventName} */ (event), (detail) => {
      last = detail;
      if (event !== "frame") return now();
      if (!isDue) setTimeout(now, FRAME_MS);
      isDue = true;
    });
    unlisten(event);
    listening.set(event, stop);
  }

  /** @param {string} event */
  function unlisten(event) {
    listening.get(event)?.();
    listening.delete(event);
  }

  function page() {
    const { tinkerformer } = window;
    if (!tinkerformer?.ready)
      throw new Error("The page is not ready; it says so by a message of the type “ready”.");
    return tinkerformer;
  }

  /** @param {string} call @param {any[]} args already validated @param {string} origin */
  function done(call, args, origin) {
    if (call === "listen") return listen(args[0], origin);
    if (call === "unlisten") return unlisten(args[0]);
    // For a missing number the API returns undefined; for the parent, throw an error with a reason.
    if (READS.has(call)) page().check(args[0], args[1], args[2]);
    const calls = /** @type {Record<string, (...args: unknown[]) => unknown>} */ (
      /** @type {unknown} */ (page())
    );
    return calls[call](...args);
  }

  const allowed = new Set(
    document.querySelector("meta[name=tinkerformer-parents]")?.getAttribute("content")?.split(" "),
  );
  addEventListener("message", async ({ source, origin, data }) => {
    if (source !== parent || !allowed.has(origin)) return;
    if (typeof data !== "object" || data?.tinkerformer !== VERSION) return;
    const { id, call, args = [] } = data;
    if (!isNumber(id) && !isText(id)) return; // an answer could not be matched to its request
    try {
      const wrong = wrongIn(call, args);
      if (wrong) throw new Error(wrong);
      const result = done(call, args, origin);
      if (result instanceof Promise) post({ type: "taken", id }, origin);
      post({ id, result: await result }, origin);
    } catch (error) {
      post({ id, error: error instanceof Error ? error.message : String(error) }, origin);
    }
  });
})();
