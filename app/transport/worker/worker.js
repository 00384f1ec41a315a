/** Runs one Python in a web worker, with one page for each port. */

import { importLater, startPython, unpacked } from "./python.js";

/**
 * @import {Python, Runtime} from "./python.js"
 *
 * @typedef {object} Parts the URLs of a site's parts
 * @property {Runtime} runtime
 * @property {string} archive of Python's modules
 * @property {{names: string[], archive: string}[]} later modules by archive, which is loaded when
 *   the first of them is imported
 *
 * @typedef {{open: string} | {close: true} | {ask: true} | {text: string, buffers: ArrayBuffer[]}}
 *   FromPage
 * @typedef {{postMessage: (message: object, transfer: Transferable[]) => void, onmessage: ((event:
 *   MessageEvent<FromPage>) => void) | null}} Port
 * @typedef {{receive: (text: string, buffers?: ArrayBuffer[]) => void, close: () => void, destroy:
 *   () => void}} Page
 */

/** @param {string} path relative to this module, or absolute */
const here = (path) => new URL(path, import.meta.url).href;

/** @param {Parts} parts */
export function begin(parts) {
  const python = start(parts);
  /** @type {Set<Port>} */
  const ports = new Set();
  const end = (/** @type {unknown} */ error) => {
    for (const port of ports) port.postMessage({ dead: String(error) }, []);
    ports.clear();
    self.close();
  };
  watch(python, end);
  /** @param {Port} port */
  const attend = (port) => {
    ports.add(port);
    serve(port, python, end).finally(() => ports.delete(port));
  };
  const scope = /** @type {any} */ (self);
  if ("onconnect" in scope) {
    scope.onconnect = (/** @type {MessageEvent} */ event) => attend(event.ports[0]);
  } else attend(scope);
}

/** @param {Parts} parts @returns {Promise<Python>} */
async function start({ runtime, archive, later }) {
  const bytes = async (/** @type {string} */ path) => {
    const answer = await fetch(here(path));
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return (path.endsWith(".packed") ? unpacked(answer) : answer).arrayBuffer();
  };
  performance.mark("tinkerformer:begun");
  const python = await startPython({ ...runtime, url: here(runtime.url) }, bytes(archive));
  performance.mark("tinkerformer:python");
  for (const { names, archive } of later) importLater(python, names, here(archive));
  return python;
}

/**
 * After an uncaught error, checks whether Python still runs, and ends the worker if not. Errors
 * during the start are reported to each page by `serve`.
 * @param {Promise<Python>} starting @param {(error: unknown) => void} end
 */
function watch(starting, end) {
  /** @type {Python | null} */
  let python = null;
  starting.then(
    (started) => {
      python = started;
    },
    () => {},
  );
  /** @param {Event} event @param {unknown} reason */
  const look = (event, reason) => {
    try {
      if (python) python.runPython("1");
      else event.preventDefault();
    } catch {
      end(reason);
    }
  };
  self.addEventListener("error", (event) => look(event, event.message));
  self.addEventListener("unhandledrejection", (event) => look(event, event.reason));
}

/**
 * Handles a page's messages until it closes.
 * @param {Port} port @param {Promise<Python>} starting @param {(error: unknown) => void} end
 */
async function serve(port, starting, end) {
  /** @type {Page | null} */
  let page = null;
  /** @type {(text: string, buffers?: Uint8Array[]) => void} */
  const post = (text, all) => {
    const buffers = (all ?? []).map(({ buffer }) => /** @type {ArrayBuffer} */ (buffer));
    port.postMessage({ text, buffers }, buffers);
  };
  /** @param {Python} python @param {FromPage} message */
  const take = (python, message) => {
    if ("open" in message) {
      page?.close();
      const { open_page } = python.pyimport("tinkerformer.site.worker_page");
      performance.mark("tinkerformer:imported");
      page = open_page(post, message.open);
      performance.mark("tinkerformer:opened");
    } else if ("text" in message) {
      page?.receive(message.text, message.buffers.length > 0 ? message.buffers : undefined);
    } else if ("ask" in message) port.postMessage({ here: true }, []);
    else page?.close();
  };
  await new Promise((closed) => {
    port.onmessage = async ({ data }) => {
      let python;
      try {
        python = await starting;
      } catch (error) {
        port.postMessage({ failed: String(error) }, []);
        return;
      }
      try {
        take(python, data);
      } catch (error) {
        // Python handles its own exceptions, so this one means that the interpreter died.
        end(error);
      }
      if ("close" in data) closed(null);
    };
  });
}
