/**
 * The whole model as one zoomable picture: the same matrices, orbits, selection and planes as the
 * stages, laid out on the lanes of the tokens.
 */

import { make } from "../../shared/dom.js";
import { DragHint } from "./drag_hint.js";
import { Drawing } from "./drawing.js";
import { Followed } from "./followed.js";
import { Gestures } from "./gestures.js";
import { Labels } from "./labels.js";
import { LensWords } from "./lens_words.js";
import { LinkKey } from "./link_key.js";
import { PictureCanvas } from "./picture_canvas.js";
import { PlaceLine } from "./place_line.js";
import { SharedGrid } from "./shared_grid.js";
import { Sight } from "./sight.js";
import { Silences } from "./silences.js";
import { SmallMap } from "./small_map.js";
import { Unfolding } from "./unfolding.js";
import { Viewpoint } from "./viewpoint.js";
import { WindowHeight } from "./window_height.js";

/**
 * @import {LookMessage} from "../data/messages.js"
 * @import {WholeEntry} from "../data/types.js"
 * @import {Picture, WholeServices} from "./picture_grid.js"
 */

/**
 * @typedef {object} WholeActions
 * @property {(indices: number[]) => void} onNear matrices that are in sight
 * @property {(name: "camera" | "followed" | "unfolded", value: (string | number)[] | null) => void}
 *   place the reader is elsewhere
 * @property {(stage: string) => void} read
 * @property {() => boolean} holds whether a drag changes a number, and does not move the ground
 * @property {() => void} onFollow another word is followed, or none
 * @property {() => void} onCovered a sheet lies over half of a narrow page
 * @property {() => void} onMoved the camera: rings lie elsewhere
 */

export class Whole {
  /** @param {WholeServices} services @param {WholeActions} actions */
  constructor(services, actions) {
    this.services = services;
    this.actions = actions;
    this.entry = /** @type {WholeEntry | null} */ (null);
    this.drawing = /** @type {Drawing | null} */ (null);
    this.tinted = -1; // up to which of the changes
    this.el = make("div", { class: "whole", hidden: true });
    this.viewpoint = new Viewpoint(this.el, () => this.changed());
    this.canvas = new PictureCanvas(
      services,
      this.viewpoint,
      () => this.labels.place(),
      () => this.placeOthers(),
    );
    this.shared = new SharedGrid(this.canvas.el, this.viewpoint, services.cursors);
    this.sight = new Sight(services, this.viewpoint, {
      onNear: actions.onNear,
      keep: (camera) => actions.place("camera", camera),
    });
    this.unfolding = new Unfolding(this.viewpoint, (parts) => actions.place("unfolded", parts));
    this.followed = new Followed(
      (lane) => actions.place("followed", lane),
      () => this.showFollowed(),
    );
    this.labels = new Labels(this.viewpoint, {
      open: (part, isKey) => this.unfolding.open(part, isKey),
      read: (part) => actions.read(part.stage),
      follow: (lane) => this.followed.follow(lane),
    });
    this.labels.band.append(this.canvas.names.el);
    this.map = new SmallMap(this.viewpoint, () => services.appearance.theme);
    this.line = new PlaceLine(this.viewpoint);
    this.silences = new Silences(services, this.shared.grid);
    this.lens = new LensWords();
    this.key = new LinkKey(() => this.viewpoint.changed());
    this.hint = new DragHint(this.el);
    this.el.append(
      this.shared.grid,
      this.labels.el,
      this.silences.el,
      this.lens.el,
      this.hint.el,
      this.map.el,
    );
    this.bar = make(
      "div",
      { class: "picture-bar" },
      this.zoomButtons(),
      this.line.el,
      this.lens.note,
      this.key.el,
    );
    this.gestures = new Gestures(this.el, {
      camera: () => this.viewpoint.camera,
      box: () => this.viewpoint.box,
      least: () => this.viewpoint.fitted().zoom,
      move: (camera) => this.viewpoint.moveTo(camera),
      fly: (camera) => this.viewpoint.fly(camera),
      fit: () => this.viewpoint.showAll(),
      holds: actions.holds,
      near: (event) => this.goNear(event),
    });
    // In the capture phase: a title or a word that has the focus takes no key of the camera's.
    const key = (/** @type {KeyboardEvent} */ event) => {
      if (this.gestures.key(event)) event.stopPropagation();
    };
    this.el.addEventListener("keydown", key, { capture: true });
    this.height = new WindowHeight(this.el, () => this.resized());
  }

