/**
 * Keeps the session in this tab, so that a reload does not lose it. After every change Python sends
 * the session as text. The text is stored here, and sent back when the page is ready. A link (?s=…
 * or #s=…) has priority over the stored session. At the first change the link is removed from the
 * URL, because it no longer describes the page.
 */

/** @import {Entry} from "../../transport/port/outbox.js" */

import {
  frameName,
  hasAddress,
  isEmbedded,
  linkCode,
  queryWithoutLink,
} from "../../components/shared/address.js";

// The name must not change, so that sessions stored earlier are still found.
const KEY = "tinkerformer-visit";
const LAST = " last";
const STEPS = " steps";
const FILE = " file";
/** Bytes reserved for the rest of the message. */
const ROOM = 10_000;

/**
 * Whether the page was reloaded or reached by Back or Forward. The stored session then has priority
 * over the parameters of the URL.
 */
function isReload() {
  const [arrival] = performance.getEntriesByType("navigation");
  return arrival instanceof PerformanceNavigationTiming && arrival.type !== "navigate";
}

export class TabMemory {
  /** @param {number} [most] the largest message, in bytes */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.most = most - ROOM;
    /** The session as Python first sent it, before any change. @type {string | null} */
    this.begun = null;
    // The page in a notebook is not stored: the notebook keeps its state, and a tab has many pages.
    this.isKept = hasAddress();
    // Iframes of one origin in one tab share the storage, so each iframe has its own key.
    this.key = isEmbedded()
      ? `${KEY} ${location.pathname}${queryWithoutLink()} ${frameName()}`
      : KEY;
  }

  /** Whether texts, in UTF-8, fit into one message. @param {(string | null)[]} texts */
  fits(...texts) {
    return new Blob(texts.map((text) => text ?? "")).size <= this.most;
  }

  /**
   * @returns {{link: string | null, saved: string | null, steps: string | null,
   *   file: string | null, again: boolean}}
   */
  begin() {
    const code = linkCode();
    const again = isReload();
    let saved = null;
    let steps = null;
    let file = null;
    if (code !== null) return { link: code, saved, steps, file, again };
    try {
      saved = this.isKept ? sessionStorage.getItem(this.key) : null;
      steps = saved === null ? null : sessionStorage.getItem(this.key + STEPS);
      file = saved === null ? null : sessionStorage.getItem(this.key + FILE);
    } catch {
      /* denied: the history state is tried below */
    }
    saved ??= history.state?.[KEY] ?? null;
    // A session too large to send would break the page, and again at every reload.
    if (typeof saved !== "string" || !this.fits(saved)) saved = null;
    if (saved === null || !this.fits(saved, file)) file = null;
    if (saved === null || !this.fits(saved, file, steps)) steps = null;
    return { link: null, saved, steps, file, again };
  }

  /**
   * Returns and deletes the record of the previous page of this tab: the messages to send again,
   * and whether other messages were lost. Empty if the page was opened with a link.
   * @returns {{said: Entry[], unsent: boolean}}
   */
  takeLast() {
    const key = this.key + LAST;
    try {
      const { said, unsent } = JSON.parse(sessionStorage.getItem(key) ?? "{}");
      sessionStorage.removeItem(key);
      if (this.isKept && linkCode() === null && Array.isArray(said))
        return { said: said.filter(isEntry), unsent: unsent === true };
    } catch {
      /* denied, or not in the expected format */
    }
    return { said: [], unsent: false };
  }

  /**
   * Stores, when the page is left, the actions that the session does not contain yet.
   * @param {{said: Entry[], isLost: boolean}} rest messages to send again, and whether others were
   *   lost
   */
  leave({ said, isLost }) {
    if (!this.isKept || (!said.length && !isLost)) return;
    try {
      sessionStorage.setItem(this.key + LAST, JSON.stringify({ said, unsent: isLost }));
    } catch {
      /* full or denied: only the last moment's actions are lost */
    }
  }

  /**
   * Stores the file of the session's model; if it does not fit, the reloaded page can only name it.
   * @param {string} file as JSON; empty without one
   */
  keepFile(file) {
    if (!this.isKept) return;
    try {
      sessionStorage.removeItem(this.key + FILE);
      if (file && this.fits(file)) sessionStorage.setItem(this.key + FILE, file);
    } catch {
      /* full or denied */
    }
  }

  /**
   * @param {string} text the session as JSON
   * @param {string} steps the undo steps as JSON
   * @returns {boolean} whether a reload will find the session
   */
  keep(text, steps) {
    this.begun ??= text;
    if (text !== this.begun && linkCode() !== null)
      history.replaceState(history.state, "", location.pathname + queryWithoutLink());
    if (!this.isKept) return true;
    try {
      // Undo steps of another session must not remain.
      sessionStorage.removeItem(this.key + STEPS);
      sessionStorage.removeItem(this.key);
      // A UTF-16 code unit has at most three bytes, so shorter texts need not be measured.
      if (text.length > this.most / 3 && !this.fits(text)) return false;
      sessionStorage.setItem(this.key, text);
    } catch {
      return this.keepInHistory(text);
    }
    try {
      sessionStorage.setItem(this.key + STEPS, steps);
    } catch {
      /* full: after a reload, Undo states that its steps are missing */
    }
    return true;
  }

  /**
   * Stores the session in the history entry, if the storage is full or, as in iframes of another
   * site, denied. The entry survives a reload by the page itself, as after a restart of the server.
   * @param {string} text
   */
  keepInHistory(text) {
    try {
      sessionStorage.removeItem(this.key); // an older session
    } catch {
      /* denied */
    }
    try {
      history.replaceState({ ...history.state, [KEY]: text }, "");
      return true;
    } catch {
      return false; // too large, or too many calls
    }
  }
}

/** @param {unknown} entry */
function isEntry(entry) {
  const { to, name, kind, content, at, model, again } = Object(entry);
  const isKind = kind === "set" || kind === "message";
  const areTexts = [name, model].every((each) => typeof each === "string");
  const areNumbers = [to, again].every(Number.isInteger) && Number.isFinite(at);
  return isKind && areTexts && areNumbers && Object(content) === content;
}

/** Reloads after a link was pasted over the page's URL, since browsers do not reload for a hash. */
export function openPastedLink() {
  if (linkCode() !== null) location.reload();
}
