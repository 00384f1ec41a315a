/** The board: takes messages, keeps the state, paints at most once a display frame. */

import { make } from "../shared/dom.js";
import { adoptMathStyles, typesetAgain } from "../shared/katex.js";
import { DECIMAL, decimalText, SCIENTIFIC, scientificText } from "../shared/number_format.js";
import { publish } from "./api.js";
import { Edits } from "./data/edit_queue.js";
import { Orbit } from "./data/orbit.js";
import { rememberedVisit, rememberVisit } from "./data/session_storage.js";
import { Windows } from "./data/viewports.js";
import { decode } from "./data/wire.js";
import { publishPictures } from "./export/picture.js";
import { Grids } from "./input/grid.js";
import { Hovers } from "./input/hover.js";
import { Keys } from "./input/shortcuts.js";
import { Watch } from "./input/visibility.js";
import { Theme } from "./paint/color.js";
import { Rings } from "./paint/rings.js";
import { Sprites } from "./paint/sprites.js";
import { Chooser } from "./stages/layer_chooser.js";
import { updateTree } from "./stages/reconcile.js";
import { Status } from "./stages/status_bar.js";

const TRAVEL_PATIENCE = 15000;

class Board {
  constructor(model, el) {
    this.model = model;
    this.ready = false;
    this.frames = 0;
    this.stages = /** @type {Map<string, Stage>} */ (new Map());
    this.matrices = /** @type {Map<string, Matrix>} */ (new Map());
    this.byIndex = /** @type {Matrix[]} */ ([]);
    this.large = /** @type {Map<string, Matrix>} */ (new Map()); // the window on each large matrix
    this.viewOfGrid = /** @type {Map<Element, MatrixView>} */ (new Map());
    this.manifest = this.selection = this.pointed = this.orbit = this.scenario = null;
    this.view = { palette: "blue-red", scale: "fixed", numbers: "scientific", plane: "value" };
    this.dirty = /** @type {Set<MatrixView | Links>} */ (new Set());
    this.unacknowledged = this.reply = 0;
    this.room = 0;
    this.root = make("div", { class: "board" });
    this.article = make("div", { class: "article" });
    this.help = make(
      "p",
      { class: "unseen" },
      "Arrow keys move between cells and scroll the window on a large matrix, Page Up and Page Down between matrices. Enter selects, Escape deselects.",
    );
    this.help.id = "grid-help";
    this.edits = new Edits((message) => this.send(message));
    this.rings = new Rings(this);
    this.grids = new Grids(this);
    this.windows = new Windows(this);
    this.chooser = new Chooser(this);
    this.status = new Status(this);
    this.root.append(
      this.help,
      this.status.live,
      this.chooser.el,
      this.chooser.intro,
      this.article,
      this.status.el,
    );
    el.append(this.root);
    adoptMathStyles(this.root);
    this.theme = new Theme(this.root);
    this.watch = new Watch(this);
    this.keys = new Keys(this);
    this.hovers = new Hovers(this);
    this.drawn = new Map();
    this.whenMathIsThere();
    publish(this);
    publishPictures(this);
  }

  get notation() {
    return this.view.numbers === "decimal" ? DECIMAL : SCIENTIFIC;
  }
  /** Gradients are small and of many sizes: each matrix of them has a scale of its own. */
  get ownScales() {
    return this.view.scale === "matrix" || this.showsGradients;
  }
  get showsGradients() {
    return this.view.plane === "gradient";
  }
  /** In the cells. Two decimals would leave nothing of a gradient. */
  get cellNotation() {
    return this.showsGradients ? SCIENTIFIC : this.notation;
  }

  send(message) {
    this.model.send_msg(message);
  }

  announce(name, detail) {
    document.dispatchEvent(new CustomEvent(`tinkerformer:${name}`, { detail }));
  }

  /** @param {object} message from the server */
  receive(message) {
    switch (message.type) {
      case "manifest":
        this.show(message.manifest || JSON.parse(message.json));
        break;
      case "frame":
        this.acceptFrame(message);
        break;
      case "move":
        this.acceptMove(message);
        break;
      case "orbit":
        this.acceptOrbit(message);
        break;
      case "orbit_end":
        this.endOrbit();
        break;
      case "selection":
        this.acceptSelection(message);
        break;
      case "view":
        this.acceptView(message);
        break;
      case "notice":
        this.status.show(message.text);
        break;
      case "scenario":
        this.scenario = message.scenario;
        rememberVisit(message.scenario);
        this.announce("scenario", null);
        break;
      case "baseline":
        this.acceptBaseline(message);
        break;
      case "preview":
        this.rings.preview(message);
        this.hovers.answered();
        break;
    }
  }

