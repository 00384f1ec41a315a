/**
 * Shows what it takes to make an answer come true: which and how many numbers may move, what can be
 * done with the result, the outcome, and a list of the numbers. In a wide window it stands in the
 * right column, else above the view; its parts keep their places while it runs.
 */

import { asControl } from "../shared/control.js";
import { make, oncePerFrame, setAttribute, setText } from "../shared/dom.js";
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
 * @property {string} [order] which numbers come first in the list, or that they will come
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

/**
 * In the order of their places: what goes when a search is over comes last.
 * @type {Record<Press, [label: string, title: string]>}
 */
const PRESSES = {
  keep: ["Keep", "The moved numbers stay, as edits; undo takes them back"],
  back: ["Spring back", "Every number is as it was before"],
  close: ["Close", "The list goes; a number that was taken stays"],
  stop: ["Stop", "What has been found so far stays"],
};

/** Where the page has a place beside the view: see page.css. */
const WIDE = "(min-width: 900px)";

const root = document.documentElement;

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const wish = make("strong", { class: "pull-wish" });
  const cost = make("p", { class: "pull-cost", role: "status" });
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
          class: name === "close" ? "dismiss" : "button",
          title,
          "aria-label": label,
          onclick: () => model.send_msg({ type: "press", name }),
        },
        name === "close" ? "×" : label,
      ),
    ]),
  );
  const others = [...buttons].filter(([name]) => name !== "close").map(([, each]) => each);
  const list = new NumberList(({ path, i, j }) => {
    if (isTaken()) model.send_msg({ type: "take", path, i, j });
    const { tinkerformer } = window;
    // In the picture it has been pointed out already; the camera stays where all frames are seen.
    const isInPicture = root.dataset.view === "picture" && tinkerformer?.paths().includes(path);
    if (isInPicture) tinkerformer?.select(path, i, j);
    else tinkerformer?.show(path, i, j);
  });
  /** Whether a number of the list is taken when it is pressed, or has moved already. */
  const isTaken = () => !model.shown.presses?.includes("keep");
  const order = make("p", { class: "pull-order" });
  const node = make(
    "section",
    { class: "control pull-line", "aria-label": "What is pulled" },
    make("div", { class: "pull-top" }, wish, buttons.get("close")),
    make("div", { class: "pull-presses" }, ...others, done),
    make(
      "div",
      { class: "pull-choices" },
      make("label", { for: "pull-count" }, "by"),
      count,
      make("label", { for: "pull-free" }, "of"),
      free,
    ),
    cost,
    order,
    list.node,
  );

  function show() {
    const { shown, options, counts } = model;
    setText(wish, shown.wish ?? "");
    setText(cost, shown.cost ?? "");
    node.dataset.tone = shown.tone ?? "busy";
    node.classList.toggle("moving", !isTaken());
    fill(free, options, model.value);
    fill(count, counts, model.count);
    done.hidden = shown.share === undefined;
    done.value = shown.share ?? 0;
    for (const [name, button] of buttons)
      button.hidden = !shown.presses?.includes(/** @type {Press} */ (name));
    setText(order, shown.order ?? "");
    list.show(model.rows, model.taken, isTaken());
  }

  const wide = matchMedia(WIDE);
  const place = () => node.classList.toggle("beside", wide.matches && !root.dataset.embed);
  wide.addEventListener("change", place);
  place();
  // The page gives it its place while it is shown: see page.css.
  const sizes = new ResizeObserver(() => root.toggleAttribute("data-pull", node.offsetHeight > 0));
  sizes.observe(node);
  model.on("remove", () => {
    sizes.disconnect();
    list.remove();
    wide.removeEventListener("change", place);
    root.removeAttribute("data-pull");
  });
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
  setAttribute(select, "title", options[select.selectedIndex]?.[1] ?? null);
}
