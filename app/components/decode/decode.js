import { make, setText } from "../shared/dom.js";
import { BeamView } from "./beam.js";
import { ComparisonView } from "./comparison.js";
import { GreedyView } from "./greedy.js";
import { SamplesView } from "./samples.js";

/** One way of decoding at a time. */
export function render({ model }) {
  const send = (message) => model.send_msg(message);
  const views = {};
  const view = (way) => {
    views[way] ??= {
      comparison: () => new ComparisonView(),
      greedy: () => new GreedyView(send),
      beam: () => new BeamView(send),
      sample: () => new SamplesView(send),
    }[way]();
    return views[way];
  };
  const notes = make("ul", { class: "notes", role: "list" });
  const problem = make("p", { class: "problem", role: "alert" });
  const place = make("div");
  const refused = make("p", { class: "problem", role: "alert" });
  const node = make("div", { class: "control decode" }, problem, refused, place, notes);

  const take = () => {
    const { data, detail } = model;
    if (!data.way) return;
    setText(problem, data.problem ?? "");
    setText(refused, model.refused);
    notes.replaceChildren(...(data.notes ?? []).map((note) => make("li", {}, note)));
    const shown = data.problem ? null : view(data.way);
    if (shown?.node !== place.firstChild) {
      views.greedy?.stop();
      place.replaceChildren(...(shown ? [shown.node] : []));
    }
    shown?.take(data, detail);
  };

  // Properties of one update arrive one after the other: read them when all are there.
  let asked = 0;
  const later = () => {
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(take);
  };
  for (const name of ["data", "detail", "refused"]) model.on(name, later);
  model.on("remove", () => views.greedy?.stop());
  take();
  return node;
}
