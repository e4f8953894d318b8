"""What a researcher runs: the command line, benchmarks, tournaments."""
