"""The conformance suite: does a game keep the contract of `envs.game`?

Functions that take any game, so people who add one call them too (`kontor check`). They raise
`GameDefinitionError` with what is wrong and where. The environments' part is `envs.conformance_aec`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from xml.etree import ElementTree

import numpy as np

from envs.errors import GameDefinitionError, IllegalAction, OptionError
from envs.game import OVER, Game
from envs.options import Options
from envs.position import Position
from envs.record import GameRecord
from envs.walk import Invariant, Policy, Walk, play_randomly

DESCRIBED = (
    "game",
    "players",
    "num_players",
    "options",
    "phase",
    "current_player",
    "terminated",
    "truncated",
    "move_number",
)

FINISHED_DRAWN = 10
"""So many finished games are described and drawn, beside every `draw_every`-th position."""


def check_game(
    game: Game,
    options: dict[str, Any] | None = None,
    positions: int = 1000,
    seed: int = 0,
    policies: Sequence[Policy] = (play_randomly,),
    invariant: Invariant = lambda position: None,
    stride: int = 1,
    draw_every: int = 50,
) -> Walk:
    """The whole suite for one game under one set of options; the walk it took, with its counts.

    `invariant` is called at every position; every `draw_every`-th is described and drawn too.
    """
    chosen = game.validate(options or {})
    check_options(game)
    check_actions(game, chosen)
    walk = Walk(game, chosen, positions, seed, policies, stride)
    for number, position in enumerate(walk):
        check_position(position, invariant)
        if number % draw_every == 0 or (position.is_over and walk.games < FINISHED_DRAWN):
            check_words(position)
            check_said(position)
    check_replay(game, chosen, seed)
    return walk


def check_options(game: Game) -> None:
    """Every option's default is valid, every value survives the record, and values out of range are refused."""
    defaults = game.validate({})
    for option in game.options:
        for number in {option.minimum, option.maximum, option.encode(defaults[option.name])}:
            value: Any = option.decode(number)
            _must(option.validate(value, game.name) == value, game, f"option {option.name} refuses {value!r}")
            _must(option.encode(value) == number, game, f"option {option.name} does not keep {value!r}")
        wrong: Any
        for wrong in (option.maximum + 1, option.minimum - 1, "no such value", 0.5, None):
            try:
                option.validate(wrong, game.name)
            except OptionError:
                continue
            raise GameDefinitionError(f"{game.name}: option {option.name} accepts {wrong!r}")
    read = game.read_options(game.template(defaults)[0])
    _must(read == defaults, game, f"options come back from the record as {read}")


def check_actions(game: Game, options: Options) -> None:
    """`encode_action` is the exact inverse of `decode_action`, in JSON, and refuses what it does not know."""
    position = Position(game, options)
    for index in range(position.num_actions):
        action = position.decode_action(index)
        there = json.loads(json.dumps(action))
        _must(isinstance(action, dict) and "type" in action, game, f"action {index} decodes to {action!r}")
        _must(position.encode_action(there) == index, game, f"action {index} {action} encodes to another index")
    known = position.decode_action(0)
    unknown: list[Any] = [{}, {"type": "no such action"}, {**known, "no such key": 1}, "words", None, [0]]
    strange: list[Any] = [None, "no such value", -1, 10**6, 0.5, [], {}]
    unknown += [{**known, key: value} for key in known for value in strange]
    for action in unknown:
        try:
            position.encode_action(action)
        except IllegalAction:
            continue
        raise GameDefinitionError(f"{game.name}: encode_action accepts {action!r}")


