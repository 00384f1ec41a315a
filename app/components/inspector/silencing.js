/** The parts of the model that the selected number belongs to, with buttons that silence them. */

import { make, setAttribute, setText } from "../shared/dom.js";

/** @import {CellDetails, Send, SilenceChoice} from "./types.js" */

/** @type {[to: "zero" | "mean", label: string, words: string][]} */
const VALUES = [
  ["zero", "0", "to 0: it says nothing"],
  ["mean", "mean", "to its mean: it says nothing of this text"],
];

/**
 * @typedef {object} Line
 * @property {HTMLElement} node
 * @property {HTMLElement} label
 * @property {HTMLButtonElement[]} buttons one for each of `VALUES`
 */

export class Silencing {
  /** @param {Send} send */
  constructor(send) {
    this.send = send;
    this.lines = /** @type {Line[]} */ ([]);
    this.choices = /** @type {SilenceChoice[]} */ ([]);
    this.list = make("div", { class: "silences" });
    this.node = make(
      "fieldset",
      { class: "silencing" },
      make("legend", { title: "What it hands on is set, and all that follows from it follows" }),
      this.list,
    );
    setText(/** @type {HTMLElement} */ (this.node.firstElementChild), "Silence");
  }

  /** @param {CellDetails} details @param {boolean} isLocked */
  take({ silence = [] }, isLocked) {
    this.choices = silence;
    this.node.hidden = isLocked || !silence.length;
    while (this.lines.length < silence.length) this.lines.push(this.line(this.lines.length));
    // Reuse the lines, so that the pressed button keeps the focus.
    this.lines.forEach((line, k) => {
      line.node.hidden = k >= silence.length;
      if (!line.node.hidden) show(line, silence[k]);
    });
  }

  /** @param {number} k @returns {Line} */
  line(k) {
    const label = make("span", { class: "silenced-part" });
    const buttons = VALUES.map(([to, text]) =>
      make("button", { type: "button", class: "button", onclick: () => this.press(k, to) }, text),
    );
    const node = make("div", { class: "silence-line" }, label, ...buttons);
    this.list.append(node);
    return { node, label, buttons };
  }

  /** Silences a part; a second press restores it. @param {number} k @param {"zero" | "mean"} to */
  press(k, to) {
    const { name, to: now } = this.choices[k];
    this.send({ type: "silence", name, to: now === to ? null : to });
  }
}

/** @param {Line} line @param {SilenceChoice} choice */
function show({ label, buttons }, choice) {
  setText(label, choice.label);
  VALUES.forEach(([to, , words], k) => {
    const isOn = choice.to === to;
    setAttribute(buttons[k], "aria-pressed", String(isOn));
    setAttribute(buttons[k], "aria-label", `Silence ${choice.label} ${words.split(":")[0]}`);
    buttons[k].title = isOn
      ? `${choice.label} is silenced: press to restore it`
      : `Silence ${choice.label} ${words}`;
  });
}
