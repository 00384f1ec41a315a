"""Learning (Section 5): recipe, schedules, optimizer, trainer, evaluation."""
