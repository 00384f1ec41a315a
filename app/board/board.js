/** The board: creates its parts, connects them, and dispatches messages to them. */

import { announce } from "../components/shared/announce.js";
import { make, setText } from "../components/shared/dom.js";
import { adoptMathStyles, typesetWhenReady } from "../components/shared/katex.js";
import { onMessage } from "../components/shared/model.js";
import { apiOf } from "./api.js";
import { readManifest } from "./data/manifest.js";
import { operandWords } from "./data/operand_words.js";
import { isRenamed } from "./data/renamed.js";
import { openPastedLink, TabMemory } from "./data/tab_memory.js";
import { FilmStage } from "./film/film_stage.js";
import { Formulas } from "./formulas.js";
import { Inputs } from "./inputs.js";
import { MissedMessages } from "./missed_messages.js";
import { Numbers } from "./numbers.js";
import { LastChange } from "./picture/last_change.js";
import { Picture } from "./picture/picture.js";
import { servicesOf } from "./services.js";

/**
 * @import {How, Outbox} from "../transport/port/outbox.js"
 * @import {Model} from "../components/shared/model.js"
 * @import {FromBoard, SelectionMessage, ToBoard, ViewMessage} from "./data/messages.js"
 * @import {CellOf, Manifest, WholeEntry} from "./data/types.js"
 * @import {Changed} from "./picture/last_change.js"
 */

/**
 * @typedef {object} Properties
 * @property {boolean} locked whether numbers cannot be changed
 * @property {string} reached a sentence on how many numbers the selected number affects, or empty
 * @property {Changed} changed the last change
 * @property {number} row the row that the page shows, and whose next words the bars show
 * @property {string} dropped the effect of dropout on the shown numbers; empty without dropout
 * @property {boolean} searched whether marks show the results of a search
 * @property {number[]} new_words rows whose written word the last edit changed
 * @property {boolean} editing whether the last edit is still in progress
 * @property {string} learned the moment of the training that made the last edit, if it did
 * @property {boolean} busy whether a slow change is being computed
 *
 * @typedef {object} Port sends messages to Python in order; every transport implements it
 * @property {(message: object, how?: How) => Promise<number>} request
 * @property {Outbox} outbox
 */

