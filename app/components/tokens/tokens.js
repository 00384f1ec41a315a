/** Token lists: each is a line of chips with a heading, a + button, and a sentence below. */

import { asControl } from "../shared/control.js";
import { make, setAttribute, setText } from "../shared/dom.js";
import { ask, onMessage } from "../shared/model.js";
import { fadeEdges } from "./fade_edges.js";
import { TokenChoice } from "./token_choice.js";
import { TokenRow } from "./token_row.js";
import { WrittenRow } from "./written_row.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 * @import {Frame, TokenListAccess, Source, Sureness, TokenList} from "./types.js"
 *
 * @typedef {{lists: TokenList[], written: Record<string, Sureness>,
 *   layout: "line" | "column", locked: boolean}} Properties
 * @typedef {{type: "swing", name: string, frames: Frame[]}} Swing
 */

/** @type {Sureness} */
const NOTHING_WRITTEN = { probabilities: [], changed: [], end: null };

/** @param {TokenListAccess} access provides and receives the list */
function tokenSection(access) {
  let refused = ""; // why the last message could not be delivered
  /** @type {Source} */
  const source = Object.assign(access, {
    /** @param {string} sentence */
    refuse: (sentence) => {
      refused = sentence;
      setText(error, refused || source.now.error);
    },
  });
  const { name, label } = source.now;
  const heading = make("h2", { id: `heading-${name}` }, label);
  const list = make("ul", { role: "list", "aria-labelledby": heading.id });
  const add = make(
    "button",
    { type: "button", class: "add", "aria-label": `add a token to ${label}`, title: "Add a token" },
    "+",
  );
  const error = make("p", { class: "problem", id: `error-${name}`, role: "status" });
  const row = new TokenRow(source, list, add);
  add.addEventListener("click", () => row.append());
  add.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" || row.tokens.length === 0) return;
    event.preventDefault();
    row.chips.at(-1)?.focus();
  });
  const note = make("p", { class: "list-note" });
  const choice = new TokenChoice(name, source.choose);
  const sequence = make("span", { class: "sequence" });
  const chips = make("div", { class: "chips" }, list, add);
  const written = new WrittenRow(source);
  const mode = modeChoice(source);
  const another = make("button", {
    type: "button",
    class: "small-button",
    onclick: source.another,
  });
  const node = make(
    "section",
    {},
    heading,
    written.sign,
    make(
      "div",
      { class: "tools" },
      mode.node,
      another,
      written.verdict,
      choice.node,
      note,
      sequence,
    ),
    chips,
    written.node,
    error,
  );
  for (const box of [chips, written.node, node]) fadeEdges(box);
  const refresh = () => {
    const { now } = source;
    setText(note, now.note);
    setAttribute(note, "title", now.note || null);
    another.hidden = !now.another;
    setText(another, now.another);
    setText(sequence, now.sequence);
    setAttribute(heading, "title", now.sequence || null);
    node.classList.toggle("characters", now.unit === "character");
    node.hidden = now.hidden;
    setText(error, refused || now.error);
    choice.show(now.writes ? null : now.choice);
    chips.hidden = now.writes;
    mode.refresh();
    written.refresh();
    row.refresh();
  };
  refresh();
  return { node, row, written, refresh };
}

/** A switch between the model writing the list and the reader writing it. @param {Source} source */
function modeChoice(source) {
  /** @param {boolean} writes @param {string} label @param {string} title */
  const button = (writes, label, title) =>
    make(
      "button",
      { type: "button", class: "mode", title, onclick: () => source.write(writes) },
      label,
    );
  const itself = button(true, "writes itself", "The likeliest words, anew after every change");
  const yours = button(false, "you write it", "Teacher forcing: the decoder reads what you type");
  const node = make(
    "div",
    { class: "modes", role: "group", "aria-label": "Target" },
    itself,
    yours,
  );
  const refresh = () => {
    const { writes, can_write: canWrite } = source.now;
    node.hidden = !canWrite && !writes;
    setAttribute(itself, "aria-pressed", String(writes));
    setAttribute(yours, "aria-pressed", String(!writes));
  };
  return { node, refresh };
}

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const sections = new Map(
    model.lists.map((first) => {
      const { name } = first;
      const section = tokenSection({
        get now() {
          return model.lists.find((list) => list.name === name) ?? first;
        },
        get written() {
          return model.written[name] ?? NOTHING_WRITTEN;
        },
        send: (tokens) => ask(model, { type: "tokens", name, tokens }),
        choose: (word) => model.send_msg({ type: "choice", name, word }),
        another: () => model.send_msg({ type: "another", name }),
        get locked() {
          return model.locked;
        },
        look: (at) => model.send_msg({ type: "look", name, at }),
        write: (on) => model.send_msg({ type: "write", name, on }),
      });
      return [name, section];
    }),
  );
  const refresh = () => {
    for (const section of sections.values()) section.refresh();
  };
  model.on("lists", () => requestAnimationFrame(refresh));
  model.on("written", () =>
    requestAnimationFrame(() => {
      for (const { written } of sections.values()) written.refresh();
    }),
  );
  onMessage(model, (/** @type {Swing} */ { type, name, frames }) => {
    if (type === "swing") sections.get(name)?.written.swing(frames);
  });
  const listening = new AbortController();
  document.addEventListener(
    "tinkerformer:swing",
    ({ detail }) => {
      for (const { written } of sections.values()) written.turnTo(detail.share);
    },
    { signal: listening.signal },
  );
  model.on("remove", () => listening.abort());
  const nodes = [...sections.values()].map(({ node }) => node);
  const lists = make("div", { class: `control lists lists-${model.layout}` }, ...nodes);
  lists.classList.toggle("locked", model.locked);
  return asControl(model, lists);
}
