/**
 * What a reload must not lose. The server sends every change of the session as text; it is kept for
 * this tab, and sent back when the page says that it is ready. A link (#s=…) comes first, and is
 * then taken out of the address: from there on the tab's own memory holds what the user made of it.
 */

// What tabs have kept under this name is still read.
const KEY = "tinkerformer-visit";

/** @returns {{link: string | null, saved: string | null}} */
export function savedSession() {
  const link = /^#s=(.*)$/.exec(location.hash)?.[1] ?? null;
  if (link !== null) history.replaceState(null, "", location.pathname + location.search);
  let saved = null;
  try {
    saved = sessionStorage.getItem(KEY);
  } catch {
    /* storage refused: nothing is kept */
  }
  return { link, saved: link === null ? saved : null };
}

/** @param {string} text */
export function saveSession(text) {
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    /* full or refused: the page works all the same */
  }
}
