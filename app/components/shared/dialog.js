/** A dialog with a title, a close button, and a line at the bottom for the outcome of an action. */

import { watchDialog } from "./announce.js";
import { html } from "./lit-html.js";
import { classes, drawn } from "./template.js";

/** The line at the bottom of a dialog, which shows the outcome of an action. */
export class Outcome {
  /** @param {boolean} [one] whether only one action of all buttons can run at a time */
  constructor(one = false) {
    this.one = one;
    this.busy = false;
    this.said = { text: "", isProblem: false };
    const { node, show } = drawn(
      () => html`<p class=${classes("answer", this.said.isProblem && "problem")} role="status"
        >${this.said.text}</p>`,
    );
    this.node = node;
    this.show = show;
  }

  /** @param {string} text @param {boolean} [isProblem] */
  say(text, isProblem = false) {
    this.said = { text, isProblem };
    this.show();
  }

  /**
   * Runs a button's action and shows the outcome.
   * @param {Element} button
   * @param {() => Promise<string>} action resolves to a sentence, or rejects with an error whose
   *   message is a sentence
   */
  async attempt(button, action) {
    if ((this.one && this.busy) || button.getAttribute("aria-disabled") === "true") return;
    this.busy = true;
    button.setAttribute("aria-disabled", "true");
    try {
      this.say(await action());
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error), true);
    }
    button.setAttribute("aria-disabled", "false");
    this.busy = false;
  }
}

/**
 * Creates a dialog.
 * @param {string} id the id of the title
 * @param {() => {title: string, body: unknown, foot: unknown}} parts the templates of its contents
 * @returns {{dialog: HTMLDialogElement, show: () => void}} `show` renders the parts again
 */
export function drawnDialog(id, parts) {
  const { node, show } = drawn(() => {
    const { title, body, foot } = parts();
    return html`<dialog aria-labelledby=${id}>
      <div class="head"><h2 id=${id}>${title}</h2><button type="button" class="button"
        aria-label="Close" title="Close (Esc)" data-close>×</button></div>
      <div class="body">${body}</div>
      <div class="foot">${foot}</div>
    </dialog>`;
  });
  const dialog = /** @type {HTMLDialogElement} */ (node);
  watchDialog(dialog);
  return { dialog, show };
}

/** Returns a line with a text and buttons. @param {unknown} what @param {...unknown} buttons */
export const lineOf = (what, ...buttons) =>
  html`<div class="line"><p class="what">${what}</p><div class="buttons">${buttons}</div></div>`;
