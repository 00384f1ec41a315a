"""Entry of ``panel serve app/main.py``."""

from tinkerformer.shell.served import serve

serve()
