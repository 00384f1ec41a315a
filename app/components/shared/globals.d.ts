// The properties of the window, and the events of the document, that components use.

import type { Tinkerformer } from "../../board/api.js";
import type { BokehView } from "../../features/exports/charts.js";

export {};

/** The used part of Bokeh's document. */
interface BokehDocument {
  apply_json_patch(this: BokehDocument, ...patch: unknown[]): void;
  _new_models: Set<unknown>;
}

declare global {
  var litHtml: object | undefined;
  var displayFrame: object | undefined;

  interface Window {
    katex?: {
      render(tex: string, into: HTMLElement, options: object): void;
    };
    tinkerformer?: Tinkerformer;
    Bokeh?: {
      index?: Iterable<BokehView>;
      require?(name: "document"): { Document: { prototype: BokehDocument } };
    };
  }

  interface HTMLElementTagNameMap {
    "tinker-former": HTMLElement;
  }

  interface DocumentEventMap {
    "tinkerformer:ready": CustomEvent<null>;
    "tinkerformer:frame": CustomEvent<{ frames: number }>;
    "tinkerformer:scenario": CustomEvent<null>;
    "tinkerformer:selection": CustomEvent<{ path: string; i: number; j: number } | null>;
    "tinkerformer:point-at": CustomEvent<{ path: string; i: number; j: number } | null>;
    "tinkerformer:orbit": CustomEvent<{ on: boolean; path: string; i: number; j: number }>;
    "tinkerformer:notice": CustomEvent<{ sentence: string }>;
    "tinkerformer:ask-link": CustomEvent<null>;
    "tinkerformer:files": CustomEvent<File[]>;
    "tinkerformer:link": CustomEvent<{ code: string | null }>;
    "tinkerformer:goto": CustomEvent<{ id: string }>;
    "tinkerformer:idea": CustomEvent<{ view: string }>;
    "tinkerformer:selected-again": CustomEvent<null>;
    "tinkerformer:card": CustomEvent<HTMLElement>;
    "tinkerformer:ask-matrix": CustomEvent<null>;
    "tinkerformer:close-drawer": CustomEvent<null>;
    "tinkerformer:leave-view": CustomEvent<null>;
    "tinkerformer:dialog": CustomEvent<{ open: boolean; dialog: HTMLDialogElement }>;
    "tinkerformer:theme": CustomEvent<{ theme: "light" | "dark" }>;
    "tinkerformer:view": CustomEvent<object>;
    "tinkerformer:focus-inspector": CustomEvent<null>;
    "tinkerformer:focus-board": CustomEvent<null>;
    "tinkerformer:focus-guide": CustomEvent<null>;
    "tinkerformer:film": CustomEvent<null>;
    "tinkerformer:film-words": CustomEvent<{ count: number | null }>;
  }
}
