/** Shows one decoding method at a time. */

import { asControl } from "../../components/shared/control.js";
import { html } from "../../components/shared/lit-html.js";
import { onChange } from "../../components/shared/model.js";
import { drawn } from "../../components/shared/template.js";
import { BeamView } from "./beam.js";
import { BlanksView } from "./blanks.js";
import { ComparisonView } from "./comparison.js";
import { GreedyView } from "./greedy.js";
import { SamplesView } from "./samples.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 * @import {DecodeData, NodeDetail, Send} from "./types.js"
 *
 * @typedef {{data: DecodeData, detail: NodeDetail, value: number | null, followed: number | null,
 *   refused: string}} Properties
 * @typedef {{template: () => unknown, take: (data: DecodeData, detail: NodeDetail) => void,
 *   follow?: (at: number) => void}} View of one decoding method; `follow` goes to the step that
 *   generates the token after a position
 */

/** @param {Component<Properties>} component */
export function render({ model }) {
  /** @type {Send} */
  const send = (message) => model.send_msg(message);
  const redraw = () => draw();
  const greedy = new GreedyView(send, redraw);
  const select = (/** @type {number} */ id) => {
    model.value = id;
  };
  /** @type {Record<NonNullable<DecodeData["way"]>, View>} */
  const views = {
    blanks: new BlanksView(send, redraw),
    comparison: new ComparisonView(redraw),
    greedy,
    beam: new BeamView(send, select, redraw),
    sample: new SamplesView(send, redraw),
  };
  let shown = /** @type {View | null} */ (null);
  const { node, show: draw } = drawn(() => {
    const { problem, notes = [], coming } = model.data;
    return html`<div class="control decode">
      <p class="problem" role="alert">${problem}</p>
      <p class="problem" role="alert">${model.refused}</p>
      <ul class="notes" role="list">${notes.map((note) => html`<li>${note}</li>`)}</ul>
      <p class="soon" role="status">${coming}</p>
      <div>${shown?.template()}</div>
    </div>`;
  });
  let shownLast = /** @type {View | null} */ (null);
  let followedLast = /** @type {number | null} */ (null);

  /** Moves a view to the position that the page follows. @param {View} view */
  const follow = (view) => {
    const { followed } = model;
    if (view === shownLast && followed === followedLast) return;
    [shownLast, followedLast] = [view, followed];
    const now = window.tinkerformer?.look()?.following;
    // Python answers each of several quick steps; follow only the last one.
    if (followed !== null && (!now || now.index === followed)) view.follow?.(followed);
  };

  const take = () => {
    const { data, detail } = model;
    if (!data.way) return;
    const view = data.problem || data.coming ? null : views[data.way];
    if (view !== shown) greedy.stop();
    view?.take(data, detail);
    shown = view;
    if (view) follow(view);
    draw();
  };

  // The properties of one update arrive one after the other, so wait for all of them.
  onChange(model, ["data", "detail", "followed", "refused"], take);
  model.on("remove", () => greedy.stop());
  take();
  return asControl(model, node);
}
