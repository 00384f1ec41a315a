/** Shows a step of a lesson beside the view, or below it on a narrow page. */

import { asControl } from "../../components/shared/control.js";
import { setText } from "../../components/shared/dom.js";
import { goalsOf } from "../../components/shared/goals.js";
import { adoptMathStyles, typesetWhenReady } from "../../components/shared/katex.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { onChange, onMessage, untilRemoved } from "../../components/shared/model.js";
import { classes, drawn, FromTemplate } from "../../components/shared/template.js";
import { listenForAutoAdvance } from "./auto_advance.js";
import { CameraGuide } from "./camera_guide.js";
import { shownItem } from "./item.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 * @import {Code, Item, ItemProperties, State} from "./item.js"
 * @import {Look} from "./camera_guide.js"
 *
 * @typedef {object} Open
 * @property {string} name @property {string} title
 * @property {number} step counted from 0 @property {number} count
 * @property {string} heading @property {Item[]} items
 * @property {string[]} show parts of the page that the lesson needs
 * @property {string[]} goals
 * @property {string[]} facts level and minutes
 *
 * @typedef {{value: Partial<Open>, live: string[], states: State[], look: Look}} Properties
 */

/** @param {Component<Properties>} component */
export function render({ model }) {
  const lesson = new Lesson(model);
  const { node, scroll } = lesson;
  const signal = untilRemoved(model);
  onMessage(model, (/** @type {{type: "link", code: Code}} */ { type, code }) => {
    if (type === "link") for (const each of lesson.items) each.take?.(code);
  });
  onChange(model, ["value", "states"], () => lesson.show());
  onChange(model, ["live"], () => lesson.showLive());
  const advance = () => Boolean(model.value.name) && lesson.go(1);
  listenForAutoAdvance(scroll, advance, () => lesson.isDone, signal);
  typesetWhenReady(node, signal);
  lesson.show();

  const camera = lesson.camera;
  const look = () => camera.show(model.look);
  model.on("look", look);
  document.addEventListener("tinkerformer:ready", look, { signal });
  if (window.tinkerformer?.ready) look();
  model.on("remove", () => {
    camera.leave();
    delete document.documentElement.dataset.lesson;
  });
  return asControl(model, node);
}

class Lesson extends FromTemplate {
  /** @param {Component<Properties>["model"]} model */
  constructor(model) {
    super();
    this.model = model;
    this.camera = new CameraGuide();
    /** @type {ItemProperties[]} */
    this.items = [];
    this.body = /** @type {{node: HTMLElement, show: () => void} | null} */ (null);
    this.place = "";
    this.copied = ""; // the step or dare whose address was copied
    const { node } = this;
    this.scroll = /** @type {HTMLElement} */ (node.querySelector(".scroll"));
    adoptMathStyles(node);
    node.addEventListener("click", ({ target }) => {
      const link = target instanceof Element ? target.closest("[data-to-view]") : null;
      if (link instanceof HTMLElement) model.send_msg({ type: "open", view: link.dataset.toView });
    });
  }

  get isDone() {
    return this.model.states.every((state) => state.done !== false);
  }

  /** @param {number} by @returns {boolean} whether there is such a step */
  go(by) {
    const { step = 0, count = 0 } = this.model.value;
    const to = step + by;
    if (to < 0 || to >= count) return false;
    this.model.send_msg({ type: "go", step: to });
    return true;
  }

