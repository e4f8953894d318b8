"""Leduc poker as a PettingZoo environment: `leduc_poker_v0.env(num_players=2, render_mode=None)`."""

from envs.aec import environment_makers
from envs.classics.leduc_poker import GAME

env, raw_env = environment_makers(GAME)
