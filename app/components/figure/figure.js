/** A map of the model: Figure 1 of the paper, small. */

import { asControl } from "../shared/control.js";
import { make, makeSvg, oncePerFrame, setAttribute } from "../shared/dom.js";
import { MAP, planMap, residualPath } from "./plan.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 * @import {Block, Plan, Stack, StackName, Structure} from "./plan.js"
 */

const SETTLED = 250; // ms at a stage until it counts as read
const PROPERTIES = [
  "encoder_layers",
  "decoder_layers",
  "norm",
  "final_norm",
  "positions",
  "residual",
];

/** @type {Record<string, string>} */
const NAMES = {
  source: "Source embeddings",
  target: "Target embeddings",
  output: "Output: linear and softmax",
  self_attn: "Self-attention",
  cross_attn: "Cross-attention",
  feed_forward: "Feed-forward",
  final: "Final norm",
};

/** @param {Block} block */
function drawBlock(block) {
  const { x, y, width, height, kind } = block;
  const round = kind === "add" ? height / 2 : 4;
  const text = makeSvg("text", { x: x + width / 2, y: y + height / 2 + 3.6 });
  text.textContent = block.text;
  return makeSvg(
    "g",
    { class: `block ${kind}` },
    makeSvg("rect", { x, y, width, height, rx: round }),
    text,
  );
}

/** @param {string} id */
function arrow(id) {
  return makeSvg(
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
    makeSvg("path", { d: "M0 0 L6 3 L0 6 z" }),
  );
}

/** @param {Stack} stack @param {Plan} plan */
function lines(stack, plan) {
  const { frame, center } = stack;
  const isLast = stack === plan.stacks.at(-1);
  const end = isLast ? plan.output.y + plan.output.height + 3 : stack.top + MAP.space;
  return [
    makeSvg("rect", {
      class: "frame",
      x: frame.x,
      y: frame.y,
      width: frame.width,
      height: frame.height,
      rx: 8,
    }),
    makeSvg("path", {
      class: "flow",
      d: `M${center} ${stack.bottom + 4} V${end}`,
      ...(isLast ? { "marker-end": "url(#arrow)" } : {}),
    }),
    ...stack.residuals.map((residual) =>
      makeSvg("path", { class: "flow", d: residualPath(residual), "marker-end": "url(#arrow)" }),
    ),
  ];
}

