"""Kuhn poker as a PettingZoo environment: `kuhn_poker_v0.env(num_players=2, render_mode=None)`."""

from envs.aec import environment_makers
from envs.classics.kuhn_poker import GAME

env, raw_env = environment_makers(GAME)
