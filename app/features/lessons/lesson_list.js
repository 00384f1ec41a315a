/** Shows the list of lessons, and below it the list of dares. */

import { withNames } from "../../components/shared/cell_name.js";
import { goalsOf } from "../../components/shared/goals.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { ownBest } from "../../components/shared/own_best.js";
import { drawnFrom } from "../../components/shared/template.js";
import { pictured } from "./picture.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 * @import {Picture} from "./picture.js"
 *
 * @typedef {object} Listed see lesson_list.py
 * @property {string} name @property {string} title @property {string} about
 * @property {string[]} goals @property {string[]} facts level and minutes
 * @property {string} source author and license @property {number} steps @property {number} done
 *
 * @typedef {object} ListedDare
 * @property {string} name @property {string} title @property {string} about
 * @property {string} best the best known measure, in words
 *
 * @typedef {{value: string, lessons: Listed[], dares: ListedDare[], problems: string[],
 *   pictures: Record<string, Picture>}} Properties
 */

const INTRO =
  "Short lessons on the numbers of this page. Each lesson asks you to predict a result, then " +
  "shows it.";
const DARE =
  "A goal to reach by changing the model. The page computes your score. Share a link, and " +
  "others can try to beat it.";

/** @param {Component<Properties>} component */
export function render({ model }) {
  return drawnFrom(model, ["value", "lessons", "dares", "pictures", "problems"], () => {
    const { lessons, dares, problems } = model;
    const usual = lessons[0]?.source ?? "";
    const isOfAll = lessons.every(({ source }) => !source || source === usual);
    return html`<section class="control lessons" aria-label="Lessons">
      <h2>Lessons</h2>
      <p class="intro">${INTRO}</p>
      <ol role="list">${lessons.map((lesson, at) => line(model, lesson, at, usual))}</ol>
      <p class="facts">${usual && `${isOfAll ? "Lessons" : "The other lessons:"} ${usual}`}</p>
      <section class="dares" aria-label="Dares" ?hidden=${dares.length === 0}>
        <h2>Dares</h2>
        <p class="intro">${DARE}</p>
        <ol role="list">${dares.map((dare) => dareLine(model, dare))}</ol>
      </section>
      <ul class="problems" role="status">${problems.map((each) => html`<li>${each}</li>`)}</ul>
    </section>`;
  });
}

/** Reserves space for a picture until it arrives. @param {Picture | undefined} picture */
function stillOf(picture) {
  return html`<div class="still" aria-hidden="true">${picture && pictured(picture)}</div>`;
}

/**
 * @param {Component<Properties>["model"]} model @param {Listed} lesson @param {number} at
 * @param {string} usual the author and license of most lessons
 */
function line(model, { name, title, about, goals, facts, source, steps, done }, at, usual) {
  const open = (/** @type {boolean} */ afresh) => model.send_msg({ type: "open", name, afresh });
  const isOpen = name === model.value;
  const verb = isOpen || (done > 0 && done < steps) ? "Continue" : done ? "Open again" : "Start";
  const reached = done ? `${done} of ${steps} steps done` : `${steps} steps`;
  return html`<li data-lesson-name=${name}>
    ${stillOf(model.pictures[name])}
    <div class="what">
      <b><span class="count" aria-hidden="true">${at + 1}</span>${title}</b>
      ${about ? html`<p>${withNames(about)}</p>` : nothing}
      <p class="facts">${[...facts, reached].join(" · ")}</p>
      ${goalsOf(goals, learned(goals))}
      ${source && source !== usual ? html`<p class="facts">${source}</p>` : nothing}
    </div>
    <div class="buttons">
      <button type="button" class="button" aria-label="${verb}: ${title}"
        @click=${() => open(false)}>${verb}</button>
      <button type="button" class="button quiet" aria-label="Start again: ${title}"
        ?hidden=${done === 0} @click=${() => open(true)}>Start again</button>
    </div>
  </li>`;
}

/** @param {Component<Properties>["model"]} model @param {ListedDare} dare */
function dareLine(model, { name, title, about, best }) {
  const own = ownBest(name);
  const verb = name === model.value ? "Go on" : "Try it";
  return html`<li data-dare-name=${name}>
    ${stillOf(model.pictures[name])}
    <div class="what">
      <b>${title}</b>
      ${about ? html`<p>${withNames(about)}</p>` : nothing}
      <p class="facts">best known ${best} · ${own ? `your best ${own.said}` : "not done yet"}</p>
    </div>
    <div class="buttons"><button type="button" class="button" aria-label="${verb}: ${title}"
      @click=${() => model.send_msg({ type: "open", name, dare: true })}>${verb}</button></div>
  </li>`;
}

/**
 * Returns the first goal of a lesson, in one line.
 * @param {string[]} goals a sentence each, such as “Read off what a head looks for.”
 */
function learned([first = ""]) {
  const said = `${first.charAt(0).toLowerCase()}${first.slice(1)}`.replace(/[.]$/, "");
  return `Learn to ${said}`;
}
