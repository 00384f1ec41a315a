/**
 * When the server goes away, or does not answer, the page says so. It waits, and starts again with
 * all that the reader did: the board keeps the session in this tab and hands it to whichever server
 * answers.
 */

import { Conversation } from "./conversation.js";
import { Heartbeat } from "./heartbeat.js";
import { isThere, Waiting } from "./waiting.js";

const PROBE = 2500; // ms

/** Bokeh opens the socket and offers no word of its loss that comes in time; the socket does. */
export function begin() {
  const Native = window.WebSocket;
  const waiting = new Waiting();
  let isLeaving = false;
  /** @type {WebSocket | null} */
  let latest = null;

  /** @param {WebSocket} socket @param {Conversation} conversation */
  function watch(socket, conversation) {
    let wasHeard = false;
    latest = socket;
    const heartbeat = new Heartbeat(
      () => {
        if (socket.readyState !== Native.OPEN) return;
        for (const fragment of conversation.question())
          Native.prototype.send.call(socket, fragment);
      },
      {
        slow: () => waiting.slow(),
        answers: () => waiting.answers(),
        silent: async () => {
          // The server is there, and this socket leads nowhere. So may others that the browser has
          // kept: one that does not answer is let go of, and the next is tried.
          if (latest === socket && (await isThere(PROBE)) && heartbeat.isSlow) lose();
        },
      },
    );

    function lose() {
      heartbeat.end();
      if (isLeaving || latest !== socket) return;
      document.documentElement.toggleAttribute("data-unsent", conversation.unanswered.size > 0);
      waiting.lost(wasHeard);
    }

    // Registered before Bokeh's own, which does not hear of what is asked here.
    socket.addEventListener("message", (event) => {
      if (!wasHeard) waiting.begun();
      wasHeard = true;
      const { isAnswer, isHidden } = conversation.received(event.data);
      if (isAnswer) heartbeat.answered();
      else heartbeat.heard();
      if (isHidden) event.stopImmediatePropagation();
    });
    socket.addEventListener("close", lose);
    document.addEventListener("tinkerformer:ready", () => heartbeat.opened(), { once: true });
    for (const type of ["pointermove", "pointerdown", "keydown", "visibilitychange"])
      document.addEventListener(type, () => heartbeat.touched(), { capture: true, passive: true });
    return heartbeat;
  }

  window.WebSocket = class extends Native {
    /** @param {ConstructorParameters<typeof WebSocket>} args */
    constructor(...args) {
      super(...args);
      this.conversation = new Conversation();
      this.heartbeat = watch(this, this.conversation);
    }

    /** @param {Parameters<WebSocket["send"]>[0]} data */
    send(data) {
      if (this.conversation.sent(data)) this.heartbeat.sent();
      super.send(data);
    }
  };

  addEventListener("pagehide", () => {
    isLeaving = true;
  });
  // Come back to as it was left: its socket was closed meanwhile.
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    isLeaving = false;
    if (latest?.readyState !== Native.OPEN) waiting.lost(true);
  });
}
