"""Reports the open room, view and drawer to the page's style sheets."""
