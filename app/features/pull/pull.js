/**
 * Shows the panel of a pull: the choice and count of the numbers that may move, buttons for the
 * result, its cost, and a list of the numbers. In a wide window the panel is in the right column,
 * otherwise above the view; its parts keep their places during the search.
 */

import { asControl } from "../../components/shared/control.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { onChange } from "../../components/shared/model.js";
import { classes, drawn } from "../../components/shared/template.js";
import { NumberList } from "./number_list.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 * @import {NumberRow} from "./number_list.js"
 *
 * @typedef {"keep" | "back" | "stop" | "close"} Press
 *
 * @typedef {object} PullLine see pull.py
 * @property {string} [wish] @property {string} [cost]
 * @property {"busy" | "granted" | "refused"} [tone] @property {Press[]} [presses]
 * @property {number} [share] @property {string} [order]
 *
 * @typedef {object} Properties
 * @property {string} value @property {[string, string][]} options @property {string} count
 * @property {[string, string][]} counts @property {PullLine} shown @property {NumberRow[]} rows
 * @property {number} taken
 */

/** Label and title of each button. @type {Record<Press, [label: string, title: string]>} */
const PRESSES = {
  keep: ["Keep", "The moved numbers stay, as edits; undo takes them back"],
  back: ["Spring back", "Restores every number"],
  close: ["Close", "Closes the list; a number that you took keeps its new value"],
  stop: ["Stop", "Stops the search and keeps the list so far"],
};

/** The width at which the page has space beside the view: see page.css. */
const WIDE = "(min-width: 1100px)";

const root = document.documentElement;

/** @param {Component<Properties>} component */
export function render({ model }) {
  const list = new NumberList(({ path, i, j }) => {
    if (isTaken()) model.send_msg({ type: "take", path, i, j });
    const { tinkerformer } = window;
    // The picture already frames the number: keep the camera where all framed numbers are visible.
    const isInPicture = root.dataset.view === "picture" && tinkerformer?.paths().includes(path);
    if (isInPicture) tinkerformer?.select(path, i, j);
    else tinkerformer?.show(path, i, j);
  });
  /** Returns whether pressing a row sets its number; otherwise the numbers are set already. */
  const isTaken = () => !model.shown.presses?.includes("keep");
  const wide = matchMedia(WIDE);
  const { node, show: draw } = drawn(() => {
    const { shown } = model;
    const { tone = "busy", share } = shown;
    const isBeside = wide.matches && !root.dataset.embed;
    const button = (/** @type {Press} */ name) => pressButton(model, name);
    return html`<section
      class=${classes("control pull-line", !isTaken() && "moving", isBeside && "beside")}
      aria-label="What is pulled" data-tone=${tone}>
      <div class="pull-top"><strong class="pull-wish">${shown.wish}</strong>${button("close")}</div>
      <div class="pull-presses">
        ${button("keep")}${button("back")}${button("stop")}
        <progress class="pull-share" max="1" aria-label="Numbers tried" value=${share ?? 0}
          ?hidden=${share === undefined}></progress>
      </div>
      <div class="pull-choices">
        <label for="pull-count">by</label>${choice(model, "pull-count", "count", model.counts)}
        <label for="pull-free">of</label>${choice(model, "pull-free", "value", model.options)}
      </div>
      <p class="pull-cost" role="status">${shown.cost}</p>
      <p class="pull-order">${shown.order}</p>
      ${list.node}
    </section>`;
  });

  function show() {
    draw();
    list.show(model.rows, model.taken, isTaken());
    const [count, free] = node.querySelectorAll("select");
    count.selectedIndex = model.counts.findIndex(([each]) => each === model.count);
    free.selectedIndex = model.options.findIndex(([each]) => each === model.value);
  }

  wide.addEventListener("change", show);
  // page.css places the panel while this attribute is set.
  const sizes = new ResizeObserver(() => root.toggleAttribute("data-pull", node.offsetHeight > 0));
  sizes.observe(node);
  model.on("remove", () => {
    sizes.disconnect();
    list.remove();
    wide.removeEventListener("change", show);
    root.removeAttribute("data-pull");
  });
  onChange(model, ["value", "options", "count", "counts", "shown", "rows", "taken"], show);
  show();
  return asControl(model, node);
}

/** @param {Component<Properties>["model"]} model @param {Press} name */
function pressButton(model, name) {
  const { presses = [] } = model.shown;
  const [label, title] = PRESSES[name];
  return html`<button type="button" class=${name === "close" ? "dismiss" : "button"}
    title=${title} aria-label=${label} ?hidden=${!presses.includes(name)}
    @click=${() => model.send_msg({ type: "press", name })}
    >${name === "close" ? "×" : label}</button>`;
}

/**
 * @param {Component<Properties>["model"]} model @param {string} id @param {"count" | "value"} name
 * @param {[string, string][]} options
 */
function choice(model, id, name, options) {
  const change = (/** @type {Event} */ { currentTarget }) => {
    const { selectedIndex } = /** @type {HTMLSelectElement} */ (currentTarget);
    model[name] = options[selectedIndex][0];
  };
  const chosen = options.find(([each]) => each === model[name]);
  return html`<select id=${id} title=${chosen?.[1] ?? nothing} @change=${change}
    >${options.map(([, label]) => html`<option>${label}</option>`)}</select>`;
}
