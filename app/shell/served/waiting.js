/**
 * The notice that the page shows while the server does not answer. Once the connection is lost, the
 * page reloads as soon as a server answers, with the session stored in the tab.
 */

const SLOW = "The server is slow to answer. Your changes take effect as soon as it answers.";
const LOST =
  "The server is not answering. The page continues by itself as soon as it does, " +
  "with all that this tab keeps.";
const CUT =
  "This page loads, but its connection to the server, a WebSocket, is cut each time: perhaps by " +
  "the network you are in. It is tried again and again.";

const INCOMPLETE =
  "A part of this page could not be loaded. Load the page again: your work in this tab is kept.";

const REPLACED =
  "This page is of another version than the server that answers it, so that parts of it may not " +
  "fit. Loaded again, it goes on with all that this tab keeps.";

const TRIES = "tinkerformer-tries"; // number of loads in a row without a message from the server
const EVERY = 1000; // ms between two attempts
const MOST = 30_000;
const PATIENCE = 10_000; // timeout of a request, ms; no answer arrives if packets are dropped

export class Waiting {
  constructor() {
    this.isLost = false;
    /** Whether the notice stays until the page is reloaded. */
    this.isFinal = false;
    this.line = document.createElement("p");
    this.line.hidden = true;
  }

  /** @param {string} className @param {string} text */
  say(className, text) {
    this.line.className = className;
    this.line.setAttribute("role", className === "lost" ? "alert" : "status");
    this.line.hidden = false;
    if (!this.line.isConnected) document.body.prepend(this.line);
    this.line.textContent = text;
  }

  slow() {
    if (!this.isLost && !this.isFinal) this.say("slow", SLOW);
  }

  answers() {
    if (!this.isLost && !this.isFinal) this.line.hidden = true;
  }

  /** Reports that a file failed to load, perhaps because a newer server has other files. */
  incomplete() {
    this.isFinal = true;
    if (!this.isLost) this.say("lost", INCOMPLETE);
  }

  /** Reports that the server has other files than the page, as after an update. */
  replaced() {
    if (this.isLost || this.isFinal) return;
    this.isFinal = true;
    this.say("lost", REPLACED);
    const again = document.createElement("button");
    again.type = "button";
    again.textContent = "Load again";
    again.onclick = () => location.reload();
    this.line.append(" ", again);
  }

  /** Resets the number of failed loads, after the server has answered. */
  begun() {
    tries.write(0);
  }

  /** @param {boolean} wasHeard whether the server ever answered this page */
  lost(wasHeard) {
    if (this.isLost) return;
    this.isLost = true;
    const count = wasHeard ? 0 : tries.read() + 1;
    tries.write(count);
    this.say("lost", count > 2 ? CUT : LOST);
    for (const part of document.querySelectorAll(".frame, .columns"))
      part.setAttribute("inert", "");
    setTimeout(() => this.ask(), count ? Math.min(EVERY * 2 ** count, MOST) : 0);
  }

  async ask() {
    if (await isThere()) location.reload();
    else setTimeout(() => this.ask(), EVERY);
  }
}

const tries = {
  read() {
    try {
      return Number(sessionStorage.getItem(TRIES)) || 0;
    } catch {
      return 0;
    }
  },
  /** @param {number} count */
  write(count) {
    try {
      if (count) sessionStorage.setItem(TRIES, String(count));
      else sessionStorage.removeItem(TRIES);
    } catch {
      /* storage denied: the waiting time does not grow */
    }
  },
};

/** Returns whether a server answers; opens no session. @param {number} [patience] in ms */
export async function isThere(patience = PATIENCE) {
  try {
    const signal = AbortSignal.timeout(patience);
    const address = `${location.pathname.replace(/\/$/, "")}/metadata`;
    return (await fetch(address, { cache: "no-store", signal })).ok;
  } catch {
    return false;
  }
}
