"""Monte Carlo tree search for any game: chance, hidden information and any number of seats.

`search.py` is the compiled search over the arrays of `tree.py`: it chooses by `selection.py` and judges leaves by
`rollouts.py` or, from outside, by `network.py`. `config.py` holds the settings and `settings.py` what compiled code
sees of them, `parallel.py` shares a budget out over trees and threads, `reuse.py` keeps a tree from move to move,
`agent.py` is the agent, `report.py` what a search found, `defaults.py` the settings measured best per game,
`speed.py` the measure of its speed.
"""

from agents.mcts.agent import MctsAgent
from agents.mcts.config import MctsConfig
from agents.mcts.report import ActionReport, SearchReport
from agents.mcts.speed import simulations_per_second

__all__ = ["ActionReport", "MctsAgent", "MctsConfig", "SearchReport", "simulations_per_second"]
