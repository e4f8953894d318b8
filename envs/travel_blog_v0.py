"""Travel Blog as a PettingZoo environment: `travel_blog_v0.env(render_mode=None, **options)`."""

from envs.aec import environment_makers
from envs.travel_blog import GAME

env, raw_env = environment_makers(GAME)
