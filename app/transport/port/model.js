/** The model that a component gets: its properties, and messages to and from its Python half. */

import { announceRefusal } from "./outbox.js";

/**
 * @import {How, Kind, Outbox} from "./outbox.js"
 *
 * @typedef {Record<string, unknown>} Properties
 * @typedef {(event?: unknown) => void} Listener
 * @typedef {(kind: Kind, content: object, how?: How) => Promise<number>} Send sends to Python;
 *   resolves to the page version that includes the change
 */

/** A component's properties, their listeners, and the messages that it has not received yet. */
export class ComponentModel {
  /**
   * @param {Properties} properties @param {Send} send sends to the Python half @param {Outbox}
   *   outbox
   */
  constructor(properties, send, outbox) {
    this.properties = properties;
    this.send = send;
    this.outbox = outbox;
    this.changes = 0; // the number of property updates from Python
    /** @type {Map<string, Listener[]>} */
    this.listeners = new Map();
    /**
     * Messages that arrived before the component listened; null once it listens.
     * @type {object[] | null}
     */
    this.waiting = [];
  }

  /**
   * The interface that components use: `model.value`, `model.value = 3`, `model.on("value",
   * listener)`, `model.off`, `model.send_msg(message)`, and `model.request(message)`, which returns
   * a promise.
   * @returns {any}
   */
  get proxy() {
    const own = {
      /** @param {string} name @param {Listener} listener */
      on: (name, listener) => {
        this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]);
      },
      /** @param {string} name @param {Listener} listener */
      off: (name, listener) => {
        const others = (this.listeners.get(name) ?? []).filter((x) => x !== listener);
        this.listeners.set(name, others);
      },
      /** @param {object} message */
      send_msg: (message) => {
        this.put("message", message);
      },
      /** @param {object} message @param {How} [how] */
      request: (message, how) => this.send("message", message, how),
      outbox: this.outbox,
    };
    return new Proxy(/** @type {Properties} */ (own), {
      get: (_, name) =>
        typeof name === "symbol" ? undefined : (Reflect.get(own, name) ?? this.properties[name]),
      set: (_, name, value) => {
        if (typeof name === "symbol" || !(name in this.properties)) return false;
        const changed = this.take({ [name]: value });
        if (changed.length > 0) this.put("set", { [name]: value });
        this.notify(changed);
        return true;
      },
    });
  }

  /**
   * Sends a message without waiting for the answer. If the browser refuses to send it, announces
   * the reason; Python shows its own refusals.
   * @param {Kind} kind @param {object} content
   */
  put(kind, content) {
    const { number } = this.outbox;
    const answer = this.send(kind, content);
    const isSent = this.outbox.number > number;
    answer.catch((error) => isSent || announceRefusal(error));
  }

  /**
   * Applies an update from Python.
   * @param {Properties} properties @returns {string[]} the names of the properties that changed
   */
  applyUpdate(properties) {
    this.changes += 1;
    return this.take(properties);
  }

  /**
   * Sets properties without notifying listeners.
   * @param {Properties} properties @returns {string[]} the names of the properties that changed
   */
  take(properties) {
    const changed = Object.keys(properties).filter(
      (name) => !same(properties[name], this.properties[name]),
    );
    Object.assign(this.properties, properties);
    return changed;
  }

  /** Calls the listeners of these properties. @param {string[]} names */
  notify(names) {
    for (const name of names) for (const listener of this.listeners.get(name) ?? []) listener();
  }

  /** Delivers a message from the Python half. @param {object} message */
  message(message) {
    if (this.waiting) this.waiting.push(message);
    else for (const listener of this.listeners.get("msg:custom") ?? []) listener(message);
  }

  /** Delivers the waiting messages; from now on the component listens. */
  begin() {
    const waiting = this.waiting ?? [];
    this.waiting = null;
    for (const message of waiting) this.message(message);
  }
}

/**
 * Returns whether two values are equal. Buffers are compared by identity.
 * @param {any} a @param {any} b @returns {boolean}
 */
export function same(a, b) {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (a instanceof ArrayBuffer || b instanceof ArrayBuffer) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}
