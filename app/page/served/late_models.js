/**
 * Bokeh counts models that the server sends after the page has opened among those that the browser
 * made, until the browser next sends anything: the first message of such a model then holds the
 * whole model, which cannot be written, and is lost. The tab that is opened first would not hear
 * the first press on one of its buttons.
 */
(() => {
  const Document = window.Bokeh?.require?.("document").Document;
  if (!Document) return;
  const apply = Document.prototype.apply_json_patch;

  Document.prototype.apply_json_patch = function (...patch) {
    apply.apply(this, patch);
    this._new_models.clear();
  };
})();
