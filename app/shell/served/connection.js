/**
 * The page's WebSocket. When the server is gone or does not answer, the page shows a notice, waits,
 * and reloads. The board stores the session in this tab and sends it to the next server.
 */

import { Conversation } from "./conversation.js";
import { Heartbeat } from "./heartbeat.js";
import { isThere, Waiting } from "./waiting.js";

/**
 * @import {Packet} from "../../transport/port/wire.js"
 * @import {Fragment, Content} from "./conversation.js"
 *
 * @typedef {object} Opened
 * @property {string} token the session's token
 * @property {string} port the id of the Bokeh model that receives messages
 * @property {string} version of the files that the page was loaded with
 */

const PROBE = 2500; // ms

export class Connection {
  /** @param {Opened} opened @param {(content: Content) => void} receive */
  constructor({ token, port, version }, receive) {
    this.version = version;
    this.receive = receive;
    this.conversation = new Conversation(port);
    this.waiting = new Waiting();
    this.wasHeard = false;
    this.isLeaving = false;
    this.socket = new WebSocket(address(), ["bokeh", token]);
    this.socket.binaryType = "arraybuffer";
    this.heartbeat = new Heartbeat(() => this.send(this.conversation.question()), {
      slow: () => this.waiting.slow(),
      answers: () => this.waiting.answers(),
      silent: async () => {
        // Give up the socket if the server answers HTTP. The request may use an open connection
        // that is dead, too; it is aborted after PROBE, and the next one uses another.
        if ((await isThere(PROBE)) && this.heartbeat.isSlow) this.lose();
      },
    });
    this.socket.addEventListener("message", ({ data }) => this.received(data));
    this.socket.addEventListener("close", () => this.lose());
    document.addEventListener("tinkerformer:ready", () => this.heartbeat.opened(), { once: true });
    for (const type of ["pointermove", "pointerdown", "keydown", "visibilitychange"])
      document.addEventListener(type, () => this.heartbeat.touched(), {
        capture: true,
        passive: true,
      });
    addEventListener("pagehide", () => {
      this.isLeaving = true;
    });
    // The browser closes the socket of a page in the back/forward cache.
    addEventListener("pageshow", (event) => {
      if (!event.persisted) return;
      this.isLeaving = false;
      if (this.socket.readyState !== WebSocket.OPEN) this.waiting.lost(true);
    });
  }

  /** @param {Packet} packet */
  post(packet) {
    this.send(this.conversation.posting(packet));
  }

  /** @param {Fragment[]} fragments */
  send(fragments) {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    for (const fragment of fragments) this.socket.send(fragment);
  }

  /** @param {Fragment} fragment */
  received(fragment) {
    if (!this.wasHeard) this.waiting.begun();
    this.wasHeard = true;
    this.heartbeat.received();
    const message = this.conversation.receive(fragment);
    if (!message) return;
    this.heartbeat.answered();
    if (message.header.msgtype === "ACK") this.send(this.conversation.opening());
    for (const content of message.contents) {
      if ("version" in content && content.version !== this.version) this.waiting.replaced();
      this.receive(content);
    }
  }

  lose() {
    this.heartbeat.end();
    if (this.isLeaving) return;
    this.waiting.lost(this.wasHeard);
  }

  /** Reports that a file of the page failed to load. */
  incomplete() {
    this.waiting.incomplete();
  }
}

/** Returns the URL of the page's WebSocket. */
function address() {
  const { protocol, host, pathname } = location;
  return `${protocol === "https:" ? "wss" : "ws"}://${host}${pathname.replace(/\/+$/, "")}/ws`;
}
