"""Games and the ways to step them: the ground floor of Kontor.

Importing this package is cheap and compiles nothing; a game is loaded when it is
first asked for (`envs.catalog.get_game`, or `from envs import connect_four_v0`).
"""
