/**
 * Makes a group of controls one Tab stop, in the ARIA pattern of toolbars: arrow keys move within
 * the group, and Tab returns to the control that had the focus last.
 */

import { setAttribute } from "./dom.js";
import { bindKeys } from "./keys.js";

/** @import {KeyBinding} from "./keys.js" */

const CONTROLS = "button, select, a[href], input[type=checkbox]";
/**
 * After a change, a group waits for PAUSE ms without further changes, and at most LONGEST ms,
 * before it checks which of its controls are visible: the check forces a layout.
 */
const PAUSE = 100;
const LONGEST = 1000;
/** Elements that open over a group are not part of the group. */
const APART = "dialog, [popover], [role=menu], [role=listbox]";
const ARROWS = {
  across: { back: ["ArrowLeft"], on: ["ArrowRight"] },
  down: { back: ["ArrowUp"], on: ["ArrowDown"] },
  both: { back: ["ArrowLeft", "ArrowUp"], on: ["ArrowRight", "ArrowDown"] },
};

/** @param {Element | ShadowRoot} el @returns {HTMLElement[]} all controls, also in shadow roots */
function controlsIn(el) {
  return [...el.querySelectorAll("*")].flatMap((each) => {
    if (each.shadowRoot) return isApart(each, el) ? [] : controlsIn(each.shadowRoot);
    if (!(each instanceof HTMLElement && each.matches(CONTROLS))) return [];
    return isApart(each, el) ? [] : [each];
  });
}

/** @param {Element} each @param {Element | ShadowRoot} el an ancestor */
function isApart(each, el) {
  const apart = each.closest(APART);
  return apart !== null && apart !== el && el.contains(apart);
}

/** @param {Element | ShadowRoot} el @returns {ShadowRoot[]} the shadow roots in it */
const rootsIn = (el) =>
  [...el.querySelectorAll("*")].flatMap(({ shadowRoot }) =>
    shadowRoot ? [shadowRoot, ...rootsIn(shadowRoot)] : [],
  );

/** @param {HTMLElement} item */
const isReachable = (item) =>
  !(/** @type {HTMLButtonElement} */ (item).disabled) && item.checkVisibility();

export class OneStop {
  /**
   * @param {HTMLElement} el
   * @param {string} place the group's heading in the list of keys
   * @param {object} [options]
   * @param {"across" | "down" | "both"} [options.way] which arrow keys move within the group
   * @param {() => HTMLElement[]} [options.items] returns the controls in order
   * @param {boolean} [options.watches] whether the group observes changes of its controls;
   *   otherwise the caller calls `renew`
   */
  constructor(el, place, { way = "across", items, watches = true } = {}) {
    this.el = el;
    this.items = items ?? (() => controlsIn(el));
    this.current = /** @type {HTMLElement | null} */ (null);
    el.addEventListener("focusin", (event) => this.entered(event));
    const { back, on } = ARROWS[way];
    const go = (/** @type {(at: number, last: number) => number} */ to) => {
      return (/** @type {KeyboardEvent} */ event) => this.go(event, to);
    };
    /** @type {KeyBinding[]} */
    const bindings = [
      { keys: back, does: "the one before", run: go((at) => at - 1) },
      { keys: on, does: "the next one", run: go((at) => at + 1) },
      { keys: ["Home"], does: "the first one", run: go(() => 0) },
      { keys: ["End"], does: "the last one", run: go((_, last) => last) },
    ];
    bindKeys(el, place, bindings);
    let due = 0;
    let latest = 0; // the latest time of the next check
    const renewSoon = () => {
      const now = performance.now();
      if (!due) latest = now + LONGEST;
      clearTimeout(due);
      due = setTimeout(
        () => {
          due = 0;
          this.renew();
        },
        Math.max(0, Math.min(PAUSE, latest - now)),
      );
    };
    this.watch = watches ? new MutationObserver(renewSoon) : null;
    // Style sheets show and hide controls depending on the width.
    if (watches) new ResizeObserver(renewSoon).observe(el);
    this.renew();
  }

  /** The controls that can have the focus now. */
  get reachable() {
    return this.items().filter(isReachable);
  }

  renew() {
    const { current, watch } = this;
    for (const root of watch ? [this.el, ...rootsIn(this.el)] : [])
      watch?.observe(root, {
        childList: true,
        subtree: true,
        attributeFilter: ["hidden", "disabled", "style"],
      });
    const items = this.items();
    const isStill = current && items.includes(current) && isReachable(current);
    const stop = isStill ? current : items.find(isReachable);
    for (const item of items) setAttribute(item, "tabindex", item === stop ? 0 : -1);
  }

  /** @param {FocusEvent} event */
  entered(event) {
    const item = this.itemOf(event);
    if (!item) return;
    this.current = item;
    this.renew();
  }

  /** @param {Event} event */
  itemOf(event) {
    const path = event.composedPath();
    return this.items().find((item) => path.includes(item));
  }

  /** @param {KeyboardEvent} event @param {(at: number, last: number) => number} to */
  go(event, to) {
    const item = this.itemOf(event);
    const { reachable } = this;
    const at = item ? reachable.indexOf(item) : -1;
    if (at < 0) return false;
    const last = reachable.length - 1;
    reachable[Math.max(0, Math.min(last, to(at, last)))].focus();
    return true;
  }
}
