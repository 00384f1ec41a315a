/** Lists of tokens, each a line of chips with a heading, a + and a sentence under it. */

import { asControl } from "../shared/control.js";
import { make, setText } from "../shared/dom.js";
import { onMessage } from "../shared/model.js";
import { TokenChoice } from "./token_choice.js";
import { TokenRow } from "./token_row.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 * @import {Source, TokenList} from "./types.js"
 */

/** @param {Source} source */
function tokenSection(source) {
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
  const chips = make("div", { class: "chips" }, list, add);
  const node = make("section", {}, heading, chips, note, choice.node, error);
  const refresh = () => {
    const { now } = source;
    setText(note, now.note);
    node.classList.toggle("characters", now.unit === "character");
    node.hidden = now.hidden;
    setText(error, now.error);
    choice.show(now.choice);
    row.refresh();
  };
  refresh();
  return { node, row, refresh };
}

/** @param {{model: Model<{lists: TokenList[]} & ControlProperties>}} component */
export function render({ model }) {
  const sections = new Map(
    model.lists.map((first) => {
      const { name } = first;
      const section = tokenSection({
        get now() {
          return model.lists.find((list) => list.name === name) ?? first;
        },
        send: (tokens) => model.send_msg({ type: "tokens", name, tokens }),
        choose: (word) => model.send_msg({ type: "choice", name, word }),
      });
      return [name, section];
    }),
  );
  const refresh = () => {
    for (const section of sections.values()) section.refresh();
  };
  model.on("lists", () => requestAnimationFrame(refresh));
  onMessage(model, (/** @type {{type: "answer", name: string}} */ { type, name }) => {
    if (type === "answer") requestAnimationFrame(() => sections.get(name)?.row.answered());
  });
  const nodes = [...sections.values()].map(({ node }) => node);
  return asControl(model, make("div", { class: "control lists" }, ...nodes));
}
