"""Search that learns: AlphaZero for any game, with chance, hidden information and any number of seats.

From the outside in: `agent.py` the agent, `report.py` what it found; `trainer.py` a training (what trainings share
is in `agents.learning`), with `players.py` the learner in evaluations; `learner.py` what the network learns from
`buffer.py`, the replay buffer; `selfplay.py` many games at once, and `games.py` their course; `search.py` searches of
many positions in step; `iterations.py` their iterations, `selection.py` how actions are selected, `findings.py` what is
found at the root, `tree.py` the trees; `network.py` the network; `config.py` and `settings.py` all settings.
"""

from agents.alphazero.agent import AlphaZeroAgent, AlphaZeroConfig

__all__ = ["AlphaZeroAgent", "AlphaZeroConfig"]
