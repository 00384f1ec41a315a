/**
 * Shows what it takes to make an answer come true: which and how many numbers may move, the
 * outcome, a list of the numbers, and what can be done with it.
 */

import { asControl } from "../shared/control.js";
import { make, oncePerFrame, setText } from "../shared/dom.js";
import { NumberList } from "./number_list.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 * @import {NumberRow} from "./number_list.js"
 *
 * @typedef {"keep" | "back" | "stop" | "close"} Press
 *
 * @typedef {object} Shown
 * @property {string} [wish]
 * @property {string} [cost]
 * @property {"busy" | "granted" | "refused"} [tone]
 * @property {Press[]} [presses] the buttons
 * @property {number} [share] of a search that is over, 0 … 1
 *
 * @typedef {object} Properties
 * @property {string} value the chosen set of numbers that may move
 * @property {[string, string][]} options
 * @property {string} count how many of them may
 * @property {[string, string][]} counts
 * @property {Shown} shown
 * @property {NumberRow[]} rows
 * @property {number} taken
 */

/** @type {Record<Press, [label: string, title: string]>} */
const PRESSES = {
  stop: ["Stop", "What has been found so far stays"],
  keep: ["Keep", "The moved numbers stay, as edits; undo takes them back"],
  back: ["Spring back", "Every number is as it was before"],
  close: ["Close", "The list goes; a number that was taken stays"],
};

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const wish = make("strong", { class: "pull-wish" });
  const cost = make("span", { class: "pull-cost", role: "status" });
  const done = make("progress", { class: "pull-share", max: 1, "aria-label": "Numbers tried" });
  const count = make("select", {
    id: "pull-count",
    onchange: () => {
      model.count = model.counts[count.selectedIndex][0];
    },
  });
  const free = make("select", {
    id: "pull-free",
    onchange: () => {
      model.value = model.options[free.selectedIndex][0];
    },
  });
  const buttons = new Map(
    Object.entries(PRESSES).map(([name, [label, title]]) => [
      name,
      make(
        "button",
        {
          type: "button",
          class: "button",
          title,
          onclick: () => model.send_msg({ type: "press", name }),
        },
        label,
      ),
    ]),
  );
  const list = new NumberList(({ path, i, j }) => {
    if (isTaken()) model.send_msg({ type: "take", path, i, j });
    window.tinkerformer?.show(path, i, j);
  });
  /** Whether a number of the list is taken when it is pressed, or has moved already. */
  const isTaken = () => !model.shown.presses?.includes("keep");
  const node = make(
    "section",
    { class: "control pull-line", "aria-label": "What is pulled" },
    wish,
    make("label", { for: "pull-count" }, "by"),
    count,
    make("label", { for: "pull-free" }, "of"),
    free,
    done,
    cost,
    ...buttons.values(),
    list.node,
  );

  function show() {
    const { shown, options, counts } = model;
    setText(wish, shown.wish ?? "");
    setText(cost, shown.cost ?? "");
    node.dataset.tone = shown.tone ?? "busy";
    fill(free, options, model.value);
    fill(count, counts, model.count);
    done.hidden = shown.share === undefined;
    done.value = shown.share ?? 0;
    for (const [name, button] of buttons)
      button.hidden = !shown.presses?.includes(/** @type {Press} */ (name));
    list.show(model.rows, model.taken, isTaken());
  }

  const later = oncePerFrame(show);
  for (const name of /** @type {const} */ ([
    "value",
    "options",
    "count",
    "counts",
    "shown",
    "rows",
    "taken",
  ]))
    model.on(name, later);
  show();
  return asControl(model, node);
}

/** @param {HTMLSelectElement} select @param {[string, string][]} options @param {string} value */
function fill(select, options, value) {
  const labels = options.map(([, label]) => label);
  const there = [...select.options].map(({ text }) => text);
  if (labels.length !== there.length || labels.some((label, at) => label !== there[at]))
    select.replaceChildren(...labels.map((label) => make("option", {}, label)));
  select.selectedIndex = options.findIndex(([name]) => name === value);
}