/** The types of messages that no action of the user causes, and of messages that name a cell. */
const BY_ITSELF = new Set(["visible", "hover", "ready"]);
const OF_CELL = new Set(["select", "silence", "pull", "pair"]);

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
    this.listening = new AbortController();
    const { signal } = this.listening;
    /** Aborts when the board is removed. */
    this.signal = signal;
    this.root = make("div", { class: "board" });
    el.append(this.root);
    adoptMathStyles(this.root);
    this.numbers = new Numbers(this);
    const { numbers, say } = this;
    const { store, emphasis, oscillation, values } = numbers;
    this.inputs = new Inputs(this, numbers);
    const { inputs } = this;
    /** The sentence on the last change, in the Attention form. */
    this.changeAtLinks = new LastChange(say, () => model.locked);
    const services = servicesOf(this, numbers, inputs, this.changeAtLinks);
    this.formulas = new Formulas(this, numbers, inputs, services);
    const { formulas } = this;
    this.whole = new Picture(services, {
      signal,
      onNear: (indices) => values.request(indices),
      onMoved: () => formulas.layout.placeRings(),
      onSaid: (isSaid) => inputs.status.leaveChange(isSaid),
      onWritten: (words) => inputs.scrub.tell(words, model.row),
      onFollow: () => this.showFollowed(),
      holds: () => inputs.scrub.holds,
      swings: () => oscillation.isOn,
      place: (name, value) => say({ type: "place", name, value }),
      read: (id) => announce("goto", { id }),
    });
    this.projector = new FilmStage({ ...{ store, emphasis, oscillation }, whole: this.whole });
    this.missed = new MissedMessages(
      () => this.outbox.compare(values.holds),
      () => values.areNews,
    );
    this.root.append(
      make("p", { class: "unseen", id: "grid-help" }, HELP),
      inputs.status.live,
      formulas.chooser.el,
      formulas.contents.el,
      formulas.chooser.intro,
      this.whole.bar,
      this.whole.el,
      formulas.stages.el,
      inputs.status.el,
      inputs.tip.el,
    );
    this.listen(signal);
    typesetWhenReady(this.root, signal);
    window.tinkerformer = apiOf(this);
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    document.addEventListener("tinkerformer:theme", () => this.themed(), { signal });
    const askLink = () => this.send({ type: "link" }, { passes: true }).catch(() => {});
    document.addEventListener("tinkerformer:ask-link", askLink, { signal });
    document.addEventListener("visibilitychange", () => this.missed.ask(), { signal });
    const restoreFocus = () => this.inputs.grids.restoreFocus();
    document.addEventListener("tinkerformer:focus-board", restoreFocus, { signal });
    const pointAt = (/** @type {CustomEvent<CellOf | null>} */ { detail }) => this.pointAt(detail);
    document.addEventListener("tinkerformer:point-at", pointAt, { signal });
    const keepOff = (/** @type {CustomEvent<HTMLElement>} */ { detail }) =>
      this.whole.over.take(detail);
    document.addEventListener("tinkerformer:card", keepOff, { signal });
    window.addEventListener("hashchange", openPastedLink, { signal });
    window.addEventListener("pagehide", () => this.leave(), { signal });
    window.addEventListener("beforeprint", () => this.print(), { signal });
    // Some browsers lay out the page for printing only after `beforeprint`.
    const paper = (/** @type {MediaQueryListEvent} */ { matches }) => matches && this.print();
    matchMedia("print").addEventListener("change", paper, { signal });
    window.addEventListener("afterprint", () => this.formulas.visibility.watch(), { signal });
  }

  /** Sends the stored session to Python. Except after a reload, goes to the place in the URL. */
  begin() {
    const { link, saved, steps, file, again } = this.memory.begin();
    const { said, unsent } = this.memory.takeLast();
    this.outbox.toResend = said;
    this.showsSelection = link !== null || saved !== null;
    const texts = { saved: bytesOf(saved), steps: bytesOf(steps), file: bytesOf(file) };
    this.send({ type: "ready", link, ...texts, again, unsent }, { isLong: true }).catch(() => {});
    if (!again) this.formulas.journey.toAsked();
  }

  /**
   * @param {FromBoard} message @param {How} [how]
   * @returns {Promise<number>} the page version that includes the change; rejects with a sentence
   */
  send(message, how) {
    const { type } = message;
    const { structure } = this.numbers.store.manifest ?? {};
    const said = OF_CELL.has(type) ? { ...message, of: structure } : message;
    const usual = { aside: BY_ITSELF.has(type), unanswered: type === "ack" };
    return this.model.request(said, { ...usual, ...how });
  }

  /** Sends a message; if Python refuses it, Python shows the reason. @param {FromBoard} message */
  say = (message) => {
    const said = this.send(message);
    said.catch(() => {});
    return said;
  };

  /**
   * @param {Promise<number>} asked the answer to a message
   * @returns {Promise<void>} resolves when the page shows the change; rejects with a sentence
   */
  async whenShown(asked) {
    await this.numbers.shown.until(await asked);
  }

  /** @param {ToBoard} message */
  receive(message) {
    this.missed.hear();
    /** @type {(message: ToBoard) => void} */ (this.takers[message.type])(message);
  }

  /**
   * The handlers of messages, by type.
   * @type {{[Type in ToBoard["type"]]: (message: ToBoard & {type: Type}) => void}}
   */
  takers = {
    manifest: ({ json }) => this.show(readManifest(json)),
    frame: (message) => this.numbers.values.acceptFrame(message),
    stale: ({ stale }) => this.numbers.store.freshen([], stale),
    move: (message) => this.numbers.values.acceptMove(message),
    orbit: (message) => this.numbers.values.acceptOrbit(message),
    orbit_end: () => this.numbers.oscillation.end(),
    selection: (message) => this.acceptSelection(message),
    look: ({ camera }) => this.whole.viewpoint.begin(camera),
    follow: (message) => this.whole.followed.set(message),
    lens: ({ json }) => this.whole.lens.take(JSON.parse(json)),
    view: (message) => this.acceptView(message),
    step: (message) => {
      const { trail, values, painter } = this.numbers;
      trail.begin(message.fresh);
      values.acceptStart(message);
      if (message.fresh) painter.touchAll();
    },
    scenario: ({ scenario, steps, file, version }) => {
      this.scenario = scenario;
      if (file !== null) this.memory.keepFile(file);
      const isKept = this.memory.keep(scenario, steps);
      if (this.isKept && !isKept) this.send({ type: "unkept" }).catch(() => {});
      this.isKept = isKept;
      this.outbox.keeps(version);
      announce("scenario");
    },
    link: ({ code }) => announce("link", { code }),
    baseline: (message) => this.numbers.values.acceptBaseline(message),
    preview: (message) => {
      this.inputs.rings.preview(message);
      this.inputs.hover.answered();
    },
  };

  // -- structure ----------------------------------------------------------------------------------

  /** @param {Manifest} manifest */
  show(manifest) {
    this.numbers.oscillation.end();
    this.inputs.grids.point(null, null);
    const { whole } = manifest;
    const isSliding = this.whole.slide.isOn; // the screen still shows an earlier picture
    const isSame = !isSliding && isRenamed(this.numbers.store.manifest, manifest);
    if (whole && isSame) this.rename(manifest, whole);
    else this.build(manifest);
    this.formulas.journey.arrive();
    if (!this.outbox.resend()) announce("notice", { sentence: LOST });
  }

  /** Replaces only the words. @param {Manifest} manifest @param {WholeEntry} whole */
  rename(manifest, whole) {
    const { store, viewports, emphasis, painter } = this.numbers;
    store.take(manifest);
    viewports.reset();
    emphasis.show(whole);
    this.whole.rename(whole);
    painter.touchAll();
  }

  /** @param {Manifest} manifest */
  build(manifest) {
    const { store, trail, viewports, emphasis, cursors, painter } = this.numbers;
    const { stages, chooser, contents, layout, places, visibility } = this.formulas;
    const focused = cursors.focused?.matrix.path;
    const { typing } = stages;
    if (store.take(manifest)) {
      trail.clear();
      this.whole.key.choose(null);
    }
    viewports.reset();
    chooser.show(manifest.choices);
    const reading = this.formulas.reading.place();
    stages.show(manifest);
    contents.show(stages.all.map(({ spec }) => spec));
    this.root.classList.toggle("shows-whole", manifest.whole !== undefined);
    emphasis.show(manifest.whole ?? null);
    this.whole.show(manifest.whole ?? null, manifest.lanes ?? []);
    const { views } = stages;
    const grids = views.flatMap((view) => (view.overview ? [view, view.overview] : [view]));
    this.inputs.grids.take(grids, manifest.whole ? this.whole.shared : null);
    chooser.intro.hidden = !views.some((view) => view.overview);
    // The element that had the focus may show another matrix now.
    if (focused !== undefined && (manifest.whole || !cursors.focused)) {
      cursors.focused = null;
      places.of(focused, 0, 0)?.grid.focus({ preventScroll: true });
    }
    if (typing && !typing.tokens?.hasFocus) stages.get(typing.spec.id)?.tokens?.focus();
    // Some views no longer exist; all remaining views are repainted below.
    painter.forget();
    this.inputs.status.explain(manifest.hint);
    layout.layOut();
    this.formulas.reading.goOn(reading);
    visibility.renew(
      [...views, ...stages.pictures, ...stages.equations],
      stages.all.map((stage) => stage.el),
    );
    this.whole.resized();
    painter.repaintAll();
  }

  // -- selection and appearance -------------------------------------------------------------------

  /** @param {SelectionMessage} message */
  acceptSelection({ path, i, j, operands }) {
    const { selection, grids, status } = this.inputs;
    const { store } = this.numbers;
    selection.mark(path === null ? null : { path, i, j, operands });
    if (grids.isChosen && operands.length) status.say(`Selected: ${operandWords(store, operands)}`);
    grids.isChosen = false;
    if (!this.showsSelection) return;
    this.showsSelection = false;
    // The picture opens with the stored camera, so the camera need not move to the cell.
    if (path === null || store.manifest?.whole) return;
    this.formulas.journey.whenDrawn({ path, i, j });
    this.formulas.journey.arrive();
  }

  /** @param {ViewMessage} settings */
  acceptView(settings) {
    const { appearance, emphasis, painter, store } = this.numbers;
    const before = appearance.plane;
    appearance.take(settings);
    // Gradients that arrived earlier may be outdated when they are shown again.
    if (before !== appearance.plane) {
      for (const matrix of store.byIndex) matrix.gradients = null;
      emphasis.replane();
      this.whole.pass.show(appearance.plane);
      this.whole.showFollowed();
    }
    this.whole.refold();
    painter.repaintAll();
    announce("view", { ...appearance.settings });
  }

  /** Updates the marks after a part of the board was painted. */
  painted() {
    const { whole } = this;
    const { emphasis, trail, oscillation } = this.numbers;
    const { rings, status } = this.inputs;
    const isShown = (emphasis.level > 0 || emphasis.explains) && !oscillation.isOn;
    rings.spreadFrom(isShown ? trail.causes : []);
    status.explainMarks(emphasis.carriers);
    whole.written();
    this.projector.painted();
  }

  /**
   * Highlights a cell at which another component points, like a cell under the pointer; moves the
   * camera to a cell out of sight.
   * @param {CellOf | null} cell
   */
  pointAt(cell) {
    const isThere = cell !== null && this.formulas.journey.isPlaced(cell);
    const view = isThere ? this.formulas.places.of(cell.path, cell.i, cell.j) : undefined;
    if (!cell || !view) {
      this.inputs.grids.point(null, null);
      return;
    }
    const { i, j } = this.formulas.places.within(view, cell.path, cell.i, cell.j);
    view.reveal?.(i, j);
    this.inputs.grids.point(view, { i, j }, true);
  }

  /** Shows the followed word in all views; no word with gradients, which concern all words. */
  showFollowed() {
    const { shown: followed } = this.whole.followed;
    const shown = this.numbers.appearance.showsGradients ? null : followed;
    this.inputs.status.follow(shown);
    for (const stage of this.formulas.stages.all) stage.follow(shown);
    this.numbers.emphasis.refocus();
  }

  themed() {
    this.numbers.appearance.renew();
    this.numbers.painter.repaintAll();
    this.whole.canvas.renew();
  }

  /** Paints everything for printing, without waiting for a display frame. */
  print() {
    this.formulas.visibility.approachAll();
    this.numbers.painter.paint();
  }

  /** @param {Changed} changed */
  tellChange(changed) {
    this.inputs.status.tellChange(changed);
    this.whole.caption.tell(changed);
    this.changeAtLinks.tell(changed);
    this.numbers.emphasis.tell(changed.is_traced ?? false);
  }

  leave() {
    this.memory.leave(this.outbox.rest);
  }

  remove() {
    this.leave();
    this.listening.abort();
    this.missed.stop();
    this.formulas.remove();
    this.inputs.remove();
    this.numbers.painter.stop();
    this.whole.remove();
  }
}

