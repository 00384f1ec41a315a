"""The one place that knows of threads, the event loop and sockets, or of their absence."""
