/**
 * Renders an item of a step: text, a task, a question, a film, a comparison or a dare.
 */

import { html, nothing } from "../../components/shared/lit-html.js";
import { typedNumber } from "../../components/shared/number_format.js";
import { rich } from "../../components/shared/rich_text.js";
import { classes } from "../../components/shared/template.js";
import { Dared } from "./dare.js";

/**
 * @import {Standing} from "./dare.js"
 * @import {Rich} from "../../components/shared/rich_text.js"
 *
 * @typedef {object} Item
 * @property {"text" | "do" | "predict" | "play" | "compare" | "dare"} kind
 * @property {Rich[]} text the text, question or caption
 * @property {"number" | "choice" | "cell"} [form] of the answer
 * @property {Rich[][]} [choices]
 * @property {number} [decimals] precision required of a number
 * @property {Rich[]} [before] @property {Rich[]} [after]
 *
 * @typedef {object} State
 * @property {boolean} [done]
 * @property {string} [mark] status shown beside the item: right, shown, not yet
 * @property {Rich[]} [hint] @property {Rich[]} [because]
 * @property {boolean} [can_show] whether the solution can be shown
 * @property {boolean | null} [after] which side of a comparison the page shows; null for neither
 * @property {boolean} [ready] whether the selected cell could be the answer
 * @property {Standing} [dare] the status of the attempt at a dare
 *
 * @typedef {(message: object) => void} Send
 * @typedef {string | null} Code the code in a link; null if it would be too long
 * @typedef {object} ItemProperties
 * @property {(state: State) => unknown} template
 * @property {(state: State) => void} [hear] receives a new state before it is shown
 * @property {(code: Code) => void} [take]
 */

/** @param {Item} item @param {number} at @param {Send} send @param {() => void} draw redraws
 * @returns {ItemProperties} */
export function shownItem(item, at, send, draw) {
  if (item.kind === "text") return { template: () => html`<div>${rich(item.text)}</div>` };
  if (item.kind === "play") return { template: () => playing(item, at, send) };
  if (item.kind === "compare") return { template: (state) => comparing(item, at, send, state) };
  if (item.kind === "dare") return new Dared(item, send, draw);
  return task(item, at, send, draw);
}

/** @param {Item} item @param {number} at @param {Send} send */
const playing = (item, at, send) => html`<div class="row"><button type="button" class="button play"
  @click=${() => send({ type: "play", item: at })}><span aria-hidden="true">▸ </span>${rich(
    item.text,
  )}</button></div>`;

/** @param {Item} item @param {number} at @param {Send} send @param {State} state */
const comparing = (item, at, send, { after }) =>
  html`<div class="row compare" role="group" aria-label="Compare">
    ${[item.before, item.after].map(
      (text, side) => html`<button type="button" class="button"
        aria-pressed=${after === (side === 1)}
        @click=${() => send({ type: "compare", item: at, after: side === 1 })}
        >${rich(text)}</button>`,
    )}
  </div>`;

/** @param {Item} item @param {number} at @param {Send} send @param {() => void} draw redraws
 * @returns {ItemProperties} */
function task(item, at, send, draw) {
  const isDo = item.kind === "do";
  const answer = isDo ? () => nothing : answering(item, at, send, draw);
  return {
    template: (state) => html`<section class=${classes("task", item.kind, state.done && "done")}
      data-item=${at}>
      <p class="head"><b>${isDo ? "Do" : "Predict"}</b><span class="mark">${state.mark}</span></p>
      <p>${rich(item.text)}</p>
      ${answer(state)}
      <div role="status">
        <p class=${classes("hint", !state.mark && "guides")}>${rich(state.hint)}</p>
        <p class="because">${rich(state.because)}</p>
      </div>
      <div class="row"><button type="button" class="button quiet" ?hidden=${!state.can_show}
        @click=${() => send({ type: "show", item: at })}
        >${isDo ? "Show me" : "Show the answer"}</button></div>
    </section>`,
  };
}

/** @param {Item} item @param {number} at @param {Send} send @param {() => void} draw redraws
 * @returns {(state: State) => unknown} */
function answering(item, at, send, draw) {
  /** @param {number | null} given */
  const answer = (given) => send({ type: "answer", item: at, given });
  if (item.form === "choice")
    return ({ done }) => html`<div class="row" role="group" aria-label="Answers">
      ${item.choices?.map(
        (text, k) => html`<button type="button" class="button choice" ?disabled=${done}
          @click=${() => answer(k)}>${rich(text)}</button>`,
      )}
    </div>`;
  if (item.form === "number") return typing(item.decimals ?? 0, answer, draw);
  return ({ done, ready }) => html`<div class="row"><button type="button" class="button"
    ?disabled=${done || !ready} @click=${() => answer(null)}
    >Answer with the selected number</button></div>`;
}

/** @param {number} decimals @param {(given: number) => void} answer
 * @param {() => void} draw redraws the item @returns {(state: State) => unknown} */
function typing(decimals, answer, draw) {
  const enough = decimals === 1 ? "one decimal is enough" : `${decimals} decimals are enough`;
  let problem = "";
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    const typed = /** @type {HTMLInputElement} */ (form.elements[0]).value;
    const given = typedNumber(typed);
    problem = Number.isFinite(given) ? "" : "Please type a number, such as 0.25.";
    draw();
    if (Number.isFinite(given)) answer(given);
  };
  return ({ done }) => html`<form class="row" @submit=${submit}>
    <input type="text" inputmode="decimal" size="8" ?disabled=${done}
      aria-label="Your answer, a number${decimals ? `; ${enough}` : ""}">
    <button type="submit" class="button" ?disabled=${done}>Answer</button>
    ${decimals ? html`<span class="enough" aria-hidden="true">${enough}</span>` : nothing}
    <p class="problem" role="status">${problem}</p>
  </form>`;
}
