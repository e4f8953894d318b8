"""Mesopotamia as a PettingZoo environment: `mesopotamia_v0.env(num_players=3, render_mode=None, **options)`."""

from envs.aec import environment_makers
from envs.mesopotamia import GAME

env, raw_env = environment_makers(GAME)
