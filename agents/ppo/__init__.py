"""Proximal policy optimisation by self-play, for any game: chance, hidden information and any number of seats.

From the outside in: `agent.py` the agent; `trainer.py` a training from first to last, with `pool.py` its past selves
and `judge.py` its matches (`evaluation.py`) and the choice of the best (`choice.py`); `rollout.py` play in lock-step
and its trajectories (`trajectories.py`); `learner.py` the update and its loss (`loss.py`); `network.py` the network;
`policy.py` how an action is chosen from its logits; `players.py` whoever sits at the other seats; `files.py` and
`checkpoint.py` what is stored; `config.py` all settings.
"""

from agents.ppo.agent import PpoAgent, PpoConfig

__all__ = ["PpoAgent", "PpoConfig"]
