"""Tic-tac-toe as a PettingZoo environment: `tic_tac_toe_v0.env(render_mode=None)`."""

from envs.aec import environment_makers
from envs.classics.tic_tac_toe import GAME

env, raw_env = environment_makers(GAME)
