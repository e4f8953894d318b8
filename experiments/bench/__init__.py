"""How fast everything is that has a target: what `kontor bench` prints.

`measures.py` lists the measures; adding one is a function there, or in a module of its own, and a line in `MEASURES`.
"""
