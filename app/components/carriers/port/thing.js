/** The elements of the page: each has a shadow root and follows its description from Python. */

import { CarriedModel } from "./model.js";

/**
 * @import {Say, Properties} from "./model.js"
 * @import {Charts} from "./charts.js"
 * @import {Outbox} from "./outbox.js"
 *
 * @typedef {object} Layout
 * @property {boolean} visible
 * @property {string | null} sizing_mode
 * @property {number | number[] | null} margin
 * @property {string[]} stylesheets
 *
 * @typedef {object} Description of an element; only its number if it is on the page already
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
 * @typedef {object} House what all elements of a page share
 * @property {(name: string) => Promise<ComponentClass>} load loads a component class
 * @property {Charts} charts
 * @property {Outbox} outbox
 * @property {(description: Description) => Thing} thing finds or creates the element of this number
 * @property {(thing: Thing) => void} forget forgets an element that was removed
 */

const BASE =
  ":host { display: block; position: relative; box-sizing: border-box; min-width: 0; }\n" +
  ":host([hidden]) { display: none !important; }";
// Margins where none is set, as in Panel.
const USUAL_MARGIN = { html: "5px 10px", chart: "5px", component: "0", column: "0" };

export class Thing {
  /** @param {Description} description @param {House} house */
  constructor({ number, kind, properties, layout, ...rest }, house) {
    this.number = number;
    this.kind = kind;
    this.class = rest.class;
    this.house = house;
    this.layout = layout;
    /** @type {Say} */
    const say = (what, content, how) => house.outbox.say(this.component, what, content, how);
    this.model = new CarriedModel(properties, say, house.outbox);
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

  /** Called after properties have changed. @param {string[]} names */
  changed(names) {
    this.model.tell(names);
  }

  /** Applies changes of the layout. @param {Partial<Layout>} changes */
  place(changes) {
    this.layout = { ...this.layout, ...changes };
    this.arrange();
  }

  arrange() {
    const { visible, sizing_mode, margin, stylesheets } = this.layout;
    const { style } = this.el;
    this.el.hidden = !visible;
    style.width = sizing_mode?.startsWith("stretch") ? "auto" : "fit-content";
    const sides = margin === null ? null : [margin].flat();
    style.margin = sides ? sides.map((x) => `${x}px`).join(" ") : USUAL_MARGIN[this.kind];
    this.wear(stylesheets);
  }

  /** @param {string[]} own style sheets besides those of its class */
  wear(own) {
    const sheets = [BASE, ...this.styles, ...own];
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

  /** @returns {string[]} */
  get styles() {
    return [];
  }

  /** Removes the element from the page. */
  remove() {
    this.model.tell(["remove"]);
    this.el.remove();
    this.house.forget(this);
  }
}

/** A component: drawn by its module once that is loaded. */
class ComponentThing extends Thing {
  /** @type {string[]} */
  loaded = [];

  get styles() {
    return this.loaded ?? [];
  }

  async draw() {
    const { styles, module } = await this.house.load(this.class ?? "");
    if (this.isGone) return;
    this.loaded = styles;
    this.wear(this.layout.stylesheets);
    const drawn = await module.render({ model: this.model.face, el: this.content });
    if (drawn instanceof Node) this.content.replaceChildren(drawn);
    this.model.begin();
  }

  remove() {
    this.isGone = true;
    super.remove();
  }
}

/** HTML written by Python. */
class HTMLThing extends Thing {
  draw() {
    this.content.innerHTML = String(this.model.properties.object);
  }

  changed() {
    this.draw();
  }
}

/** A column of elements. */
class ColumnThing extends Thing {
  /** @type {Thing[]} */
  held = [];

  get styles() {
    return [":host { display: flex; flex-direction: column; } :host > div { display: contents; }"];
  }

  draw() {
    const described = /** @type {Description[]} */ (this.model.properties.objects);
    const before = this.held;
    this.held = described.map((each) => this.house.thing(each));
    for (const gone of before) if (!this.held.includes(gone)) gone.remove();
    this.content.replaceChildren(document.createElement("slot"));
    this.el.replaceChildren(...this.held.map((thing) => thing.el));
  }

  changed() {
    this.draw();
  }

  remove() {
    for (const thing of this.held) thing.remove();
    super.remove();
  }
}

/** A Bokeh figure. */
class ChartThing extends Thing {
  /** @type {Promise<() => void>} */
  drawn = Promise.resolve(() => {});

  draw() {
    const id = this.model.properties.object;
    const before = this.drawn;
    this.drawn = (async () => {
      (await before)();
      this.content.replaceChildren();
      if (typeof id !== "string" || this.isGone) return () => {};
      return this.house.charts.draw(id, this.content);
    })();
    this.drawn.catch((error) => console.error(error));
  }

  changed() {
    this.draw();
  }

  remove() {
    this.isGone = true;
    this.drawn.then((takeAway) => takeAway());
    super.remove();
  }
}

export const KINDS = {
  component: ComponentThing,
  html: HTMLThing,
  column: ColumnThing,
  chart: ChartThing,
};
