"""Monte Carlo tree search for any game: chance, hidden information and any number of seats.

`search.py` is the compiled search over the arrays of `tree.py`, `agent.py` the agent, `report.py` what a search
found, `defaults.py` the settings measured best per game, `speed.py` the measure of its speed.
"""

from agents.mcts.agent import MctsAgent, MctsConfig
from agents.mcts.report import ActionReport, SearchReport
from agents.mcts.speed import simulations_per_second

__all__ = ["ActionReport", "MctsAgent", "MctsConfig", "SearchReport", "simulations_per_second"]
