/**
 * The words of the whole picture: titles, symbols, formulas, and at the ends of the lanes the words
 * that are read and written. They are elements over the canvas, so that they are crisp at any
 * distance, can be pressed, and are found by a screen reader.
 */

import { make, setText } from "../../shared/dom.js";
import { typeset } from "../../shared/katex.js";
import { likeliestWords } from "../stages/next_tokens.js";
import { scales } from "./camera.js";
import { HEAD, LANE, LANE_GAP } from "./plan.js";

/**
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {Lane, PartEntry, WholeEntry} from "../data/types.js"
 * @import {Camera} from "./camera.js"
 * @import {Label, Plan} from "./plan.js"
 */

/** What all are set in, in CSS px; they are scaled from there. */
const BASE = 13;
const LINE = 20;
/** The size, in CSS px, at which a kind of label begins to show. */
const LEAST = {
  stack: 0,
  part: 7.5,
  read: 9,
  strip: 7.5,
  symbol: 6.5,
  vector: 13,
  sign: 5,
  formula: 12.2,
};
const SYMBOL = 0.8; // of the size of words
const BETWEEN = 0.92; // of its room that a formula takes
const FADE = 1.5; // CSS px of size over which it comes
/** What a part is called where there is no room for its title. */
const SHORT = {
  input: "embed",
  attention: "attn",
  cross: "cross",
  feed_forward: "FFN",
  norm: "norm",
  output: "next",
};
const WORD = { least: 7.5, most: 14, share: 0.64 };
const STRONG = 0.6; // strength from which a word stands out
const STICKS = 6; // CSS px from the edge of the view
/** CSS px between two words, and between a title and the symbols under it, that are both shown. */
const APART = { words: 9, lines: 10 };

/**
 * @typedef {{text: string, wide: number}} Wording wide in CSS px as it is set
 * @typedef {{el: HTMLElement, label: Label, wide: number, wordings: Wording[]}} Placed with the
 *   title of a part in full and in short
 * @typedef {{el: HTMLButtonElement, lane: Lane, y: number, wide: number}} Word
 * @typedef {{
 *   el: HTMLButtonElement, right: string, row: number, stack: string, y: number, wide: number
 * }} Written
 *
 * @typedef {object} LabelActions
 * @property {(part: PartEntry, far: boolean) => void} open a part was pressed, by key from afar
 * @property {(part: PartEntry) => void} read as formulas
 * @property {(lane: Lane) => void} follow
 */

export class Labels {
  /** @param {LabelActions} actions */
  constructor(actions) {
    this.actions = actions;
    this.el = make("div", { class: "labels" });
    /** What words that stick stand on: under them no number can be read. */
    this.gutter = make("div", { class: "gutter", hidden: true });
    this.placed = /** @type {Placed[]} */ ([]);
    this.words = /** @type {Word[]} */ ([]);
    this.written = /** @type {Written[]} */ ([]);
    this.ends = { left: 0, right: 0 };
    this.isMeasured = false;
    this.every = 1; // of so many words one is shown: the others would lie over each other
    this.camera = /** @type {Camera | null} */ (null);
    // A word that is reached by the keyboard shows, whether there is room for it or not.
    for (const type of ["focusin", "focusout"])
      this.el.addEventListener(type, () => this.camera && this.place(this.camera));
  }

