"""Many visitors at once on a server of this machine, each a socket without a browser."""
