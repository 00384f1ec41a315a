"""An open lesson."""
