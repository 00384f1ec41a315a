/** The board: takes messages, keeps the state, paints at most once a display frame. */

import { make } from "../shared/dom.js";
import { adoptMathStyles, typesetAgain } from "../shared/katex.js";
import { onMessage } from "../shared/model.js";
import { apiOf } from "./api.js";
import { Cursors } from "./data/cursors.js";
import { EditQueue } from "./data/edit_queue.js";
import { MatrixStore } from "./data/matrix_store.js";
import { Orbit } from "./data/orbit.js";
import { openPastedLink, TabMemory } from "./data/tab_memory.js";
import { Trail } from "./data/trail.js";
import { Viewports } from "./data/viewports.js";
import { decode } from "./data/wire.js";
import { Pictures } from "./export/picture.js";
import { Grids } from "./input/grid.js";
import { Hover } from "./input/hover.js";
import { Landing } from "./input/landing.js";
import { Scrub } from "./input/scrub.js";
import { Shortcuts } from "./input/shortcuts.js";
import { SpokenCells } from "./input/spoken_cells.js";
import { Visibility } from "./input/visibility.js";
import { Appearance } from "./paint/appearance.js";
import { Flash } from "./paint/flash.js";
import { Painter } from "./paint/painter.js";
import { Rings } from "./paint/rings.js";
import { LayerChooser } from "./stages/layer_chooser.js";
import { reconcile } from "./stages/reconcile.js";
import { isOfHead, Stage, stageKey } from "./stages/stage.js";
import { StatusBar } from "./stages/status_bar.js";
import { Tip } from "./stages/tip.js";
import { Whole } from "./whole/whole.js";

/**
 * @import {Connection} from "../shared/model.js"
 * @import {Matrix} from "./data/matrix.js"
 * @import {
 *   BaselineMessage, CellOf, FrameMessage, FromBoard, Manifest, MoveMessage, Operand, OrbitMessage,
 *   SelectionMessage, ToBoard, ViewMessage,
 * } from "./data/types.js"
 * @import {WireEntry} from "./data/wire.js"
 * @import {GridView} from "./paint/view.js"
 * @import {StageServices} from "./stages/stage.js"
 */

/**
 * Whoever asks for what is not drawn yet is taken there when it is, if that is within so many ms.
 */
const DESTINATION_MS = 15_000;
const MATH_MS = 100;
const MATH_TRIES = 100;
const LINKS_STAGE = "attention.links";
const HELP =
  "Arrow keys move between cells and scroll the window on a large matrix, Page Up and Page Down " +
  "between matrices. Enter selects, Escape deselects.";

