"""A page with Tinkerformer in it, by Bokeh: ``python page.py > page.html``.

``tinkerformer --allow-parent`` with the origin of this course page serves the page and its frame.
So does ``panel serve app/main.py app/embedded.py`` with the host of this course page and its own
host as ``--allow-websocket-origin``.
"""

from bokeh.embed import server_document

SERVER = "https://tinkerformer.example.org/"

view = server_document(f"{SERVER}embedded", arguments={"view": "encoder.0.self_attn"})
print(f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Self-attention</title></head>
<body>
<h1>Self-attention</h1>
{view}
</body>
</html>""")
