"""``python -m app`` is the console command."""

from app.command import main

main()
