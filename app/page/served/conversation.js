/**
 * What goes over Bokeh's socket, as far as it tells whether the other side answers. A message is
 * some fragments, the first of which is its header; what is changed on the page is a PATCH-DOC,
 * answered by an OK that names it.
 */

const HEADER = '{"msgid"';
const INFO = ["SERVER-INFO-REQ", "SERVER-INFO-REPLY"];
const FRAGMENTS = 3;
// What the board says by itself, or again after a reload: nothing is lost with it.
// It is a text within a text: a packet that begins as one to a component does.
const BY_ITSELF =
  /\["text","\[\\"message\\",\d+,\{\\"type\\":\\"(ack|visible|hover|set|ready|link|place)\\"/;

/** @param {unknown} fragment @returns {{msgid: string, msgtype: string, reqid?: string} | null} */
function headerOf(fragment) {
  if (typeof fragment !== "string" || !fragment.startsWith(HEADER)) return null;
  return JSON.parse(fragment);
}

export class Conversation {
  constructor() {
    /** Changes that are not answered yet, by the ids of their messages. @type {Set<string>} */
    this.unanswered = new Set();
    this.asked = 0;
    this.id = "";
    this.fragment = 0; // of the message that is being sent
    this.hiding = 0; // fragments still to come of an answer to this alone
  }

  /** @param {unknown} data @returns {boolean} whether it begins what is answered */
  sent(data) {
    const header = headerOf(data);
    if (header) {
      this.id = header.msgtype === "PATCH-DOC" ? header.msgid : "";
      this.fragment = 0;
    }
    this.fragment += 1;
    if (this.id && this.fragment === FRAGMENTS && !BY_ITSELF.test(String(data)))
      this.unanswered.add(this.id);
    return header !== null;
  }

  /** A question that asks for nothing but an answer. @returns {string[]} its fragments */
  question() {
    this.asked += 1;
    return [`{"msgid":"heartbeat-${this.asked}","msgtype":"${INFO[0]}"}`, "{}", "{}"];
  }

  /** @param {unknown} data @returns {{isAnswer: boolean, isHidden: boolean}} what has come */
  received(data) {
    if (this.hiding) {
      this.hiding -= 1;
      return { isAnswer: false, isHidden: true };
    }
    const header = headerOf(data);
    if (header?.reqid !== undefined) this.unanswered.delete(header.reqid);
    const isHidden = header?.msgtype === INFO[1];
    if (isHidden) this.hiding = FRAGMENTS - 1;
    return { isAnswer: header?.reqid !== undefined, isHidden };
  }
}
