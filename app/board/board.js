/** The board: creates its parts, connects them, and dispatches messages to them. */

import { announce } from "../components/shared/announce.js";
import { make, oncePerFrame, setText } from "../components/shared/dom.js";
import { adoptMathStyles, typesetWhenReady } from "../components/shared/katex.js";
import { onMessage } from "../components/shared/model.js";
import { apiOf } from "./api.js";
import { Cursors } from "./data/cursors.js";
import { EditQueue } from "./data/edit_queue.js";
import { MatrixStore } from "./data/matrix_store.js";
import { operandWords } from "./data/operand_words.js";
import { Press } from "./data/press.js";
import { isRenamed } from "./data/renamed.js";
import { StepDiff } from "./data/step_diff.js";
import { openPastedLink, TabMemory } from "./data/tab_memory.js";
import { Viewports } from "./data/viewports.js";
import { Pictures } from "./export/picture.js";
import { FilmStage } from "./film/film_stage.js";
import { Emphasis } from "./focus/emphasis.js";
import { focusOf } from "./focus/flow_sources.js";
import { Grids } from "./input/grid.js";
import { Hover } from "./input/hover.js";
import { Scrub } from "./input/scrub.js";
import { Selection } from "./input/selection.js";
import { Shortcuts } from "./input/shortcuts.js";
import { SpokenCells } from "./input/spoken_cells.js";
import { Visibility } from "./input/visibility.js";
import { Journey } from "./navigation/journey.js";
import { Places } from "./navigation/places.js";
import { Appearance } from "./paint/appearance.js";
import { FrameLoop } from "./paint/frame_loop.js";
import { Oscillation } from "./paint/oscillation.js";
import { Painter } from "./paint/painter.js";
import { Rings } from "./paint/rings.js";
import { Values } from "./paint/values.js";
import { WhenShown } from "./paint/when_shown.js";
import { LastChange } from "./picture/last_change.js";
import { Picture } from "./picture/picture.js";
import { Contents } from "./stages/contents.js";
import { LayerChooser } from "./stages/layer_chooser.js";
import { PageLayout } from "./stages/page_layout.js";
import { Reading } from "./stages/reading.js";
import { isOfHead } from "./stages/stage.js";
import { StageList } from "./stages/stage_list.js";
import { StatusBar } from "./stages/status_bar.js";
import { SwingButton } from "./stages/swing_button.js";
import { Tip } from "./stages/tip.js";

/**
 * @import {How, Outbox} from "../transport/port/outbox.js"
 * @import {Model} from "../components/shared/model.js"
 * @import {FromBoard, SelectionMessage, ToBoard, ViewMessage} from "./data/messages.js"
 * @import {CellOf, Manifest, WholeEntry} from "./data/types.js"
 * @import {GridView} from "./paint/view.js"
 * @import {Changed} from "./picture/last_change.js"
 * @import {StageServices} from "./stages/stage.js"
 */

/**
 * @typedef {object} Properties
 * @property {boolean} locked whether numbers cannot be changed
 * @property {string} reached how many numbers the selected one affects, if they are marked
 * @property {Changed} changed the last change
 * @property {string} dropped the effect of dropout on the numbers shown; empty without dropout
 * @property {boolean} searched whether marks show the results of a search
 * @property {number[]} new_words rows whose written word the last edit changed
 * @property {boolean} editing whether the last edit is still in progress
 * @property {boolean} learned whether training made the last edit
 * @property {boolean} busy whether a slow change is being computed
 *
 * @typedef {object} Port sends messages to Python in order; every carrier provides it
 * @property {(message: object, how?: How) => Promise<number>} request
 * @property {Outbox} outbox
 */

/** Message types that no action of the user sends, and those that name a cell. */
const BY_ITSELF = new Set(["visible", "hover", "ready"]);
const OF_CELL = new Set(["select", "silence", "pull", "pair"]);
/**
 * Time without a message, in ms, after which the board asks whether it missed one; at most
 * MOST_APART times in a row.
 */
const QUIET = 5000;
const MOST_APART = 3;

const LOST = "One of your last changes may be lost: please check it.";
const UNDER_WAY = "Being computed: this model is large.";
const HELP =
  "Arrow keys move between cells and scroll the window on a large matrix, Page Up and Page Down " +
  "between matrices, G goes to one by its name. Enter selects, Escape deselects. ? lists all keys.";

