/** Shows the learning goals of a lesson, folded at first. */

import { html, nothing } from "./lit-html.js";

/** @param {string[]} goals @param {string} [summary] the label of the fold */
export const goalsOf = (goals, summary = "What you will be able to do") =>
  goals.length
    ? html`<details class="goals">
        <summary>${summary}</summary>
        <ul>${goals.map((goal) => html`<li>${goal}</li>`)}</ul>
      </details>`
    : nothing;
