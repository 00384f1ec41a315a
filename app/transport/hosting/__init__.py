"""Guards, health checks, and compressed and cached files for a server with many users."""
