/** Badges that show that a part of the model is silenced; a press restores the part. */

import { html } from "../../components/shared/lit-html.js";
import { drawn } from "../../components/shared/template.js";

/**
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {Send, SilencedPart} from "../data/types.js"
 */

/**
 * The silenced parts of the manifest that a view shows.
 * @param {MatrixStore} store @param {(part: SilencedPart) => boolean} isHere
 */
export const silencedParts = (store, isHere) => (store.manifest?.silenced ?? []).filter(isHere);

/** @param {SilencedPart} part */
export const isWhole = ({ row, column }) => row === null && column === null;

/** The silenced heads of an attention. @param {MatrixStore} store @param {string} scope */
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
 * The heads of an attention whose output is ignored, in one row or in all rows.
 * @param {MatrixStore} store @param {string} scope @param {number | null} [row]
 */
export function unheardHeads(store, scope, row = null) {
  const parts = silencedParts(store, (part) => part.path.startsWith(`${scope}.`));
  const here = parts.filter((part) => part.row === null || part.row === row);
  return new Set(here.flatMap(({ unheard }) => unheard));
}

/**
 * Replaces the badges. The focus stays on the same badge, or moves to `home` if that badge is gone.
 * @param {HTMLElement} box @param {HTMLElement[]} made the new badges
 * @param {HTMLElement} home gets the focus if its badge is gone
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
 * @param {string} what label of the part; empty if the badge is for the whole matrix
 */
export function silenceBadge(part, send, what) {
  const { path, row, column, to } = part;
  const value = to === "mean" ? "its mean" : "0";
  const said = `${what} silenced${to === "mean" ? " to its mean" : ""}`.trim();
  const restore = () => send({ type: "silence", path, row, column, to: null });
  return drawn(
    () => html`<button type="button" class="silence-badge" @click=${restore}
      title="Set to ${value}; everything after it is recomputed. Press to restore it."
      aria-label="Restore ${part.words}, silenced to ${value}">${said} ×</button>`,
  ).node;
}
