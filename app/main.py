"""Entry of ``panel serve app/main.py``."""

from tinkerformer.page.served import serve

serve()
