/**
 * Where everything on the map stands. Pure arithmetic, from the bottom up as the paper draws it.
 *
 * @typedef {object} Model
 * @property {number} encoder_layers
 * @property {number} decoder_layers
 * @property {'post'|'pre'} norm
 * @property {boolean} final_norm
 * @property {boolean} positions
 * @property {boolean} residual whether sublayers add their input again
 *
 * @typedef {object} Block
 * @property {string} stage id of a stage, with N for the layer
 * @property {string} text
 * @property {'attention'|'feed-forward'|'norm'|'embedding'|'output'|'add'} kind
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 *
 * @typedef {object} Stack one column
 * @property {'encoder'|'decoder'} name
 * @property {number} layers
 * @property {number} center
 * @property {Block[]} blocks
 * @property {{x: number, y: number, width: number, height: number}} frame round one layer
 * @property {string[]} residuals SVG paths
 * @property {number} bottom
 * @property {number} top
 */

export const MAP = {
  width: 240,
  column: 102,
  side: 11,
  gap: 14,
  block: 25,
  norm: 17,
  space: 7,
  label: 18,
  picker: 30,
};

const SUBLAYERS = {
  encoder: [
    { id: "self_attn", text: "self-attention", kind: "attention" },
    { id: "feed_forward", text: "feed-forward", kind: "feed-forward" },
  ],
  decoder: [
    { id: "self_attn", text: "masked self-attention", kind: "attention" },
    { id: "cross_attn", text: "cross-attention", kind: "attention" },
    { id: "feed_forward", text: "feed-forward", kind: "feed-forward" },
  ],
};

/** The skip round a sublayer: out to the side under it, up, and in where the sum is made. */
function residualPath(center, edge, outer, from, to) {
  return `M${center} ${from} H${outer} V${to} H${edge}`;
}

/**
 * @param {'encoder'|'decoder'} name @param {Model} model @param {number} x left edge @param {number} floor y of the bottom
 * @param {-1|1} outside which side the residuals run on
 * @returns {Stack}
 */
function planStack(name, model, x, floor, outside) {
  const center = x + MAP.column / 2;
  const layers = model[`${name}_layers`];
  const edge = outside < 0 ? x : x + MAP.column;
  const outer = edge + outside * 6;
  const blocks = [];
  const residuals = [];
  let y = floor;

  const put = (block, height, width = MAP.column) => {
    y -= height;
    blocks.push({ ...block, x: center - width / 2, y, width, height });
    y -= MAP.space;
  };

  put(
    {
      stage: name === "encoder" ? "source" : "target",
      kind: "embedding",
      text: model.positions ? "embed + positions" : "embed",
    },
    MAP.block,
  );

  y -= 5;
  const frameBottom = y + 3;
  const pre = model.norm === "pre";
  const sublayers = SUBLAYERS[name].filter(
    ({ id }) => id !== "cross_attn" || model.encoder_layers > 0,
  );
  for (const { id, text, kind } of sublayers) {
    const stage = `${name}.N.${id}`;
    y -= 4;
    const from = y + 3;
    if (pre) put({ stage, kind: "norm", text: "norm" }, MAP.norm);
    put({ stage, kind, text }, MAP.block);
    if (!model.residual) {
      if (!pre) put({ stage, kind: "norm", text: "norm" }, MAP.norm);
      continue;
    }
    put(
      pre ? { stage, kind: "add", text: "+" } : { stage, kind: "norm", text: "add & norm" },
      MAP.norm,
      pre ? MAP.norm : MAP.column,
    );
    const sum = blocks.at(-1);
    residuals.push(
      residualPath(
        center,
        pre ? center + (outside * MAP.norm) / 2 : edge,
        outer,
        from,
        sum.y + sum.height / 2,
      ),
    );
  }
  y -= (layers > 1 ? MAP.picker : MAP.label) - MAP.space;
  const frame = { x: x - 9, y, width: MAP.column + 18, height: frameBottom - y };
  y -= MAP.space;
  if (model.final_norm) put({ stage: `${name}.final`, kind: "norm", text: "norm" }, MAP.norm);
  return { name, layers, center, blocks, frame, residuals, bottom: floor, top: y };
}

/**
 * @param {Model} model
 * @returns {{height: number, stacks: Stack[], output: Block, cross: string|null}}
 */
export function planMap(model) {
  const names = ["encoder", "decoder"].filter((name) => model[`${name}_layers`] > 0);
  const left = names.length === 1 ? (MAP.width - MAP.column) / 2 : MAP.side;
  const stacks = names.map((name, at) =>
    planStack(
      name,
      model,
      left + at * (MAP.width - 2 * MAP.side - MAP.column),
      0,
      names.length === 2 && at === 0 ? -1 : 1,
    ),
  );
  const last = stacks.at(-1);
  const output = {
    stage: "output",
    kind: "output",
    text: "linear · softmax",
    x: last ? last.center - MAP.column / 2 : left,
    y: (last?.top ?? 0) - MAP.block - 2,
    width: MAP.column,
    height: MAP.block,
  };
  const top = Math.min(output.y - 18, ...stacks.map((stack) => stack.top - 8));
  const shift = -top;
  for (const stack of stacks) shiftStack(stack, shift);
  output.y += shift;
  return {
    height: shift + 18,
    stacks,
    output,
    cross: names.length === 2 ? crossPath(stacks) : null,
  };
}

function shiftStack(stack, by) {
  for (const block of stack.blocks) block.y += by;
  stack.frame.y += by;
  stack.top += by;
  stack.bottom += by;
  // Only the numbers that are heights: after V, and the second of M's pair.
  stack.residuals = stack.residuals.map((path) =>
    path
      .replace(/M(\S+) (\S+)/, (_, x, y) => `M${x} ${Number(y) + by}`)
      .replace(/V(\S+)/, (_, y) => `V${Number(y) + by}`),
  );
}

/** From the top of the encoder over to the decoder's cross-attention. */
function crossPath([encoder, decoder]) {
  const goal = decoder.blocks.find(
    (block) => block.stage.endsWith("cross_attn") && block.kind === "attention",
  );
  const turn = MAP.width / 2;
  const y = goal.y + goal.height / 2;
  return `M${encoder.center} ${encoder.top + MAP.space} V${encoder.top - 2} H${turn} V${y} H${goal.x - 3}`;
}
