"""Python in a web worker, with one port per open page (all JavaScript)."""