  /** @param {WholeEntry} entry @param {Plan} plan */
  show(entry, plan) {
    const parts = new Map(entry.parts.map((part) => [part.id, part]));
    const focused = this.focusedName();
    this.placed = plan.labels.map((label) => {
      const part = parts.get(label.part);
      const wordings = part && label.kind === "part" ? wordingsOf(label.text, part) : [];
      return { label, el: this.element(label, part), wide: 1, wordings };
    });
    this.words = [];
    this.written = [];
    for (const { stack, title, words, names, right } of entry.stacks) {
      const lanes = plan.lanes.get(stack);
      if (!lanes) continue;
      words.forEach((word, index) => {
        const y = lanes.top + index * LANE + (LANE - LANE_GAP) / 2;
        const lane = { stack, index };
        const el = make(
          "button",
          {
            type: "button",
            class: "word",
            "aria-pressed": "false",
            "aria-label": `Follow ${names[index]}, ${title.toLowerCase()}`,
            title: right[index]
              ? `Follow “${word}” through the model: it is read here, and “${right[index]}” written`
              : `Follow “${word}” through the model`,
            onclick: () => this.actions.follow(lane),
          },
          word || "∅",
        );
        this.words.push({ el, lane, y, wide: 1 });
        if (index < right.length) {
          const out = make("button", {
            type: "button",
            class: "written",
            title: "Follow what writes this word through the model",
            onclick: () => this.actions.follow(lane),
          });
          this.written.push({ el: out, right: right[index], row: index, stack, y, wide: 1 });
        }
      });
    }
    this.ends = {
      left: Math.min(...[...plan.lanes.values()].map(({ left }) => left)),
      right: Math.max(...[...plan.lanes.values()].map(({ right }) => right)),
    };
    const all = [...this.words, ...this.placed, ...this.written];
    this.el.replaceChildren(this.gutter, ...all.map(({ el }) => el));
    if (focused) {
      const again = all.find(({ el }) => el.getAttribute("aria-label") === focused);
      again?.el.focus({ preventScroll: true });
    }
    this.isMeasured = false;
    this.every = 1;
  }

  /** What had the focus before all were made anew. */
  focusedName() {
    const root = /** @type {Document | ShadowRoot} */ (this.el.getRootNode());
    const at = root.activeElement;
    return at instanceof HTMLElement && this.el.contains(at) ? at.getAttribute("aria-label") : null;
  }

  /** @param {Label} label @param {PartEntry | undefined} part */
  element(label, part) {
    const { kind, text, tex } = label;
    if (kind === "part" && part) return this.title(text, part);
    if (kind === "read" && part) return this.reading(part);
    const el = make("span", { class: `label ${kind}` });
    if (tex) typeset(el, text);
    else el.textContent = text;
    return el;
  }

  /** @param {PartEntry} part */
  reading(part) {
    return make(
      "button",
      {
        type: "button",
        class: "label read",
        "aria-label": `Read ${part.title} of the ${part.stack} as formulas`,
        title: "The same numbers as formulas, with words beside them; the key F leads back",
        onclick: () => this.actions.read(part),
      },
      "as formulas →",
    );
  }

  /** @param {string} text @param {PartEntry} part */
  title(text, part) {
    const { unfolds, unfolded, weights } = part;
    const count = weights ? ` · ${weights.toLocaleString("en")} weights` : "";
    const how = unfolded ? "Fold it again" : "Unfold every step of it";
    return make(
      "button",
      {
        type: "button",
        class: "label title",
        "aria-label": `${text}, part of the ${part.stack}`,
        "aria-expanded": unfolds ? String(unfolded) : null,
        title: unfolds ? `${text}${count}. ${how}; Enter goes near.` : `${text}${count}`,
        // A press of Enter on a button is a click without a count.
        onclick: (/** @type {MouseEvent} */ event) => this.actions.open(part, event.detail === 0),
      },
      text,
    );
  }

  /** How wide everything is set, read once: after that it is only moved and scaled. */
  measure() {
    const all = [...this.placed, ...this.words, ...this.written];
    for (const each of all) each.el.hidden = false;
    for (const each of all) each.wide = Math.max(1, each.el.offsetWidth);
    const titles = this.placed.filter(({ wordings }) => wordings.length > 0);
    for (const { el, wordings } of titles) el.textContent = wordings[1].text;
    for (const { el, wordings } of titles) wordings[1].wide = Math.max(1, el.offsetWidth);
    for (const { el, wordings, wide } of titles) {
      wordings[0].wide = wide;
      el.textContent = wordings[0].text;
    }
    this.isMeasured = true;
  }

  /** @param {Camera} camera */
  place(camera) {
    this.camera = camera;
    this.placeLabels(camera);
    this.placeWords(camera);
  }

