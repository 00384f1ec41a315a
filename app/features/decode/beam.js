/** Shows a beam search: the tree, one node in detail, and the hypotheses. */

import { html, nothing } from "../../components/shared/lit-html.js";
import { probabilityText } from "../../components/shared/number_format.js";
import { drawn } from "../../components/shared/template.js";
import { inUnits } from "../../components/shared/units.js";
import { bars } from "./bars.js";
import {
  attentionLink,
  followRow,
  part,
  placeText,
  reachable,
  signedText,
  textOrNothing,
} from "./parts.js";
import { STATUS, TreeView } from "./tree.js";

/** @import {DecodeData, Hypothesis, NodeDetail, SearchTree, Send, TreeNode} from "./types.js" */

/** @type {Record<SearchTree["style"], string>} */
const LEADS = {
  textbook:
    "Every word continues each open branch. Of all continuations, the beam keeps only the " +
    "likeliest, as many as its size. A text that ends uses its place in this step and is then " +
    "set aside for the ranking; in the next step the open branches fill the beam again. A longer " +
    "text has a smaller P, so log P is divided by a length penalty, ((5 + |Y|) / 6) to the " +
    "power α.",
  huggingface:
    "Every word continues each open branch. The beam keeps the likeliest open branches, as many " +
    "as its size; a text that ends is set aside for the ranking and uses no place. A longer " +
    "text has a smaller P, so log P is divided by a length penalty, |Y| to the power α.",
};
const LEGEND = [
  { kind: "best", text: "best hypothesis" },
  { kind: "open", text: "kept" },
  { kind: "finished", text: "■ finished, ends a text" },
  { kind: "dropped", text: "✕ dropped: enough branches are likelier" },
];
const PREVIEW = "node under the pointer or the keyboard";
const AT_STEP = "; shown at the step that is selected or pointed at";
const COLUMNS = ["#", "text", "|Y|", "log P", "penalty", "score"];

/** @type {Record<SearchTree["stop"], string>} */
const STOPS = {
  "nothing open": "The search is over: every branch that it kept has ended.",
  "nothing better": "The search is over: no open branch can still reach a better score.",
  enough: "The search is over: as many texts have ended as the beam size.",
  limit: "The limit is reached. Branches that are still open are ranked as they are.",
};

/**
 * Returns a sentence that says why the search ended. Hugging Face compares the scores that open
 * branches have at their current length, not the best that they could reach.
 * @param {SearchTree["stop"]} stop @param {SearchTree["style"]} style
 */
function stopped(stop, style) {
  return stop === "nothing better" && style === "huggingface"
    ? "The search is over: no open branch has a better score now than those that have ended."
    : STOPS[stop];
}

export class BeamView {
  /** @param {Send} send @param {(id: number) => void} select @param {() => void} show */
  constructor(send, select, show) {
    this.send = send;
    this.show = show;
    /** Selects a node and follows its step in the picture. @param {number} id */
    this.select = (id) => {
      select(id);
      this.followNode(id);
    };
    this.beam = /** @type {SearchTree | null} */ (null);
    this.detail = /** @type {NodeDetail | null} */ (null);
    this.dropped = false;
    this.selected = 0;
    /** The node that is hovered or focused. */
    this.looked = /** @type {number | null} */ (null);
    this.isInWords = false;
    this.tree = new TreeView({
      select: (id) => this.select(id),
      look: (id) => {
        this.looked = id;
        this.show();
      },
    });
    const { node, show: draw } = drawn(() => this.table());
    this.hypotheses = reachable(node);
    this.draw = draw;
  }

  template() {
    const { beam, detail, dropped } = this;
    if (!beam || !detail) return nothing;
    const { nodes, stop, style } = beam;
    const { token, parent, rank, status, step, p } = nodes[this.selected];
    const place = placeText(detail.before);
    const comes = `${place} comes “${token}”, probability ${probabilityText(p)}.`;
    const ranks = `Rank ${rank} among all that could follow at step ${step}: ${STATUS[status]}.`;
    const from = html`What <span class="as-it-is">${token}</span> was chosen from`;
    return html`<div class="way">
      <p class="verdict" role="status">${parent === null ? "Nothing is written yet." : comes}</p>
      ${this.tree.node}
      <p class="hint">${stopped(stop, style)}</p>
      <ul class="legend" role="list">
        ${LEGEND.map(
          ({ kind, text }) =>
            html`<li><span class="swatch ${kind}"></span><span>${text}${
              kind === "dropped" && !dropped ? AT_STEP : ""
            }</span></li>`,
        )}
        <li>${inUnits("Number: log p of the word")}</li>
      </ul>
      <p class="lead">${inUnits(LEADS[style])}</p>
      ${this.score(beam)}
      <div class="halves">
        ${part(
          "Text of the selected node",
          html`<output class="text">${textOrNothing(detail.text)}</output>
            <p class="hint">${parent === null ? "" : ranks}</p>`,
          attentionLink(() => this.send({ type: "attention", id: this.selected })),
        )}
        ${part(
          parent === null ? inUnits("What the first word is chosen from") : from,
          bars(`Distribution before ${token}`, detail.bars, { chosen: "this node" }),
        )}
      </div>
      ${part("Hypotheses, the best first", this.hypotheses)}
      <details @toggle=${(/** @type {ToggleEvent} */ { newState }) => {
        this.isInWords = newState === "open";
        this.show();
      }}>
        <summary>The tree in words</summary>
        <div class="in-words">${this.isInWords ? inWords(beam) : nothing}</div>
      </details>
    </div>`;
  }