  show(manifest) {
    this.endOrbit();
    this.pointed = null;
    this.rings.point(null, null);
    updateTree(this, manifest);
    this.dirty.clear(); // some of these views are gone; those that stay are all painted anew below
    this.status.explain(manifest.hint);
    this.layOut();
    this.watch.renew();
    this.touchAll();
    this.arrive();
  }

  /** Another part of a matrix is to be drawn, from when its values are here. */
  acceptMove({ index, json }) {
    const matrix = this.byIndex[index];
    if (matrix) matrix.coming = { ...matrix.coming, ...JSON.parse(json) };
  }

  /** The values of what was to come have come. @param {Matrix} matrix */
  changeOver(matrix) {
    const { coming } = matrix,
      old = matrix.path;
    if (!coming) return;
    matrix.coming = matrix.baseline = null;
    for (const entry of this.manifest.matrices)
      if (entry.path === old) Object.assign(entry, coming);
    if (coming.path !== old) {
      this.matrices.delete(old);
      matrix.path = coming.path;
      this.matrices.set(matrix.path, matrix);
    }
    for (const view of matrix.views) {
      view.relabeled?.();
      if (view.overview) this.grids.arrived(view);
    }
    if (matrix.entry.overview) this.windows.arrived();
    this.rings.show();
    if (this.grids.focused) this.rings.focus(this.grids.focused);
  }

  acceptFrame({ bytes }) {
    const frame = decode(bytes);
    // A frame for another structure has nothing to show, but is acknowledged all the same.
    if (frame.version === this.manifest?.version)
      for (const { index, rows, cols, values, flags, gradients } of frame.entries) {
        const matrix = this.byIndex[index];
        if (!matrix || matrix.rows !== rows || matrix.cols !== cols) continue;
        this.orbit?.frames.delete(matrix);
        this.changeOver(matrix);
        matrix.accept(values, flags, gradients);
        this.touchMatrix(matrix);
      }
    this.acknowledgeAfterPaint(frame);
  }

  /** What matrices were when the visitor pinned them; without bytes nothing is pinned. */
  acceptBaseline({ bytes }) {
    if (!bytes) {
      for (const matrix of this.byIndex) matrix.baseline = null;
    } else {
      const { version, entries } = decode(bytes);
      if (version !== this.manifest?.version) return;
      for (const { index, rows, cols, values } of entries) {
        const matrix = this.byIndex[index];
        if (matrix && matrix.rows === rows && matrix.cols === cols) matrix.baseline = values;
      }
    }
    this.touchAll();
  }

  acceptOrbit(message) {
    const orbit = decode(message.bytes);
    if (orbit.version === this.manifest?.version) {
      const frames = new Map();
      for (const { index, rows, cols, values, gradients } of orbit.entries) {
        const matrix = this.byIndex[index];
        if (!matrix || matrix.rows !== rows || matrix.cols !== cols) continue;
        this.changeOver(matrix);
        frames.set(matrix, { values, gradients });
      }
      if (this.orbit?.isSame(message)) {
        for (const [matrix, planes] of frames) this.orbit.frames.set(matrix, planes);
      } else {
        const swept = this.windows.cell(message.path, message.i, message.j);
        const value = swept?.matrix.values?.[swept.i * swept.matrix.cols + swept.j];
        const falling = this.orbit ? this.orbit.falling : false;
        this.orbit?.end();
        this.orbit = new Orbit(message, frames);
        this.orbit.startAt(value, falling);
        this.announce("orbit", {
          on: true,
          path: message.path,
          i: message.i,
          j: message.j,
          period: message.period,
        });
      }
      for (const [matrix, planes] of frames) {
        matrix.acceptOrbit(planes);
        this.orbit.turn(matrix);
        this.touchMatrix(matrix);
      }
    }
    this.acknowledgeAfterPaint(orbit);
  }

  endOrbit() {
    if (!this.orbit) return;
    const { path, i, j } = this.orbit;
    this.orbit.end();
    this.orbit = null;
    this.announce("orbit", { on: false, path, i, j });
  }

