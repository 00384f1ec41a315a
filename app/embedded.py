"""Entry of ``panel serve app/main.py app/embedded.py`` for ``bokeh.embed.server_document``."""

from tinkerformer.shell.served import serve_framed

serve_framed()
