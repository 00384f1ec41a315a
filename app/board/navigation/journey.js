/**
 * Navigates to a cell or a stage: immediately if it is drawn, otherwise once Python has sent it.
 * The latest request replaces earlier requests.
 */

import { addressQuery, isEmbedded } from "../../components/shared/address.js";
import { isFieldFocused } from "../../components/shared/typing.js";
import { Landing } from "./landing.js";

/**
 * @import {CellOf, Send} from "../data/types.js"
 * @import {Formulas} from "../formulas.js"
 * @import {Numbers} from "../numbers.js"
 */

/** ms after which a request is dropped if its destination is not drawn yet. */
const PATIENCE = 15_000;
const LINKS_STAGE = "attention.links";
const MATRIX = "matrix:";

/**
 * @typedef {Pick<Numbers, "store"> & Pick<Formulas, "stages" | "places"> & JourneyOnly}
 *   JourneyServices
 * @typedef {object} JourneyOnly
 * @property {Send} send
 * @property {(cell: CellOf) => void} walk moves the keyboard focus to a drawn cell
 * @property {(path: string) => void} unfoldFor unfolds the part that contains an undrawn matrix
 */

export class Journey {
  /** @param {JourneyServices} services */
  constructor(services) {
    this.services = services;
    this.landing = new Landing();
    this.destination = /** @type {CellOf | {stage: string} | null} */ (null);
    this.isWalking = false; // whether the keyboard focus moves to the destination, too
  }

  /** @param {CellOf} cell */
  toCell(cell) {
    if (this.isPlaced(cell)) this.services.places.bringIntoView(cell.path, cell.i, cell.j);
    else this.whenDrawn(cell);
  }

  /** Moves the focus to a cell, even in a layer or part not drawn yet. @param {CellOf} cell */
  walkTo(cell) {
    if (this.isPlaced(cell)) {
      this.services.places.bringIntoView(cell.path, cell.i, cell.j);
      this.services.walk(cell);
      return;
    }
    this.services.send({ type: "goto", place: cell.path });
    this.whenDrawn(cell);
    this.isWalking = true;
  }

  /** Whether a cell is drawn as a number, and not only as a link. @param {CellOf} cell */
  isPlaced({ path, i, j }) {
    const { store, places } = this.services;
    return store.isDrawn(path, i, j) && places.of(path, i, j) !== undefined;
  }

  /** @param {string} id of a stage @returns {boolean} whether the stage exists */
  toStage(id) {
    const { store, stages, send } = this.services;
    if (!stages.get(id) && store.manifest?.choices.length) {
      this.whenDrawn({ stage: id });
      send({ type: "goto", place: id });
      return true;
    }
    const stage = stages.placed(id);
    if (!stage) return false;
    this.landing.on(stage.el);
    if (!isFieldFocused()) stage.title.focus({ preventScroll: true });
    return true;
  }

  /** Goes to the stage or matrix that the URL names; does nothing if embedded. */
  toAsked() {
    const asked = addressQuery().get("view") ?? "";
    const path = asked.startsWith(MATRIX) ? asked.slice(MATRIX.length) : "";
    if (isEmbedded() || !(path || asked.includes("."))) return;
    this.services.send({ type: "goto", place: path || asked });
    this.whenDrawn(path ? { path, i: 0, j: 0 } : { stage: asked });
  }

  /** Scrolls to the large picture of attention. */
  toLinks() {
    const stage = this.services.stages.get(LINKS_STAGE);
    if (!stage || stage.el.getBoundingClientRect().top < innerHeight * 0.5) return;
    this.landing.on(stage.el);
  }

  /** Goes to a place once it is drawn. @param {CellOf | {stage: string}} destination */
  whenDrawn(destination) {
    if ("path" in destination) this.services.unfoldFor(destination.path);
    this.destination = destination;
    this.isWalking = false;
    setTimeout(() => {
      if (this.destination === destination) this.destination = null;
    }, PATIENCE);
  }

  /** After a new manifest, goes to the requested place if it is drawn now. */
  arrive() {
    const { destination } = this;
    const { stages, places } = this.services;
    if (!destination || !stages.availableWidth) return;
    if ("stage" in destination) {
      if (!stages.get(destination.stage)) return;
      this.destination = null;
      this.toStage(destination.stage);
    } else {
      if (!this.isPlaced(destination)) return;
      this.destination = null;
      places.bringIntoView(destination.path, destination.i, destination.j);
      if (this.isWalking) this.services.walk(destination);
    }
  }
}
