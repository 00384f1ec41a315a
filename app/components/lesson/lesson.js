/** Shows a step of a lesson beside its view, or under it on a narrow page. */

import { asControl } from "../shared/control.js";
import { make, oncePerFrame, setText } from "../shared/dom.js";
import { goalsOf } from "../shared/goals.js";
import { adoptMathStyles, typesetWhenReady } from "../shared/katex.js";
import { onMessage } from "../shared/model.js";
import { listenForGoingOn } from "./going_on.js";
import { shownItem } from "./item.js";
import { Looking } from "./looking.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 * @import {Code, Item, Shown, State} from "./item.js"
 * @import {Look} from "./looking.js"
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

/** What is said of a lesson on its first step. @param {Partial<Open>} lesson */
function headOf({ goals = [], facts = [] }) {
  const line = facts.join(" · ");
  return [goalsOf(goals), line ? make("p", { class: "facts" }, line) : null].filter(
    (each) => each !== null,
  );
}

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const root = document.documentElement;
  const button = (/** @type {string} */ label, /** @type {() => void} */ onclick) =>
    make("button", { type: "button", class: "button", onclick }, label);
  const go = (/** @type {number} */ by) => {
    const { step = 0, count = 0 } = model.value;
    const to = step + by;
    if (to < 0 || to >= count) return false;
    model.send_msg({ type: "go", step: to });
    return true;
  };

  const title = make("p", { class: "lesson-title" });
  const close = make(
    "button",
    {
      type: "button",
      class: "dismiss",
      "aria-label": "Close the lesson",
      title: "Close the lesson",
      onclick: () => model.send_msg({ type: "close" }),
    },
    "×",
  );
  const bar = make("div", { class: "progress", role: "progressbar", "aria-label": "Steps done" });
  const heading = make("h2", { tabindex: -1 });
  const body = make("div", { class: "body" });
  const back = button("Back", () => go(-1));
  const next = button("Next", () => {
    if (!go(1)) model.send_msg({ type: "close" });
  });
  const address = make("a", {
    class: "address",
    title: "Copy the address of this step",
    onclick: async (event) => {
      // With a modifier key the link opens another tab, as any link does.
      if (!navigator.clipboard || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const asked = address.getAttribute("href") ?? "";
      await navigator.clipboard.writeText(new URL(asked, location.href).href);
      setText(address, "Copied");
    },
  });
  const isDone = () => model.states.every((state) => state.done !== false);
  const again = button("Start this step again", () => model.send_msg({ type: "again" }));
  again.classList.add("quiet");
  const head = make("div", { class: "head" });
  const scroll = make("div", { class: "scroll" }, heading, head, body, make("p", {}, again));
  const node = make(
    "section",
    { class: "control lesson", "aria-label": "Lesson" },
    make("div", { class: "top" }, title, close),
    bar,
    scroll,
    make("div", { class: "steps" }, back, address, next),
  );
  adoptMathStyles(node);
  node.addEventListener("click", ({ target }) => {
    const link = target instanceof Element ? target.closest("[data-to-view]") : null;
    if (link instanceof HTMLElement) model.send_msg({ type: "open", view: link.dataset.toView });
  });

  onMessage(model, (/** @type {{type: "link", code: Code}} */ { type, code }) => {
    if (type === "link") for (const each of shown) each.take?.(code);
  });

  /** @type {Shown[]} */
  let shown = [];
  let place = "";
  const looking = new Looking();
  const listening = new AbortController();

  function showStates() {
    for (const [k, each] of shown.entries()) each.show(model.states[k] ?? {});
    showLive();
    next.classList.toggle("ready", isDone());
  }

  function showLive() {
    /** @type {NodeListOf<HTMLElement>} */
    const all = node.querySelectorAll("[data-live]");
    for (const each of all) setText(each, model.live[Number(each.dataset.live)] ?? "…");
  }

  function show() {
    const { name = "", step = 0, count = 0, items = [] } = model.value;
    const isOpen = name !== "";
    if (isOpen) root.dataset.lesson = (model.value.show ?? []).join(" ");
    else delete root.dataset.lesson;
    if (!isOpen) {
      looking.leave();
      place = "";
      return;
    }
    setText(title, model.value.title ?? "");
    const here = `${name} ${step}`;
    if (here !== place) {
      const isAnother = place !== "";
      place = here;
      setText(heading, model.value.heading ?? "");
      shown = items.map((item, k) => shownItem(item, k, (message) => model.send_msg(message)));
      head.replaceChildren(...(step === 0 ? headOf(model.value) : []));
      body.replaceChildren(...shown.map((each) => each.node));
      scroll.scrollTop = 0;
      if (isAnother && node.matches(":focus-within")) heading.focus({ preventScroll: true });
    }
    node.classList.toggle("single", count === 1);
    bar.replaceChildren(
      ...Array.from({ length: count }, (_, k) =>
        make("i", { class: k < step ? "past" : k === step ? "here" : "" }),
      ),
    );
    bar.setAttribute("aria-valuemin", "1");
    bar.setAttribute("aria-valuemax", String(count));
    bar.setAttribute("aria-valuenow", String(step + 1));
    const isDare = items.some(({ kind }) => kind === "dare");
    again.hidden = isDare; // which has its own
    setText(address, count === 1 ? "Its address" : `Step ${step + 1} of ${count}`);
    const asked = isDare ? `dare:${name}` : `lesson:${name}&step=${step + 1}`;
    address.setAttribute("href", `?view=${asked}`);
    back.disabled = step === 0;
    setText(next, step === count - 1 ? "Done" : "Next");
    showStates();
  }

  const later = oncePerFrame(show);
  model.on("value", later);
  model.on("states", later);
  model.on("live", oncePerFrame(showLive));
  model.on("look", () => looking.show(model.look));
  listenForGoingOn(scroll, () => Boolean(model.value.name) && go(1), isDone, listening.signal);
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
