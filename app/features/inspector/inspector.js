/** Shows the inspector: the selected number, its computation, and controls that change it. */

import { announce } from "../../components/shared/announce.js";
import { asControl } from "../../components/shared/control.js";
import { oncePerFrame } from "../../components/shared/dom.js";
import { adoptMathStyles } from "../../components/shared/katex.js";
import { bindKeys } from "../../components/shared/keys.js";
import { html } from "../../components/shared/lit-html.js";
import { onChange, onMessage, untilRemoved } from "../../components/shared/model.js";
import { classes, drawn } from "../../components/shared/template.js";
import { CellView } from "./cell_view.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 * @import {CellDetails, Curve, GradientDetails, Words} from "./types.js"
 *
 * @typedef {object} Properties see inspector.py
 * @property {CellDetails} details @property {"scientific" | "decimal"} numbers
 * @property {Curve | {coming?: boolean}} curve @property {Words | {coming?: boolean}} words
 * @property {boolean} wishes @property {boolean} locked
 * @property {[amplitude: number, period: number] | []} swing @property {boolean} reach
 * @property {[row: number, column: number]} watched
 */

/**
 * @param {{path?: string, i?: number, j?: number}} a
 * @param {{path?: string, i?: number, j?: number}} b
 */
const isSame = (a, b) => a.path === b.path && a.i === b.i && a.j === b.j;

/** @param {Component<Properties>} component */
export function render({ model }) {
  const cell = new CellView(model);
  const { node } = drawn(
    () => html`<div class=${classes("control inspector", model.locked && "locked")}
      data-part="panel">${cell.node}</div>`,
  );

  const take = () => {
    adoptMathStyles(node);
    const { details } = model;
    cell.take(details, model.numbers);
  };
  const show = () => cell.show();

  const signal = untilRemoved(model);
  document.addEventListener("tinkerformer:frame", oncePerFrame(show), { signal });
  document.addEventListener("tinkerformer:ready", show, { signal });
  document.addEventListener("tinkerformer:scenario", () => cell.gradient.renew(), { signal });
  document.addEventListener("tinkerformer:orbit", ({ detail }) => cell.swinging(detail.on), {
    signal,
  });

  const later = oncePerFrame(take);
  const arrived = focusWhenAsked(cell, signal);
  model.on("details", () => {
    later();
    arrived();
  });
  model.on("numbers", later);
  model.on("swing", later);
  const takeCurve = () => cell.takeCurve(model.curve);
  onChange(model, ["curve"], takeCurve);
  const takeWords = () => cell.takeWords(model.words);
  onChange(model, ["words"], takeWords);
  onMessage(model, (/** @type {{type: "gradient"} & GradientDetails} */ message) => {
    if (message.type === "gradient") cell.gradient.answered(message);
  });
  const offer = () => cell.wish.offer(model.wishes && !model.locked);
  model.on("wishes", offer);
  model.on("reach", () => cell.draw());
  returnByEscape(node, cell);

  take();
  takeCurve();
  takeWords();
  offer();
  return asControl(model, node);
}

/**
 * Moves the focus to the selected number on request.
 * @param {CellView} cell @param {AbortSignal} signal
 * @returns {() => void} the function to call when the cell's details arrive from Python, a moment
 *   after the selection; it moves the focus if that was requested earlier
 */
function focusWhenAsked(cell, signal) {
  let isAwaited = false;
  const focus = () => {
    const selected = window.tinkerformer?.selection() ?? null;
    isAwaited = selected !== null && !isSame(selected, cell.details);
    if (!isAwaited) cell.focus();
  };
  document.addEventListener("tinkerformer:focus-inspector", focus, { signal });
  // If the user acts in the meantime, do not move the focus.
  const goOn = () => {
    isAwaited = false;
  };
  for (const type of ["keydown", "pointerdown"])
    document.addEventListener(type, goOn, { signal, capture: true });
  return () => {
    if (isAwaited) requestAnimationFrame(() => requestAnimationFrame(focus));
  };
}

/** Binds Escape, which returns to the board. @param {HTMLElement} node @param {CellView} cell */
function returnByEscape(node, cell) {
  let isPressed = false; // whether the last action in the inspector was a pointer press
  const press = () => {
    isPressed = true;
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape") isPressed = false;
  };
  node.addEventListener("pointerdown", press, { capture: true });
  node.addEventListener("keydown", key, { capture: true });
  const leave = () => {
    const isLetGo = isPressed; // after a press, Escape does not return to the board
    isPressed = false;
    if (!cell.details.path || isLetGo) return false;
    announce("focus-board");
    return true;
  };
  const does = "back to the number in its matrix";
  bindKeys(node, "In the inspector", [{ keys: ["Escape"], does, run: leave }]);
}
