"""What the pictures of ideas are drawn and dragged by, a folder each."""
