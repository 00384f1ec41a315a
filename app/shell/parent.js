/**
 * Connects a page in an iframe to its parent, the page around the iframe. Reports readiness and
 * height to any parent. Executes calls of `window.tinkerformer` for origins that the owner of the
 * server allows; other origins receive no answer.
 *
 * Sent to the parent: `{tinkerformer: 1, type: "ready"}`; `{tinkerformer: 1, type: "height",
 * height}` in CSS px (for learning platforms also as `lti.frameResize`); `{tinkerformer: 1, type,
 * detail}` for events to which the parent listens (type: selection, frame, scenario or score). A
 * request `{tinkerformer: 1, id, call, args}` is answered by `{tinkerformer: 1, id, result}` or
 * `{tinkerformer: 1, id, error}`, where error is a sentence. A call that changes something is
 * answered once the page shows the change; `{tinkerformer: 1, type: "taken", id}` acknowledges the
 * call immediately.
 */

import { sendHeight } from "./frame_height.js";
import { isNumber, isText, wrongIn } from "./parent_calls.js";

/** @import {EventName} from "../board/api.js" */

const { parent } = window;
const VERSION = 1;
const FRAME_MS = 100; // least time between two frame events sent to the parent
const READS = new Set(["value", "gradient"]);

/** @param {object} message @param {string} origin of the parent */
const post = (message, origin) => parent.postMessage({ tinkerformer: VERSION, ...message }, origin);

export function connectParent() {
  if (parent === window) return;
  document.addEventListener("tinkerformer:ready", () => post({ type: "ready" }, "*"));
  sendHeight((height) => {
    post({ type: "height", height }, "*");
    parent.postMessage({ subject: "lti.frameResize", height }, "*");
  });
  const allowed = allowedOrigins();
  addEventListener("message", (message) => answer(allowed, message));
}

/** @type {Map<string, () => void>} functions that stop the events to which the parent listens */
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
    throw new Error("The page is not ready; it sends a message of the type “ready” when it is.");
  return tinkerformer;
}

/** @param {string} call @param {any[]} args already validated @param {string} origin */
function done(call, args, origin) {
  if (call === "listen") return listen(args[0], origin);
  if (call === "unlisten") return unlisten(args[0]);
  // For a missing number the API returns undefined; throw an error with a reason for the parent.
  if (READS.has(call)) page().check(args[0], args[1], args[2]);
  const calls = /** @type {Record<string, (...args: unknown[]) => unknown>} */ (
    /** @type {unknown} */ (page())
  );
  return calls[call](...args);
}

/** @returns {Set<string>} the origins of the pages that may call this page */
function allowedOrigins() {
  const meta = document.querySelector("meta[name=tinkerformer-parents]");
  return new Set(meta?.getAttribute("content")?.split(" "));
}

/** @param {Set<string>} allowed origins @param {MessageEvent} message */
async function answer(allowed, { source, origin, data }) {
  if (source !== parent || !allowed.has(origin)) return;
  if (typeof data !== "object" || data?.tinkerformer !== VERSION) return;
  const { id, call, args = [] } = data;
  if (!isNumber(id) && !isText(id)) return; // the parent could not match an answer to its request
  try {
    const wrong = wrongIn(call, args);
    if (wrong) throw new Error(wrong);
    const result = done(call, args, origin);
    if (result instanceof Promise) post({ type: "taken", id }, origin);
    post({ id, result: await result }, origin);
  } catch (error) {
    post({ id, error: error instanceof Error ? error.message : String(error) }, origin);
  }
}