export class Board {
  /** @param {Model<Properties> & Port} model @param {HTMLElement} el */
  constructor(model, el) {
    this.model = model;
    this.outbox = model.outbox;
    this.memory = new TabMemory(model.outbox.limits?.bytes);
    this.showsSelection = false;
    this.scenario = /** @type {string | null} */ (null);
    this.isKept = true; // whether the tab stores the session
    this.quiet = 0; // timer that detects silence
    this.apart = 0; // how many times in a row a message was missing
    this.root = make("div", { class: "board" });
    el.append(this.root);
    adoptMathStyles(this.root);

    const send = (/** @type {FromBoard} */ message) => {
      const said = this.send(message);
      said.catch(() => {}); // Python shows the reason
      return said;
    };
    const unpoint = () => this.grids.point(null, null);
    this.store = new MatrixStore();
    this.trail = new StepDiff(this.store);
    this.cursors = /** @type {Cursors<GridView>} */ (new Cursors());
    this.press = new Press(() => this.edits.release());
    this.edits = new EditQueue(
      (message) => this.send(message),
      this.outbox,
      () => this.press.now,
      () => this.store.manifest?.structure,
      () => this.press.isDown,
    );
    this.viewports = new Viewports(this.store, send, (window) => {
      for (const view of this.painter.gridsOf(window)) view.showFrame();
    });
    this.appearance = new Appearance(this.root);
    this.painter = new Painter((now) => this.loop.tick(now));
    const { store, trail, cursors, edits, viewports, appearance, painter } = this;

    this.oscillation = new Oscillation(store, painter, send);
    const { oscillation } = this;
    this.emphasis = new Emphasis({
      ...{ store, trail, painter },
      orbit: () => oscillation.orbit,
      focus: () => focusOf(this.whole.followed.lane, cursors.selection),
      selection: () => cursors.selection,
      followed: () => this.whole.followed.lane,
      named: () => this.whole.caption.named(this.whole.followed.lane),
      isEditing: () => model.editing && !model.learned,
      hasLearned: () => model.learned,
      marksSearched: () => model.searched,
      showsGradients: () => appearance.showsGradients,
    });
    const { emphasis } = this;
    this.values = new Values({
      ...{ store, trail, painter, oscillation, edits, send },
      onChangeOver: (matrix) => this.grids.changedOver(matrix, painter.gridsOf(matrix)),
      onFresh: (matrices) => {
        this.cells.say(matrices);
        emphasis.renew();
      },
    });
    const { values } = this;
    this.loop = new FrameLoop({
      ...{ store, cursors, painter, oscillation, emphasis, values },
      onPainted: () => this.painted(),
      onShown: oncePerFrame(() => this.readOut()),
      onTick: () => this.shown.look(),
    });
    this.shown = new WhenShown(() => ({ version: edits.shown, areNews: values.areNews }));

    this.cells = new SpokenCells(painter);
    this.rings = new Rings(store, painter, cursors);
    const train = () => send({ type: "train" }).catch(() => {}); // Python says why
    const unfollow = () => this.whole.followed.follow(null);
    this.status = new StatusBar(store, cursors, appearance, unfollow, train);
    /** The sentence on the last change, in the Attention form. */
    this.changeAtLinks = new LastChange(send, () => model.locked);
    this.swing = new SwingButton({
      isOn: () => oscillation.isOn,
      ask: (on) => oscillation.ask(on, null, null),
      canSwing: ({ path, i, j }) => !store.cell(path, i, j)?.matrix.entry.fixed,
    });
    this.underWay = make("p", { class: "under-way", role: "status" });
    this.status.el.prepend(this.swing.el);
    this.status.el.append(this.underWay);
    this.tip = new Tip(this.root, cursors, appearance);
    this.chooser = new LayerChooser(send, this.root);
    this.hover = new Hover(send, () => oscillation.isOn);
    const { rings, status, tip, chooser, hover } = this;
    this.selection = new Selection({
      ...{ store, cursors, painter, rings, status, send },
      onChange: () => {
        emphasis.refocus();
        this.whole.refold();
      },
    });
    this.grids = new Grids(this.root, {
      ...{ store, cursors, viewports, rings, status, tip, hover },
      select: (cell) => this.selection.select(cell),
      placeOf: (path, i, j) => this.places.of(path, i, j),
      within: (view, { path, i, j }) => this.places.within(view, path, i, j),
      snap: (place) => this.whole.hint.snap(place),
    });
    this.scrub = new Scrub(this.root, {
      isLocked: () => model.locked,
      isSelected: (cell) => cursors.isSelected(cell),
      hit: (event) => this.grids.hit(event),
      begin: () => {
        if (oscillation.isOn) oscillation.ask(false, null, null);
      },
      select: (view, at, cell) => {
        this.grids.moveTo(view, at.i, at.j, true);
        if (!cursors.isSelected(cell)) this.selection.select(cell, this.press.count);
      },
      set: ({ path, i, j }, value) => edits.set(path, i, j, value).catch(() => {}),
      restore: (cell) => edits.restore(cell).catch(() => {}),
      unpoint,
      freeNear: ({ view, at }, sizes) => this.whole.freeNear(view, at, sizes),
      over: () => {
        this.whole.release();
      },
    });
    this.shortcuts = new Shortcuts(send, () => {
      const isAnything = oscillation.isOn || this.whole.followed.lane || cursors.selection;
      if (isAnything) send({ type: "escape" });
      return Boolean(isAnything);
    });

    /** @type {StageServices} */
    const services = {
      ...{ store, appearance, painter, cursors, viewports, trail, send },
      strengths: (matrix) => emphasis.of(matrix),
      wordStrength: (lane, end) => emphasis.ofWord(lane, end),
      changedLane: () => emphasis.changedLane,
      mayName: (matrix, k) => emphasis.mayName(matrix, k),
      origin: () => {
        const isOther = model.searched || appearance.showsGradients || emphasis.level > 0;
        return model.locked || isOther ? null : emphasis.origin;
      },
      followed: () => this.whole.followed.shown,
      marksFound: () => emphasis.isByMarks,
      changeLevel: () => emphasis.level,
      isFilmed: () => emphasis.light !== null,
      grown: (part) => emphasis.light?.grown(part) ?? 1,
      say: (text) => status.say(text),
      unpoint,
      showLinks: () => this.journey.toLinks(),
      change: this.changeAtLinks.el,
      isLocked: () => model.locked,
      select: (cell) => void this.selection.select(cell).catch(() => {}),
      chooseHead: (id, head) => this.layout.chooseHead(id, head),
    };
    this.stages = new StageList(services);
    const { stages } = this;
    this.contents = new Contents((id) => this.journey.toStage(id));
    this.chooser.above = this.contents.el;
    this.reading = new Reading(stages);
    const { reading } = this;
    this.layout = new PageLayout(this.root, { stages, reading, chooser, painter, rings, tip });
    const { layout } = this;
    this.places = new Places(this.root, {
      ...{ store, painter, viewports, stages },
      chooseHead: (id, head) => layout.chooseHead(id, head),
    });
    const { places } = this;
    this.journey = new Journey({
      ...{ store, stages, places, send },
      walk: (cell) => this.grids.walkTo(cell),
      unfoldFor: (path) => this.whole.unfolding.openFor(path),
    });
    this.visibility = new Visibility(stages.el, {
      onNear: (indices) => values.request(indices),
      onStage: (id) => {
        reading.reads(id);
        this.contents.mark(id);
      },
      onResize: (zoomed) => layout.resized(zoomed),
    });
    this.pictures = new Pictures(this.root, store, appearance, (id) => {
      const stage = stages.get(id);
      if (!stage) throw new Error(`no stage ${id}`);
      const { spec, head } = stage;
      return { spec, isShown: (entry) => isOfHead(entry, spec, head) };
    });
    this.whole = new Picture(services, {
      onNear: (indices) => values.request(indices),
      onMoved: () => layout.placeRings(),
      onSaid: (isSaid) => this.status.leaveChange(isSaid),
      onWritten: (words) => this.scrub.tell(words),
      onFollow: () => this.showFollowed(),
      holds: () => this.scrub.holds,
      swings: () => oscillation.isOn,
      place: (name, value) => send({ type: "place", name, value }),
      read: (id) => announce("goto", { id }),
    });

    this.projector = new FilmStage({ ...{ store, emphasis, oscillation }, whole: this.whole });

    this.root.append(
      make("p", { class: "unseen", id: "grid-help" }, HELP),
      this.status.live,
      this.chooser.el,
      this.contents.el,
      this.chooser.intro,
      this.whole.bar,
      this.whole.el,
      this.stages.el,
      this.status.el,
      this.tip.el,
    );
    this.listening = new AbortController();
    this.listen(this.listening.signal);
    typesetWhenReady(this.root, this.listening.signal);
    window.tinkerformer = apiOf(this);
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    document.addEventListener("tinkerformer:theme", () => this.themed(), { signal });
    const askLink = () => this.send({ type: "link" }, { passes: true }).catch(() => {});
    document.addEventListener("tinkerformer:ask-link", askLink, { signal });
    document.addEventListener("visibilitychange", () => this.compare(), { signal });
    const restoreFocus = () => this.grids.restoreFocus();
    document.addEventListener("tinkerformer:focus-board", restoreFocus, { signal });
    const pointAt = (/** @type {CustomEvent<CellOf | null>} */ { detail }) => this.pointAt(detail);
    document.addEventListener("tinkerformer:point-at", pointAt, { signal });
    const keepOff = (/** @type {CustomEvent<HTMLElement>} */ { detail }) =>
      this.whole.over.take(detail);
    document.addEventListener("tinkerformer:card", keepOff, { signal });
    window.addEventListener("hashchange", openPastedLink, { signal });
    window.addEventListener("pagehide", () => this.leave(), { signal });
    window.addEventListener("beforeprint", () => this.print(), { signal });
    // Some browsers lay the page out for printing only after this event.
    const paper = (/** @type {MediaQueryListEvent} */ { matches }) => matches && this.print();
    matchMedia("print").addEventListener("change", paper, { signal });
    window.addEventListener("afterprint", () => this.visibility.watch(), { signal });
  }

