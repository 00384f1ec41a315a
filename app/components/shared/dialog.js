/**
 * A dialog with a title, a button to close it, and a line at the foot that says how things went.
 */

import { make, setText } from "./dom.js";

/**
 * What stands at the foot of a dialog: the outcome of what a button did.
 */
export class Outcome {
  /** @param {boolean} [one] whether one thing at a time is done, whichever button it is of */
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
   * Run what a button does, and say how it went.
   * @param {Element} button
   * @param {() => Promise<string>} action its sentence, or an error with one
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
 * The page hears of each dialog that opens or closes: the menu behind it goes.
 * @param {HTMLDialogElement} dialog
 */
export function announceDialog(dialog) {
  new MutationObserver(() => {
    const detail = { open: dialog.open };
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
        // A click on the dialog itself, not on what is in it, is a click beside it.
        if (event.target === dialog) dialog.close();
      },
    },
    make(
      "div",
      { class: "head" },
      make("h2", { id }, title),
      make("button", { type: "button", class: "button", onclick: close }, "Close"),
    ),
    make("div", { class: "body" }, ...body),
    make("div", { class: "foot" }, outcome.node),
  );
  announceDialog(dialog);
  return dialog;
}

/** One thing to do: what it is, and its buttons. @param {Node} what @param {...Node} buttons */
export const makeLine = (what, ...buttons) =>
  make("div", { class: "line" }, what, make("div", { class: "buttons" }, ...buttons));