  /** @param {Camera} camera */
  placeLabels(camera) {
    const { across: zoom, down: tall } = scales(camera);
    for (const placed of this.placed) if (placed.wordings.length) word(placed, zoom);
    const titles = HEAD.strip * tall < APART.lines ? this.titledParts(zoom) : NONE;
    for (const { el, label, wide } of this.placed) {
      const scale = scaleOf(label, wide, zoom);
      const isUnder =
        (label.kind !== "part" && label.kind !== "read" && titles.has(label.part)) ||
        // Its place is the titles' now, and so is that of its words.
        (label.kind === "stack" && this.leftOf(label, wide * scale, camera) < 0);
      const shown = isUnder ? 0 : shownBy(label.kind, scale, label.room * zoom);
      setHidden(el, shown === 0);
      if (!shown) continue;
      const x = this.leftOf(label, wide * scale, camera);
      const y = (label.y - camera.y) * tall - LINE * scale;
      el.style.opacity = shown < 1 ? shown.toFixed(2) : "";
      put(el, x, y, scale);
    }
  }

  /**
   * The name of a stack stands over its words.
   * @param {Label} label @param {number} across CSS px @param {Camera} camera
   */
  leftOf({ kind, x }, across, camera) {
    const { across: zoom } = scales(camera);
    if (kind === "stack") return (this.ends.left - 8 - camera.x) * zoom - across;
    return (x - camera.x) * zoom - across / 2;
  }

  /** Where titles and symbols would lie over each other, the titles stay. @param {number} zoom */
  titledParts(zoom) {
    const titles = this.placed.filter(({ label, wide }) => {
      const isTitle = label.kind === "part";
      return isTitle && shownBy("part", scaleOf(label, wide, zoom), label.room * zoom) > 0;
    });
    return new Set(titles.map(({ label }) => label.part));
  }

  /** @param {Camera} camera */
  placeWords(camera) {
    const { across: zoom, down: tall } = scales(camera);
    const left = (this.ends.left - 8 - camera.x) * zoom;
    const right = (this.ends.right + 8 - camera.x) * zoom;
    const text = Math.max(WORD.least, Math.min(WORD.most, LANE * tall * WORD.share)) / BASE;
    const room = Math.max(56, 84 * zoom);
    this.thin(Math.ceil(APART.words / (LANE * tall)));
    let gutter = 0;
    for (const { el, y, wide } of this.words) {
      if (isCrowded(el)) continue;
      const scale = Math.min(text, room / wide);
      const across = wide * scale;
      const sticks = left - across < STICKS;
      if (sticks) gutter = Math.max(gutter, across + 2 * STICKS);
      el.classList.toggle("sticks", sticks);
      const at = (y - camera.y) * tall - (LINE * scale) / 2;
      put(el, sticks ? STICKS : left - across, at, scale);
    }
    // It begins to cover what is there only when the words do.
    gutter = Math.min(gutter, Math.max(0, gutter - left));
    setHidden(this.gutter, gutter === 0);
    this.gutter.style.width = `${gutter.toFixed(1)}px`;
    for (const { el, y, wide } of this.written) {
      if (isCrowded(el)) continue;
      const scale = Math.min(text, room / Math.max(1, wide));
      const at = (y - camera.y) * tall - (LINE * scale) / 2;
      put(el, right, at, scale);
    }
  }

  /**
   * Show one of so many words, and that of the lane that is followed in any case.
   * @param {number} every
   */
  thin(every) {
    if (every === this.every) return;
    this.every = every;
    for (const { el, lane } of this.words) el.classList.toggle("crowded", lane.index % every > 0);
    for (const { el, row } of this.written) el.classList.toggle("crowded", row % every > 0);
  }

