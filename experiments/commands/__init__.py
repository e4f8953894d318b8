"""The commands of `kontor`, one module for each group; `experiments.cli` puts them together.

A module imports what it works with inside its functions: `kontor --help` then starts at once, and no command
loads what another one needs.
"""
