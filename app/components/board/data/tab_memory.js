/**
 * What a reload must not lose. The server sends every change of the session as text; it is kept for
 * this tab, and sent back when the page says that it is ready. A link (#s=…) comes first. It stays
 * in the address until the first change: from there on it would say what is no longer so, and the
 * tab's own memory holds what the user made of it.
 */

/** @import {Entry} from "../../carriers/port/outbox.js" */

import { frameName, hasAddress, isEmbedded } from "../../shared/address.js";

// What tabs have kept under this name is still read.
const KEY = "tinkerformer-visit";
const LAST = " last";
const STEPS = " steps";
/** Bytes that are left for what else a message has. */
const ROOM = 10_000;
const LINK = /^#s=(.*)$/;

/** @returns {string | null} the code of the link in the address */
const link = () => LINK.exec(location.hash)?.[1] ?? null;

/** A tab that is reloaded, or come back to, shows what it showed; the address asked for it once. */
function isReload() {
  const [arrival] = performance.getEntriesByType("navigation");
  return arrival instanceof PerformanceNavigationTiming && arrival.type !== "navigate";
}

export class TabMemory {
  /** @param {number} [most] bytes of one message */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.most = most - ROOM;
    /** What the server made of what the page began with. @type {string | null} */
    this.begun = null;
    // What a page without an address shows, a program keeps: in a notebook many are in one tab.
    this.isKept = hasAddress();
    // Frames of one origin in one tab have one memory: each keeps its own in it.
    this.key = isEmbedded() ? `${KEY} ${location.pathname}${location.search} ${frameName()}` : KEY;
  }

  /**
   * Whether texts are small enough to be sent together: as bytes, which are as many on their way.
   * @param {(string | null)[]} texts
   */
  fits(...texts) {
    return new Blob(texts.map((text) => text ?? "")).size <= this.most;
  }

  /**
   * @returns {{link: string | null, saved: string | null, steps: string | null, again: boolean}}
   */
  begin() {
    const code = link();
    const again = isReload();
    let saved = null;
    let steps = null;
    if (code !== null) return { link: code, saved, steps, again };
    try {
      saved = this.isKept ? sessionStorage.getItem(this.key) : null;
      steps = saved === null ? null : sessionStorage.getItem(this.key + STEPS);
    } catch {
      /* refused: see below */
    }
    saved ??= history.state?.[KEY] ?? null;
    // What could not be sent would end the page, and again at every reload.
    if (typeof saved !== "string" || !this.fits(saved)) saved = null;
    if (saved === null || !this.fits(saved, steps)) steps = null;
    return { link: null, saved, steps, again };
  }

  /**
   * What the page before had done and not kept when it ended, once: what is to be said again, and
   * whether there was anything else, which is lost. A link has nothing to do with it.
   * @returns {{said: Entry[], unsent: boolean}}
   */
  takeLast() {
    const key = this.key + LAST;
    try {
      const { said, unsent } = JSON.parse(sessionStorage.getItem(key) ?? "{}");
      sessionStorage.removeItem(key);
      if (this.isKept && link() === null && Array.isArray(said))
        return { said: said.filter(isEntry), unsent: unsent === true };
    } catch {
      /* refused, or not what was written here */
    }
    return { said: [], unsent: false };
  }

  /**
   * The page ends: this was not kept yet.
   * @param {{said: Entry[], isLost: boolean}} rest and whether there was more
   */
  leave({ said, isLost }) {
    if (!this.isKept || (!said.length && !isLost)) return;
    try {
      sessionStorage.setItem(this.key + LAST, JSON.stringify({ said, unsent: isLost }));
    } catch {
      /* full or refused: this is what was done in the last moment */
    }
  }

  /**
   * @param {string} text the session
   * @param {string} steps those of undo
   * @returns {boolean} whether a reload will find the session
   */
  keep(text, steps) {
    this.begun ??= text;
    if (text !== this.begun && link() !== null)
      history.replaceState(history.state, "", location.pathname + location.search);
    if (!this.isKept) return true;
    try {
      // Steps of another session would be worse than none.
      sessionStorage.removeItem(this.key + STEPS);
      sessionStorage.removeItem(this.key);
      // A letter has three bytes at most: shorter texts need not be measured.
      if (text.length > this.most / 3 && !this.fits(text)) return false;
      sessionStorage.setItem(this.key, text);
    } catch {
      return this.keepInHistory(text);
    }
    try {
      sessionStorage.setItem(this.key + STEPS, steps);
    } catch {
      /* full: Undo says after a reload that they are not there */
    }
    return true;
  }

  /**
   * Where storage is full, or refused as in frames of another site, the browser's own memory of the
   * frame has it when the frame loads itself again, as it does when a server comes back.
   * @param {string} text
   */
  keepInHistory(text) {
    try {
      sessionStorage.removeItem(this.key); // what is there is older
    } catch {
      /* refused */
    }
    try {
      history.replaceState({ ...history.state, [KEY]: text }, "");
      return true;
    } catch {
      return false; // too large, or too often
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

/** A link pasted over the address of an open page: browsers then load nothing by themselves. */
export function openPastedLink() {
  if (link() !== null) location.reload();
}
