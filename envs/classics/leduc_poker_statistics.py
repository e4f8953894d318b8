"""As in Kuhn poker: how often a seat bets or raises."""

from envs.classics.kuhn_poker_statistics import STATISTICS as STATISTICS
