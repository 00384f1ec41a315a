"""Plants: what is known, put where a row of the benchmarks has to show it."""
