"""What trainings of every kind share.

`trainer.py` a training from first to last but for its updates, with `pool.py` its past selves and `judge.py` its
matches (`evaluation.py`) and the choice of the best (`choice.py`); `network.py` the network, `weights.py` its weights
and how they change; `policy.py` how an action is chosen from logits; `players.py` whoever sits at the other
seats; `files.py` and `checkpoint.py` what is stored; `agent.py` agents that come from a training; `config.py` settings.
"""
