/** The browser's end of the port: shows what Python sends, and sends what the visitor does. */

import { Charts } from "./charts.js";
import { Outbox } from "./outbox.js";
import { KINDS } from "./thing.js";
import { read, write } from "./wire.js";

/**
 * @import {ComponentClass, Description, House, Layout, Thing} from "./thing.js"
 * @import {Limits} from "./limits.js"
 * @import {Properties} from "./model.js"
 * @import {Packet} from "./wire.js"
 *
 * @typedef {["place", 0, Record<string, Description[]>]} PlaceEntry
 * @typedef {["set", number, Properties]} SetEntry
 * @typedef {["layout", number, Partial<Layout>]} LayoutEntry
 * @typedef {["message", number, object]} MessageEntry
 * @typedef {["charts", string, [string, ArrayBuffer][]]} ChartsEntry
 * @typedef {["limits", 0, Limits]} LimitsEntry
 * @typedef {["model", 0, {name: string}]} ModelEntry
 * @typedef {["answers", 0, {done: [n: number, sentence: string][], version: number, kept: number}]}
 *   AnswersEntry
 * @typedef {PlaceEntry | SetEntry | LayoutEntry | MessageEntry | ChartsEntry | LimitsEntry |
 *   ModelEntry | AnswersEntry} Entry
 *
 * @typedef {object} Surroundings
 * @property {(name: string) => Promise<ComponentClass>} load loads a component class
 * @property {(name: string) => Element | null} region the element that holds a region
 * @property {() => Promise<unknown>} loadBokeh puts `Bokeh` on the window
 * @property {(packet: Packet) => void} post sends to Python, in order
 */

export class Shell {
  /** @param {Surroundings} surroundings */
  constructor({ load, region, loadBokeh, post }) {
    this.region = region;
    /** @type {Map<number, Thing>} */
    this.things = new Map();
    this.outbox = new Outbox(write, post, (to) => this.things.get(to)?.component.name);
    /** @type {House} */
    this.house = {
      load,
      charts: new Charts(loadBokeh),
      outbox: this.outbox,
      thing: (description) => this.thing(description),
      forget: ({ number }) => this.things.delete(number),
    };
  }

  /**
   * Applies one message from Python. All properties are set before any listener runs.
   * @param {string} text @param {ArrayBuffer[]} buffers
   */
  receive(text, buffers) {
    this.outbox.posts += 1;
    this.take(read(text, buffers));
  }

  /** @param {Entry[]} entries */
  take(entries) {
    const hear = entries.map((entry) => this.entered(entry));
    for (const each of hear) each();
  }

  /** @param {Entry} entry @returns {() => void} notifies the listeners */
  entered(entry) {
    const [kind, number, content] = entry;
    if (kind === "place") return () => this.place(content);
    if (kind === "charts") return () => this.house.charts.patch(number, content);
    if (kind === "answers") return () => this.outbox.answered(content);
    if (kind === "limits" || kind === "model") {
      if (kind === "limits") this.outbox.limits = content;
      else this.outbox.model = content.name;
      return () => {};
    }
    const thing = this.things.get(number);
    if (kind === "set" && thing) {
      const changed = thing.model.told(content);
      return () => heard(() => changed.length && thing.changed(changed));
    }
    // Look the element up later: an earlier entry of this message may create it.
    return () => heard(() => this.tell(entry));
  }

  /** @param {SetEntry | LayoutEntry | MessageEntry} entry */
  tell([kind, number, content]) {
    const thing = this.things.get(number);
    if (!thing) return;
    if (kind === "set") thing.changed(thing.model.told(content));
    else if (kind === "layout") thing.place(content);
    else thing.model.message(content);
  }

  /** @param {Record<string, Description[]>} regions */
  place(regions) {
    for (const [name, descriptions] of Object.entries(regions)) {
      this.region(name)?.append(...descriptions.map((each) => this.thing(each).el));
    }
  }

  /** Removes every element from the page. */
  clear() {
    for (const thing of [...this.things.values()]) thing.remove();
  }

  /**
   * Returns the element of this number. One of another kind or class is replaced.
   * @param {Description} description
   */
  thing(description) {
    const { number, kind } = description;
    const there = this.things.get(number);
    if (there && (!kind || (there.kind === kind && there.class === description.class))) {
      if (kind) {
        there.place(description.layout);
        there.changed(there.model.take(description.properties));
      }
      return there;
    }
    there?.remove();
    const made = new KINDS[kind](description, this.house);
    this.things.set(number, made);
    made.draw();
    return made;
  }
}

/**
 * Runs a listener. If it throws, the error is reported and other components still update.
 * @param {() => unknown} task
 */
function heard(task) {
  try {
    task();
  } catch (error) {
    reportError(error);
  }
}
