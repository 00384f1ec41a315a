"""What a pass leaves behind: tensors under paths, with the graph they came from."""
