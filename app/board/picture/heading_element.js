/** The elements of headings: titles that unfold their part, buttons beside them, and symbols. */

import { make } from "../../components/shared/dom.js";
import { ideaLinks } from "../../components/shared/idea_links.js";
import { typeset } from "../../components/shared/katex.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { spoken } from "../../components/shared/spoken_math.js";
import { drawn } from "../../components/shared/template.js";
import { partName } from "./plan.js";

/**
 * @import {PartEntry} from "../data/types.js"
 * @import {LabelActions} from "./labels.js"
 * @import {Label} from "./plan.js"
 */

/**
 * @param {Label} label @param {PartEntry | undefined} part @param {LabelActions} actions
 * @returns {HTMLElement}
 */
export function headingElement(label, part, actions) {
  const { kind, text, tex, meaning, path } = label;
  if (kind === "part" && part) return titleOf(text, part, actions);
  if (kind === "close" && part) return closingOf(part, actions);
  if (kind === "read" && part) return readingOf(part, actions);
  const el = make("span", { class: `label ${kind}` });
  if (tex) typeset(el, text);
  else el.textContent = text;
  if (meaning) {
    el.title = label.symbol ? `${spoken(label.symbol)}: ${meaning}` : meaning;
    el.setAttribute("role", "img");
    const name = tex ? spoken(text) : [text, spoken(label.symbol ?? "")].filter(Boolean).join(", ");
    el.setAttribute("aria-label", `${name}: ${meaning}`);
  }
  if (label.backward) el.dataset.backward = label.backward;
  if (path) el.dataset.path = path;
  return el;
}

/** @param {PartEntry} part @param {LabelActions} actions */
const closingOf = (part, actions) =>
  drawn(
    () => html`<span class="label close"><button type="button" class="read-as"
      aria-label="Close ${partName(part)} of the ${part.stack}" title="Fold it again"
      @click=${() => actions.open(part, false)}>× close</button></span>`,
  ).node;

/** @param {PartEntry} part @param {LabelActions} actions */
const readingOf = (part, actions) =>
  drawn(
    () => html`<span class="label read"><button type="button" class="read-as"
      aria-label="Read ${partName(part)} of the ${part.stack} as formulas"
      title="The same numbers as formulas with explanations; the key F leads back"
      @click=${() => actions.read(part)}>as formulas →</button
    >${ideaLinks(part.ideas, "read-as")}</span>`,
  ).node;

/** @param {string} text @param {PartEntry} part @param {LabelActions} actions */
function titleOf(text, part, actions) {
  const { unfolds, unfolded, weights } = part;
  const count = weights ? ` · ${weights.toLocaleString("en")} weights` : "";
  const how = unfolded ? "Fold it again" : "Unfold every step of it";
  // Pressing Enter on a button gives a click with detail 0.
  const press = (/** @type {MouseEvent} */ event) => actions.open(part, event.detail === 0);
  return drawn(
    () => html`<button type="button" class="label title" @click=${press}
      aria-label="${text}, part of the ${part.stack}"
      aria-expanded=${unfolds ? String(unfolded) : nothing}
      title=${unfolds ? `${text}${count}. ${how}; Enter goes near.` : `${text}${count}`}
      >${text}</button>`,
  ).node;
}
