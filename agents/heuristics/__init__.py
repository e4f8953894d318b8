"""What an agent needs of a game in compiled code: a static evaluation and a rule of thumb.

One module a game and version; `contract.py` holds their contract and finds them by type.
"""