export class Board {
  /** @param {Connection} model @param {HTMLElement} el */
  constructor(model, el) {
    this.model = model;
    this.ready = false;
    this.memory = new TabMemory();
    this.showsSelection = false;
    this.frames = 0;
    this.near = /** @type {Set<number>} */ (new Set());
    this.room = 0;
    this.unacknowledged = this.reply = 0;
    this.mathTimer = 0;
    this.scenario = /** @type {string | null} */ (null);
    this.stageInSight = /** @type {string | undefined} */ (undefined);
    this.destination = /** @type {CellOf | {stage: string} | null} */ (null);
    this.stages = /** @type {Map<string, Stage>} */ (new Map());
    this.orbit = /** @type {Orbit | null} */ (null);
    this.article = make("div", { class: "article" });
    this.root = make("div", { class: "board" });
    el.append(this.root);
    adoptMathStyles(this.root);

    const send = (/** @type {FromBoard} */ message) => this.send(message);
    this.store = new MatrixStore();
    this.trail = new Trail(this.store);
    this.cursors = /** @type {Cursors<GridView>} */ (new Cursors());
    this.edits = new EditQueue(send);
    this.viewports = new Viewports(this.store, send, (path) => this.showFrames(path));
    this.appearance = new Appearance(this.root);
    this.painter = new Painter((now) => this.tick(now));
    this.flash = new Flash(this.store, this.trail, this.painter);
    this.cells = new SpokenCells(this.painter);
    this.rings = new Rings(this.store, this.painter, this.cursors);
    this.status = new StatusBar(this.store, this.cursors, this.appearance, () =>
      this.whole.follow(null),
    );
    this.tip = new Tip(this.root, this.cursors, this.appearance);
    this.chooser = new LayerChooser(send, this.root);
    this.landing = new Landing();
    this.hover = new Hover(send, () => this.orbit !== null);
    this.grids = new Grids(this.root, {
      store: this.store,
      cursors: this.cursors,
      viewports: this.viewports,
      rings: this.rings,
      status: this.status,
      tip: this.tip,
      hover: this.hover,
      select: (cell) => this.select(cell),
      placeOf: (path, i, j) => this.placeOf(path, i, j),
    });
    this.scrub = new Scrub(this.root, {
      viewOf: (event) => this.grids.viewOf(event),
      begin: () => {
        if (this.orbit) this.oscillate(false, null, null);
      },
      select: (view, at, cell) => {
        this.grids.moveTo(view, at.i, at.j, true);
        if (!this.cursors.isSelected(cell)) this.select(cell);
      },
      set: ({ path, i, j }, value) => this.edits.set(path, i, j, value),
      restore: (cell) => this.restore(cell),
      unpoint: () => this.grids.point(null, null),
    });
    this.shortcuts = new Shortcuts(send);
    this.visibility = new Visibility(this.article, {
      onNear: (indices) => this.sendVisible(indices),
      onStage: (id) => this.reads(id),
      onResize: (zoomed) => this.resized(zoomed),
    });
    this.pictures = new Pictures(this.root, this.store, this.appearance, (id) => {
      const stage = this.stages.get(id);
      if (!stage) throw new Error(`no stage ${id}`);
      const { spec, head } = stage;
      return { spec, isShown: (entry) => isOfHead(entry, spec, head) };
    });
    /** @type {StageServices} */
    this.services = {
      store: this.store,
      appearance: this.appearance,
      painter: this.painter,
      cursors: this.cursors,
      viewports: this.viewports,
      trail: this.trail,
      flash: () => (this.orbit ? 0 : this.flash.strength),
      following: () => this.whole.following,
      send,
      say: (text) => this.status.say(text),
      unpoint: () => this.grids.point(null, null),
      showLinks: () => this.showLinks(),
      chooseHead: (id, head) => this.chooseHead(id, head),
    };

    this.whole = new Whole(this.services, {
      onNear: (indices) => this.sendVisible(indices),
      onMoved: () => this.placeRings(),
      onFollow: () => this.showFollowed(),
      onCovered: () => this.showSelected(),
      holds: (dx, dy) => this.scrub.takes(dx, dy),
      place: (name, value) => send({ type: "place", name, value }),
      read: (id) => this.read(id),
      look: (row) => this.look(row),
    });

    this.root.append(
      make("p", { class: "unseen", id: "grid-help" }, HELP),
      this.status.live,
      this.chooser.el,
      this.chooser.intro,
      this.whole.el,
      this.article,
      this.status.el,
      this.tip.el,
    );
    this.listening = new AbortController();
    this.listen(this.listening.signal);
    this.typesetWhenReady(MATH_TRIES);
    window.tinkerformer = apiOf(this);
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    document.addEventListener("tinkerformer:theme", () => this.themed(), { signal });
    const restoreFocus = () => this.grids.restoreFocus();
    document.addEventListener("tinkerformer:focus-board", restoreFocus, { signal });
    window.addEventListener("hashchange", openPastedLink, { signal });
  }

  /** Ask the server for what is to be here; the cell that was selected is gone to. */
  begin() {
    const session = this.memory.begin();
    this.showsSelection = session.link !== null || session.saved !== null;
    this.send({ type: "ready", ...session });
  }

  /** @param {FromBoard} message */
  send(message) {
    this.model.send_msg(message);
  }

