/** The types of what is used of lit-html (https://lit.dev/docs/libraries/standalone-templates/). */

/** The content of a template or of its part; an array is a list, text is never parsed as HTML. */
export type Shown = unknown;

export interface TemplateResult {
  readonly strings: TemplateStringsArray;
  readonly values: unknown[];
}

/** A template of elements; an attribute, a `.property`, an `@event` or a child per value. */
export function html(strings: TemplateStringsArray, ...values: Shown[]): TemplateResult;

/** A template of elements inside an `<svg>`. */
export function svg(strings: TemplateStringsArray, ...values: Shown[]): TemplateResult;

/** Renders no child, or leaves out an attribute. */
export const nothing: unique symbol;

/** Leaves a child, an attribute or a property as it is. */
export const noChange: unique symbol;

/** Renders a template in a container; the next call changes only the values that differ. */
export function render(
  value: Shown,
  container: Element | DocumentFragment,
  options?: { host?: object; renderBefore?: ChildNode | null },
): object;
