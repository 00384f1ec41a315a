"""The app for ``bokeh.embed.server_document``: ``panel serve app/main.py app/embedded.py``."""

from tinkerformer.shell.served import serve_framed

serve_framed()
