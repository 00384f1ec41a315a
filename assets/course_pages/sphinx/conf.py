"""A course in Sphinx: pages in reStructuredText and, by myst-parser, in Markdown."""

project = "Attention"
extensions = ["myst_parser"]
html_theme = "alabaster"
html_js_files = [
    ("https://tinkerformer.example.org/embed/tinkerformer.js", {"async": "async"}),
]
