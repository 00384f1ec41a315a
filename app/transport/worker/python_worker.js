/** Connects the page to its Python worker; queues messages until the worker is ready. */

import { Pulse } from "./pulse.js";

/**
 * @import {Packet} from "../port/wire.js"
 *
 * @typedef {object} WorkerHandlers
 * @property {(text: string, buffers: ArrayBuffer[]) => void} receive
 * @property {() => void} opened Python is ready, and has received the queued messages
 * @property {(reason: string) => void} failed Python could not start
 * @property {(reason: string) => void} died Python stopped after it had started
 * @property {() => void} silent Python has not answered for a while
 * @property {() => void} answers Python answers again
 *
 * @typedef {{text?: string, buffers: ArrayBuffer[], failed?: string, dead?: string, here?: true}}
 *   FromWorker
 * @typedef {{postMessage: (message: object, transfer: Transferable[]) => void, onmessage: ((event:
 *   MessageEvent<FromWorker>) => void) | null}} Port
 */

const NAME = "Tinkerformer";

export class PythonWorker {
  /**
   * @param {string} url of the worker's module
   * @param {string} query of the page's address
   * @param {WorkerHandlers} handlers
   */
  constructor(url, query, handlers) {
    this.url = url;
    this.query = query;
    this.handlers = handlers;
    /** @type {Packet[] | null} */
    this.waiting = [];
    /** @type {Port | null} */
    this.port = null;
    this.stop = () => {};
    this.pulse = new Pulse(() => this.port?.postMessage({ ask: true }, []), handlers);
    addEventListener("pagehide", (event) => {
      if (!event.persisted) this.port?.postMessage({ close: true }, []);
    });
  }

  /** Starts a worker for this page alone. */
  start() {
    const worker = new Worker(this.url, { type: "module", name: NAME });
    worker.onerror = (event) => this.lost(event);
    this.attend(worker, () => worker.terminate());
  }

  /**
   * Starts or joins a worker that all tabs and iframes of this site share.
   * @param {() => void} refused called if the browser does not allow shared workers
   */
  share(refused) {
    if (typeof SharedWorker !== "function") {
      refused();
      return;
    }
    const shared = new SharedWorker(this.url, { type: "module", name: NAME });
    shared.onerror = () => {
      this.port = null;
      refused();
    };
    this.attend(/** @type {Port} */ (/** @type {unknown} */ (shared.port)), () => {});
  }

  /** @param {Port} port @param {() => void} stop */
  attend(port, stop) {
    this.port = port;
    this.stop = stop;
    port.onmessage = ({ data }) => this.receive(data);
    port.postMessage({ open: this.query }, []);
  }

  /** @param {Packet} packet */
  post(packet) {
    if (this.waiting) this.waiting.push(packet);
    else this.port?.postMessage(packet, []);
  }

  /** @param {FromWorker} message */
  receive({ text, buffers, failed, dead, here }) {
    this.pulse.received();
    if (here) return;
    if (failed !== undefined) this.end(() => this.handlers.failed(failed));
    else if (dead !== undefined) this.end(() => this.handlers.died(dead));
    else if (text !== undefined) {
      this.handlers.receive(text, buffers);
      if (this.waiting) this.deliver(this.waiting);
    }
  }

  /** @param {Packet[]} waiting */
  deliver(waiting) {
    this.waiting = null;
    for (const packet of waiting) this.post(packet);
    this.handlers.opened();
    this.pulse.begin();
  }

  /** Handles a worker that failed to load, or crashed. @param {ErrorEvent} event */
  lost(event) {
    event.preventDefault();
    const reason = event.message ?? "the worker did not start";
    const hadStarted = this.waiting === null;
    this.end(() => (hadStarted ? this.handlers.died(reason) : this.handlers.failed(reason)));
  }

  /** @param {() => void} report */
  end(report) {
    this.pulse.end();
    this.stop();
    this.port = null;
    this.forget();
    report();
  }

  /**
   * Discards queued messages, because a new page replaces this one and sends them again in order.
   */
  forget() {
    this.waiting = [];
  }
}
