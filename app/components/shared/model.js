/** What Panel hands a component: its properties, and the way to the server and back. */

import { oncePerFrame } from "./dom.js";

/**
 * @import {How, Outbox} from "../carriers/port/outbox.js"
 */

/**
 * @template {object} Properties
 * @typedef {Properties & Connection} Model
 */

/**
 * @typedef {object} Connection
 * @property {(name: string, listener: (event: MessageEvent) => void) => void} on a property's name,
 *   `msg:custom` for a message, or `remove`
 * @property {(name: string, listener: (event: MessageEvent) => void) => void} off
 * @property {(message: object) => void} send_msg to the Python half
 * @property {(message: object, how?: How) => Promise<number>} [request] the same, answered; on a
 *   page of this house
 * @property {Outbox} [outbox] all that such a page says
 */

/**
 * Listen to the messages of the Python half.
 * @template {object} Message
 * @param {Connection} model @param {(message: Message) => void} listener
 */
export function onMessage(model, listener) {
  // A carrier may hand the message over as it is, or as the data of an event.
  model.on("msg:custom", (event) => listener(/** @type {Message} */ (event.data ?? event)));
}

let asked = 0;

/**
 * Say something, and hear when it is done.
 * @param {Connection} model @param {object} message @param {How} [how]
 * @returns {Promise<unknown>} fails with the sentence that says why it is not
 */
export function ask(model, message, how) {
  if (model.request) return model.request(message, how);
  asked += 1;
  const number = asked;
  return new Promise((done, fail) => {
    /** @param {MessageEvent} event */
    const hear = (event) => {
      const { answered, problem } = /** @type {any} */ (event.data ?? event);
      if (answered !== number) return;
      model.off("msg:custom", hear);
      if (problem) fail(new Error(problem));
      else done(undefined);
    };
    model.on("msg:custom", hear);
    model.send_msg({ answer: number, message });
  });
}

/**
 * Say something once before the next paint, however often it is asked for until then; or before
 * anything else is said.
 * @param {Connection} model @param {string} key of all that this says @param {() => void} send
 * @returns {() => void} to ask for it
 */
export function sayOncePerFrame({ outbox }, key, send) {
  const later = oncePerFrame(() => {
    if (!outbox) send();
    else if (outbox.holds(key)) outbox.flush();
  });
  return () => {
    outbox?.hold(key, send);
    later();
  };
}
