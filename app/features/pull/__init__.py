"""The line that pulls a probability: by every number, by a few, or by one."""
