/** The elements of the page: each has a shadow root and follows its description from Python. */

import { setAttribute } from "../../components/shared/dom.js";
import { ComponentModel } from "./model.js";

/**
 * @import {Send, Properties} from "./model.js"
 * @import {Charts} from "./charts.js"
 * @import {Outbox} from "./outbox.js"
 *
 * @typedef {object} Layout
 * @property {boolean} visible
 * @property {string} pending a note on the shown result, if it is outdated; otherwise empty
 * @property {string | null} sizing_mode
 * @property {number | number[] | null} margin
 * @property {string[]} stylesheets
 *
 * @typedef {object} ElementSpec an element; only its number if the page has the element already
 * @property {number} number
 * @property {"component" | "html" | "column" | "chart"} kind
 * @property {string} [class]
 * @property {Properties} properties
 * @property {Layout} layout
 *
 * @typedef {object} ComponentClass
 * @property {string[]} styles
 * @property {{render: (component: {model: any, el: HTMLElement}) => unknown}} module
 *
 * @typedef {object} PageContext the objects that all elements of a page share
 * @property {(name: string) => Promise<ComponentClass>} load loads a component class
 * @property {Charts} charts
 * @property {Outbox} outbox
 * @property {(spec: ElementSpec) => PageElement} element finds or creates the element of this
 *   number
 * @property {(element: PageElement) => void} forget forgets an element that was removed
 */

const BASE =
  ":host { display: block; position: relative; box-sizing: border-box; min-width: 0; }\n" +
  ":host([hidden]) { display: none !important; }\n" +
  // An outdated result is dimmed, with a note in its upper right corner.
  ":host([data-pending]) > div, [data-pending] > * { opacity: 0.4; }\n" +
  ":host([data-pending])::after, [data-pending]::after { content: attr(data-pending); " +
  "position: absolute; top: 0; right: 0; padding: 2px 8px; border-radius: 8px; " +
  "background: var(--card); color: var(--muted); font: 13px/1.4 var(--font-text); " +
  "pointer-events: none; }\n" +
  "[data-pending] { position: relative; }";
const COLUMN = [
  ":host { display: flex; flex-direction: column; } :host > div { display: contents; }",
  ":host([data-pending]) ::slotted(*) { opacity: 0.4; }",
];
// Default margins, as in Panel.
const DEFAULT_MARGIN = { html: "5px 10px", chart: "5px", component: "0", column: "0" };

export class PageElement {
  /** @type {string[]} the style sheets of its class */
  styles = [];

  /** @param {ElementSpec} spec @param {PageContext} context */
  constructor({ number, kind, properties, layout, ...rest }, context) {
    this.number = number;
    this.kind = kind;
    this.class = rest.class;
    this.context = context;
    this.layout = layout;
    /** @type {Send} */
    const send = (what, content, how) => context.outbox.send(this.component, what, content, how);
    this.model = new ComponentModel(properties, send, context.outbox);
    this.el = document.createElement("div");
    this.el.className = "carried";
    this.el.dataset.number = String(number);
    this.root = this.el.attachShadow({ mode: "open" });
    this.content = document.createElement("div");
    this.root.append(this.content);
    this.arrange();
  }

  /** Identifies the component in messages to Python. */
  get component() {
    return { to: this.number, name: this.class ?? "", seen: this.model.changes };
  }

  /** Draws the content. The element is on the page, or will be before the next paint. */
  draw() {}

  /** Called after properties have changed. @param {string[]} _names */
  changed(_names) {
    this.draw();
  }

  /** Applies changes of the layout. @param {Partial<Layout>} changes */
  place(changes) {
    this.layout = { ...this.layout, ...changes };
    this.arrange();
  }

  arrange() {
    const { visible, pending, sizing_mode, margin } = this.layout;
    const { style } = this.el;
    this.el.hidden = !visible;
    setAttribute(this.el, "data-pending", pending || null);
    setAttribute(this.el, "aria-busy", pending ? "true" : null);
    style.width = sizing_mode?.startsWith("stretch") ? "auto" : "fit-content";
    const sides = margin === null ? null : [margin].flat();
    style.margin = sides ? sides.map((x) => `${x}px`).join(" ") : DEFAULT_MARGIN[this.kind];
    this.applyStyles();
  }

  applyStyles() {
    const sheets = [BASE, ...this.styles, ...this.layout.stylesheets];
    if (sheets.join() === this.worn) return;
    this.worn = sheets.join();
    for (const old of this.root.querySelectorAll("style[data-sheet]")) old.remove();
    this.root.prepend(
      ...sheets.map((css) => {
        const style = document.createElement("style");
        style.dataset.sheet = "";
        style.textContent = css;
        return style;
      }),
    );
  }

  /** Removes the element from the page. */
  remove() {
    this.model.notify(["remove"]);
    this.el.remove();
    this.context.forget(this);
  }
}

/** A component, which its module draws once the module is loaded. */
class ComponentElement extends PageElement {
  async draw() {
    const { styles, module } = await this.context.load(this.class ?? "");
    if (this.isGone) return;
    this.styles = styles;
    this.applyStyles();
    const drawn = await module.render({ model: this.model.proxy, el: this.content });
    if (drawn instanceof Node) this.content.replaceChildren(drawn);
    this.model.begin();
  }

  /** @param {string[]} names */
  changed(names) {
    this.model.notify(names);
  }

  remove() {
    this.isGone = true;
    super.remove();
  }
}

/** HTML written by Python. */
class MarkupElement extends PageElement {
  draw() {
    this.content.innerHTML = String(this.model.properties.object);
  }
}

/** A column of elements. */
class ColumnElement extends PageElement {
  /** @type {PageElement[]} */
  children = [];

  draw() {
    this.styles = COLUMN;
    this.applyStyles();
    const described = /** @type {ElementSpec[]} */ (this.model.properties.objects);
    const before = this.children;
    this.children = described.map((each) => this.context.element(each));
    for (const gone of before) if (!this.children.includes(gone)) gone.remove();
    this.content.replaceChildren(document.createElement("slot"));
    this.el.replaceChildren(...this.children.map((child) => child.el));
  }

  remove() {
    for (const child of this.children) child.remove();
    super.remove();
  }
}

/** A Bokeh figure. */
class ChartElement extends PageElement {
  /** @type {Promise<() => void>} */
  drawn = Promise.resolve(() => {});

  draw() {
    const id = this.model.properties.object;
    const before = this.drawn;
    this.drawn = (async () => {
      (await before)();
      this.content.replaceChildren();
      if (typeof id !== "string" || this.isGone) return () => {};
      return this.context.charts.draw(id, this.content);
    })();
    this.drawn.catch((error) => console.error(error));
  }

  remove() {
    this.isGone = true;
    this.drawn.then((removeChart) => removeChart());
    super.remove();
  }
}

export const ELEMENT_CLASSES = {
  component: ComponentElement,
  html: MarkupElement,
  column: ColumnElement,
  chart: ChartElement,
};