  /** Asks Python for the page's state, and scrolls to the cell that was selected. */
  begin() {
    const { link, saved, steps, file, again } = this.memory.begin();
    const { said, unsent } = this.memory.takeLast();
    this.outbox.toResend = said;
    this.showsSelection = link !== null || saved !== null;
    const texts = { saved: bytesOf(saved), steps: bytesOf(steps), file: bytesOf(file) };
    this.send({ type: "ready", link, ...texts, again, unsent }, { isLong: true }).catch(() => {});
    if (!again) this.journey.toAsked();
  }

  /**
   * @param {FromBoard} message @param {How} [how]
   * @returns {Promise<number>} the page version that includes the change; rejects with a sentence
   */
  send(message, how) {
    const { type } = message;
    const { structure } = this.store.manifest ?? {};
    const said = OF_CELL.has(type) ? { ...message, of: structure } : message;
    const usual = { aside: BY_ITSELF.has(type), unanswered: type === "ack" };
    return this.model.request(said, { ...usual, ...how });
  }

  /**
   * @param {Promise<number>} asked the answer to a message
   * @returns {Promise<void>} resolves when the page shows the change; rejects with a sentence
   */
  async whenShown(asked) {
    await this.shown.until(await asked);
  }

  /** Asks whether a message was missed, unless some of the last ones are not painted yet. */
  compare() {
    clearTimeout(this.quiet);
    if (document.hidden || this.values.areNews || this.apart >= MOST_APART) return;
    this.outbox.compare(this.values.holds).then(
      () => {
        this.apart = 0;
      },
      () => {
        this.apart += 1;
      },
    );
  }

