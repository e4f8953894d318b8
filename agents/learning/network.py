"""The network: from what a seat sees to a policy over actions and the returns that may be expected.

B rows, O numbers observed, A actions, V values.

`residual` is a linear layer, blocks `x + W2 relu(W1 norm(x))`, and a last norm, with a linear head each for
policy and value on one trunk. `convolution` has a trunk of residual convolutions where a game has a board, and no
norm within it: two to four blocks train well without. Layer norm (Ba, Kiros and Hinton, 2016) stands before each
block, where it keeps deep trunks trainable without a warm-up (Xiong et al., "On Layer Normalization in the
Transformer Architecture", 2020). `tanh` is the plain network that PPO is usually measured with: two separate
towers of tanh layers.

All weights are orthogonal at the start (Saxe, McClelland and Ganguli, 2014), the policy's head nearly zero, so
that the first policy is nearly uniform over the legal actions (details 2 of Huang et al., "The 37
Implementation Details of Proximal Policy Optimization", 2022).
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, ClassVar

import torch
from torch import Tensor, nn

from agents.agent import AgentError
from agents.learning.boards import board_of
from agents.learning.config import NetworkSettings
from envs.game import Game
from envs.options import Options

GATHERED = 128
"""Neurons of the layer in which a board's planes come together."""

HIDDEN_GAIN, POLICY_GAIN, VALUE_GAIN = math.sqrt(2.0), 0.01, 1.0


@dataclass(frozen=True)
class NetworkShape:
    """All that is needed to build a network anew: its sizes, and the unit of its values.

    `value_scale` is the return that the value head calls 1: the head then works with numbers of about that size,
    whatever the game pays. `board` are planes, rows and columns, for convolutions (see `agents.learning.boards`).
    """

    kind: str
    width: int
    depth: int
    observation_size: int
    num_actions: int
    value_scale: float
    values: int = 1
    board: tuple[int, int, int] | None = None

    @staticmethod
    def of(settings: NetworkSettings, game: Game, options: Options, values: int = 1) -> NetworkShape:
        """The shape for a game under complete options. Errors: `AgentError` for convolutions without a board."""
        board = board_of(game.name)
        if settings.kind == "convolution" and board is None:
            raise AgentError(f"network.kind convolution: there is no board declared for {game.name}; use residual")
        return NetworkShape(
            kind=settings.kind,
            width=settings.width,
            depth=settings.depth,
            observation_size=game.observation_size(options),
            num_actions=game.num_actions(options),
            value_scale=max(1.0, -game.min_return(options)),
            values=values,
            board=board.shape if board and settings.kind == "convolution" else None,
        )

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


class Network(nn.Module):
    """A policy and values; a subclass says what the V = `shape.values` values are, and which `algorithm` trains it.

    `forward(observations float32[B, O])` gives the logits float32[B, A] and the values float32[B, V], in units of
    `shape.value_scale`.
    """

    algorithm: ClassVar[str]

    def __init__(self, shape: NetworkShape) -> None:
        super().__init__()
        self.shape = shape
        build = {"residual": _residual, "convolution": Convolutions, "tanh": _tanh}[shape.kind]
        self.policy_trunk = build(shape)
        self.value_trunk = build(shape) if shape.kind == "tanh" else None
        inner = shape.width if shape.kind == "residual" or shape.depth else shape.observation_size
        if shape.kind == "convolution":
            inner = GATHERED
        self.policy_head = nn.Linear(inner, shape.num_actions)
        self.value_head = nn.Linear(inner, shape.values)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        trunk = self.policy_trunk(observations)
        own = trunk if self.value_trunk is None else self.value_trunk(observations)
        return self.policy_head(trunk), self.value_head(own)

    def initialise(self, seed: int) -> None:
        """Draw all weights anew; the same ones from the same seed."""
        generator = torch.Generator().manual_seed(seed)
        closing = {id(block.close) for block in self.modules() if isinstance(block, (Block, BoardBlock))}
        gains = {id(self.policy_head): POLICY_GAIN, id(self.value_head): VALUE_GAIN}
        for module in self.modules():
            if isinstance(module, (nn.Linear, nn.Conv2d)):
                # what the blocks add up to stays about as large as what enters the first
                gain = gains.get(id(module), 1 / math.sqrt(len(closing)) if id(module) in closing else HIDDEN_GAIN)
                nn.init.orthogonal_(module.weight, gain, generator=generator)
                assert module.bias is not None
                nn.init.zeros_(module.bias)


class Block(nn.Module):
    """`x + W2 relu(W1 norm(x))`."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.open = nn.Linear(width, width)
        self.close = nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.close(torch.relu(self.open(self.norm(x))))


class BoardBlock(nn.Module):
    """`x + W2 * relu(W1 * relu(x))`, each a convolution of 3 by 3 cells."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.open = nn.Conv2d(channels, channels, 3, padding=1)
        self.close = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.close(torch.relu(self.open(torch.relu(x))))


class Convolutions(nn.Module):
    """Residual convolutions over the board's planes, gathered with whatever else is observed in one layer."""

    def __init__(self, shape: NetworkShape) -> None:
        super().__init__()
        if shape.board is None or math.prod(shape.board) > shape.observation_size:
            raise ValueError("a convolution needs a board that is observed")
        planes, rows, columns = shape.board
        self.board, cells = tuple(shape.board), math.prod(shape.board)
        self.enter = nn.Conv2d(planes, shape.width, 3, padding=1)
        self.blocks = nn.Sequential(*[BoardBlock(shape.width) for _ in range(shape.depth)])
        rest = shape.observation_size - cells
        self.gather = nn.Linear(shape.width * rows * columns + rest, GATHERED)
        self.norm = nn.LayerNorm(GATHERED)

    def forward(self, observations: Tensor) -> Tensor:
        cells = math.prod(self.board)
        planes = observations[:, :cells].reshape(-1, *self.board)
        found = torch.relu(self.blocks(self.enter(planes))).flatten(1)
        return torch.relu(self.norm(self.gather(torch.cat((found, observations[:, cells:]), dim=1))))


def _residual(shape: NetworkShape) -> nn.Sequential:
    blocks = [Block(shape.width) for _ in range(shape.depth)]
    return nn.Sequential(nn.Linear(shape.observation_size, shape.width), *blocks, nn.LayerNorm(shape.width), nn.ReLU())


def _tanh(shape: NetworkShape) -> nn.Sequential:
    sizes = [shape.observation_size, *[shape.width] * shape.depth]
    layers: list[nn.Module] = []
    for before, after in pairwise(sizes):
        layers += [nn.Linear(before, after), nn.Tanh()]
    return nn.Sequential(*layers)