/** @type {Board | null} The board of this document; rendering again replaces it. */
let current = null;

/** Encodes a long text as bytes, which are smaller than JSON. @param {string | null} text */
const bytesOf = (text) => (text === null ? null : new TextEncoder().encode(text));

/** @param {{model: Model<Properties> & Port, el: HTMLElement}} component */
export function render({ model, el }) {
  current?.remove();
  const board = new Board(model, el);
  current = board;
  const { status, underWay } = board.inputs;
  /** @type {[keyof Properties & string, () => void][]} */
  const shown = [
    ["busy", () => setText(underWay, model.busy ? UNDER_WAY : "")],
    ["editing", () => board.showFollowed()],
    ["reached", () => status.reaches(model.reached)],
    ["changed", () => board.tellChange(model.changed)],
    ["new_words", () => board.whole.labels.words.markNew(model.new_words)],
    ["dropped", () => status.tellDropped(model.dropped)],
  ];
  for (const [name, show] of shown) {
    show();
    model.on(name, show);
  }
  onMessage(model, (/** @type {ToBoard} */ message) => {
    if (current === board) board.receive(message);
  });
  model.on("editing", () => !model.editing && board.numbers.emphasis.end());
  model.on("row", () => board.numbers.emphasis.refocus());
  model.on("searched", () => board.numbers.emphasis.refocus());
  model.on("remove", () => {
    board.remove();
    if (current === board) current = null;
  });
  board.begin();
}