/** @param {Plan} plan */
function captions(plan) {
  /** @param {string} text @param {number} x @param {number} y */
  const caption = (text, x, y, kind = "caption") => {
    const node = makeSvg("text", { class: kind, x, y });
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

/** The map: blocks that take the reader to their stages, and a mark on the one being read. */
class ModelMap {
  /** @param {Structure} model */
  constructor(model) {
    this.model = model;
    /** @type {Record<StackName, number>} the layer that the blocks of a stack stand for */
    this.layer = { encoder: 0, decoder: 0 };
    this.here = /** @type {string | null} */ (null);
    /** @type {Map<string, SVGElement>} */
    this.buttons = new Map();
    /** @type {Map<StackName, HTMLSelectElement>} */
    this.pickers = new Map();
    this.node = make("section", { class: "control" }, make("h2", {}, "Where you are"));
    this.board = make("div", { class: "map" });
    this.node.append(this.board);
  }

  /** Put the chosen layer into an id such as `encoder.N.self_attn`. @param {string} pattern */
  stageId(pattern) {
    const layer = pattern.startsWith("encoder.") ? this.layer.encoder : this.layer.decoder;
    return pattern.replace(".N.", `.${layer}.`);
  }

  draw() {
    const plan = planMap(this.model);
    /** @type {Map<string, Block[]>} */
    const groups = new Map();
    for (const block of [...plan.stacks.flatMap((stack) => stack.blocks), plan.output]) {
      groups.set(block.stage, [...(groups.get(block.stage) ?? []), block]);
    }
    this.buttons = new Map(
      [...groups].map(([stage, blocks]) => [stage, this.button(stage, blocks)]),
    );
    const drawing = makeSvg(
      "svg",
      {
        viewBox: `0 0 ${MAP.width} ${plan.height}`,
        role: "group",
        "aria-label": "Map of the model",
      },
      makeSvg("defs", {}, arrow("arrow"), arrow("arrow-cross")),
      ...plan.stacks.flatMap((stack) => lines(stack, plan)),
      ...(plan.cross
        ? [makeSvg("path", { class: "cross", d: plan.cross, "marker-end": "url(#arrow-cross)" })]
        : []),
      ...captions(plan),
      ...this.buttons.values(),
    );
    this.pickers.clear();
    for (const stack of plan.stacks)
      if (stack.layers > 1) this.pickers.set(stack.name, this.picker(stack, plan));
    this.board.replaceChildren(drawing, ...this.pickers.values());
    this.mark(this.here);
  }

  /**
   * All blocks of one stage are one button: the norm belongs to its sublayer.
   * @param {string} stage
   * @param {Block[]} blocks
   */
  button(stage, blocks) {
    /** @param {Event} event */
    const go = (event) => {
      event.preventDefault();
      goTo(this.stageId(stage));
    };
    return makeSvg(
      "g",
      {
        class: "stage",
        role: "button",
        tabindex: 0,
        onclick: go,
        onkeydown: (event) => {
          if (event.key === "Enter" || event.key === " ") go(event);
        },
      },
      ...blocks.map(drawBlock),
    );
  }

  /** Which layer the blocks of a stack stand for. @param {Stack} stack @param {Plan} plan */
  picker({ name, layers, frame }, plan) {
    const right = 1 - (frame.x + frame.width - 4) / MAP.width;
    const top = (frame.y + 2) / plan.height;
    const select = make(
      "select",
      {
        "aria-label": `${name} layer`,
        style: `right:${100 * right}%; top:${100 * top}%`,
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
    if ((stack === "encoder" || stack === "decoder") && /^\d+$/.test(layer ?? "")) {
      this.layer[stack] = Number(layer);
      const picker = this.pickers.get(stack);
      if (picker) picker.selectedIndex = Number(layer);
    }
    this.mark(id);
  }

  /** @param {string|null} id */
  mark(id) {
    this.here = id;
    for (const [stage, button] of this.buttons) {
      setAttribute(button, "aria-current", this.stageId(stage) === id ? "location" : null);
      setAttribute(button, "aria-label", nameOf(this.stageId(stage)));
    }
  }
}

/** What a stage is called. @param {string} id */
function nameOf(id) {
  const [stack, ...rest] = id.split(".");
  const name = NAMES[rest.at(-1) ?? stack];
  if (rest.length === 0) return name;
  const layer = /\.(\d+)\./.exec(id);
  return layer ? `${name}, ${stack} layer ${Number(layer[1]) + 1}` : `${name}, ${stack}`;
}

/** Take the reader to a stage. @param {string} id */
function goTo(id) {
  window.tinkerformer?.goto(id);
  document.dispatchEvent(new CustomEvent("tinkerformer:goto", { detail: { id } }));
}

/** @param {{model: Model<Structure & ControlProperties & {value: string}>}} component */
export function render({ model }) {
  const map = new ModelMap(model);
  map.draw();
  const later = oncePerFrame(() => map.draw());
  for (const name of PROPERTIES) model.on(name, later);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let settled;
  /** @param {DocumentEventMap["tinkerformer:stage"]} event */
  const onStage = (event) => {
    map.follow(event.detail.id);
    clearTimeout(settled); // a stage that is only scrolled past is not read
    settled = setTimeout(() => {
      model.value = map.here ?? "";
    }, SETTLED);
  };
  document.addEventListener("tinkerformer:stage", onStage);
  model.on("value", () => {
    if (model.value && model.value !== map.here) goTo(model.value);
  });
  model.on("remove", () => {
    clearTimeout(settled);
    document.removeEventListener("tinkerformer:stage", onStage);
  });
  return asControl(model, map.node);
}