  /** @param {ToBoard} message */
  receive(message) {
    switch (message.type) {
      case "manifest":
        this.show(JSON.parse(message.json));
        break;
      case "frame":
        this.acceptFrame(message);
        break;
      case "stale":
        this.store.freshen([], message.stale);
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
      case "look":
        this.whole.begin(message);
        break;
      case "view":
        this.acceptView(message);
        break;
      case "scenario":
        this.scenario = message.scenario;
        this.memory.keep(message.scenario);
        announce("scenario", null);
        break;
      case "baseline":
        this.acceptBaseline(message);
        break;
      case "preview":
        this.rings.preview(message);
        this.hover.answered();
        break;
    }
  }

  // -- structure ----------------------------------------------------------------------------------

  /** @param {Manifest} manifest */
  show(manifest) {
    this.endOrbit();
    this.grids.point(null, null);
    const focused = this.cursors.focused?.matrix.path;
    const choosing = [...this.stages.values()].find((stage) => stage.tokens?.hasFocus);
    this.store.take(manifest);
    this.trail.clear();
    this.viewports.reset();
    this.chooser.show(manifest.choices);
    const reading = this.placeOfReading();
    this.stages = reconcile(this.stages, manifest, this.article, {
      keyOf: stageKey,
      build: (spec) => new Stage(spec, this.services),
    });
    this.root.classList.toggle("shows-whole", manifest.whole !== undefined);
    this.root.classList.toggle("only-pictures", manifest.only_pictures === true);
    this.whole.show(manifest.whole);
    const views = [...this.stages.values()].flatMap((stage) => stage.views);
    const grids = views.flatMap((view) => (view.overview ? [view, view.overview] : [view]));
    this.grids.take(grids, manifest.whole ? this.whole : null);
    this.chooser.explain(views.some((view) => view.overview));
    // The place that had the focus may be another now.
    if (focused !== undefined && (manifest.whole || !this.cursors.focused)) {
      this.cursors.focused = null;
      this.placeOf(focused, 0, 0)?.grid.focus({ preventScroll: true });
    }
    if (choosing && !choosing.tokens?.hasFocus) this.stages.get(choosing.spec.id)?.tokens?.focus();
    // Some of these views are gone; those that stay are all painted anew below.
    this.painter.forget();
    this.status.explain(manifest.hint);
    this.layOut();
    this.readOn(reading);
    this.visibility.renew(
      [...views, ...[...this.stages.values()].flatMap((stage) => stage.pictures)],
      [...this.stages.values()].map((stage) => stage.el),
    );
    this.whole.fill();
    this.whole.resized();
    this.painter.touchAll();
    this.arrive();
  }

  /**
   * Another part of a matrix is to be drawn, from when its values are here.
   * @param {MoveMessage} message
   */
  acceptMove({ index, json }) {
    const matrix = this.store.byIndex[index];
    if (matrix) matrix.coming = { ...matrix.coming, ...JSON.parse(json) };
  }

  /** The values of what was to come have come. @param {Matrix} matrix */
  changeOver(matrix) {
    if (!matrix.coming) return;
    this.store.changeOver(matrix);
    for (const view of this.painter.gridsOf(matrix)) {
      view.relabel();
      this.grids.arrived(view);
    }
    if (matrix.entry.overview) this.viewports.arrived();
    this.rings.show();
    if (this.cursors.focused) this.rings.focus(this.cursors.focused);
  }

  /** @param {number[]} indices of the matrices near the screen */
  sendVisible(indices) {
    const { version } = this.store;
    this.near = new Set(indices);
    if (version !== undefined) this.send({ type: "visible", indices, version });
  }

  // -- values -------------------------------------------------------------------------------------

  /** @param {FrameMessage} message */
  acceptFrame({ bytes, stale }) {
    const frame = decode(bytes);
    // A frame for another structure has nothing to show, but is acknowledged all the same.
    if (frame.version === this.store.version) {
      const fitting = frame.entries.flatMap((entry) => {
        const matrix = this.store.fitting(entry);
        return matrix ? [{ matrix, values: entry.values }] : [];
      });
      this.trail.take(fitting, performance.now());
      for (const entry of frame.entries) this.acceptValues(entry);
      const fresh = fitting.map(({ matrix }) => matrix);
      this.store.freshen(fresh, stale);
      this.cells.say(fresh);
    }
    this.acknowledgeAfterPaint(frame);
  }