def check_position(position: Position, invariant: Invariant = lambda position: None) -> None:
    """Masks are honest, looking changes nothing, playing is a function of the position, and seats are valid."""
    game, before = position.game, position.tobytes()
    where = f"at move {position.move_number} of seed {position.states['seed'][0]}"
    mask = position.action_mask()
    seats = range(position.num_players)
    for seat in seats:
        seen = position.observe(seat)
        _must(bool(np.isfinite(seen).all()) and bool(seen.any()), game, f"{where}: observation of {seat} is bad")
    returns = position.returns()
    _must(bool(np.isfinite(returns).all()), game, f"{where}: returns are {returns}")
    invariant(position)
    _must(position.tobytes() == before, game, f"{where}: looking at the position changes it")
    if position.is_over:
        _must(not mask.any(), game, f"{where}: actions are legal after the end")
        return
    _must(position.states["current_player"][0] in seats, game, f"{where}: the seat to act does not exist")
    _must(0 <= position.states["phase"][0] < len(game.phases), game, f"{where}: the phase does not exist")
    _must(not returns.any(), game, f"{where}: returns are {returns} before the end")
    _must(bool(mask.any()), game, f"{where}: no action is legal before the end")
    for action in range(position.num_actions):
        if not mask[action]:
            _refused(position, action, where)
            continue
        one, two = position.copy(), position.copy()
        one.apply(action)
        two.apply(action)
        _must(one.tobytes() == two.tobytes(), game, f"{where}: action {action} has two outcomes")
        _must(one.move_number == position.move_number + 1, game, f"{where}: action {action} is counted wrongly")
        invariant(one)
    for outside in (-1, position.num_actions, 0.5, None):
        _refused(position, outside, where)
    _must(position.tobytes() == before, game, f"{where}: a refused action changes the position")


def check_words(position: Position) -> None:
    """The descriptions are JSON with the common keys, for the table and for every seat; text and drawing are made."""
    game = position.game
    before = position.tobytes()
    for player in (None, *range(position.num_players)):
        described = position.describe(player)
        json.dumps(described)
        missing = [key for key in DESCRIBED if key not in described]
        _must(not missing, game, f"describe lacks {', '.join(missing)}")
        _must(len(described["players"]) == position.num_players, game, "describe lists another number of players")
        over = described["phase"] == OVER and described["current_player"] is None
        _must(over == position.is_over == ("returns" in described), game, "describe is unclear about the end")
        _must(bool(game.text(described).strip()), game, "the text board is empty")
        root = ElementTree.fromstring(game.draw(described))
        _must(root.tag.endswith("svg"), game, "the drawing is no SVG")
    _must(position.tobytes() == before, game, "describing a position changes it")


def check_said(position: Position) -> None:
    """Every legal action is said in words of its own, points at elements of the drawing, and gives no secret away.

    In public it is said in the same words whoever looks, and two actions after which nobody but the acting seat can
    tell the positions apart are said alike.
    """
    if position.is_over:
        return
    game, seat = position.game, position.current_player
    views = [position.describe(player) for player in (seat, None, *range(position.num_players))]
    drawn = {element.get("data-key") for element in ElementTree.fromstring(game.draw(views[0])).iter()}
    said: dict[str, dict[str, Any]] = {}
    told: dict[str, tuple[str, dict[str, Any]]] = {}
    for index in position.legal_actions():
        action = position.decode_action(index)
        words = game.say(action, views[0])
        _must(bool(words.strip()), game, f"nothing is said of {action}")
        _must(words not in said, game, f"{action} and {said.get(words)} are both said as {words!r}")
        said[words] = action
        for key in game.places(action, views[0]):
            _must(key in drawn, game, f"{action} points at {key!r}, which is not drawn")
        public = {game.say(action, view, public=True) for view in views}
        _must(len(public) == 1, game, f"{action} is said differently in public by who looks: {sorted(public)}")
        after = position.copy()
        after.apply(index)
        seen = json.dumps([after.describe(player) for player in range(position.num_players) if player != seat])
        alike = told.setdefault(seen, (public.pop(), action))
        _must(game.say(action, views[1], public=True) == alike[0], game, f"{action} and {alike[1]} are told apart")


def check_replay(game: Game, options: Options, seed: int = 0) -> None:
    """A record of a whole random game replays byte for byte, also from its file."""
    position = Position(game, options, seed)
    rng = np.random.default_rng(seed)
    actions = []
    while not position.is_over:
        actions.append(play_randomly(position, rng))
        position.apply(actions[-1])
    record = GameRecord.of(position, seed, actions)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.json"
        record.save(path)
        _must(GameRecord.load(path).replay().tobytes() == position.tobytes(), game, "a record replays differently")


def _refused(position: Position, action: Any, where: str) -> None:
    try:
        position.copy().apply(action)
    except IllegalAction:
        return
    raise GameDefinitionError(f"{position.game.name}: {where}: action {action} is not legal and not refused")


def _must(holds: bool, game: Game, problem: str) -> None:
    if not holds:
        raise GameDefinitionError(f"{game.name}: {problem}")
