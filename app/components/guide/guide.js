/**
 * Says what the page is, suggests things to try and explains what is drawn: in a wide window beside
 * the view, where the inspector comes with a selection, else in a line above it. The reader can
 * fold it to its name; on a narrow page a selection does, and in a low window it starts folded.
 */

import { announce } from "../shared/announce.js";
import { nameNode, setNames } from "../shared/cell_name.js";
import { asControl } from "../shared/control.js";
import { make, oncePerFrame, setAttribute, setText } from "../shared/dom.js";
import { OneStop } from "../shared/one_stop.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {"row" | "sign" | "link" | "weight" | "change"} Drawn
 * @typedef {{value: string, things: [name: string, label: string][],
 *   reading: [drawn: Drawn, text: string][], symbols: [symbols: string, meaning: string][],
 *   shared: boolean, film: string}} Properties
 */

const KEY = "tinkerformer-guide";
const NARROW = "(max-width: 899.98px)";
const LOW = "(max-width: 899.98px) and (max-height: 559.98px)";

/** Whether the reader opened or closed the guide in this browser; null if neither. */
function kept() {
  try {
    const found = localStorage.getItem(KEY);
    return found === "open" || found === "away" ? found === "open" : null;
  } catch {
    return null; // storage denied
  }
}

/** @param {boolean} open */
function keep(open) {
  try {
    localStorage.setItem(KEY, open ? "open" : "away");
  } catch {
    /* not remembered */
  }
}

/**
 * The first sentence of a text, which is enough on a phone, and what follows.
 * @param {string} text @returns {[string, string]}
 */
function split(text) {
  const [, first, rest] = /^(.+?[.!?])(\s.+)$/s.exec(text) ?? ["", text, ""];
  return [first, rest];
}

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const first = make("span");
  const rest = make("span", { class: "rest" });
  const line = make("p", { class: "line" }, first, rest);
  const things = make("ul", { role: "list" });
  const film = make("button", {
    type: "button",
    class: "film",
    onclick: () => announce("film"),
  });
  const next = make("h2", { class: "heading" });
  const reading = make("dl", { class: "legend" });
  const meanings = make("dl", {});
  const unfold = make("summary", {}, "Symbols");
  const symbols = make("details", { class: "symbols" }, unfold, meanings);
  const body = make(
    "div",
    { id: "guide-body" },
    line,
    film,
    next,
    things,
    make("h2", { class: "heading of-legend" }, "How to read it"),
    reading,
    symbols,
  );
  const low = matchMedia(LOW);
  const narrow = matchMedia(NARROW);
  let chosen = kept();
  let isOpenInLow = false;
  let isSharedOpen = true; // what a link says is news to whoever opens it
  let isSelected = Boolean(window.tinkerformer?.selection());
  const toggle = make(
    "button",
    {
      type: "button",
      class: "toggle",
      "aria-controls": "guide-body",
      onclick: () => {
        const open = Boolean(body.hidden);
        if (model.shared) isSharedOpen = open;
        else if (low.matches) isOpenInLow = open;
        else {
          chosen = open;
          keep(open);
        }
        show();
      },
    },
    "Things to try",
  );

  function show() {
    const isUsual = low.matches ? isOpenInLow : (chosen ?? !(narrow.matches && isSelected));
    body.hidden = !(model.shared ? isSharedOpen : isUsual);
    body.classList.toggle("shared", model.shared);
    setText(toggle, model.shared ? "Shared with you" : "Things to try");
    setText(next, model.shared ? "What now" : "Things to try");
    const [one, others] = split(model.value);
    setNames(first, one);
    setNames(rest, others);
    setAttribute(line, "title", model.shared ? model.value : null);
    setAttribute(toggle, "aria-expanded", String(!body.hidden));
    film.hidden = model.shared || !model.film;
    setText(film, `▶ ${model.film}`);
    // The page gives it its place: see page.css.
    document.documentElement.dataset.guide = body.hidden ? "away" : "open";
    document.documentElement.toggleAttribute("data-of-link", model.shared);
    const texts = model.reading.map(([, text]) => text);
    if (texts.join() !== [...reading.querySelectorAll("dd")].map((e) => e.textContent).join())
      reading.replaceChildren(
        ...model.reading.flatMap(([drawn, text]) => [
          make(
            "dt",
            { class: drawn, "aria-hidden": "true" },
            ...Array.from({ length: 4 }, () => make("i")),
          ),
          make("dd", {}, text),
        ]),
      );
    showSymbols(symbols, meanings, model.symbols);
    const shown = [...things.children].map((item) => item.textContent);
    if (
      model.things.some(([, label], at) => shown[at] !== label) ||
      shown.length !== model.things.length
    )
      things.replaceChildren(
        ...model.things.map(([name, label]) => {
          const press = () => model.send_msg({ type: "press", name });
          const button = make("button", { type: "button", class: "button", onclick: press }, label);
          return make("li", {}, button);
        }),
      );
  }

  const later = oncePerFrame(show);
  model.on("value", later);
  for (const name of ["things", "reading", "symbols", "shared", "film"]) model.on(name, later);
  const listening = new AbortController();
  const onSelection = (/** @type {CustomEvent<object | null>} */ { detail }) => {
    isSelected = detail !== null;
    show();
  };
  document.addEventListener("tinkerformer:selection", onSelection, { signal: listening.signal });
  // Where it is folded, what unfolds it.
  const focus = () => (body.hidden ? toggle : things.querySelector("button"))?.focus();
  document.addEventListener("tinkerformer:focus-guide", focus, { signal: listening.signal });
  for (const each of [low, narrow])
    each.addEventListener("change", show, { signal: listening.signal });
  model.on("remove", () => listening.abort());
  show();
  const folding = make("div", { class: "folding" }, toggle, body);
  const items = () => [...things.querySelectorAll("button"), unfold];
  new OneStop(body, "On the things to try", { way: "both", items });
  return asControl(
    model,
    make("section", { class: "control tries", "aria-label": "Things to try" }, folding),
  );
}

/**
 * @param {HTMLElement} list that is folded @param {HTMLElement} meanings
 * @param {Properties["symbols"]} symbols
 */
function showSymbols(list, meanings, symbols) {
  list.hidden = symbols.length === 0;
  const key = JSON.stringify(symbols);
  if (meanings.dataset.of === key) return;
  meanings.dataset.of = key;
  meanings.replaceChildren(
    ...symbols.flatMap(([names, meaning]) => [
      make("dt", {}, ...names.split(" ").map(nameNode)),
      make("dd", {}, meaning),
    ]),
  );
}