  template() {
    const { name = "", step = 0, count = 0, items = [], goals = [], facts = [] } = this.model.value;
    const { title, heading } = this.model.value;
    const isDare = items.some(({ kind }) => kind === "dare"); // a dare has its own address
    const line = facts.length ? html`<p class="facts">${facts.join(" · ")}</p>` : nothing;
    return html`<section class=${classes("control lesson", count === 1 && "single")}
      aria-label="Lesson">
      <div class="top">
        <p class="lesson-title">${title}</p>
        <button type="button" class="dismiss" aria-label="Close the lesson" title="Close the lesson"
          @click=${() => this.model.send_msg({ type: "close" })}>×</button>
      </div>
      <div class="progress" role="progressbar" aria-label="Steps done" aria-valuemin="1"
        aria-valuemax=${count} aria-valuenow=${step + 1}>${Array.from(
          { length: count },
          (_, k) => html`<i class=${k < step ? "past" : k === step ? "here" : ""}></i>`,
        )}</div>
      <div class="scroll">
        <h2 tabindex="-1">${heading}</h2>
        <div class="head">${step === 0 && name ? [goalsOf(goals), line] : nothing}</div>
        ${this.body?.node}
        <p><button type="button" class="button quiet" ?hidden=${isDare}
          @click=${() => this.model.send_msg({ type: "again" })}>Start this step again</button></p>
      </div>
      ${this.steps(isDare ? `dare:${name}` : `lesson:${name}&step=${step + 1}`)}
    </section>`;
  }

  /** Returns the buttons to other steps. @param {string} address of this step */
  steps(address) {
    const { step = 0, count = 0 } = this.model.value;
    const where = count === 1 ? "Its address" : `Step ${step + 1} of ${count}`;
    const next = () => {
      if (!this.go(1)) this.model.send_msg({ type: "close" });
    };
    return html`<div class="steps">
        <button type="button" class="button" ?disabled=${step === 0}
          @click=${() => this.go(-1)}>Back</button>
        <a class="address" title="Copy the address of this step" href="?view=${address}"
          @click=${(/** @type {MouseEvent} */ event) => this.copy(event, address)}
          >${this.copied === address ? "Copied" : where}</a>
        <button type="button" class=${classes("button", this.isDone && "ready")}
          @click=${next}>${step === count - 1 ? "Done" : "Next"}</button>
      </div>`;
  }

  /** @param {MouseEvent} event @param {string} address */
  async copy(event, address) {
    // With a modifier key, the link opens a tab as usual.
    if (!navigator.clipboard || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    await navigator.clipboard.writeText(new URL(`?view=${address}`, location.href).href);
    this.copied = address;
    this.draw();
  }

  showStates() {
    const { states } = this.model;
    for (const [k, each] of this.items.entries()) each.hear?.(states[k] ?? {});
    this.body?.show();
    this.draw();
    this.showLive();
  }

  showLive() {
    /** @type {NodeListOf<HTMLElement>} */
    const all = this.node.querySelectorAll("[data-live]");
    for (const each of all) setText(each, this.model.live[Number(each.dataset.live)] ?? "…");
  }

  show() {
    const { name = "", step = 0, items = [], show = [] } = this.model.value;
    const { dataset } = document.documentElement;
    if (name === "") {
      delete dataset.lesson;
      this.camera.leave();
      this.place = "";
      return;
    }
    dataset.lesson = show.join(" ");
    const here = `${name} ${step}`;
    const isNew = here !== this.place;
    const isAnother = isNew && this.place !== "";
    this.place = here;
    if (isNew) this.begin(items);
    this.showStates();
    if (!isNew) return;
    this.scroll.scrollTop = 0;
    const heading = /** @type {HTMLElement} */ (this.node.querySelector("h2"));
    if (isAnother && this.node.matches(":focus-within")) heading.focus({ preventScroll: true });
  }

  /** Renders the items of a new step. @param {Item[]} items */
  begin(items) {
    this.copied = "";
    const send = (/** @type {object} */ message) => this.model.send_msg(message);
    this.items = items.map((item, k) => shownItem(item, k, send, () => this.showStates()));
    // New elements for each step, so that typed input does not carry over to the next.
    this.body = drawn(
      () => html`<div class="body">
          ${this.items.map((each, k) => each.template(this.model.states[k] ?? {}))}
        </div>`,
    );
  }
}
