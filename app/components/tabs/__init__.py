"""A row of tabs with a menu."""
