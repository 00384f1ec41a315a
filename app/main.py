"""Entry of ``panel serve app/main.py``."""

from tinkerformer.page import create_page

create_page().servable()