  /** @param {ToBoard} message */
  receive(message) {
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => this.compare(), QUIET);
    this.take(message);
  }

  /** @param {ToBoard} message */
  take(message) {
    switch (message.type) {
      case "manifest":
        this.show(JSON.parse(message.json));
        break;
      case "frame":
        this.values.acceptFrame(message);
        break;
      case "stale":
        this.store.freshen([], message.stale);
        break;
      case "move":
        this.values.acceptMove(message);
        break;
      case "orbit":
        this.values.acceptOrbit(message);
        break;
      case "orbit_end":
        this.oscillation.end();
        break;
      case "selection":
        this.acceptSelection(message);
        break;
      case "look":
        this.whole.viewpoint.begin(message.camera);
        break;
      case "follow":
        this.whole.followed.set(message);
        break;
      case "lens":
        this.whole.lens.take(JSON.parse(message.json));
        break;
      case "view":
        this.acceptView(message);
        break;
      case "step":
        this.trail.begin(message.fresh);
        this.values.acceptStart(message);
        if (message.fresh) this.painter.touchAll();
        break;
      case "scenario":
        this.scenario = message.scenario;
        this.keep(message.scenario, message.steps, message.file);
        this.outbox.keeps(message.version);
        announce("scenario");
        break;
      case "link":
        announce("link", { code: message.code });
        break;
      case "baseline":
        this.values.acceptBaseline(message);
        break;
      case "preview":
        this.rings.preview(message);
        this.hover.answered();
        break;
    }
  }

  /** @param {string} scenario @param {string} steps @param {string | null} file */
  keep(scenario, steps, file) {
    if (file !== null) this.memory.keepFile(file);
    const isKept = this.memory.keep(scenario, steps);
    if (this.isKept && !isKept) this.send({ type: "unkept" }).catch(() => {});
    this.isKept = isKept;
  }

  // -- structure ----------------------------------------------------------------------------------

  /** @param {Manifest} manifest */
  show(manifest) {
    this.oscillation.end();
    this.grids.point(null, null);
    const { whole } = manifest;
    const isSliding = this.whole.slide.isOn; // from an earlier picture than that of the store
    const isSame = !isSliding && isRenamed(this.store.manifest, manifest);
    if (whole && isSame) this.rename(manifest, whole);
    else this.build(manifest);
    this.journey.arrive();
    if (!this.outbox.resend()) announce("notice", { sentence: LOST });
  }

  /** Replaces only the words. @param {Manifest} manifest @param {WholeEntry} whole */
  rename(manifest, whole) {
    this.store.take(manifest);
    this.viewports.reset();
    this.emphasis.show(whole);
    this.whole.rename(whole);
    this.painter.touchAll();
  }

  /** @param {Manifest} manifest */
  build(manifest) {
    const { stages } = this;
    const focused = this.cursors.focused?.matrix.path;
    const { typing } = stages;
    if (this.store.take(manifest)) this.trail.clear();
    this.viewports.reset();
    this.chooser.show(manifest.choices);
    const reading = this.reading.place();
    stages.show(manifest);
    this.contents.show(stages.all.map(({ spec }) => spec));
    this.root.classList.toggle("shows-whole", manifest.whole !== undefined);
    this.emphasis.show(manifest.whole ?? null);
    this.whole.show(manifest.whole ?? null, manifest.lanes ?? []);
    const { views } = stages;
    const grids = views.flatMap((view) => (view.overview ? [view, view.overview] : [view]));
    this.grids.take(grids, manifest.whole ? this.whole.shared : null);
    this.chooser.explain(views.some((view) => view.overview));
    // The element that had the focus may now be another matrix.
    if (focused !== undefined && (manifest.whole || !this.cursors.focused)) {
      this.cursors.focused = null;
      this.places.of(focused, 0, 0)?.grid.focus({ preventScroll: true });
    }
    if (typing && !typing.tokens?.hasFocus) stages.get(typing.spec.id)?.tokens?.focus();
    // Some views are gone; those that remain are repainted below.
    this.painter.forget();
    this.status.explain(manifest.hint);
    this.layout.layOut();
    this.reading.goOn(reading);
    this.visibility.renew(
      [...views, ...stages.pictures, ...stages.equations],
      stages.all.map((stage) => stage.el),
    );
    this.whole.resized();
    this.painter.repaintAll();
  }

  // -- selection and appearance -------------------------------------------------------------------

  /** @param {SelectionMessage} message */
  acceptSelection({ path, i, j, operands }) {
    this.selection.mark(path === null ? null : { path, i, j, operands });
    if (this.grids.isChosen && operands.length)
      this.status.say(`Selected: ${operandWords(this.store, operands)}`);
    this.grids.isChosen = false;
    if (!this.showsSelection) return;
    this.showsSelection = false;
    // The picture opens with the stored camera, so it need not move to the cell.
    if (path === null || this.store.manifest?.whole) return;
    this.journey.whenDrawn({ path, i, j });
    this.journey.arrive();
  }

  /** @param {ViewMessage} settings */
  acceptView(settings) {
    const before = this.appearance.plane;
    this.appearance.take(settings);
    // Gradients that arrived earlier may be outdated when they are shown again.
    if (before !== this.appearance.plane) {
      for (const matrix of this.store.byIndex) matrix.gradients = null;
      this.emphasis.replane();
      this.whole.pass.show(this.appearance.plane);
      this.whole.showFollowed();
    }
    this.whole.refold();
    this.painter.repaintAll();
    announce("view", { ...this.appearance.settings });
  }

  /** Called after some of the board was painted. */
  painted() {
    const { emphasis, trail, rings, status, whole } = this;
    const isShown = (emphasis.level > 0 || emphasis.explains) && !this.oscillation.isOn;
    rings.spreadFrom(isShown ? trail.causes : []);
    status.explainMarks(emphasis.carriers, whole.entry !== null && whole.marksMoved);
    whole.written();
    this.projector.painted();
  }

  /** Updates the read-out of the current cell. */
  readOut() {
    const { selection, pointed, focused } = this.cursors;
    if (selection || pointed || focused) this.status.refresh();
    this.tip.refresh();
    this.grids.sayDue();
  }

  /** Scrolls to the selected number if it is drawn. */
  showSelected() {
    const { selection } = this.cursors;
    if (!selection || !this.journey.isPlaced(selection)) return;
    this.places.bringIntoView(selection.path, selection.i, selection.j);
  }

  /**
   * Highlights a cell that another component points at, as if the pointer were on it; moves the
   * camera there if the cell is out of sight.
   * @param {CellOf | null} cell
   */
  pointAt(cell) {
    const isThere = cell !== null && this.journey.isPlaced(cell);
    const view = isThere ? this.places.of(cell.path, cell.i, cell.j) : undefined;
    if (!cell || !view) {
      this.grids.point(null, null);
      return;
    }
    const { i, j } = this.places.within(view, cell.path, cell.i, cell.j);
    view.reveal(i, j);
    this.grids.point(view, { i, j }, true);
  }

  /** Shows the followed word in all views; gradients are those of all words. */
  showFollowed() {
    const { shown: followed } = this.whole.followed;
    const shown = this.appearance.showsGradients ? null : followed;
    this.status.follow(shown);
    for (const stage of this.stages.all) stage.follow(shown);
    this.emphasis.refocus();
  }

  themed() {
    this.appearance.renew();
    this.painter.repaintAll();
    this.whole.canvas.renew();
  }

  /** Paints everything for printing, without waiting for a display frame. */
  print() {
    this.visibility.approachAll();
    this.painter.paint();
  }

  /** @param {Changed} changed */
  tellChange(changed) {
    this.status.tellChange(changed);
    this.whole.caption.tell(changed);
    this.changeAtLinks.tell(changed);
    this.emphasis.tell(changed.row ?? null);
  }

  /** @param {boolean} busy a change of a large model is being computed */
  wait(busy) {
    setText(this.underWay, busy ? UNDER_WAY : "");
  }

  leave() {
    this.memory.leave(this.outbox.rest);
  }

  remove() {
    this.leave();
    this.listening.abort();
    clearTimeout(this.quiet);
    this.journey.landing.leave();
    this.cells.remove();
    this.painter.stop();
    this.scrub.remove();
    this.press.remove();
    this.shortcuts.remove();
    this.swing.remove();
    this.whole.remove();
    this.visibility.remove();
  }
}

/** @type {Board | null} The board of this document; rendering again replaces it. */
let current = null;

/**
 * Encodes a long text as bytes, which are smaller than JSON text when sent.
 * @param {string | null} text
 */
const bytesOf = (text) => (text === null ? null : new TextEncoder().encode(text));

/** @param {{model: Model<Properties> & Port, el: HTMLElement}} component */
export function render({ model, el }) {
  current?.remove();
  const board = new Board(model, el);
  current = board;
  const markNew = () => board.whole.labels.words.markNew(model.new_words);
  board.tellChange(model.changed);
  markNew();
  board.status.tellDropped(model.dropped);
  onMessage(model, (/** @type {ToBoard} */ message) => {
    if (current === board) board.receive(message);
  });
  model.on("busy", () => board.wait(model.busy));
  model.on("reached", () => board.status.reaches(model.reached));
  model.on("changed", () => board.tellChange(model.changed));
  model.on("new_words", markNew);
  model.on("editing", () => !model.editing && board.emphasis.end());
  model.on("dropped", () => board.status.tellDropped(model.dropped));
  model.on("searched", () => board.emphasis.refocus());
  model.on("remove", () => {
    board.remove();
    if (current === board) current = null;
  });
  board.begin();
}
