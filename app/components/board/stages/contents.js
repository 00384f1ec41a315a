/**
 * What stands on the page of formulas, in one line under the header: each stage leads there, and
 * the one that is read is marked. A page of one or two stages, or one too narrow for the line, does
 * without.
 */

import { make, setAttribute } from "../../shared/dom.js";
import { OneStop } from "../../shared/one_stop.js";

/** @import {StageEntry} from "../data/types.js" */

const FEW = 2;

/**
 * A title without what the other names say, too.
 * @param {string} title
 */
const shortTitle = (title) => title.split(/ · |: /)[0].replace(/ network| of the next word/, "");

export class Contents {
  /** @param {(id: string) => void} go to a stage */
  constructor(go) {
    this.go = go;
    this.key = "";
    /** @type {Map<string, HTMLButtonElement>} */
    this.buttons = new Map();
    this.current = /** @type {string | undefined} */ (undefined);
    this.el = make("nav", { class: "contents", "aria-label": "On this page", hidden: true });
    this.stop = new OneStop(this.el, "On the contents of the page");
  }

  /** @param {readonly StageEntry[]} stages */
  show(stages) {
    this.el.hidden = stages.length <= FEW;
    const key = JSON.stringify(stages.map(({ id, part, title }) => [id, part, title]));
    if (key !== this.key) {
      this.key = key;
      this.buttons = new Map(stages.map((stage) => [stage.id, this.button(stage)]));
      this.el.replaceChildren(...this.parts(stages));
    }
    this.mark(this.current);
  }

  /**
   * The stages of each part of the model, after its name where there are several.
   * @param {readonly StageEntry[]} stages
   */
  parts(stages) {
    /** @type {StageEntry[][]} */
    const groups = [];
    for (const stage of stages) {
      const last = groups.at(-1);
      if (last && last[0].part === stage.part) last.push(stage);
      else groups.push([stage]);
    }
    return groups.map((group) => {
      const buttons = group.flatMap(({ id }) => this.buttons.get(id) ?? []);
      const name = group.length > 1 ? make("span", { "aria-hidden": "true" }, group[0].part) : null;
      return make("div", {}, name, ...buttons);
    });
  }

  /** @param {StageEntry} stage */
  button({ id, title }) {
    const onclick = () => this.go(id);
    const attributes = { type: "button", "aria-label": title, title, onclick };
    return make("button", attributes, shortTitle(title));
  }

  /** @param {string | undefined} id of the stage that is read */
  mark(id) {
    this.current = id;
    for (const [of, button] of this.buttons)
      setAttribute(button, "aria-current", of === id ? "location" : null);
  }
}
