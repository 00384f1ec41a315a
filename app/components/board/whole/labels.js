/**
 * The words of the whole picture: titles, symbols, formulas, and at the ends of the lanes the words
 * that are read and written. They are elements over the canvas, so that they are crisp at any
 * distance, can be pressed, and are found by a screen reader.
 */

import { make, setText } from "../../shared/dom.js";
import { typeset } from "../../shared/katex.js";
import { likeliestWords } from "../stages/next_tokens.js";
import { LANE, LANE_GAP } from "./plan.js";

/**
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {PartEntry, WholeEntry} from "../data/types.js"
 * @import {Camera} from "./camera.js"
 * @import {Label, Plan} from "./plan.js"
 */

/** CSS px of room below which a kind of label is not there, and from which it is all there. */
const SHOWS = {
  stack: [0, 1],
  part: [26, 34],
  strip: [20, 30],
  symbol: [13, 18],
  sign: [7, 10],
  formula: [250, 330],
};
const WORD = { least: 7.5, most: 14, share: 0.64 };
const STICKS = 6; // CSS px from the edge of the view

/** @typedef {{stack: string, index: number}} Lane */
/**
 * @typedef {object} LabelActions
 * @property {(part: PartEntry, far: boolean) => void} open a part was pressed, by key from afar
 * @property {(part: PartEntry) => void} read as formulas
 * @property {(lane: Lane) => void} follow
 * @property {(row: number) => void} look at the probabilities of a lane's next word
 */

export class Labels {
  /** @param {LabelActions} actions */
  constructor(actions) {
    this.actions = actions;
    this.el = make("div", { class: "labels" });
    this.placed = /** @type {{el: HTMLElement, label: Label}[]} */ ([]);
    this.words = /** @type {{el: HTMLButtonElement, lane: Lane, y: number}[]} */ ([]);
    this.written = /** @type {{el: HTMLButtonElement, right: string, row: number, y: number}[]} */ (
      []
    );
    this.ends = { left: 0, right: 0 };
  }

  /** @param {WholeEntry} entry @param {Plan} plan */
  show(entry, plan) {
    const parts = new Map(entry.parts.map((part) => [part.id, part]));
    const focused = this.focusedName();
    this.placed = plan.labels.map((label) => ({
      label,
      el: this.element(label, parts.get(label.part)),
    }));
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
            title: `Follow “${word}” through the model`,
            onclick: () => this.actions.follow(lane),
          },
          word || "∅",
        );
        this.words.push({ el, lane, y });
        if (index < right.length) {
          const out = make("button", {
            type: "button",
            class: "written",
            title: "What the model writes here: look at its probability",
            onclick: () => this.actions.look(index),
          });
          this.written.push({ el: out, right: right[index], row: index, y });
        }
      });
    }
    this.ends = {
      left: Math.min(...[...plan.lanes.values()].map(({ left }) => left)),
      right: Math.max(...[...plan.lanes.values()].map(({ right }) => right)),
    };
    const all = [...this.words, ...this.placed, ...this.written];
    this.el.replaceChildren(...all.map(({ el }) => el));
    if (focused) {
      const again = all.find(({ el }) => el.getAttribute("aria-label") === focused);
      again?.el.focus({ preventScroll: true });
    }
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
    const el = make("span", { class: `label ${kind}` });
    if (tex) typeset(el, text);
    else el.textContent = text;
    return el;
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
        class: "label part",
        "aria-label": `${text}, part of the ${part.stack}`,
        "aria-expanded": unfolds ? String(unfolded) : null,
        title: unfolds ? `${text}${count}. ${how}; Enter goes near.` : `${text}${count}`,
        // A press of Enter on a button is a click without a count.
        onclick: (/** @type {MouseEvent} */ event) => this.actions.open(part, event.detail === 0),
      },
      text,
    );
  }

  /** @param {Camera} camera @param {number} width CSS px of the view */
  place(camera, width) {
    const { zoom } = camera;
    for (const { el, label } of this.placed) {
      const room = label.room * zoom;
      const [from, to] = SHOWS[label.kind];
      const opacity = Math.max(0, Math.min(1, (room - from) / (to - from)));
      el.hidden = opacity === 0;
      if (!opacity) continue;
      let x = (label.x - camera.x) * zoom;
      if (label.kind === "stack") x = Math.max(STICKS, x);
      const y = (label.y - camera.y) * zoom;
      el.style.opacity = opacity < 1 ? opacity.toFixed(2) : "";
      el.style.maxWidth = `${Math.max(24, room)}px`;
      const size = Math.max(9, Math.min(el.classList.contains("strip") ? 14 : 15, 12.5 * zoom ** 0.4));
      el.style.fontSize = `${size.toFixed(1)}px`;
      const anchor = label.kind === "stack" ? "0" : "-50%";
      el.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(${anchor}, -100%)`;
    }
    const size = Math.max(WORD.least, Math.min(WORD.most, LANE * zoom * WORD.share));
    const left = Math.max(STICKS, (this.ends.left - 8 - camera.x) * zoom);
    const right = Math.min(width - STICKS, (this.ends.right + 8 - camera.x) * zoom);
    const sticksLeft = (this.ends.left - 8 - camera.x) * zoom < 70;
    const room = Math.max(40, 84 * Math.max(0.5, zoom));
    for (const { el, y } of this.words) {
      const at = (y - camera.y) * zoom;
      el.style.fontSize = `${size}px`;
      el.style.maxWidth = `${room}px`;
      el.classList.toggle("sticks", sticksLeft);
      const anchor = sticksLeft ? `${STICKS}px` : `calc(${left.toFixed(1)}px - 100%)`;
      el.style.transform = `translate(${anchor}, calc(${at.toFixed(1)}px - 50%))`;
    }
    const sticksRight = right > width - 50;
    for (const { el, y } of this.written) {
      const at = (y - camera.y) * zoom;
      el.style.fontSize = `${size}px`;
      el.style.maxWidth = `${room}px`;
      el.classList.toggle("sticks", sticksRight);
      const anchor = sticksRight ? `calc(${width - STICKS}px - 100%)` : `${right.toFixed(1)}px`;
      el.style.transform = `translate(${anchor}, calc(${at.toFixed(1)}px - 50%))`;
    }
  }

  /** What the model would write now at each lane's end. @param {MatrixStore} store */
  write(store) {
    for (const { el, row, right } of this.written) {
      const word = likeliestWords(store, row, 1)?.best.at(0)?.word;
      if (word === undefined) continue;
      setText(el, word || "∅");
      el.classList.toggle("other", word !== right);
      el.setAttribute("aria-label", `writes ${word || "∅"}: look at its probability`);
    }
  }

  /** @param {Lane | null} lane that is followed */
  follow(lane) {
    for (const { el, lane: own } of this.words) {
      const isIt = lane !== null && own.stack === lane.stack && own.index === lane.index;
      el.setAttribute("aria-pressed", String(isIt));
      el.classList.toggle("faded", lane !== null && !isIt);
    }
    for (const { el, row } of this.written) {
      const isIt = lane?.stack === "decoder" && row === lane.index;
      el.classList.toggle("faded", lane !== null && !isIt);
    }
  }
}
