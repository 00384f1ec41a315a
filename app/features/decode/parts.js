/** Builds the elements that the decoding methods share. */

import { setAttribute } from "../../components/shared/dom.js";
import { bindKeys } from "../../components/shared/keys.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { fixedText } from "../../components/shared/number_format.js";
import { drawn } from "../../components/shared/template.js";

/**
 * @import {DecodedText} from "./types.js"
 *
 * @typedef {object} Tokens
 * @property {string[]} [given] @property {string[]} tokens
 * @property {string[]} [kinds] a class for each token
 * @property {number} at the selected token @property {boolean} [isHidden] hides later tokens
 */

/** @param {number} x @param {number} [digits] */
export const signedText = (x, digits = 3) => fixedText(x, digits);

const LONGEST = 48; // the most letters that are quoted; the start of a longer text is cut

/** Returns the text before a step, in quotes; empty at the start. @param {string} text */
function quoted(text) {
  if (!text) return "";
  const letters = [...text];
  const isLong = letters.length > LONGEST;
  return `“${isLong ? `…${letters.slice(-LONGEST).join("").trimStart()}` : text}”`;
}

/**
 * Names a step by its context, `After “le chat”`, because its number differs from its position.
 * @param {string} before the text before the step
 */
export const placeText = (before) => (before ? `After ${quoted(before)}` : "At the start");

/** @param {DecodedText} text @param {number} step */
export const placeOf = ({ texts, opening }, step) => placeText(step ? texts[step - 1] : opening);

/**
 * Follows the row of the picture that predicts the next word, if the page has the same tokens.
 * @param {string[]} before the tokens up to that row
 */
export function followRow(before) {
  const board = window.tinkerformer;
  const at = before.length - 1;
  const rows = board?.matrix("target.embedding")?.row_labels ?? [];
  if (!board || before.some((token, k) => rows[k] !== token)) return;
  const now = board.look()?.following;
  if (now?.stack !== "decoder" || now.index !== at) board.follow("decoder", at);
}

/** Returns a text for display; an empty one is replaced by a visible name. @param {string} text */
export const textOrNothing = (text) => text || "(nothing)";

/** Returns a section with a heading. @param {unknown} title @param {...unknown} children */
export const part = (title, ...children) =>
  html`<section class="part"><h2>${title}</h2>${children}</section>`;

const ATTENTION =
  "The text before this token becomes the target, and Attention opens at its last " +
  "position. Undo takes this back.";

/** Returns a button that opens Attention. @param {() => void} open @param {string} title */
export const attentionLink = (open, title = ATTENTION) =>
  html`<button type="button" class="button" title=${title}
    @click=${open}>Show its attention</button>`;

/** Makes a box a Tab stop while its content overflows. @param {HTMLElement} box */
export function reachable(box) {
  const watch = new ResizeObserver(() => {
    const scrolls =
      box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
    setAttribute(box, "tabindex", scrolls ? 0 : null);
  });
  watch.observe(box);
  if (box.firstElementChild) watch.observe(box.firstElementChild);
  return box;
}

/** A line of tokens; generated tokens can be selected. It is one Tab stop; arrow keys select. */
export class TokenLine {
  /**
   * @param {string} label @param {(step: number) => void} go
   * @param {"step" | "position"} of the name of a token's index
   */
  constructor(label, go, of = "step") {
    this.go = go;
    this.of = of;
    this.shown = /** @type {Tokens} */ ({ tokens: [], at: 0 });
    const { node, show } = drawn(() => {
      const { given = [], tokens } = this.shown;
      return html`<div class="tokens" role="group" aria-label=${label}>${given.map(
        (token) => html`<span class="token given">${token}</span>`,
      )}${tokens.map((token, at) => this.button(token, at))}</div>`;
    });
    this.node = node;
    this.draw = show;
    const run = (/** @type {KeyboardEvent} */ { key, target }) => {
      const visible = this.buttons.filter((button) => !button.hidden);
      const at = visible.indexOf(/** @type {HTMLButtonElement} */ (target));
      /** @type {Record<string, number>} */
      const goals = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: visible.length - 1 };
      if (at < 0) return false;
      const to = goals[key];
      if (!visible[to]) return true;
      this.go(to);
      visible[to].focus();
      return true;
    };
    const keys = ["ArrowLeft", "ArrowRight", "Home", "End"];
    bindKeys(this.node, "On the written words", [{ keys, does: "another step", run }]);
  }

  get buttons() {
    return [...this.node.querySelectorAll("button")];
  }

  /** @param {Tokens} shown */
  show(shown) {
    const focused = this.buttons.findIndex((button) => button.matches(":focus"));
    this.shown = shown;
    this.draw();
    if (focused >= shown.tokens.length) this.buttons.at(-1)?.focus();
  }

  /** @param {string} token @param {number} place */
  button(token, place) {
    const { at, kinds = [], isHidden = false } = this.shown;
    const kind = kinds[place] ?? "";
    const before = this.of === "step" ? "" : `position ${place}: `;
    const current = this.of === "step" ? "step" : "true";
    return html`<button type="button" class=${kind ? `token ${kind}` : "token"}
      aria-label="${before}${token}${kind && `, ${kind}`}"
      aria-current=${place === at ? current : nothing}
      tabindex=${place === at ? 0 : -1}
      ?hidden=${isHidden && place > at}
      @click=${() => this.go(place)}>${token}</button>`;
  }
}
