/**
 * Renders an item of a step: text, a task, a question, something to play, a comparison or a dare.
 */

import { make, setText } from "../shared/dom.js";
import { dared } from "./dare.js";
import { elements } from "./rich_text.js";

/**
 * @import {Standing} from "./dare.js"
 * @import {Rich} from "./rich_text.js"
 *
 * @typedef {object} Item
 * @property {"text" | "do" | "predict" | "play" | "compare" | "dare"} kind
 * @property {Rich[]} text its text, question or caption
 * @property {"number" | "choice" | "cell"} [form] of the answer
 * @property {Rich[][]} [choices]
 * @property {number} [decimals] precision required of a number
 * @property {Rich[]} [before]
 * @property {Rich[]} [after]
 *
 * @typedef {object} State
 * @property {boolean} [done]
 * @property {string} [mark] shown beside it: right, shown, not yet
 * @property {Rich[]} [hint]
 * @property {Rich[]} [because]
 * @property {boolean} [can_show] whether the solution can be shown
 * @property {boolean | null} [after] which side of a comparison the page shows; null for neither
 * @property {boolean} [ready] whether the selected cell could be the answer
 * @property {Standing} [dare] how the attempt at a dare stands
 *
 * @typedef {(message: object) => void} Send
 * @typedef {string | null} Code of a link; null if it would be too long
 * @typedef {{node: HTMLElement, show: (state: State) => void, take?: (code: Code) => void}} Shown
 */

/** @param {Item} item @param {number} at @param {Send} send @returns {Shown} */
export function shownItem(item, at, send) {
  if (item.kind === "text")
    return { node: make("div", {}, ...elements(item.text)), show: () => {} };
  if (item.kind === "play") return playing(item, at, send);
  if (item.kind === "compare") return comparing(item, at, send);
  if (item.kind === "dare") return dared(item, send);
  return task(item, at, send);
}

/** @param {Item} item @param {number} at @param {Send} send @returns {Shown} */
function playing(item, at, send) {
  const onclick = () => send({ type: "play", item: at });
  const button = make("button", { type: "button", class: "button play", onclick });
  button.append(make("span", { "aria-hidden": "true" }, "▸ "), ...elements(item.text));
  return { node: make("div", { class: "row" }, button), show: () => {} };
}

/** @param {Item} item @param {number} at @param {Send} send @returns {Shown} */
function comparing(item, at, send) {
  const buttons = [item.before, item.after].map((text, side) => {
    const onclick = () => send({ type: "compare", item: at, after: side === 1 });
    return make("button", { type: "button", class: "button", onclick }, ...elements(text ?? []));
  });
  const node = make("div", { class: "row compare", role: "group", "aria-label": "Compare" });
  node.append(...buttons);
  return {
    node,
    show: ({ after }) => {
      for (const [side, button] of buttons.entries())
        button.setAttribute("aria-pressed", String(after === (side === 1)));
    },
  };
}

/** @param {Item} item @param {number} at @param {Send} send @returns {Shown} */
function task(item, at, send) {
  const isDo = item.kind === "do";
  const mark = make("span", { class: "mark" });
  const hint = make("p", { class: "hint" });
  const because = make("p", { class: "because" });
  const give = make(
    "button",
    { type: "button", class: "button quiet", onclick: () => send({ type: "show", item: at }) },
    isDo ? "Show me" : "Show the answer",
  );
  const answer = isDo ? null : answering(item, at, send);
  const head = make("p", { class: "head" }, make("b", {}, isDo ? "Do" : "Predict"), mark);
  const said = make("div", { role: "status" }, hint, because);
  const node = make("section", { class: `task ${item.kind}`, "data-item": at }, head);
  node.append(make("p", {}, ...elements(item.text)));
  if (answer) node.append(answer.node);
  node.append(said, make("div", { class: "row" }, give));
  return {
    node,
    show: (state) => {
      node.classList.toggle("done", Boolean(state.done));
      setText(mark, state.mark ?? "");
      fill(hint, state.hint);
      hint.classList.toggle("guides", !state.mark);
      fill(because, state.because);
      give.hidden = !state.can_show;
      answer?.show(state);
    },
  };
}

/** @type {WeakMap<HTMLElement, string>} */
const filled = new WeakMap();

/** @param {HTMLElement} node @param {Rich[]} [text] */
function fill(node, text = []) {
  const key = JSON.stringify(text);
  if (filled.get(node) === key) return;
  filled.set(node, key);
  node.replaceChildren(...elements(text));
}

/** @param {Item} item @param {number} at @param {Send} send @returns {Shown} */
function answering(item, at, send) {
  /** @param {number | null} given */
  const answer = (given) => send({ type: "answer", item: at, given });
  if (item.form === "choice") return choosing(item.choices ?? [], answer);
  if (item.form === "number") return typing(item.decimals ?? 0, answer);
  const button = make(
    "button",
    { type: "button", class: "button", onclick: () => answer(null) },
    "Answer with the selected number",
  );
  const show = (/** @type {State} */ { done, ready }) => {
    button.disabled = Boolean(done) || !ready;
  };
  return { node: make("div", { class: "row" }, button), show };
}

/** @param {Rich[][]} choices @param {(given: number) => void} answer @returns {Shown} */
function choosing(choices, answer) {
  const buttons = choices.map((text, k) =>
    make(
      "button",
      { type: "button", class: "button choice", onclick: () => answer(k) },
      ...elements(text),
    ),
  );
  const node = make("div", { class: "row", role: "group", "aria-label": "Answers" }, ...buttons);
  const show = (/** @type {State} */ { done }) => {
    for (const button of buttons) button.disabled = Boolean(done);
  };
  return { node, show };
}

/** @param {number} decimals @param {(given: number) => void} answer @returns {Shown} */
function typing(decimals, answer) {
  const enough = decimals === 1 ? "one decimal is enough" : `${decimals} decimals are enough`;
  const input = make("input", {
    type: "text",
    inputmode: "decimal",
    size: 8,
    "aria-label": `Your answer, a number${decimals ? `; ${enough}` : ""}`,
  });
  const button = make("button", { type: "submit", class: "button" }, "Answer");
  const problem = make("p", { class: "problem", role: "status" });
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const text = input.value.trim().replace("−", "-").replace(",", ".");
    const given = text === "" ? Number.NaN : Number(text);
    setText(problem, Number.isFinite(given) ? "" : "Please type a number, such as 0.25.");
    if (Number.isFinite(given)) answer(given);
  };
  const form = make("form", { class: "row", onsubmit }, input, button);
  if (decimals) form.append(make("span", { class: "enough", "aria-hidden": "true" }, enough));
  form.append(problem);
  const show = (/** @type {State} */ { done }) => {
    input.disabled = button.disabled = Boolean(done);
  };
  return { node: form, show };
}
