/**
 * Where everything on the map stands. Arithmetic alone, from the bottom up as the paper draws it.
 *
 * @typedef {"encoder" | "decoder"} StackName
 *
 * @typedef {object} Structure of the model
 * @property {number} encoder_layers
 * @property {number} decoder_layers
 * @property {"post" | "pre"} norm
 * @property {boolean} final_norm
 * @property {boolean} positions
 * @property {boolean} residual whether sublayers add their input again
 *
 * @typedef {"attention" | "feed-forward" | "norm" | "embedding" | "output" | "add"} BlockKind
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 *
 * @typedef {object} Label
 * @property {string} stage id of a stage, with N for the layer
 * @property {string} text
 * @property {BlockKind} kind
 *
 * @typedef {Label & Box} Block
 *
 * @typedef {object} Residual the skip round a sublayer
 * @property {number} center x where it leaves
 * @property {number} outer x where it runs
 * @property {number} edge x where it comes back
 * @property {number} from y
 * @property {number} to y
 *
 * @typedef {object} Stack one column
 * @property {StackName} name
 * @property {number} layers
 * @property {number} center
 * @property {Block[]} blocks
 * @property {Box} frame round one layer
 * @property {Residual[]} residuals
 * @property {number} bottom
 * @property {number} top
 *
 * @typedef {{height: number, stacks: Stack[], output: Block, cross: string | null}} Plan
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

/** @type {Record<StackName, {id: string, text: string, kind: BlockKind}[]>} */
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

/**
 * Out to the side under the sublayer, up, and in where the sum is made.
 * @param {Residual} residual
 */
export const residualPath = ({ center, outer, edge, from, to }) =>
  `M${center} ${from} H${outer} V${to} H${edge}`;

/**
 * @param {StackName} name @param {Structure} model @param {number} x left edge
 * @param {-1 | 1} outside which side the residuals run on
 * @returns {Stack}
 */
function planStack(name, model, x, outside) {
  const center = x + MAP.column / 2;
  const layers = layersOf(model, name);
  const edge = outside < 0 ? x : x + MAP.column;
  const outer = edge + outside * 6;
  /** @type {Block[]} */
  const blocks = [];
  /** @type {Residual[]} */
  const residuals = [];
  let y = 0;

  /** @param {Label} block @param {number} height @param {number} [width] */
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
    const sum = blocks[blocks.length - 1];
    residuals.push({
      center,
      outer,
      edge: pre ? center + (outside * MAP.norm) / 2 : edge,
      from,
      to: sum.y + sum.height / 2,
    });
  }
  y -= (layers > 1 ? MAP.picker : MAP.label) - MAP.space;
  const frame = { x: x - 9, y, width: MAP.column + 18, height: frameBottom - y };
  y -= MAP.space;
  if (model.final_norm) put({ stage: `${name}.final`, kind: "norm", text: "norm" }, MAP.norm);
  return { name, layers, center, blocks, frame, residuals, bottom: 0, top: y };
}

/** @param {Structure} model @param {StackName} name */
const layersOf = (model, name) =>
  name === "encoder" ? model.encoder_layers : model.decoder_layers;

/** @type {readonly StackName[]} */
const STACKS = ["encoder", "decoder"];

/** @param {Structure} model @returns {Plan} */
export function planMap(model) {
  const names = STACKS.filter((name) => layersOf(model, name) > 0);
  const left = names.length === 1 ? (MAP.width - MAP.column) / 2 : MAP.side;
  const stacks = names.map((name, at) =>
    planStack(
      name,
      model,
      left + at * (MAP.width - 2 * MAP.side - MAP.column),
      names.length === 2 && at === 0 ? -1 : 1,
    ),
  );
  const last = stacks.at(-1);
  /** @type {Block} */
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
    cross: names.length === 2 ? crossPath(stacks[0], stacks[1]) : null,
  };
}

/** @param {Stack} stack @param {number} by */
function shiftStack(stack, by) {
  for (const block of stack.blocks) block.y += by;
  stack.frame.y += by;
  stack.top += by;
  stack.bottom += by;
  for (const residual of stack.residuals) {
    residual.from += by;
    residual.to += by;
  }
}

/**
 * From the top of the encoder over to the decoder's cross-attention.
 * @param {Stack} encoder
 * @param {Stack} decoder
 */
function crossPath(encoder, decoder) {
  const goal = decoder.blocks.find(
    (block) => block.stage.endsWith("cross_attn") && block.kind === "attention",
  );
  if (!goal) return null;
  const turn = MAP.width / 2;
  const y = goal.y + goal.height / 2;
  const start = `M${encoder.center} ${encoder.top + MAP.space} V${encoder.top - 2}`;
  return `${start} H${turn} V${y} H${goal.x - 3}`;
}