  /** @param {WireEntry} entry */
  acceptValues(entry) {
    const matrix = this.store.fitting(entry);
    if (!matrix) return;
    this.orbit?.matrices.delete(matrix);
    this.changeOver(matrix);
    matrix.accept(entry.values, entry.flags, entry.gradients);
    this.painter.touchMatrix(matrix);
  }

  /**
   * Whether the values of a matrix that are here are those of now. Of an oscillation only what is
   * near the screen, and always sent, has frames.
   * @param {Matrix} matrix
   */
  isCurrent(matrix) {
    if (this.orbit?.matrices.has(matrix)) return true;
    const isSent =
      this.near.has(matrix.index) || this.store.manifest?.pinned?.includes(matrix.index);
    return !this.store.stale.has(matrix) && (!this.orbit || Boolean(isSent));
  }

  /**
   * What matrices were when the user pinned them; without bytes nothing is pinned.
   * @param {BaselineMessage} message
   */
  acceptBaseline({ bytes }) {
    if (!bytes) {
      for (const matrix of this.store.byIndex) matrix.baseline = null;
    } else {
      const { version, entries } = decode(bytes);
      if (version !== this.store.version) return;
      for (const entry of entries) {
        const matrix = this.store.fitting(entry);
        if (matrix) matrix.baseline = entry.values;
      }
    }
    this.painter.touchAll();
  }

  /** @param {OrbitMessage} message */
  acceptOrbit(message) {
    const frames = decode(message.bytes);
    if (frames.version === this.store.version) {
      if (!this.orbit?.isSame(message)) this.beginOrbit(message);
      for (const entry of frames.entries) this.acceptSwinging(entry);
    }
    this.acknowledgeAfterPaint(frames);
  }

  /** @param {OrbitMessage} message */
  beginOrbit(message) {
    const { path, i, j, period } = message;
    const value = this.store.value(path, i, j);
    const falling = this.orbit?.falling ?? false;
    this.orbit?.end();
    this.orbit = new Orbit(message);
    this.orbit.startAt(value, falling);
    announce("orbit", { on: true, path, i, j, period });
  }

  /** @param {WireEntry} entry */
  acceptSwinging(entry) {
    const matrix = this.store.fitting(entry);
    if (!matrix) return;
    this.changeOver(matrix);
    matrix.acceptOrbit(entry);
    this.orbit?.add(matrix);
    this.painter.touchMatrix(matrix);
  }

  endOrbit() {
    if (!this.orbit) return;
    const { path, i, j } = this.orbit;
    this.orbit.end();
    this.orbit = null;
    announce("orbit", { on: false, path, i, j });
  }

  /** @param {boolean} on @param {number | null} amplitude @param {number | null} period */
  oscillate(on, amplitude, period) {
    if (!on && this.orbit) this.orbit.held = true; // at once, not when the server has heard of it
    this.send({ type: "oscillate", on, amplitude, period });
  }

  /**
   * A cell is to be as it was; what it was to be set to does not matter any more.
   * @param {CellOf} cell
   */
  restore({ path, i, j }) {
    this.edits.forget(path, i, j);
    this.send({ type: "restore", path, i, j });
  }

  // -- selection and appearance -------------------------------------------------------------------

  /** @param {SelectionMessage} message */
  acceptSelection({ path, i, j, operands }) {
    this.mark(path === null ? null : { path, i, j, operands });
    if (!this.showsSelection) return;
    this.showsSelection = false;
    if (path === null) return;
    this.goWhenDrawn({ path, i, j });
    this.arrive();
  }

