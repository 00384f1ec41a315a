"""The page as a later version would serve it, with other contents in every file."""

from tinkerformer.shell import frame, page  # noqa: F401 (with all components)
from tinkerformer.transport.port import catalog

for texts in (frame.texts(), catalog.modules()):
    for name in texts:
        texts[name] += "/* a later version */\n"

from tinkerformer.shell.served import serve  # noqa: E402

serve()
