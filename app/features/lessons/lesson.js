/** Shows a step of a lesson beside the view, or below it on a narrow page. */

import { asControl } from "../../components/shared/control.js";
import { setText } from "../../components/shared/dom.js";
import { goalsOf } from "../../components/shared/goals.js";
import { adoptMathStyles, typesetWhenReady } from "../../components/shared/katex.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { onChange, onMessage } from "../../components/shared/model.js";
import { classes, drawn } from "../../components/shared/template.js";
import { listenForAutoAdvance } from "./auto_advance.js";
import { CameraGuide } from "./camera_guide.js";
import { shownItem } from "./item.js";

/**
 * @import {ControlProperties} from "../../components/shared/control.js"
 * @import {Model} from "../../components/shared/model.js"
 * @import {Code, Item, ItemProperties, State} from "./item.js"
 * @import {Look} from "./camera_guide.js"
 *
 * @typedef {object} Open
 * @property {string} name @property {string} title
 * @property {number} step counted from 0 @property {number} count
 * @property {string} heading
 * @property {Item[]} items
 * @property {string[]} show parts of the page that the lesson needs
 * @property {string[]} goals
 * @property {string[]} facts level and minutes
 *
 * @typedef {{value: Partial<Open>, live: string[], states: State[], look: Look}} Properties
 */

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const root = document.documentElement;
  const go = (/** @type {number} */ by) => {
    const { step = 0, count = 0 } = model.value;
    const to = step + by;
    if (to < 0 || to >= count) return false;
    model.send_msg({ type: "go", step: to });
    return true;
  };
  const isDone = () => model.states.every((state) => state.done !== false);
  /** @type {ItemProperties[]} */
  let shown = [];
  let body = /** @type {{node: HTMLElement, show: () => void} | null} */ (null);
  let place = "";
  let copied = ""; // the step or dare whose address was copied

  const { node, show: draw } = drawn(() => {
    const { name = "", step = 0, count = 0, items = [], goals = [], facts = [] } = model.value;
    const { title, heading } = model.value;
    const isDare = items.some(({ kind }) => kind === "dare"); // a dare has its own address
    const asked = isDare ? `dare:${name}` : `lesson:${name}&step=${step + 1}`;
    const copy = async (/** @type {MouseEvent} */ event) => {
      // With a modifier key, the link opens a tab as usual.
      if (!navigator.clipboard || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      await navigator.clipboard.writeText(new URL(`?view=${asked}`, location.href).href);
      copied = asked;
      draw();
    };
    const where = count === 1 ? "Its address" : `Step ${step + 1} of ${count}`;
    const line = facts.length ? html`<p class="facts">${facts.join(" · ")}</p>` : nothing;
    return html`<section class=${classes("control lesson", count === 1 && "single")}
      aria-label="Lesson">
      <div class="top">
        <p class="lesson-title">${title}</p>
        <button type="button" class="dismiss" aria-label="Close the lesson" title="Close the lesson"
          @click=${() => model.send_msg({ type: "close" })}>×</button>
      </div>
      <div class="progress" role="progressbar" aria-label="Steps done" aria-valuemin="1"
        aria-valuemax=${count} aria-valuenow=${step + 1}>${Array.from(
          { length: count },
          (_, k) => html`<i class=${k < step ? "past" : k === step ? "here" : ""}></i>`,
        )}</div>
      <div class="scroll">
        <h2 tabindex="-1">${heading}</h2>
        <div class="head">${step === 0 && name ? [goalsOf(goals), line] : nothing}</div>
        ${body?.node}
        <p><button type="button" class="button quiet" ?hidden=${isDare}
          @click=${() => model.send_msg({ type: "again" })}>Start this step again</button></p>
      </div>
      <div class="steps">
        <button type="button" class="button" ?disabled=${step === 0}
          @click=${() => go(-1)}>Back</button>
        <a class="address" title="Copy the address of this step" href="?view=${asked}"
          @click=${copy}>${copied === asked ? "Copied" : where}</a>
        <button type="button" class=${classes("button", isDone() && "ready")} @click=${() => {
          if (!go(1)) model.send_msg({ type: "close" });
        }}>${step === count - 1 ? "Done" : "Next"}</button>
      </div>
    </section>`;
  });
  const scroll = /** @type {HTMLElement} */ (node.querySelector(".scroll"));
  const heading = /** @type {HTMLElement} */ (node.querySelector("h2"));
  adoptMathStyles(node);
  node.addEventListener("click", ({ target }) => {
    const link = target instanceof Element ? target.closest("[data-to-view]") : null;
    if (link instanceof HTMLElement) model.send_msg({ type: "open", view: link.dataset.toView });
  });

  onMessage(model, (/** @type {{type: "link", code: Code}} */ { type, code }) => {
    if (type === "link") for (const each of shown) each.take?.(code);
  });

  const looking = new CameraGuide();
  const listening = new AbortController();

  function showStates() {
    for (const [k, each] of shown.entries()) each.hear?.(model.states[k] ?? {});
    body?.show();
    draw();
    showLive();
  }

  function showLive() {
    /** @type {NodeListOf<HTMLElement>} */
    const all = node.querySelectorAll("[data-live]");
    for (const each of all) setText(each, model.live[Number(each.dataset.live)] ?? "…");
  }

  function show() {
    const { name = "", step = 0, items = [] } = model.value;
    const isOpen = name !== "";
    if (isOpen) root.dataset.lesson = (model.value.show ?? []).join(" ");
    else delete root.dataset.lesson;
    if (!isOpen) {
      looking.leave();
      place = "";
      return;
    }
    const here = `${name} ${step}`;
    const isNew = here !== place;
    const isAnother = isNew && place !== "";
    if (isNew) {
      place = here;
      copied = "";
      const send = (/** @type {object} */ message) => model.send_msg(message);
      shown = items.map((item, k) => shownItem(item, k, send, showStates));
      // New elements for each step, so that typed input does not carry over to the next.
      body = drawn(
        () => html`<div class="body">
          ${shown.map((each, k) => each.template(model.states[k] ?? {}))}
        </div>`,
      );
    }
    showStates();
    if (!isNew) return;
    scroll.scrollTop = 0;
    if (isAnother && node.matches(":focus-within")) heading.focus({ preventScroll: true });
  }

  onChange(model, ["value", "states"], show);
  onChange(model, ["live"], showLive);
  model.on("look", () => looking.show(model.look));
  listenForAutoAdvance(scroll, () => Boolean(model.value.name) && go(1), isDone, listening.signal);
  document.addEventListener("tinkerformer:ready", () => looking.show(model.look), {
    signal: listening.signal,
  });
  typesetWhenReady(node, listening.signal);
  model.on("remove", () => {
    listening.abort();
    looking.leave();
    delete root.dataset.lesson;
  });
  show();
  if (window.tinkerformer?.ready) looking.show(model.look);
  return asControl(model, node);
}