  /**
   * Where the cell is not drawn yet, the server draws it and says that it is selected.
   * @param {CellOf | null} cell
   */
  select(cell) {
    // Where the inspector is a sheet that was closed, a second tap on the number opens it again.
    if (cell && this.cursors.isSelected(cell)) announce("selected-again", null);
    if (!cell) this.mark(null);
    else if (this.store.isDrawn(cell.path, cell.i, cell.j)) this.mark({ ...cell, operands: [] });
    this.send({ type: "select", ...(cell ?? { path: null, i: 0, j: 0 }) });
  }

  /** @param {(CellOf & {operands: Operand[]}) | null} selection */
  mark(selection) {
    const old = this.cursors.selection;
    this.cursors.selection = selection;
    this.rings.show();
    for (const cell of [old, selection])
      for (const [matrix] of cell
        ? this.store.parts(cell.path, cell.i, cell.j, cell.i, cell.j)
        : [])
        for (const view of this.painter.gridsOf(matrix)) view.materialize();
    this.status.refresh();
    if (old === selection || this.cursors.isSelected(old)) return;
    announce("selection", selection && { path: selection.path, i: selection.i, j: selection.j });
  }

  /** @param {ViewMessage} settings */
  acceptView(settings) {
    this.appearance.take(settings);
    // Those that were there may be of other values by the time they are shown again.
    if (!this.appearance.showsGradients)
      for (const matrix of this.store.byIndex) matrix.gradients = null;
    this.painter.touchAll();
    announce("view", { ...this.appearance.settings });
  }

  /** The selected number is in sight, wherever it is drawn. */
  showSelected() {
    const { selection } = this.cursors;
    if (!selection || !this.store.isDrawn(selection.path, selection.i, selection.j)) return;
    this.bringIntoView(selection.path, selection.i, selection.j);
  }

  /** A word is followed in every view that is made of matrices. */
  showFollowed() {
    const { following } = this.whole;
    this.status.follow(following && { ...following, word: this.whole.followed });
    this.painter.touchAll();
  }

  themed() {
    this.appearance.renew();
    this.painter.touchAll();
  }

  // -- where things are ---------------------------------------------------------------------------

  layOut() {
    this.room = this.root.clientWidth;
    if (!this.room) return;
    this.chooser.stick();
    for (const stage of this.stages.values()) stage.measure(this.room);
    for (const stage of this.stages.values()) stage.layOut(this.room);
    this.placeRings();
  }

  /** What they lie round has moved. */
  placeRings() {
    const { pointed, focused } = this.cursors;
    this.rings.show();
    this.rings.endPreview();
    this.tip.hide();
    if (focused) this.rings.focus(focused);
    if (pointed) this.rings.point(pointed.view, pointed);
  }

  /** @param {boolean} zoomed */
  resized(zoomed) {
    if (!zoomed && this.root.clientWidth === this.room) return;
    const reading = this.placeOfReading();
    this.layOut();
    this.readOn(reading);
    this.painter.touchAll();
  }

  /** Where the stage under the reader's eye is, and which ones stand above it. */
  placeOfReading() {
    const read = this.stages.get(this.stageInSight ?? "");
    if (!read?.el.offsetParent || !this.room) return null;
    const ids = [...this.stages.keys()];
    const above = ids.slice(0, ids.indexOf(read.spec.id) + 1);
    return { above, top: read.el.getBoundingClientRect().top };
  }

  /**
   * What the reader looks at stays where it is, though everything above it becomes taller or
   * shorter. Where it is gone, what stood above it takes its place.
   * @param {{above: string[], top: number} | null} before
   */
  readOn(before) {
    const id = before?.above.findLast((known) => this.stages.has(known));
    const el = this.stages.get(id ?? "")?.el;
    if (!before || !el?.offsetParent) return;
    const isThere = id === before.above.at(-1);
    const goal = isThere ? before.top : innerHeight / 4;
    scrollBy({ top: el.getBoundingClientRect().top - goal, behavior: "instant" });
  }

  /** @param {string} id of the stage under the reader's eye */
  reads(id) {
    this.stageInSight = id;
  }