  oscillate(on, amplitude, period) {
    if (!on && this.orbit) this.orbit.held = true; // at once, not when the server has heard of it
    this.send({ type: "oscillate", on, amplitude, period });
  }

  acceptSelection({ path, i, j, operands }) {
    this.mark(path === null ? null : { path, i, j, operands: operands || [] });
  }

  isDrawn(path) {
    return this.matrices.has(path) || this.large.has(path);
  }

  /** Where the cell is not drawn yet, the server draws it and says that it is selected. */
  select(path, i, j) {
    if (path === null || this.isDrawn(path))
      this.mark(path === null ? null : { path, i, j, operands: [] });
    this.send({ type: "select", path, i, j });
  }

  mark(selection) {
    const old = this.selection;
    this.selection = selection;
    this.rings.show();
    for (const s of [old, selection])
      for (const [matrix] of s ? this.windows.parts(s.path, s.i, s.j, s.i, s.j) : [])
        for (const view of matrix.views) view.materialize?.();
    this.status.refresh();
    if (old?.path !== selection?.path || old?.i !== selection?.i || old?.j !== selection?.j)
      this.announce(
        "selection",
        selection && { path: selection.path, i: selection.i, j: selection.j },
      );
  }

  acceptView({ palette, scale, numbers, plane = "value" }) {
    this.view = { palette, scale, numbers, plane };
    this.root.classList.toggle("shows-change", plane === "change");
    this.root.classList.toggle("shows-gradient", this.showsGradients);
    // Those that were there may be of other values by the time they are shown again.
    if (!this.showsGradients) for (const matrix of this.byIndex) matrix.gradients = null;
    // The palette is the page's: a rule for [data-palette=safe] sets the custom properties.
    document.documentElement.dataset.palette = palette;
    this.root.dataset.scale = this.ownScales ? "matrix" : "fixed";
    this.themed();
    this.announce("view", { ...this.view });
  }

  themed() {
    this.theme = new Theme(this.root);
    this.drawn.clear();
    this.touchAll();
  }

  spokenNumber(v) {
    return this.notation === DECIMAL && v !== undefined ? decimalText(v) : scientificText(v);
  }

  /** Sprites depend on the size of the text and on the theme only, so views share them. */
  spritesFor(style, ratio) {
    const key = `${style.mode} ${style.cell} ${style.head} ${ratio}`;
    if (!this.drawn.has(key)) this.drawn.set(key, new Sprites(this.theme, style, ratio));
    return this.drawn.get(key);
  }

  // -- where things are ----------------------------------------------------------------------------------------------

  layOut() {
    this.room = this.article.clientWidth;
    if (!this.room) return;
    this.chooser.stick();
    for (const stage of this.stages.values()) stage.layOut(this.room);
    this.rings.show();
    if (this.grids.focused) this.rings.focus(this.grids.focused);
  }

  resized(zoomed = false) {
    if (!zoomed && this.article.clientWidth === this.room) return;
    // What the reader looks at stays where it is, though everything above it becomes taller or shorter.
    const wasShown = this.room > 0 && this.article.clientWidth > 0;
    const anchor = wasShown ? this.stages.get(this.stageInSight)?.el : undefined,
      before = anchor?.getBoundingClientRect().top;
    this.layOut();
    if (anchor) scrollBy({ top: anchor.getBoundingClientRect().top - before, behavior: "instant" });
    this.touchAll();
  }

  /** The place of a matrix to show: one on screen if there is one, else the first that is not hidden. */
  placeOf(matrix) {
    const places = [...matrix.views].filter((view) => view.grid && view.grid.isConnected);
    return (
      places.find((v) => v.near && v.el.offsetParent) ||
      places.find((v) => v.el.offsetParent) ||
      places[0]
    );
  }

  /** @returns {{view: MatrixView, y: number, x: number}} where the cell is drawn, or will be when its window has come */
  bringIntoView(path, row, column) {
    const matrix = this.large.get(path) || this.matrices.get(path),
      view = this.placeOf(matrix);
    if (!view || !this.article.clientWidth) throw new Error(`${path} is not in the open view`);
    let i = row,
      j = column;
    if (matrix.entry.overview) {
      this.windows.reveal(path, i, j);
      const place = this.windows.place(path);
      i -= place.row;
      j -= place.column;
    }
    if (!view.el.offsetParent && typeof matrix.entry.head === "number")
      this.chooseHead(view.stage.spec.id, matrix.entry.head);
    const box = view.boxOf(i, j),
      top = view.sheet.getBoundingClientRect().y + box.y - view.window.scrollTop;
    if (top < 80 || top > innerHeight - 140)
      view.el.scrollIntoView({ block: "center", behavior: "instant" });
    view.reveal(i, j);
    return { view, y: i, x: j };
  }

