/** The interface between a component and its Python half. */

import { oncePerFrame } from "./dom.js";

/**
 * @import {How, Outbox} from "../../transport/port/outbox.js"
 */

/**
 * @template {object} Properties
 * @typedef {Properties & Connection} Model
 */

/**
 * @typedef {object} Connection
 * @property {(name: string, listener: (event: MessageEvent) => void) => void} on `name` is a
 *   property, `msg:custom` for messages, or `remove`
 * @property {(name: string, listener: (event: MessageEvent) => void) => void} off
 * @property {(message: object) => void} send_msg sends to the Python half
 * @property {(message: object, how?: How) => Promise<number>} [request] also sends, and resolves
 *   when Python has answered; absent when Panel itself carries the component
 * @property {Outbox} [outbox] the page's outgoing messages; absent when Panel itself carries the
 *   component
 */

/**
 * Runs a function, before the next paint, after one of several properties has changed.
 * @param {Connection} model @param {readonly string[]} names @param {() => void} run
 */
export function onChange(model, names, run) {
  const later = oncePerFrame(run);
  for (const name of names) model.on(name, later);
}

/** Returns a signal that aborts when a component leaves the page. @param {Connection} model */
export function untilRemoved(model) {
  const removal = new AbortController();
  model.on("remove", () => removal.abort());
  return removal.signal;
}

/**
 * Listens to messages of the Python half.
 * @template {object} Message @param {Connection} model @param {(message: Message) => void} listener
 */
export function onMessage(model, listener) {
  // Some carriers pass the message itself, others an event with the message as its data.
  model.on("msg:custom", (event) => listener(/** @type {Message} */ (event.data ?? event)));
}

let asked = 0;

/**
 * Sends a message and waits until Python has handled it.
 * @param {Connection} model @param {object} message @param {How} [how]
 * @returns {Promise<unknown>} rejects with Python's sentence if Python refuses the message
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
 * Returns a function that schedules a message before the next paint; several calls until then send
 * one message. If the component sends another message earlier, the scheduled message precedes it.
 * @param {Connection} model @param {string} key identifies the messages that replace one another
 * @param {() => void} send @returns {() => void} schedules the message
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
