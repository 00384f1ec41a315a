/** Of a model with thousands of matrices one layer of each stack is drawn, and one head: here they are chosen. */

import { make } from "../../shared/dom.js";

const HOW_TO_MAGNIFY =
  "Large matrices are shown as pictures, over a few of their numbers. Click or drag in a picture to read the numbers " +
  "at that place; among the numbers the arrow keys scroll on.";

export class Chooser {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.el = make("div", { class: "chooser" });
    this.el.hidden = true;
    this.intro = make("p", { class: "text magnified" }, HOW_TO_MAGNIFY);
  }

  /** @param {{name: string, label: string, count: number, chosen: number, all?: number}[]} choices */
  show(choices = []) {
    this.el.hidden = !choices.length;
    const key = JSON.stringify(choices.map(({ chosen, ...rest }) => rest));
    if (key !== this.key) {
      this.key = key;
      this.groups = choices.map((choice) => this.group(choice));
      this.el.replaceChildren(...this.groups.map((group) => group.el));
    }
    choices.forEach(({ chosen }, k) => {
      for (const [number, button] of this.groups[k].buttons)
        button.setAttribute("aria-pressed", String(number === chosen));
    });
  }

  /** Said where there is something to magnify. */
  explain() {
    this.intro.hidden = ![...this.board.large.values()].some((matrix) => matrix.views.size);
  }

  /** Below the page's own header, which stays in sight, too. */
  stick() {
    const above = document.querySelector(".top")?.offsetHeight ?? 0;
    this.el.style.top = `${above}px`;
    const sticks = !this.el.hidden && getComputedStyle(this.el).position === "sticky";
    this.board.root.style.setProperty("--above", `${sticks ? this.el.offsetHeight : 0}px`);
  }

  group({ name, label, count, all }) {
    const el = make("div", { class: "choice" }),
      heads = make("div", { class: "heads" }),
      caption = make("span", { class: "choice-label" }, label);
    caption.id = `choice-${name}`;
    heads.setAttribute("role", "group");
    heads.setAttribute("aria-labelledby", caption.id);
    const numbers = [...Array(count).keys(), ...(all === undefined ? [] : [all])];
    const buttons = numbers.map((number) => {
      const button = make("button", {}, number === all ? "all" : `${number + 1}`);
      button.type = "button";
      button.setAttribute(
        "aria-label",
        number === all ? `all ${label.toLowerCase()}s` : `${label} ${number + 1}`,
      );
      button.addEventListener("click", () => this.board.send({ type: "choose", name, number }));
      heads.append(button);
      return [number, button];
    });
    el.append(caption, heads);
    return { el, buttons };
  }
}