  /** The window on a matrix has another goal. @param {string} path */
  showFrames(path) {
    const matrix = this.store.large.get(path);
    for (const view of matrix ? this.painter.gridsOf(matrix) : []) view.showFrame();
  }

  /**
   * The place of a cell to show: one on screen if there is one, else the first that is not hidden.
   * Where its matrix is not drawn, a part of that may be.
   * @param {string} path @param {number} i @param {number} j
   */
  placeOf(path, i, j) {
    const matrix = this.store.drawn(path);
    const matrices = matrix ? [matrix] : this.store.partsWith(path, i, j);
    const places = matrices
      .flatMap((drawn) => [...this.painter.gridsOf(drawn)])
      .filter((view) => view.grid.isConnected);
    return (
      places.find((view) => view.near && view.el.offsetParent) ??
      places.find((view) => view.el.offsetParent) ??
      places.at(0)
    );
  }

  /**
   * @param {string} path @param {number} row @param {number} column
   * @returns {{view: GridView, y: number, x: number}} where the cell is drawn, or will be when its
   *   window has come
   */
  bringIntoView(path, row, column) {
    const view = this.placeOf(path, row, column);
    if (!view || !this.root.clientWidth) throw new Error(`${path} is not in the open view`);
    const { entry } = view.matrix;
    let i = row;
    let j = column;
    if (entry.overview) {
      this.viewports.reveal(path, row, column);
      const place = this.viewports.on(path);
      i -= place?.row ?? 0;
      j -= place?.column ?? 0;
    } else if (entry.origin && view.matrix.path !== path) {
      i -= entry.origin[1];
      j -= entry.origin[2];
    }
    if (view.bring) {
      view.bring(i, j);
      return { view, y: i, x: j };
    }
    const stage = [...this.stages.values()].find(({ el }) => el.contains(view.el));
    if (!view.el.offsetParent && stage && typeof entry.head === "number")
      this.chooseHead(stage.spec.id, entry.head);
    const top = view.topOf() + view.boxOf(i, j).y;
    if (top < 80 || top > innerHeight - 140)
      view.el.scrollIntoView({ block: "center", behavior: "instant" });
    view.reveal(i, j);
    return { view, y: i, x: j };
  }

  /** @param {CellOf} cell */
  showCell(cell) {
    this.select(cell);
    if (this.store.isDrawn(cell.path, cell.i, cell.j))
      this.bringIntoView(cell.path, cell.i, cell.j);
    else this.goWhenDrawn(cell);
  }

  /**
   * What is not drawn yet is gone to when it is; of several requests to the last.
   * @param {CellOf | {stage: string}} destination
   */
  goWhenDrawn(destination) {
    if ("path" in destination) this.whole.unfoldFor(destination.path);
    this.destination = destination;
    setTimeout(() => {
      if (this.destination === destination) this.destination = null;
    }, DESTINATION_MS);
  }

  /** After a new manifest: to where the reader wanted to go, if it is drawn now. */
  arrive() {
    const { destination } = this;
    if (!destination || !this.room) return;
    if ("stage" in destination) {
      if (!this.stages.has(destination.stage)) return;
      this.destination = null;
      this.goTo(destination.stage);
    } else {
      const { path, i, j } = destination;
      if (!this.store.isDrawn(path, i, j)) return;
      this.destination = null;
      this.bringIntoView(path, i, j);
    }
  }

  /** @param {string} id of a stage @returns {boolean} whether it is on the way */
  goTo(id) {
    const stage = this.stages.get(id);
    if (!stage && this.store.manifest?.choices.length) {
      this.goWhenDrawn({ stage: id });
      this.send({ type: "goto", place: id });
      return true;
    }
    if (!stage?.el.offsetParent || !this.room) return false;
    this.landing.on(stage.el);
    stage.title.focus({ preventScroll: true });
    return true;
  }

  /** Read a part of the picture as formulas. @param {string} id of the stage */
  read(id) {
    document.dispatchEvent(new CustomEvent("tinkerformer:goto", { detail: { id } }));
  }

