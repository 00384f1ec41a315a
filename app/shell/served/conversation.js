/**
 * Writes and reads the messages of Bokeh's WebSocket protocol. A message consists of several
 * fragments: a header, metadata (empty), the content, and for each buffer a name and its bytes. The
 * page sends PATCH-DOC messages, which the server does not acknowledge. Their first three fragments
 * are lines of one text, because receiving a text takes the server as long as handling a message.
 */

/** @import {Packet} from "../../transport/port/wire.js" */

const FRAGMENTS = 3;

/**
 * @typedef {string | ArrayBuffer} Fragment
 * @typedef {{msgid: string, msgtype: string, reqid?: string, num_buffers?: number}} Header
 * @typedef {{[name: string]: any}} Content
 */

/** @param {Content} values a mapping in Bokeh's JSON */
const map = (values) => ({ type: "map", entries: Object.entries(values) });

/** A complete message. @typedef {{header: Header, contents: Content[]}} Message */

export class Conversation {
  /** @param {string} port the id of the Bokeh model that receives messages */
  constructor(port) {
    this.port = port;
    this.count = 0;
    /** The fragments so far of the message being received. @type {Fragment[]} */
    this.fragments = [];
    this.missing = 0;
  }

  /** Returns a request to begin. @returns {Fragment[]} */
  opening() {
    return this.toPort(typeof DecompressionStream === "function" ? { inflates: true } : {}, []);
  }

  /** Returns a message of the page as fragments. @param {Packet} packet @returns {Fragment[]} */
  posting({ text, buffers }) {
    const bytes = buffers.map((_, k) => ({ type: "bytes", data: { id: `b${k}` } }));
    return this.toPort({ text, buffers: bytes }, buffers);
  }

  /** Returns a request that only checks whether the server answers. @returns {Fragment[]} */
  question() {
    return this.message("SERVER-INFO-REQ", {});
  }

  /** @param {Content} data @param {ArrayBuffer[]} buffers */
  toPort(data, buffers) {
    const values = map({ model: { id: this.port }, data: map(data) });
    const msg_data = { type: "event", name: "data_event", values };
    const event = { kind: "MessageSent", msg_type: "bokeh_event", msg_data };
    return this.message("PATCH-DOC", { events: [event] }, buffers);
  }

  /** @param {string} msgtype @param {object} content @param {ArrayBuffer[]} buffers */
  message(msgtype, content, buffers = []) {
    this.count += 1;
    const header = { msgid: String(this.count), msgtype };
    const counted = buffers.length ? { ...header, num_buffers: buffers.length } : header;
    const named = buffers.flatMap((buffer, k) => [JSON.stringify({ id: `b${k}` }), buffer]);
    return [[JSON.stringify(counted), "{}", JSON.stringify(content)].join("\n"), ...named];
  }

  /**
   * @param {Fragment} fragment @returns {Message | null} the message, if this was its last fragment
   */
  receive(fragment) {
    if (this.fragments.length === 0) {
      const { num_buffers = 0 } = JSON.parse(String(fragment));
      this.missing = FRAGMENTS + 2 * num_buffers;
    }
    this.fragments.push(fragment);
    this.missing -= 1;
    if (this.missing > 0) return null;
    const [header, , content, ...named] = this.fragments;
    this.fragments = [];
    return {
      header: JSON.parse(String(header)),
      contents: contentsOf(JSON.parse(String(content)), buffersOf(named)),
    };
  }
}

/** @param {Fragment[]} named */
function buffersOf(named) {
  /** @type {Map<string, Fragment>} */
  const found = new Map();
  for (let k = 0; k < named.length; k += 2)
    found.set(JSON.parse(String(named[k])).id, named[k + 1]);
  return found;
}

/** Returns Python's messages. @param {any} content @param {Map<string, Fragment>} buffers */
function contentsOf({ events = [] }, buffers) {
  /** @param {any} value @returns {any} */
  const read = (value) => {
    if (Array.isArray(value)) return value.map(read);
    if (value?.type === "map")
      return Object.fromEntries(
        value.entries.map((/** @type {[string, any]} */ [name, x]) => [name, read(x)]),
      );
    return value?.type === "bytes" ? buffers.get(value.data.id) : value;
  };
  return events
    .filter((/** @type {any} */ { msg_data }) => msg_data?.name === "esm_event")
    .map((/** @type {any} */ { msg_data }) => read(msg_data.values).data);
}
