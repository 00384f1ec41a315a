/** What one can do after a lesson. */

import { html, nothing } from "./lit-html.js";

/** @param {string[]} goals @param {string} [summary] what unfolds them */
export const goalsOf = (goals, summary = "What you will be able to do") =>
  goals.length
    ? html`<details class="goals">
        <summary>${summary}</summary>
        <ul>${goals.map((goal) => html`<li>${goal}</li>`)}</ul>
      </details>`
    : nothing;
