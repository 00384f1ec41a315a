/** Advances a lesson when the user presses Space, or scrolls past the end of the panel. */

import { bindKeys } from "../../components/shared/keys.js";

const FAR = 240; // CSS px to scroll past the end
const REST = 500; // ms without scrolling before counting starts over
const PAUSE = 1200; // least ms between two steps
const OWN = "button, a, input, textarea, select, summary, canvas, [role=grid], [tabindex='0']";

/**
 * @param {HTMLElement} panel the scrolling element
 * @param {() => boolean} next goes to the next step; returns whether there was one
 * @param {() => boolean} isDone whether the step has no open question; scrolling does not skip
 *   questions
 * @param {AbortSignal} signal
 */
export function listenForAutoAdvance(panel, next, isDone, signal) {
  let far = 0;
  let last = 0;
  let hasRead = false; // whether this scrolling began at the end of the text
  let gone = 0;
  const run = (/** @type {Event} */ event) => {
    const [target] = event.composedPath();
    const isOthers = target instanceof Element && target.matches(OWN);
    return !isOthers && !document.querySelector("dialog[open]") && next();
  };
  const does = "the next step of the lesson";
  const when = () => "lesson" in document.documentElement.dataset;
  bindKeys(document, "Anywhere", [{ keys: ["Space"], does, when, run }], { signal });
  panel.addEventListener(
    "wheel",
    (event) => {
      const now = performance.now();
      const atEnd = panel.scrollTop + panel.clientHeight >= panel.scrollHeight - 2;
      if (now - last > REST) hasRead = atEnd;
      if (now - last > REST || !atEnd || event.deltaY <= 0) far = 0;
      last = now;
      if (!hasRead || !atEnd || event.deltaY <= 0 || now - gone < PAUSE) return;
      far += event.deltaY;
      if (far < FAR) return;
      far = 0;
      gone = now;
      if (isDone()) next();
    },
    { signal, passive: true },
  );
}
