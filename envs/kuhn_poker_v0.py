"""Kuhn poker as a PettingZoo environment: `kuhn_poker_v0.env(render_mode=None, **options)`."""

from envs.aec import environment_makers
from envs.classics.kuhn_poker import GAME

env, raw_env = environment_makers(GAME)