  /** @param {DecodeData} data @param {NodeDetail} detail */
  take({ beam, dropped = false }, detail) {
    if (!beam) return;
    const { nodes, rows, hypotheses } = beam;
    if (this.beam !== beam) {
      this.beam = beam;
      this.tree.take(nodes, rows);
      this.draw();
    }
    Object.assign(this, { detail, dropped, looked: null });
    this.selected = nodes[detail.id] ? detail.id : hypotheses[0].id;
    this.tree.show(this.selected, dropped);
    this.show();
  }

  /** Returns the path to the hovered or selected node, and the computation of its score. */
  score(/** @type {SearchTree} */ { nodes, alpha, style }) {
    const { step, parent, total, penalty, score } = nodes[this.looked ?? this.selected];
    const way = wayTo(nodes[this.looked ?? this.selected], nodes);
    const isPreview = this.looked !== null && this.looked !== this.selected;
    const terms = way
      .slice(1)
      .map((each, k) => (k ? `− ${signedText(Math.abs(each.own))}` : signedText(each.own)))
      .join(" ");
    const base = style === "textbook" ? `((5 + ${step}) / 6)` : `${step}`;
    const divided = penalty.toFixed(3);
    return html`<section class="part">
      <h2>Score of the ${isPreview ? PREVIEW : "selected node"}</h2>
      <p class="path">${way.map(({ token }) => token).join(" → ")}</p>
      <div class=${isPreview ? "arithmetic preview" : "arithmetic"} role="group"
        aria-label="arithmetic">
        ${
          parent === null
            ? html`<p>log P = 0: nothing is written yet.</p>`
            : html`<p>Σ log p = ${terms}${step > 1 ? ` = ${signedText(total)}` : ""}</p>
              <p>penalty = ${base}^${alpha} = ${divided}</p>
              <p class="result">
                score = ${signedText(total)} / ${divided} = ${signedText(score)}
              </p>`
        }
      </div>
    </section>`;
  }

  /** @param {number} id of a node */
  followNode(id) {
    const { given, nodes } = /** @type {SearchTree} */ (this.beam);
    const way = wayTo(nodes[id], nodes).slice(1, -1);
    followRow([...given, ...way.map(({ token }) => token)]);
  }

  table() {
    const { nodes = [], hypotheses = [] } = this.beam ?? {};
    return html`<div class="scroll" role="group" aria-label="Hypotheses">
      <table class="hypotheses">
        <caption class="visually-hidden">Hypotheses with their scores</caption>
        <thead><tr>${COLUMNS.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
        <tbody>${hypotheses.map((each, k) => this.hypothesis(each, nodes[each.id], k))}</tbody>
      </table>
    </div>`;
  }

  /** @param {Hypothesis} hypothesis @param {TreeNode} node its last node @param {number} k */
  hypothesis({ id, text, finished }, { step, total, penalty, score }, k) {
    const numbers = [step, signedText(total), penalty.toFixed(3), signedText(score)];
    return html`<tr class=${k ? "" : "best"}>
      <td>${k + 1}</td>
      <th scope="row"><button type="button" class="link"
        @click=${() => this.select(id)}>${textOrNothing(text)}</button>${
          finished ? nothing : html`<span class="mark">no end</span>`
        }</th>
      ${numbers.map((value) => html`<td class="number">${value}</td>`)}
    </tr>`;
  }
}

/** Returns the tree as a list of steps, in words. @param {SearchTree} beam */
function inWords({ nodes }) {
  const steps = Math.max(...nodes.map(({ step }) => step));
  /** @param {TreeNode} node */
  const line = (node) => {
    const text = wayTo(node, nodes).slice(1);
    const [own, total, score] = [node.own, node.total, node.score].map((x) => signedText(x));
    const numbers = `log p ${own}, log P ${total}, score ${score}`;
    return `${text.map(({ token }) => token).join(" ")}: ${STATUS[node.status]}, ${numbers}`;
  };
  const at = (/** @type {number} */ k) => nodes.filter(({ step }) => step === k).map(line);
  return html`<ol>${Array.from(
    { length: steps },
    (_, k) => html`<li>${at(k + 1).join("; ")}</li>`,
  )}</ol>`;
}

/** Returns the nodes from the root to a node. @param {TreeNode} node @param {TreeNode[]} nodes */
function wayTo(node, nodes) {
  const way = [node];
  for (let { parent } = node; parent !== null; parent = nodes[parent].parent)
    way.unshift(nodes[parent]);
  return way;
}
