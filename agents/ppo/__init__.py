"""Proximal policy optimisation by self-play, for any game: chance, hidden information and any number of seats.

From the outside in: `agent.py` the agent; `trainer.py` a training (what trainings share is in `agents.learning`);
`rollout.py` play in lock-step and its trajectories (`trajectories.py`); `learner.py` the update and its loss
(`loss.py`); `network.py` the network; `config.py` all settings.
"""

from agents.ppo.agent import PpoAgent, PpoConfig

__all__ = ["PpoAgent", "PpoConfig"]
