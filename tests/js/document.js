/** As much of a document as lit-html needs while it is imported. */

globalThis.document ??= { createTreeWalker: () => ({}) };
globalThis.navigator ??= { userAgent: "" }; // Node has had one since 21
