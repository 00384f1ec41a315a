"""Entry of ``panel serve app/main.py``."""

from app.page import create_page

create_page().servable()
