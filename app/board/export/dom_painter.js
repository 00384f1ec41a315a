/**
 * Paints elements of the page onto a canvas as they appear: canvases, boxes and text. Browsers have
 * no API for this. Supports only the CSS properties of labels over the picture.
 */

/**
 * @typedef {{left: number, top: number, right: number, bottom: number}} Edges
 *
 * @typedef {object} Ground
 * @property {CanvasRenderingContext2D} ctx in CSS px of the viewport
 * @property {Edges} clip elements outside are not painted
 * @property {Looks} looks
 * @property {boolean} isStill whether a still, not a video, is painted
 *
 * @typedef {object} Look the cached style of an element, valid while its attributes are the same
 * @property {string} key
 * @property {Look | null} parent
 * @property {boolean} isLively whether the element has an animation or a transition
 * @property {boolean} moved whether an animation or a transition may have been running
 * @property {boolean} isNone @property {boolean} isVisible
 * @property {number} opacity
 * @property {number} depth z-index @property {boolean} isContext whether it is a stacking context
 * @property {number | null} cut fraction of the width that is clipped at the right; null: no clip
 * @property {Box} box
 * @property {string} font part before its size @property {number} size @property {string} family
 * @property {string} color @property {number} spacing
 * @property {boolean} isUpper @property {boolean} isStruck @property {boolean} isUpright
 *
 * @typedef {object} Over an element with a z-index, painted after all others
 * @property {Element} element
 * @property {number} depth @property {number} seen
 * @property {Look} look look of its parent
 *
 * @typedef {object} Box
 * @property {string} ground
 * @property {string} radius
 * @property {{color: string, spread: number}[]} rings
 * @property {{wide: number, color: string}[]} sides up, right, down and left
 */

const SPREAD = /^(rgba?\([^)]*\)|color\([^)]*\)) 0px 0px 0px ([\d.]+)px$/;
const CUT_RIGHT = /^inset\(0(?:px|%)? ([\d.]+)% 0(?:px|%)? 0(?:px|%)?\)$/;
/** Attribute that excludes an element with its descendants; with the value `video`, from videos. */
const LEFT_OUT = "data-unrecorded";
const MATTERS = ["class", "style", "hidden", "aria-pressed"]; // attributes that affect the style
const SPOKEN = "katex-mathml"; // the copy of a formula for screen readers
const SIDES = /** @type {const} */ (["Top", "Right", "Bottom", "Left"]);

/** @param {string} color */
const isSeen = (color) => color !== "transparent" && !/[,/] ?0\)$/.test(color);

/**
 * Caches the styles of elements. Reading a style takes longer than painting, so a style is read
 * again only when attributes of the element or of one of its ancestors have changed.
 */
export class Looks {
  constructor() {
    /** @type {WeakMap<Element, Look>} */
    this.known = new WeakMap();
  }

  /** @param {Element} element @param {Look | null} parent */
  of(element, parent) {
    const key = MATTERS.map((name) => element.getAttribute(name)).join("|");
    const known = this.known.get(element);
    // An animation changes the style without changing attributes.
    const moves = known?.isLively ? element.getAnimations().length > 0 : false;
    const isSame = known?.key === key && known.parent === parent;
    if (known && isSame && !moves && !known.moved) return known;
    const look = lookOf(getComputedStyle(element), key, parent);
    look.moved = moves || (look.isLively && !isSame);
    this.known.set(element, look);
    return look;
  }
}

