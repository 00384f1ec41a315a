/** Shows a list of words with a heading, tools, and a sentence below. */

import { setText } from "../../components/shared/dom.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { closeOnEscape } from "../../components/shared/menu.js";
import { OneStop } from "../../components/shared/one_stop.js";
import { classes, FromTemplate } from "../../components/shared/template.js";
import { fadeEdges } from "./fade_edges.js";
import { SHARES } from "./line_letters.js";
import { placeUnder } from "./place_under.js";
import { TokenChoice } from "./token_choice.js";
import { TokenRow } from "./token_row.js";
import { WrittenRow } from "./written_row.js";

/**
 * @import {TokenListAccess, Source} from "./types.js"
 * @import {WordList} from "./word_list.js"
 */

/** The height of the numbers below a word, in px. */
const UNDERS = 17;

const NARROW = "(max-width: 1099.98px)";
const TOOLS = "button, select, input";

export class TokenSection extends FromTemplate {
  /**
   * @param {TokenListAccess} access reads the list, and sends changes of it
   * @param {WordList} words the list below an edited word
   * @param {boolean} isLine whether the words are a line of the header
   */
  constructor(access, words, isLine) {
    super();
    this.narrow = matchMedia(isLine ? NARROW : "not all");
    this.refused = ""; // the reason why the last message could not be delivered
    this.telling = /** @type {AbortController | null} */ (null);
    /** @type {Source} */
    this.source = Object.assign(access, {
      /** @param {string} sentence */
      refuse: (sentence) => {
        this.refused = sentence;
        this.draw();
      },
      /** @param {string} sentence @param {Element} chip */
      tell: (sentence, chip) => this.tell(sentence, chip),
      hush: () => this.hush(),
    });
    const { name, label } = this.source.now;
    this.choice = new TokenChoice(name, this.source.choose);
    this.row = new TokenRow(this.source, words);
    this.written = new WrittenRow(this.source);
    const find = (/** @type {string} */ what) =>
      /** @type {HTMLElement} */ (this.node.querySelector(what));
    this.told = find(".unknown");
    const toolbar = find(".toolbar");
    const items = () => /** @type {HTMLElement[]} */ ([...toolbar.querySelectorAll(TOOLS)]);
    new OneStop(toolbar, `Over the words of ${label}`, { items });
    this.narrow.addEventListener("change", () => this.draw());
    closeOnEscape(toolbar, find(".usual"), find(".more"));
    for (const box of [this.row.node, this.written.node, this.node]) fadeEdges(box);
    this.refresh();
  }

  template() {
    const { source, written } = this;
    const { now } = source;
    const kinds = classes(
      now.name,
      source.numbers && "all-numbers",
      now.unit === "character" && "characters",
    );
    return html`<section class=${kinds}
      style="--share: ${SHARES[now.name] ?? 1}; --menu: --of-${now.name}"
      ?hidden=${now.hidden}>
      <h2 id="heading-${now.name}">${written.title}</h2>
      ${this.tools()}
      ${this.row.node}${written.node}
      <p class="problem" id="error-${now.name}" role="status">${this.refused || now.error}</p>
      <p class="unknown" role="status" popover="manual"></p>
    </section>`;
  }

  /** Returns the verdict and the tools; on a narrow page, seldom used tools are in a menu. */
  tools() {
    const { source, narrow } = this;
    const { now } = source;
    const id = `tools-${now.name}`;
    const isChosen = isModeOpen(now) || now.choice !== null;
    const isEmpty = !isChosen && !now.another && !now.restores;
    return html`<div class="tools" data-unrecorded>
        ${this.written.verdict}
        <div class="toolbar" role="toolbar" aria-label=${now.label}>
          <button type="button" class="more" popovertarget=${id} aria-label="Tools of ${now.label}"
            title="Tools" ?hidden=${!narrow.matches || isEmpty || source.locked}>⋯</button>
          <div class="usual" id=${id} popover=${narrow.matches ? "auto" : nothing}>
            ${modeChoice(source)}
            <button type="button" class="small-button" ?hidden=${!now.another}
              @click=${source.another}>${now.another}</button>
            ${this.choice.node}
            <button type="button" class="small-button restore"
              title="Every computed number as the weights give it; nothing silenced"
              ?hidden=${!now.restores || source.locked} @click=${source.restore}
              >${now.restores}</button>
          </div>
          <p class="list-note" title=${now.note || nothing}>${now.note}</p>
          <span class="sequence">${now.sequence}</span>
        </div>
      </div>`;
  }

  /** @param {string} sentence @param {Element} chip */
  tell(sentence, chip) {
    const { told } = this;
    chip.closest("li")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    told.showPopover();
    setText(told, sentence);
    const place = () => placeUnder(told, chip, UNDERS);
    place();
    this.telling?.abort();
    this.telling = new AbortController();
    const { signal } = this.telling;
    for (const type of ["pointerdown", "keydown"])
      document.addEventListener(type, () => this.source.hush(), { signal, capture: true });
    document.addEventListener("scroll", place, { signal, capture: true, passive: true });
  }

  hush() {
    this.telling?.abort();
    this.told.hidePopover();
  }

  refresh() {
    const { now } = this.source;
    this.draw();
    this.choice.show(now.writes ? null : now.choice);
    this.written.refresh();
    this.row.refresh();
  }
}

/** Returns whether the user may choose who writes the list. @param {Source["now"]} now */
const isModeOpen = (now) => now.row === null && (now.can_write || now.writes);

/** Returns a switch for whether the model or the user writes the list. @param {Source} source */
function modeChoice(source) {
  const { now } = source;
  /** @param {boolean} itself @param {string} text @param {string} title */
  const button = (itself, text, title) => html`<button type="button" class="mode" title=${title}
    aria-pressed=${itself === now.writes} @click=${() => source.write(itself)}>${text}</button>`;
  return html`<div class="modes" role="group" aria-label="Target" ?hidden=${!isModeOpen(now)}
    >${button(true, "writes itself", "The model writes, again after every change")}${button(
      false,
      "you write it",
      "Teacher forcing: the decoder reads what you type",
    )}</div>`;
}
