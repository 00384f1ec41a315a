/**
 * The table of contents of the formulas, in one line under the header: a button for each stage,
 * with a mark on the one being read. Hidden on a page of one or two stages and on narrow pages.
 */

import { html, nothing } from "../../components/shared/lit-html.js";
import { OneStop } from "../../components/shared/one_stop.js";
import { drawn } from "../../components/shared/template.js";

/** @import {StageEntry} from "../data/types.js" */

const FEW = 2;

/** Shortens a title: removes words that similar titles share. @param {string} title */
const shortTitle = (title) => title.split(/ · |: /)[0].replace(/ network| of the next word/, "");

export class Contents {
  /** @param {(id: string) => void} go goes to a stage */
  constructor(go) {
    this.go = go;
    this.stages = /** @type {readonly StageEntry[]} */ ([]);
    this.current = /** @type {string | undefined} */ (undefined);
    const { node, show } = drawn(
      () => html`<nav class="contents" aria-label="On this page"
        ?hidden=${this.stages.length <= FEW}>${this.groups.map((group) => this.part(group))}</nav>`,
    );
    this.el = node;
    this.draw = show;
    this.stop = new OneStop(this.el, "On the contents of the page");
  }

  /** @param {readonly StageEntry[]} stages */
  show(stages) {
    this.stages = stages;
    this.draw();
  }

  /** The stages, grouped by the part of the model. */
  get groups() {
    /** @type {StageEntry[][]} */
    const groups = [];
    for (const stage of this.stages) {
      const last = groups.at(-1);
      if (last && last[0].part === stage.part) last.push(stage);
      else groups.push([stage]);
    }
    return groups;
  }

  /** The buttons of a part, with its name if it has several. @param {StageEntry[]} group */
  part(group) {
    const name = html`<span aria-hidden="true">${group[0].part}</span>`;
    return html`<div>${group.length > 1 ? name : nothing}${group.map(
      ({ id, title }) => html`<button type="button" aria-label=${title} title=${title}
        aria-current=${id === this.current ? "location" : nothing}
        @click=${() => this.go(id)}>${shortTitle(title)}</button>`,
    )}</div>`;
  }

  /** @param {string | undefined} id of the stage being read */
  mark(id) {
    if (id === this.current) return;
    this.current = id;
    this.draw();
  }
}
