"""Pfeffersäcke as a PettingZoo environment: `pfeffersaecke_v0.env(num_players=3, render_mode=None, **options)`."""

from envs.aec import environment_makers
from envs.pfeffersaecke import GAME

env, raw_env = environment_makers(GAME)
