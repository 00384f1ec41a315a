"""The app for ``panel serve app/main.py``."""

from tinkerformer.shell.served import serve

serve()
