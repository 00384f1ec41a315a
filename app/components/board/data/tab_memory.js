/**
 * What a reload must not lose. The server sends every change of the session as text; it is kept for
 * this tab, and sent back when the page says that it is ready. A link (#s=…) comes first. It stays
 * in the address until the first change: from there on it would say what is no longer so, and the
 * tab's own memory holds what the user made of it.
 */

/** @import {CellOf} from "./types.js" */

import { frameName, hasAddress, isEmbedded, ownAddress } from "../../shared/address.js";

// What tabs have kept under this name is still read.
const KEY = "tinkerformer-visit";
const LAST = " last";
const STEPS = " steps";
/** Bytes of one message, of which the server takes 4 MB: it closes the socket of who sends more. */
const MOST = 3_500_000;
const LINK = /^#s=(.*)$/;

/** @returns {string | null} the code of the link in the address */
const link = () => LINK.exec(location.hash)?.[1] ?? null;

/** Whether texts are small enough to be sent together. @param {(string | null)[]} texts */
const fits = (...texts) => new Blob([JSON.stringify(texts)]).size <= MOST;

/** A tab that is reloaded, or come back to, shows what it showed; the address asked for it once. */
function isReload() {
  const [arrival] = performance.getEntriesByType("navigation");
  return arrival instanceof PerformanceNavigationTiming && arrival.type !== "navigate";
}

export class TabMemory {
  constructor() {
    /** What the server made of what the page began with. @type {string | null} */
    this.begun = null;
    // What a page without an address shows, a program keeps: in a notebook many are in one tab.
    this.isKept = hasAddress();
    // Frames of one origin in one tab have one memory: each keeps its own in it.
    const { pathname, search } = this.isKept ? ownAddress() : location;
    this.key = isEmbedded() ? `${KEY} ${pathname}${search} ${frameName()}` : KEY;
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
    if (typeof saved !== "string" || !fits(saved)) saved = null;
    if (saved === null || !fits(saved, steps)) steps = null;
    return { link: null, saved, steps, again };
  }

  /**
   * What the page before had not kept when it ended, once: cells that were set, and whether there
   * was anything else, which is lost. A link has nothing to do with it.
   * @returns {{edits: (CellOf & {value: number})[], unsent: boolean}}
   */
  takeLast() {
    const key = this.key + LAST;
    try {
      const { edits, unsent } = JSON.parse(sessionStorage.getItem(key) ?? "{}");
      sessionStorage.removeItem(key);
      if (this.isKept && link() === null && Array.isArray(edits))
        return { edits: edits.filter(isEdit), unsent: unsent === true };
    } catch {
      /* refused, or not what was written here */
    }
    return { edits: [], unsent: false };
  }

  /**
   * The page ends: these edits were not kept yet.
   * @param {Iterable<CellOf & {value: number}>} unkept
   * @param {boolean} busy a change is being computed: one of these, or another one, which is lost
   */
  leave(unkept, busy) {
    const edits = Array.from(unkept, ({ path, i, j, value }) => ({ path, i, j, value }));
    const isOther = busy && !edits.length;
    const unsent = isOther || document.documentElement.hasAttribute("data-unsent");
    if (!this.isKept || (!edits.length && !unsent)) return;
    try {
      sessionStorage.setItem(this.key + LAST, JSON.stringify({ edits, unsent }));
    } catch {
      /* full or refused: these are the moves of one drag */
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
      if (text.length > MOST / 3 && !fits(text)) return false;
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

/** @param {unknown} edit */
function isEdit(edit) {
  const { path, i, j, value } = Object(edit);
  return typeof path === "string" && [i, j].every(Number.isInteger) && Number.isFinite(value);
}

/** A link pasted over the address of an open page: browsers then load nothing by themselves. */
export function openPastedLink() {
  if (link() !== null) location.reload();
}
