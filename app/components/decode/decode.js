/** Shows one decoding method at a time. */

import { asControl } from "../shared/control.js";
import { make, oncePerFrame, setText } from "../shared/dom.js";
import { BeamView } from "./beam.js";
import { BlanksView } from "./blanks.js";
import { ComparisonView } from "./comparison.js";
import { GreedyView } from "./greedy.js";
import { SamplesView } from "./samples.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 * @import {DecodeData, NodeDetail, Send} from "./types.js"
 *
 * @typedef {{data: DecodeData, detail: NodeDetail, value: number | null, followed: number | null,
 *   refused: string}} Properties
 * @typedef {{node: HTMLElement, take: (data: DecodeData, detail: NodeDetail) => void,
 *   follow?: (at: number) => void}} View of one decoding method; `follow` goes to the step that
 *   writes after a position
 */

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  /** @type {Send} */
  const send = (message) => model.send_msg(message);
  const greedy = new GreedyView(send);
  /** @type {Record<NonNullable<DecodeData["way"]>, View>} */
  const views = {
    blanks: new BlanksView(send),
    comparison: new ComparisonView(),
    greedy,
    beam: new BeamView(send, (id) => {
      model.value = id;
    }),
    sample: new SamplesView(send),
  };
  const notes = make("ul", { class: "notes", role: "list" });
  const problem = make("p", { class: "problem", role: "alert" });
  const soon = make("p", { class: "soon", role: "status" });
  const place = make("div");
  const refused = make("p", { class: "problem", role: "alert" });
  const node = make("div", { class: "control decode" }, problem, refused, notes, soon, place);

  let shownLast = /** @type {View | null} */ (null);
  let followedLast = /** @type {number | null} */ (null);

  /** Stays with the word that is followed on the page. @param {View} view */
  const follow = (view) => {
    const { followed } = model;
    if (view === shownLast && followed === followedLast) return;
    [shownLast, followedLast] = [view, followed];
    const now = window.tinkerformer?.look()?.following;
    // Of several quick steps the page answers each; only the last one is still followed.
    if (followed !== null && (!now || now.index === followed)) view.follow?.(followed);
  };

  const take = () => {
    const { data, detail } = model;
    if (!data.way) return;
    setText(problem, data.problem ?? "");
    setText(refused, model.refused);
    setText(soon, data.coming ?? "");
    notes.replaceChildren(...(data.notes ?? []).map((note) => make("li", {}, note)));
    const shown = data.problem || data.coming ? null : views[data.way];
    if (shown?.node !== place.firstChild) {
      greedy.stop();
      place.replaceChildren(...(shown ? [shown.node] : []));
    }
    shown?.take(data, detail);
    if (shown) follow(shown);
  };

  // The properties of one update arrive one after the other, so wait until all have.
  const later = oncePerFrame(take);
  for (const name of ["data", "detail", "followed", "refused"]) model.on(name, later);
  model.on("remove", () => greedy.stop());
  take();
  return asControl(model, node);
}
