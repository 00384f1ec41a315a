/**
 * What a reload must not lose. The server sends every change of the session as text; it is kept for
 * this tab, and sent back when the page says that it is ready. A link (#s=…) comes first. It stays
 * in the address until the first change: from there on it would say what is no longer so, and the
 * tab's own memory holds what the user made of it.
 */

import { frameName, hasAddress, isEmbedded, ownAddress } from "../../shared/address.js";

// What tabs have kept under this name is still read.
const KEY = "tinkerformer-visit";
const LINK = /^#s=(.*)$/;

/** @returns {string | null} the code of the link in the address */
const link = () => LINK.exec(location.hash)?.[1] ?? null;

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

  /** @returns {{link: string | null, saved: string | null, again: boolean}} */
  begin() {
    const code = link();
    const again = isReload();
    if (code !== null) return { link: code, saved: null, again };
    let saved = null;
    try {
      saved = this.isKept ? sessionStorage.getItem(this.key) : null;
    } catch {
      saved = history.state?.[KEY] ?? null;
    }
    return { link: null, saved, again };
  }

  /** @param {string} text */
  keep(text) {
    this.begun ??= text;
    if (text !== this.begun && link() !== null)
      history.replaceState(history.state, "", location.pathname + location.search);
    try {
      if (this.isKept) sessionStorage.setItem(this.key, text);
    } catch {
      this.keepInHistory(text);
    }
  }

  /**
   * Where storage is full, or refused as in frames of another site, the browser's own memory of the
   * frame has it when the frame loads itself again, as it does when a server comes back.
   * @param {string} text
   */
  keepInHistory(text) {
    try {
      history.replaceState({ ...history.state, [KEY]: text }, "");
    } catch {
      /* too large, or too often: the page works all the same */
    }
  }
}

/** A link pasted over the address of an open page: browsers then load nothing by themselves. */
export function openPastedLink() {
  if (link() !== null) location.reload();
}