  /**
   * What the model would write now at each lane's end.
   * @param {MatrixStore} store
   * @returns {boolean} whether any word is another
   */
  write(store) {
    let isNews = false;
    for (const each of this.written) {
      const { el, row, right } = each;
      const word = likeliestWords(store, row, 1)?.best.at(0)?.word;
      if (word === undefined) continue;
      if (el.textContent === (word || "∅")) continue;
      isNews = true;
      setText(el, word || "∅");
      el.classList.toggle("other", word !== right);
      el.setAttribute("aria-label", `writes ${word || "∅"}: follow what writes it`);
      if (this.isMeasured) each.wide = el.offsetWidth;
    }
    return isNews;
  }

  /** How far the last edit moved each part. @param {Map<string, number>} parts shares of 1 */
  tint(parts) {
    for (const { el, label } of this.placed)
      if (label.kind === "part")
        el.style.setProperty("--tint", `${Math.round(100 * (parts.get(label.part) ?? 0))}%`);
  }

  /** @param {Lane | null} lane that is followed */
  follow(lane) {
    for (const { el, lane: own } of this.words) {
      const isIt = lane !== null && own.stack === lane.stack && own.index === lane.index;
      el.setAttribute("aria-pressed", String(isIt));
    }
  }

  /**
   * Let words stand out with their rows, and the others step back.
   * @param {(lane: Lane, end: "read" | "written") => number | null} strengthOf 0 … 1; null: nothing
   *   stands out
   */
  emphasize(strengthOf) {
    /** @param {HTMLElement} el @param {number | null} strength */
    const show = (el, strength) => {
      el.classList.toggle("strong", strength !== null && strength >= STRONG);
      el.classList.toggle("quiet", strength !== null && strength < STRONG);
    };
    for (const { el, lane } of this.words) show(el, strengthOf(lane, "read"));
    for (const { el, row, stack } of this.written)
      show(el, strengthOf({ stack, index: row }, "written"));
  }
}

/**
 * The title of a part in full and in short, both with the number of its layer.
 * @param {string} title @param {PartEntry} part
 * @returns {Wording[]}
 */
function wordingsOf(title, { kind, layer }) {
  const short = layer ? `${SHORT[kind]} ${layer + 1}` : SHORT[kind];
  return [title, short].map((text) => ({ text, wide: 1 }));
}

/** In full where there is room for it. @param {Placed} placed @param {number} zoom */
function word(placed, zoom) {
  const { el, label, wordings } = placed;
  const [full, short] = wordings;
  const fits = scaleOf(label, full.wide, zoom) * BASE >= LEAST.part + FADE;
  const chosen = fits || short.wide > full.wide ? full : short;
  placed.wide = chosen.wide;
  setText(el, chosen.text);
}

/** @type {ReadonlySet<string>} */
const NONE = new Set();

/** @param {Label} label @param {number} wide CSS px as it is set @param {number} zoom */
function scaleOf({ kind, room }, wide, zoom) {
  const size = Math.max(9, Math.min(16, 12.5 * zoom ** 0.45)) / BASE;
  if (kind === "stack") return size;
  const inside = kind === "formula" ? room * BETWEEN : room; // those of two parts stand apart
  return Math.min(kind === "symbol" ? size * SYMBOL : size, (inside * zoom) / wide);
}

/** @param {Label["kind"]} kind @param {number} scale @param {number} room CSS px */
function shownBy(kind, scale, room) {
  if (kind === "stack") return 1;
  const least = LEAST[kind];
  return room < 6 ? 0 : Math.max(0, Math.min(1, (scale * BASE - least) / FADE));
}

/**
 * Not shown for want of room, nor followed, nor reached by the keyboard.
 * @param {HTMLElement} el
 */
const isCrowded = (el) =>
  el.classList.contains("crowded") &&
  el.getAttribute("aria-pressed") !== "true" &&
  !el.matches(":focus");

/** @param {HTMLElement} el @param {boolean} hidden */
function setHidden(el, hidden) {
  if (el.hidden !== hidden) el.hidden = hidden;
}

/** @param {HTMLElement} el @param {number} x @param {number} y @param {number} scale */
function put(el, x, y, scale) {
  el.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) scale(${scale.toFixed(3)})`;
}
