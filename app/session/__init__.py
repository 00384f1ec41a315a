"""What a session is and how it is kept: state, undo, links, addresses, JSON."""
