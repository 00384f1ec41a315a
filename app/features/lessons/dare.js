/** Shows a dare: its text, the page's score, the best known score, and the user's best. */

import { addressWithLink, hasAddress } from "../../components/shared/address.js";
import { announce } from "../../components/shared/announce.js";
import { copyText } from "../../components/shared/copy_text.js";
import { make } from "../../components/shared/dom.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { keepBest, ownBest } from "../../components/shared/own_best.js";
import { rich } from "../../components/shared/rich_text.js";
import { classes } from "../../components/shared/template.js";

/**
 * @import {Code, Item, Send, ItemProperties, State} from "./item.js"
 * @import {Rich} from "../../components/shared/rich_text.js"
 *
 * @typedef {object} Standing
 * @property {string} name of the dare
 * @property {string} best the best known measure, in words
 * @property {string} by the method that achieved the best measure
 * @property {boolean} more whether a larger measure is better
 * @property {string} shared a sentence on the attempt opened by a link
 * @property {boolean} busy whether the score is being computed
 * @property {boolean} [reached]
 * @property {string} [refused] the reason why the attempt does not count
 * @property {string} [what] the changes in words
 * @property {Rich[]} [shows] the status in words
 * @property {number | null} [value] the measure
 * @property {string | null} [said] the measure in words
 * @property {boolean} [is_best] whether the measure is at least as good as the best known
 * @property {boolean} [is_shared] whether the page shows the attempt of the link
 * @property {boolean} [is_given] whether nothing has been changed
 * @property {object | null} told the report for course pages
 */

const MAIL = 2_000; // characters; some programs cut longer links

/** @implements {ItemProperties} */
export class Dared {
  /** @param {Item} item @param {Send} send @param {() => void} draw redraws the item */
  constructor(item, send, draw) {
    this.item = item;
    this.send = send;
    this.draw = draw;
    this.link = make("input", {
      type: "text",
      readonly: true,
      "aria-label": "Link of this attempt",
    });
    this.link.hidden = true;
    this.told = "";
    this.said = "";
    this.copied = "";
  }

  /** @param {State} state */
  hear({ dare }) {
    if (!dare) return;
    const isDone = isReached(dare);
    if (isDone) keep(dare);
    const key = JSON.stringify(dare.told);
    if (key === this.told || dare.busy) return;
    this.told = key;
    this.said = isDone ? `That does it: ${dare.said}. Best known: ${dare.best}.` : "";
    this.link.hidden = true;
    this.copied = "";
    announce("score", dare.told);
  }

  /** @param {State} state */
  template({ dare }) {
    if (!dare) return nothing;
    const isDone = isReached(dare);
    const again = () => this.send({ type: "again" });
    return html`<section class=${classes("task dare", isDone && "done")} aria-label="Dare">
      <p class="head"><b>Dare</b><b class=${classes("score", isDone && "reached")}
        >${dare.busy ? "…" : counts(dare) ? dare.said : ""}</b></p>
      <p class="sentence">${rich(this.item.text)}</p>
      <div class="opened">
        <p class="shared">${dare.shared}</p>
        <button type="button" class="button" ?hidden=${dare.shared === ""}
          @click=${again}>Beat it</button>
      </div>
      <p class="what">${whatOf(dare)}</p>
      <p>${rich(dare.shows)}</p>
      <p class="hint">${dare.is_given ? "" : dare.refused}</p>
      <dl>
        <dt>best known</dt><dd>${dare.best}</dd>
        <dt>your best</dt><dd>${ownBest(dare.name)?.said ?? "–"}</dd>
      </dl>
      <p class="by">${dare.by && `The best known comes from ${dare.by}.`}</p>
      <div class="row">
        <button type="button" class="button" aria-disabled=${dare.is_given === true}
          @click=${again}>Start again</button>
        <button type="button" class="button" ?hidden=${!hasAddress()}
          @click=${() => this.send({ type: "link" })}>Copy link</button>
      </div>
      ${this.link}
      <p class="copied" role="status">${this.copied}</p>
      <p class="visually-hidden" role="status">${this.said}</p>
    </section>`;
  }

  /** @param {Code} code */
  async take(code) {
    const { link } = this;
    this.copied = "A link cannot hold so many changes. Share saves them as a file.";
    if (code !== null) {
      link.value = addressWithLink(code);
      link.hidden = false;
      await copyText(link);
      const isLong = link.value.length > MAIL;
      this.copied = `Copied.${isLong ? " It is long: some mail programs cut such a link." : ""}`;
    }
    this.draw();
  }
}

/** Returns whether the measure counts. @param {Standing} dare */
const counts = ({ busy, refused, is_given }) => !(busy || refused || is_given);

/** @param {Standing} dare */
const isReached = (dare) => counts(dare) && dare.reached === true;

/** Stores the user's result; a link's attempt is not the user's. @param {Standing} dare */
function keep({ name, value, said, more, is_shared }) {
  if (is_shared || typeof value !== "number") return;
  keepBest(name, { value, said: said ?? "" }, more);
}

/** @param {Standing} dare */
function whatOf({ busy, is_given, refused, reached, is_best, what = "" }) {
  if (busy) return "The score is being computed.";
  if (is_given) return "Nothing has been changed yet.";
  if (refused) return "";
  if (!reached) return `${what}. That does not do it yet.`;
  return `${what}. That does it${is_best ? ", as well as the best known or better" : ""}.`;
}
