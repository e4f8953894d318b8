"""Fürstenfeld as a PettingZoo environment: `fuerstenfeld_v0.env(num_players=3, render_mode=None, **options)`."""

from envs.aec import environment_makers
from envs.fuerstenfeld import GAME

env, raw_env = environment_makers(GAME)
