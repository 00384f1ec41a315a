/** Buttons that open the pictures of ideas related to the adjacent content. */

import { announce } from "./announce.js";
import { html } from "./lit-html.js";

/** @import {TemplateResult} from "./lit-html.js" */

/**
 * @param {readonly [view: string, label: string][]} ideas @param {string} className of the buttons
 * @returns {TemplateResult[]} empty if the page offers no other view
 */
export function ideaLinks(ideas, className) {
  const { embed } = document.documentElement.dataset;
  if (embed !== undefined && !embed.split(" ").includes("views")) return [];
  return ideas.map(
    ([view, label]) => html`<button type="button" class=${className}
      title="The idea behind it, as a picture" @click=${() => announce("idea", { view })}
      >${label} →</button>`,
  );
}