  showCell(path, i, j) {
    this.select(path, i, j);
    if (this.isDrawn(path)) this.bringIntoView(path, i, j);
    else this.travelTo({ path, i, j });
  }

  /** What is not drawn yet is gone to when it is; of several such wishes to the last. */
  travelTo(destination) {
    this.destination = destination;
    setTimeout(() => {
      if (this.destination === destination) this.destination = null;
    }, TRAVEL_PATIENCE);
  }

  /** After a new manifest: to where the reader wanted to go, if it is drawn now. */
  arrive() {
    const { stage, path, i, j } = this.destination || {};
    if (!(stage ? this.stages.has(stage) : path && this.isDrawn(path)) || !this.room) return;
    this.destination = null;
    if (stage) this.goTo(stage);
    else this.bringIntoView(path, i, j);
  }

  goTo(id) {
    const stage = this.stages.get(id);
    if (!stage && this.manifest?.choices.length) {
      this.travelTo({ stage: id });
      this.send({ type: "goto", place: id });
      return true;
    }
    if (!stage || !stage.el.offsetParent || !this.room) return false;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    stage.el.scrollIntoView({ block: "start", behavior: calm ? "instant" : "smooth" });
    stage.title.focus({ preventScroll: true });
    return true;
  }

  chooseHead(id, k) {
    const stage = this.stages.get(id);
    if (!stage) return;
    stage.showHead(k);
    this.layOut();
    this.touchAll();
  }

  // -- painting ------------------------------------------------------------------------------------------------------

  touch(view) {
    this.dirty.add(view);
    this.schedule();
  }

  touchMatrix(matrix) {
    for (const view of matrix.views) this.dirty.add(view);
    this.schedule();
  }

  touchAll() {
    for (const matrix of this.byIndex)
      for (const view of matrix.views) {
        view.repaint = true;
        this.dirty.add(view);
      }
    this.schedule();
  }

  acknowledgeAfterPaint({ seq, reply }) {
    this.unacknowledged = seq;
    this.reply = reply;
    this.schedule();
  }

  schedule() {
    this.request ||= requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    this.request = 0;
    const news = this.unacknowledged > 0;
    let painted = false;
    if (this.orbit) {
      // Counts as painted even with nothing of it on screen: the rest of the page follows it, too.
      painted = this.orbit.advance(now);
      if (painted) for (const matrix of this.orbit.frames.keys()) this.touchMatrix(matrix);
      this.schedule();
    }
    for (const view of this.dirty) painted = view.paint() || painted;
    this.dirty.clear();
    if (painted || news) {
      this.frames += 1;
      if (this.selection || this.pointed || this.grids.focused) this.status.refresh();
      if (news) {
        if (!this.edits.painted(this.reply, this.unacknowledged))
          this.send({ type: "ack", seq: this.unacknowledged });
        this.unacknowledged = 0;
        if (this.grids.focused && !this.orbit) this.grids.focused.materialize();
        if (!this.ready && this.byIndex.some((matrix) => matrix.values)) {
          this.ready = true;
          this.announce("ready", null);
        }
      }
      this.announce("frame", { frames: this.frames });
    }
  }

  /** KaTeX may arrive after the board. */
  whenMathIsThere(tries = 100) {
    if (window.katex) {
      typesetAgain(this.root);
      adoptMathStyles(this.root);
    } else if (tries) this.mathTimer = setTimeout(() => this.whenMathIsThere(tries - 1), 100);
  }

  remove() {
    cancelAnimationFrame(this.request);
    clearTimeout(this.mathTimer);
    clearTimeout(this.status.timer);
    this.keys.remove();
    this.watch.remove();
  }
}

/** The board of this document; a component that is rendered again replaces it. */
let current = null;

export function render({ model, el }) {
  current?.remove();
  const board = (current = new Board(model, el));
  model.on("msg:custom", (message) => {
    if (current === board) board.receive(message);
  });
  model.on("remove", () => {
    board.remove();
    if (current === board) current = null;
  });
  board.send({ type: "ready", ...rememberedVisit() });
}
