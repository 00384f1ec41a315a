"""The one browser component that draws every matrix of the page."""

from app.board.board import Board, Listener
from app.board.nodelay import send_small_messages_at_once

__all__ = ["Board", "Listener", "send_small_messages_at_once"]
