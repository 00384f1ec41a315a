import { make, setAttribute } from "../shared/dom.js";
import { MAP, planMap } from "./plan.js";

/** @param {string} tag @param {Record<string, unknown>} attributes @param {...Node} children */
function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

/** @param {Block} block */
function drawBlock(block) {
  const { x, y, width, height, kind } = block;
  const round = kind === "add" ? height / 2 : 4;
  const text = svg("text", { x: x + width / 2, y: y + height / 2 + 3.6 });
  text.textContent = block.text;
  return svg(
    "g",
    { class: `block ${kind}` },
    svg("rect", { x, y, width, height, rx: round }),
    text,
  );
}

/** The map: blocks that take the reader to their stages, and a mark on the one being read. */
class ModelMap {
  constructor(model) {
    this.model = model;
    this.layer = { encoder: 0, decoder: 0 };
    this.here = null;
    this.node = make("section", { class: "control" }, make("h2", {}, "Where you are"));
    this.board = make("div", { class: "map" });
    this.node.append(this.board);
  }

  /** Put the chosen layer into an id such as `encoder.N.self_attn`. */
  stageId(pattern) {
    return pattern.replace(".N.", `.${this.layer[pattern.split(".")[0]]}.`);
  }

  draw() {
    const plan = planMap(this.model);
    const groups = new Map();
    for (const block of [...plan.stacks.flatMap((stack) => stack.blocks), plan.output]) {
      groups.set(block.stage, [...(groups.get(block.stage) ?? []), block]);
    }
    this.buttons = new Map(
      [...groups].map(([stage, blocks]) => [stage, this.button(stage, blocks)]),
    );
    const drawing = svg(
      "svg",
      {
        viewBox: `0 0 ${MAP.width} ${plan.height}`,
        role: "group",
        "aria-label": "Map of the model",
      },
      svg("defs", {}, this.arrow("arrow"), this.arrow("arrow-cross")),
      ...plan.stacks.flatMap((stack) => this.lines(stack, plan)),
      ...(plan.cross
        ? [svg("path", { class: "cross", d: plan.cross, "marker-end": "url(#arrow-cross)" })]
        : []),
      ...this.captions(plan),
      ...this.buttons.values(),
    );
    this.pickers = Object.fromEntries(
      plan.stacks
        .filter(({ layers }) => layers > 1)
        .map((stack) => [stack.name, this.picker(stack, plan)]),
    );
    this.board.replaceChildren(drawing, ...Object.values(this.pickers));
    this.mark(this.here);
  }

  arrow(id) {
    return svg(
      "marker",
      {
        id,
        class: id,
        viewBox: "0 0 6 6",
        refX: 4,
        refY: 3,
        markerWidth: 6,
        markerHeight: 6,
        orient: "auto",
      },
      svg("path", { d: "M0 0 L6 3 L0 6 z" }),
    );
  }

  /** @param {Stack} stack */
  lines(stack, plan) {
    const { frame, center } = stack;
    const isLast = stack === plan.stacks.at(-1);
    const end = isLast ? plan.output.y + plan.output.height + 3 : stack.top + MAP.space;
    return [
      svg("rect", {
        class: "frame",
        x: frame.x,
        y: frame.y,
        width: frame.width,
        height: frame.height,
        rx: 8,
      }),
      svg("path", {
        class: "flow",
        d: `M${center} ${stack.bottom + 4} V${end}`,
        ...(isLast ? { "marker-end": "url(#arrow)" } : {}),
      }),
      ...stack.residuals.map((d) => svg("path", { class: "flow", d, "marker-end": "url(#arrow)" })),
    ];
  }

  captions(plan) {
    const caption = (text, x, y, kind = "caption") => {
      const node = svg("text", { class: kind, x, y });
      node.textContent = text;
      return node;
    };
    const { output } = plan;
    return [
      caption(
        "next-token probabilities",
        Math.min(output.x + output.width / 2, MAP.width - 62),
        output.y - 6,
      ),
      ...plan.stacks.map(({ name, center, bottom }) =>
        caption(name === "encoder" ? "source" : "target", center, bottom + 15),
      ),
      ...plan.stacks.map(({ name, layers, frame }) =>
        caption(
          layers > 1 ? `${name} × ${layers}` : name,
          frame.x + 8,
          frame.y + (layers > 1 ? 18 : 13),
          "caption start",
        ),
      ),
    ];
  }

  /** All blocks of one stage are one button: the norm belongs to its sublayer. */
  button(stage, blocks) {
    const go = (event) => {
      if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      const id = this.stageId(stage);
      window.tinkerformer?.goto(id);
      document.dispatchEvent(new CustomEvent("tinkerformer:goto", { detail: { id } }));
    };
    return svg(
      "g",
      { class: "stage", role: "button", tabindex: 0, onclick: go, onkeydown: go },
      ...blocks.map(drawBlock),
    );
  }

  /** Which layer the blocks of a stack stand for. */
  picker({ name, layers, frame }, plan) {
    const select = make(
      "select",
      {
        "aria-label": `${name} layer`,
        style: `right:${100 * (1 - (frame.x + frame.width - 4) / MAP.width)}%; top:${(100 * (frame.y + 2)) / plan.height}%`,
        onchange: () => {
          this.layer[name] = select.selectedIndex;
          this.mark(this.here);
        },
      },
      ...Array.from({ length: layers }, (_, layer) => make("option", {}, `${layer + 1}`)),
    );
    this.layer[name] = Math.min(this.layer[name], layers - 1);
    select.selectedIndex = this.layer[name];
    return select;
  }

  /** Follow the reader: choose the layer being read. @param {string|null} id */
  follow(id) {
    const [stack, layer] = (id ?? "").split(".");
    if (stack in this.layer && /^\d+$/.test(layer ?? "")) {
      this.layer[stack] = Number(layer);
      if (this.pickers[stack]) this.pickers[stack].selectedIndex = Number(layer);
    }
    this.mark(id);
  }

  /** @param {string|null} id */
  mark(id) {
    this.here = id;
    for (const [stage, button] of this.buttons) {
      setAttribute(button, "aria-current", this.stageId(stage) === id ? "location" : null);
      const layer = /\.(\d+)\./.exec(this.stageId(stage));
      setAttribute(button, "aria-label", this.nameOf(stage, layer));
    }
  }

  nameOf(stage, layer) {
    const names = {
      source: "Source embeddings",
      target: "Target embeddings",
      output: "Output: linear and softmax",
      self_attn: "Self-attention",
      cross_attn: "Cross-attention",
      feed_forward: "Feed-forward",
      final: "Final norm",
    };
    const [stack, ...rest] = stage.split(".");
    const name = names[rest.at(-1) ?? stack];
    if (rest.length === 0) return name;
    return layer ? `${name}, ${stack} layer ${Number(layer[1]) + 1}` : `${name}, ${stack}`;
  }
}

export function render({ model }) {
  const map = new ModelMap(model);
  map.draw();
  let asked = 0;
  const later = () => {
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(() => map.draw());
  };
  for (const name of [
    "encoder_layers",
    "decoder_layers",
    "norm",
    "final_norm",
    "positions",
    "residual",
  ])
    model.on(name, later);
  const onStage = (event) => map.follow(event.detail?.id ?? null);
  document.addEventListener("tinkerformer:stage", onStage);
  model.on("remove", () => document.removeEventListener("tinkerformer:stage", onStage));
  return map.node;
}
