/** A dialog with a title, a close button, and a line at the bottom for the outcome of an action. */

import { make, setText } from "./dom.js";

/** The line at the bottom of a dialog, which shows the outcome of an action. */
export class Outcome {
  /** @param {boolean} [one] whether only one action can run at a time, for all buttons together */
  constructor(one = false) {
    this.one = one;
    this.node = make("p", { class: "answer", role: "status" });
    this.busy = false;
  }

  /** @param {string} text @param {boolean} [isProblem] */
  say(text, isProblem = false) {
    this.node.className = isProblem ? "answer problem" : "answer";
    setText(this.node, text);
  }

  /**
   * Runs a button's action and shows the outcome.
   * @param {Element} button
   * @param {() => Promise<string>} action resolves to a sentence, or rejects with an error that has
   *   one
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
 * Announces when a dialog opens or closes, so that the menu behind it closes.
 * @param {HTMLDialogElement} dialog
 */
export function announceDialog(dialog) {
  new MutationObserver(() => {
    const detail = { open: dialog.open, dialog };
    document.dispatchEvent(new CustomEvent("tinkerformer:dialog", { detail }));
  }).observe(dialog, { attributeFilter: ["open"] });
}

/**
 * @param {string} id of its title @param {string} title @param {Outcome} outcome
 * @param {...(Node | null)} body
 */
export function makeDialog(id, title, outcome, ...body) {
  const close = () => dialog.close();
  const dialog = make(
    "dialog",
    {
      "aria-labelledby": id,
      onclick: (event) => {
        // A click whose target is the dialog itself is outside its content.
        if (event.target === dialog) dialog.close();
      },
    },
    make(
      "div",
      { class: "head" },
      make("h2", { id }, title),
      make(
        "button",
        {
          type: "button",
          class: "button",
          "aria-label": "Close",
          title: "Close (Esc)",
          onclick: close,
        },
        "×",
      ),
    ),
    make("div", { class: "body" }, ...body),
    make("div", { class: "foot" }, outcome.node),
  );
  announceDialog(dialog);
  return dialog;
}

/**
 * A line of a dialog: a description and its buttons.
 * @param {Node} what @param {...Node} buttons
 */
export const makeLine = (what, ...buttons) =>
  make("div", { class: "line" }, what, make("div", { class: "buttons" }, ...buttons));