  /** The likeliest word after a token is looked at. @param {number} row */
  look(row) {
    const { likeliest } = this.store.manifest ?? {};
    const matrix = this.store.drawn("output.probabilities");
    if (likeliest !== undefined || !matrix?.values) return;
    const { cols, values } = matrix;
    const of = values.subarray(row * cols, (row + 1) * cols);
    const j = of.indexOf(Math.max(...of));
    this.select({ path: matrix.path, i: row, j });
  }

  /** What was asked for may be below the edge of the window. */
  showLinks() {
    const stage = this.stages.get(LINKS_STAGE);
    if (!stage || stage.el.getBoundingClientRect().top < innerHeight * 0.5) return;
    this.landing.on(stage.el);
  }

  /** @param {string} id of a stage @param {number | "all"} head */
  chooseHead(id, head) {
    const stage = this.stages.get(id);
    if (!stage) return;
    stage.showHead(head);
    this.layOut();
    this.painter.touchAll();
  }

  // -- painting -----------------------------------------------------------------------------------

  /** @param {{seq: number, reply: number}} frame */
  acknowledgeAfterPaint({ seq, reply }) {
    this.unacknowledged = seq;
    this.reply = reply;
    this.painter.schedule();
  }

  /**
   * Go on with the oscillation.
   * @param {number} now ms
   * @returns {boolean} whether there is another frame of it
   */
  swing(now) {
    const { orbit, painter } = this;
    if (!orbit) return false;
    painter.schedule();
    // Counts as painted even with nothing of it on screen: the rest of the page follows it, too.
    if (!orbit.advance(now)) return false;
    for (const matrix of orbit.matrices) painter.touchMatrix(matrix);
    announce("swing", { share: orbit.share });
    return true;
  }

  /** @param {number} now ms */
  tick(now) {
    const moved = this.swing(now);
    if (!this.orbit) this.flash.tick(now);
    const painted = this.painter.paint() || moved;
    if (painted) this.whole.written();
    const isNews = this.unacknowledged > 0;
    if (!painted && !isNews) return;
    this.frames += 1;
    const { selection, pointed, focused } = this.cursors;
    if (selection || pointed || focused) this.status.refresh();
    this.tip.refresh();
    if (isNews) this.acknowledge();
    announce("frame", { frames: this.frames });
  }

  acknowledge() {
    const seq = this.unacknowledged;
    this.unacknowledged = 0;
    if (!this.edits.painted(this.reply, seq)) this.send({ type: "ack", seq });
    if (!this.orbit) this.cursors.focused?.materialize();
    if (this.ready || !this.store.byIndex.some((matrix) => matrix.values)) return;
    this.ready = true;
    announce("ready", null);
  }

  /** KaTeX may arrive after the board. @param {number} tries */
  typesetWhenReady(tries) {
    if (window.katex) {
      typesetAgain(this.root);
      adoptMathStyles(this.root);
    } else if (tries) this.mathTimer = setTimeout(() => this.typesetWhenReady(tries - 1), MATH_MS);
  }

  remove() {
    this.listening.abort();
    this.landing.leave();
    this.cells.remove();
    this.painter.stop();
    this.flash.remove();
    clearTimeout(this.mathTimer);
    this.scrub.remove();
    this.shortcuts.remove();
    this.whole.remove();
    this.visibility.remove();
  }
}

/** @param {string} name @param {object | null} detail */
function announce(name, detail) {
  document.dispatchEvent(new CustomEvent(`tinkerformer:${name}`, { detail }));
}

/**
 * @type {Board | null} The board of this document; a component that is rendered again replaces it.
 */
let current = null;

/** @param {{model: Connection, el: HTMLElement}} component */
export function render({ model, el }) {
  current?.remove();
  const board = new Board(model, el);
  current = board;
  onMessage(model, (/** @type {ToBoard} */ message) => {
    if (current === board) board.receive(message);
  });
  model.on("remove", () => {
    board.remove();
    if (current === board) current = null;
  });
  board.begin();
}
