"""The page as a later version has it: every file is another one."""

from tinkerformer.components.carriers.port import catalog
from tinkerformer.page import frame, page  # noqa: F401 (with all components)

for texts in (frame.texts(), catalog.modules()):
    for name in texts:
        texts[name] += "/* a later version */\n"

from tinkerformer.page.served import serve  # noqa: E402

serve()