/** @param {CSSStyleDeclaration} style @param {string} key @param {Look | null} parent */
function lookOf(style, key, parent) {
  const right = CUT_RIGHT.exec(style.clipPath)?.[1];
  const rings = style.boxShadow.split(/, (?=rgba?\(|color\()/).map((text) => SPREAD.exec(text));
  return {
    key,
    parent,
    isLively: style.animationName !== "none" || /[1-9]/.test(style.transitionDuration),
    moved: false,
    isNone: style.display === "none",
    isVisible: style.visibility === "visible",
    opacity: Number(style.opacity),
    depth: Number.parseInt(style.zIndex, 10) || 0,
    isContext: style.zIndex !== "auto" || style.opacity !== "1" || style.transform !== "none",
    cut: right ? Number(right) / 100 : style.overflow === "visible" ? null : 0,
    box: {
      ground: style.backgroundColor,
      radius: style.borderTopLeftRadius,
      rings: rings.flatMap((each) => (each ? { color: each[1], spread: Number(each[2]) } : [])),
      sides: SIDES.map((side) => ({
        wide:
          style[`border${side}Style`] === "none"
            ? 0
            : Number.parseFloat(style[`border${side}Width`]),
        color: style[`border${side}Color`],
      })),
    },
    font: `${style.fontStyle} ${style.fontWeight}`,
    size: Number.parseFloat(style.fontSize),
    family: style.fontFamily,
    color: style.color,
    spacing: Number.parseFloat(style.letterSpacing) || 0,
    isUpper: style.textTransform === "uppercase",
    isStruck: style.textDecorationLine.includes("line-through"),
    isUpright: style.writingMode.startsWith("horizontal"),
  };
}

/**
 * @param {Element} element @param {Ground} ground
 * @param {number} [opacity] of its ancestors @param {Look | null} [parent] look of its parent
 * @param {Over[] | null} [later] collects elements with a z-index in the same stacking context,
 *   which are painted after all others
 */
export function paintElement(element, ground, opacity = 1, parent = null, later = null) {
  const leftOut = element.getAttribute(LEFT_OUT);
  if (leftOut === "" || (leftOut === "video" && !ground.isStill)) return;
  if (element.classList.contains(SPOKEN)) return;
  const look = ground.looks.of(element, parent);
  const seen = opacity * look.opacity;
  if (look.isNone || seen < 0.01) return;
  const { ctx } = ground;
  const box = element.getBoundingClientRect();
  const isInside = overlaps(box, ground.clip);
  const isCut = look.cut !== null;
  if (isCut && !isInside) return;
  ctx.globalAlpha = seen;
  if (look.isVisible && isInside) {
    if (element instanceof HTMLCanvasElement) paintCanvas(ctx, element, box);
    else paintBox(ctx, look.box, box);
  }
  if (isCut) {
    ctx.save();
    ctx.beginPath();
    ctx.rect(box.left, box.top, box.width * (1 - (look.cut ?? 0)), box.height);
    ctx.clip();
  }
  paintChildren(element, ground, { look, seen, scale: scaleOf(element, box), later });
  if (isCut) ctx.restore();
}

/**
 * @param {Element} element @param {Ground} ground
 * @param {{look: Look, seen: number, scale: number, later: Over[] | null}} of the element
 */
function paintChildren(element, ground, { look, seen, scale, later }) {
  const isContext = later === null || look.isContext;
  const over = isContext ? [] : later;
  for (const child of (element.shadowRoot ?? element).childNodes) {
    if (child instanceof Element) {
      const { depth } = ground.looks.of(child, look);
      if (depth > 0) over.push({ element: child, depth, seen, look });
      else paintElement(child, ground, seen, look, over);
    } else if (child instanceof Text && look.isVisible && child.data.trim()) {
      ground.ctx.globalAlpha = seen;
      paintText(ground, child, look, scale);
    }
  }
  if (!isContext) return;
  for (const each of over.sort((a, b) => a.depth - b.depth))
    paintElement(each.element, ground, each.seen, each.look);
}

/** @param {Edges} a @param {Edges} b */
const overlaps = (a, b) =>
  a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;

/** The scale of an element by all transforms. @param {Element} element @param {DOMRect} box */
function scaleOf(element, box) {
  const tall = element instanceof HTMLElement ? element.offsetHeight : 0;
  return tall > 1 ? box.height / tall : 1;
}

/** @param {CanvasRenderingContext2D} ctx @param {HTMLCanvasElement} canvas @param {DOMRect} box */
function paintCanvas(ctx, canvas, box) {
  if (canvas.width && canvas.height)
    ctx.drawImage(canvas, box.left, box.top, box.width, box.height);
}

/** @param {CanvasRenderingContext2D} ctx @param {Box} look @param {DOMRect} box */
function paintBox(ctx, { ground, radius, rings, sides }, box) {
  const [up] = sides;
  const isEven = sides.every(({ wide, color }) => wide === up.wide && color === up.color);
  const hasFrame = isEven && up.wide > 0 && isSeen(up.color);
  if (!rings.length && !isSeen(ground) && isEven && !hasFrame) return;
  const { left, top, width, height } = box;
  const round = Math.min(radiusOf(radius, width, height), width / 2, height / 2);
  const outline = (/** @type {number} */ by) => {
    ctx.beginPath();
    const tall = height + 2 * by;
    ctx.roundRect(left - by, top - by, width + 2 * by, tall, Math.max(0, round + by));
  };
  for (const { color, spread } of [...rings].reverse()) {
    if (!isSeen(color)) continue;
    ctx.strokeStyle = color;
    ctx.lineWidth = spread;
    outline(spread / 2);
    ctx.stroke();
  }
  if (isSeen(ground)) {
    ctx.fillStyle = ground;
    outline(0);
    ctx.fill();
  }
  if (!isEven) paintSides(ctx, sides, box);
  else if (hasFrame) {
    ctx.strokeStyle = up.color;
    ctx.lineWidth = up.wide;
    outline(-up.wide / 2);
    ctx.stroke();
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {Box["sides"]} sides @param {DOMRect} box */
function paintSides(ctx, [up, right, down, before], { left, top, width, height }) {
  for (const [side, x, y, w, h] of /** @type {const} */ ([
    [up, left, top, width, up.wide],
    [down, left, top + height - down.wide, width, down.wide],
    [before, left, top, before.wide, height],
    [right, left + width - right.wide, top, right.wide, height],
  ])) {
    if (!side.wide || !isSeen(side.color)) continue;
    ctx.fillStyle = side.color;
    ctx.fillRect(x, y, w, h);
  }
}

/** @param {string} radius @param {number} width @param {number} height */
function radiusOf(radius, width, height) {
  const found = Number.parseFloat(radius) || 0;
  return radius.includes("%") ? (found / 100) * Math.min(width, height) : found;
}

/** @param {Ground} ground @param {Text} node @param {Look} look @param {number} scale */
function paintText({ ctx, clip }, node, look, scale) {
  if (!look.isUpright) return;
  ctx.font = `${look.font} ${look.size * scale}px ${look.family}`;
  ctx.fillStyle = look.color;
  if ("letterSpacing" in ctx) ctx.letterSpacing = `${look.spacing * scale}px`;
  const [above, below] = heights(ctx);
  for (const { text, box } of lines(node)) {
    if (!overlaps(box, clip)) continue;
    const base = box.top + (box.height * above) / (above + below || 1);
    ctx.fillText(look.isUpper ? text.toUpperCase() : text, box.left, base, box.width + 1);
    if (look.isStruck)
      ctx.fillRect(box.left, base - 0.28 * above, box.width, Math.max(1, 0.07 * above));
  }
}

/** Ascent and descent by font, in px. */
const known = /** @type {Map<string, [above: number, below: number]>} */ (new Map());
const MOST_KNOWN = 500;

/** @param {CanvasRenderingContext2D} ctx */
function heights(ctx) {
  const found = known.get(ctx.font);
  if (found) return found;
  const { fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = ctx.measureText("x");
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(ctx.font, [above, below]);
  return [above, below];
}

/** The lines of a text as the browser wraps it. @param {Text} node */
function* lines(node) {
  const begin = node.data.search(/\S/);
  const range = document.createRange();
  range.setStart(node, begin);
  range.setEnd(node, begin + node.data.trim().length);
  const [first, ...others] = range.getClientRects();
  if (!first) return;
  if (!others.length) {
    yield { text: node.data.trim().replace(/\s+/g, " "), box: first };
    return;
  }
  let text = "";
  let whole = first;
  for (const { 0: word, index } of node.data.matchAll(/\S+\s*/g)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.trimEnd().length);
    const box = range.getBoundingClientRect();
    const isSame = Math.abs(box.top - whole.top) < box.height / 2;
    if (text && !isSame) yield { text, box: whole };
    whole = text && isSame ? joined(whole, box) : box;
    text = text && isSame ? text + word : word;
  }
  if (text) yield { text, box: whole };
}

/** @param {DOMRect} a @param {DOMRect} b right of a */
const joined = (a, b) => new DOMRect(a.left, a.top, b.right - a.left, a.height);
