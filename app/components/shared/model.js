/** What Panel hands a component: its properties, and the way to the server and back. */

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
