"""Connect Four as a PettingZoo environment: `connect_four_v0.env(render_mode=None, **options)`."""

from envs.aec import environment_makers
from envs.classics.connect_four import GAME

env, raw_env = environment_makers(GAME)
