/** The browser's end of the port: shows Python's components, and sends the visitor's actions. */

import { beforePaint } from "../../components/shared/display_frame.js";
import { Charts } from "./charts.js";
import { Outbox } from "./outbox.js";
import { ELEMENT_CLASSES } from "./page_element.js";
import { read, write } from "./wire.js";

/**
 * @import {ComponentClass, ElementSpec, PageContext, Layout, PageElement} from "./page_element.js"
 * @import {Limits} from "./limits.js"
 * @import {Properties} from "./model.js"
 * @import {Packet} from "./wire.js"
 *
 * @typedef {["place", 0, Record<string, ElementSpec[]>]} PlaceEntry
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
 * @typedef {object} ShellHost the functions of the page that the shell calls
 * @property {(name: string) => Promise<ComponentClass>} load loads a component class
 * @property {(name: string) => Element | null} region the element that holds a region
 * @property {() => Promise<unknown>} loadBokeh puts `Bokeh` on the window
 * @property {(packet: Packet) => void} post sends to Python, in order
 */

export class Shell {
  /** @param {ShellHost} host */
  constructor({ load, region, loadBokeh, post }) {
    this.region = region;
    /** @type {Entry[][]} */
    this.posts = []; // Python's messages that are not applied yet
    this.takeAll = () => {
      for (const entries of this.posts.splice(0)) this.take(entries);
    };
    /** @type {Map<number, PageElement>} */
    this.elements = new Map();
    this.outbox = new Outbox(write, post, (to) => this.elements.get(to)?.component.name);
    /** @type {PageContext} */
    this.context = {
      load,
      charts: new Charts(loadBokeh),
      outbox: this.outbox,
      element: (spec) => this.element(spec),
      forget: ({ number }) => this.elements.delete(number),
    };
  }

  /**
   * Receives one message from Python, and applies it in the next display frame.
   * @param {string} text @param {ArrayBuffer[]} buffers
   */
  receive(text, buffers) {
    this.outbox.posts += 1;
    this.posts.push(read(text, buffers));
    beforePaint("take", this.takeAll);
  }

  /**
   * Applies one message. All its properties are set before any listener runs.
   * @param {Entry[]} entries
   */
  take(entries) {
    const notifications = entries.map((entry) => this.applyEntry(entry));
    for (const each of notifications) each();
  }

  /** @param {Entry} entry @returns {() => void} notifies the listeners */
  applyEntry(entry) {
    const [kind, number, content] = entry;
    if (kind === "place") return () => this.place(content);
    if (kind === "charts") return () => this.context.charts.patch(number, content);
    if (kind === "answers") return () => this.outbox.answered(content);
    if (kind === "limits" || kind === "model") {
      if (kind === "limits") this.outbox.limits = content;
      else this.outbox.model = content.name;
      return () => {};
    }
    const element = this.elements.get(number);
    if (kind === "set" && element) {
      const changed = element.model.applyUpdate(content);
      return () => runListener(() => changed.length && element.changed(changed));
    }
    // The element is looked up later, because an earlier entry of this message may create it.
    return () => runListener(() => this.applyToElement(entry));
  }

  /** @param {SetEntry | LayoutEntry | MessageEntry} entry */
  applyToElement([kind, number, content]) {
    const element = this.elements.get(number);
    if (!element) return;
    if (kind === "set") element.changed(element.model.applyUpdate(content));
    else if (kind === "layout") element.place(content);
    else element.model.message(content);
  }

  /** @param {Record<string, ElementSpec[]>} regions */
  place(regions) {
    for (const [name, specs] of Object.entries(regions)) {
      this.region(name)?.append(...specs.map((each) => this.element(each).el));
    }
  }

  /** Removes every element from the page. */
  clear() {
    for (const element of [...this.elements.values()]) element.remove();
  }

  /**
   * Returns the element of this number; replaces one of a different kind or class.
   * @param {ElementSpec} spec
   */
  element(spec) {
    const { number, kind } = spec;
    const there = this.elements.get(number);
    if (there && (!kind || (there.kind === kind && there.class === spec.class))) {
      if (kind) {
        there.place(spec.layout);
        there.changed(there.model.take(spec.properties));
      }
      return there;
    }
    there?.remove();
    const made = new ELEMENT_CLASSES[kind](spec, this.context);
    this.elements.set(number, made);
    made.draw();
    return made;
  }
}

/**
 * Runs a listener. If it throws, the error is reported and other components still update.
 * @param {() => unknown} task
 */
function runListener(task) {
  try {
    task();
  } catch (error) {
    reportError(error);
  }
}