  zoomButtons() {
    /** @param {string} label @param {string} text @param {string} key that does the same */
    const button = (label, text, key) => {
      const onclick = () => this.gestures.key(new KeyboardEvent("keydown", { key }));
      return make("button", { type: "button", "aria-label": label, title: label, onclick }, text);
    };
    return make(
      "div",
      { class: "zooming", role: "group", "aria-label": "Zoom" },
      button("Nearer (+)", "+", "+"),
      button("Farther (−)", "−", "-"),
      button("All of it (0)", "⤢", "0"),
    );
  }

  /** @param {WholeEntry | null} entry none: something else is shown */
  show(entry) {
    this.drawing?.remove();
    this.entry = entry;
    this.el.hidden = !entry;
    const { el, services, viewpoint, canvas, shared } = this;
    /** @type {Picture} */
    const picture = { el, services, viewpoint, canvas, shared, headAlone: () => this.key.head };
    this.drawing = entry && new Drawing(entry, picture);
    const plan = this.drawing?.plan ?? null;
    viewpoint.plan = plan;
    for (const part of [canvas, shared, this.sight]) part.show(this.drawing);
    this.silences.show(plan);
    this.line.show(entry);
    this.lens.show(plan);
    this.followed.show(entry);
    if (entry && plan) {
      this.key.show(Math.max(0, ...plan.links.map(({ item }) => item.lanes.length)));
      this.labels.show(entry, plan);
      this.showFollowed(); // its word may be another
    }
    this.unfolding.show(entry, plan);
  }

  /** Where the reader was when this was kept. @param {Omit<LookMessage, "type">} look */
  begin({ camera, followed }) {
    this.followed.begin(followed);
    this.viewpoint.begin(camera);
  }

  /** Where the reader is; its middle, in units of the picture. */
  get look() {
    const { middle, camera, isFitted } = this.viewpoint;
    const { lane: following } = this.followed;
    return {
      ...{ ...middle, zoom: camera.zoom, isAll: isFitted, following },
      unfolded: this.unfolding.ids,
    };
  }

  /** To what was pressed twice. @param {MouseEvent} event */
  goNear({ target, clientX, clientY }) {
    if (target instanceof Element && target.closest(".word, .written, .silences")) return;
    this.viewpoint.goNear(clientX, clientY);
  }

  /** The camera, the size or the structure is another. */
  changed() {
    this.canvas.renew();
    this.sight.moved();
  }

  resized() {
    if (!this.viewpoint.measure()) {
      // Shown again as large as before, maybe with labels that were made while it was hidden.
      if (this.entry) this.labels.place();
      return;
    }
    this.canvas.size();
    if (document.querySelector(".sheet")) this.actions.onCovered();
  }

  showFollowed() {
    this.labels.follow(this.followed.lane);
    this.actions.onFollow();
    this.viewpoint.changed();
  }

  /** After all was painted. */
  placeOthers() {
    this.map.paint();
    this.line.write();
    this.silences.place(this.viewpoint.camera);
    this.lens.place(this.viewpoint.camera, this.services.store);
    this.hint.place(this.viewpoint.camera);
    this.actions.onMoved();
  }

  /** After each display frame in which something was painted. */
  written() {
    const { drawing, labels } = this;
    if (!drawing) return;
    this.canvas.linkTime.paintLate();
    labels.write(this.services.store);
    labels.emphasize(this.services.wordStrength);
    this.showHint(drawing);
    this.tintParts(drawing);
  }

  /** Point at one number of the word that is read most. @param {Drawing} drawing */
  showHint({ tiles }) {
    const { hint, entry } = this;
    if (hint.isOver || !entry) return;
    const origin = this.services.origin();
    const tile = tiles.find(({ matrix, kind }) => matrix === origin?.matrix && kind === "cells");
    const lanes = entry.stacks.find(({ stack }) => stack === tile?.placed.stack);
    const word = lanes?.words[origin?.i ?? 0];
    const cell = tile && origin && word ? { tile, i: origin.i, j: origin.j, word } : null;
    hint.show(cell, this.viewpoint.camera);
  }

  /** How far the last edit moved each part. @param {Drawing} drawing */
  tintParts({ tiles }) {
    const { trail } = this.services;
    if (this.tinted === trail.changes) return;
    this.tinted = trail.changes;
    /** @type {Map<string, number>} */
    const parts = new Map();
    for (const { placed, matrix } of tiles) {
      let most = parts.get(placed.part) ?? 0;
      for (let i = 0; i < matrix.rows; i++) most = Math.max(most, trail.tint(matrix, i));
      parts.set(placed.part, most);
    }
    this.labels.tint(parts);
  }

  remove() {
    this.show(null);
    this.height.remove();
    this.sight.remove();
    this.labels.remove();
    this.viewpoint.stop();
    this.gestures.remove();
  }
}
