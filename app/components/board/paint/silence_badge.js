/** What says that a part is silenced, and releases it when it is pressed. */

import { make } from "../../shared/dom.js";

/**
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {Send, SilencedPart} from "../data/types.js"
 */

/**
 * What is silenced of a matrix, or of all that a place of the model computes.
 * @param {MatrixStore} store @param {(part: SilencedPart) => boolean} isHere
 */
export const silencedParts = (store, isHere) => (store.manifest?.silenced ?? []).filter(isHere);

/** @param {SilencedPart} part */
export const isWhole = ({ row, column }) => row === null && column === null;

/**
 * The heads of an attention that are silenced.
 * @param {MatrixStore} store @param {string} scope
 */
export function silencedHeads(store, scope) {
  const parts = silencedParts(store, (part) => part.path.startsWith(`${scope}.head.`));
  return new Set(
    parts.flatMap((part) =>
      isWhole(part) && part.path.endsWith(".context")
        ? Number(part.path.slice(`${scope}.head.`.length).split(".")[0])
        : [],
    ),
  );
}

/**
 * The heads of an attention whose links lead to nothing: those that are silenced, or all of them.
 * @param {MatrixStore} store @param {string} scope @param {number[]} heads of it
 * @returns {Set<number>}
 */
export function unheardHeads(store, scope, heads) {
  const all = silencedParts(store, (part) => part.path === `${scope}.out` && isWhole(part));
  return all.length ? new Set(heads) : silencedHeads(store, scope);
}

/**
 * Put other badges in the place of those that are there. The keyboard stays on the same one, or
 * goes on where it was.
 * @param {HTMLElement} box @param {HTMLElement[]} made what it holds now
 * @param {HTMLElement} home what has the focus where its badge is gone
 */
export function renewBadges(box, made, home) {
  const root = /** @type {Document | ShadowRoot} */ (box.getRootNode());
  const focused = root.activeElement;
  const name = box.contains(focused) ? focused?.getAttribute("aria-label") : null;
  box.replaceChildren(...made);
  if (!name) return;
  const badges = [...box.querySelectorAll("button")];
  const again = badges.find((badge) => badge.getAttribute("aria-label") === name);
  (again ?? home).focus({ preventScroll: true });
}

/**
 * @param {SilencedPart} part @param {Send} send
 * @param {string} what of the place it stands at; empty for all of it
 */
export function silenceBadge(part, send, what) {
  const { path, row, column, to } = part;
  const value = to === "mean" ? "its mean" : "0";
  const said = `${what} silenced${to === "mean" ? " to its mean" : ""}`.trim();
  return make(
    "button",
    {
      type: "button",
      class: "silence-badge",
      title: `Set to ${value}, and all that follows from it follows. Press to release it.`,
      "aria-label": `Release ${part.words}, silenced to ${value}`,
      onclick: () => send({ type: "silence", path, row, column, to: null }),
    },
    `${said} ×`,
  );
}
