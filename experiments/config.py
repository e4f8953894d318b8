"""What an experiment is: the schema of its YAML file, and how a file becomes a checked `Experiment`.

A file is read with `load_experiment`. Whatever is wrong with it is a `ConfigError` of one line that names
file, line and key, and the nearest valid name where a name is wrong. Nothing is written before a config
has passed.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeGuard, TypeVar, get_args

import yaml  # type: ignore[import-untyped]
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from agents.learning.files import algorithm_of
from agents.registry import AgentConfig, agent_names, agent_type
from envs.catalog import game_names, get_game
from envs.errors import KontorError, OptionError, UnknownName, unknown
from envs.game import Game
from envs.options import Options
from experiments.provenance import usable_cores
from experiments.yaml_source import ConfigError, KeyPath, YamlSource

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$", max_length=60)]
"""Names of experiments and agents: they become folders and parts of game ids."""

Model = TypeVar("Model", bound=BaseModel)


class Section(BaseModel):
    """A part of the config: no keys but its own, and values of exactly the right type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class TournamentConfig(Section):
    """Who meets whom, and how often."""

    format: Literal["round_robin", "gauntlet", "swiss", "league"] = Field(
        default="round_robin",
        description="who meets whom: `round_robin`: every group of agents that fills a table; `gauntlet`: those with "
        "the challenger; `swiss`: in rounds, agents of equal standing; `league`: those in which checkpoints of one "
        "training are close in age",
    )
    challenger: Name | None = Field(default=None, description="of a gauntlet: the agent that all others meet")
    rounds: int | None = Field(
        default=None,
        ge=1,
        le=1000,
        description="of a Swiss tournament: rounds, each of `deals` deals; null: log2 agents",
    )
    window: int | None = Field(
        default=None, ge=1, description="of a league: how many checkpoints apart two of one training may be; null: 2"
    )
    deals: int = Field(
        default=20, ge=1, le=1_000_000, description="deals of each game; a deal is one seed of its chance"
    )
    seats: Literal["rotations", "permutations"] = Field(
        default="rotations", description="which seatings of a group play each deal: all rotations, or all permutations"
    )
    repeat_agents: bool = Field(
        default=False,
        description="whether an agent may sit at a table more than once; needed for fewer agents than seats",
    )


class GameConfig(Section):
    """One game to be played, under given options."""

    game: str = Field(description="the game's name, see `kontor list`")
    options: dict[str, Any] = Field(
        default_factory=dict, description="the game's options, `num_players` among them, see `kontor show GAME`"
    )
    deals: int | None = Field(
        default=None, ge=1, le=1_000_000, description="deals of this game; else `tournament.deals`"
    )


class CheckpointsConfig(Section):
    """Past selves of a training as agents: one for each snapshot, named `NAME.UPDATE`."""

    training: str = Field(description="the folder of a training")
    every: int = Field(default=1, ge=1, description="1: every snapshot; 2: every second, from the newest; and so on")
    temperature: float = Field(default=0.0, ge=0, description="as of the agent that was trained")
    iterations: int | None = Field(
        default=None, ge=0, description="of a training with `alphazero`: as of that agent; null: its default"
    )


class ExperimentConfig(Section):
    """The whole file."""

    name: Name | None = Field(default=None, description="the experiment's name; else the file's name")
    seed: int = Field(
        default=0, ge=0, lt=1 << 63, description="all chance of the run, in games and agents, follows from it"
    )
    output: str | None = Field(default=None, description="the folder of the run; else `runs/<name>`")
    workers: int | None = Field(
        default=None,
        ge=0,
        le=1024,
        description="processes that play; else one a core; 0 plays in the command's own process",
    )
    executor: Literal["local", "ray"] = Field(
        default="local",
        description="what plays: `local`, processes of this machine; `ray`, actors of a Ray cluster (the extra `ray`)",
    )
    records: bool = Field(
        default=True, description="whether the moves of every game are kept, so that it can be replayed"
    )
    imports: list[str] = Field(
        default_factory=list, description="modules to import first: they register games and agents of your own"
    )
    tournament: TournamentConfig = Field(default=TournamentConfig(), description="who meets whom, how often")
    games: list[GameConfig] = Field(min_length=1, description="the games, each under its options")
    agents: dict[Name, dict[str, Any]] = Field(
        default_factory=dict,
        description="the agents by name: `type`, see `kontor list`, and the settings of that type",
    )
    checkpoints: dict[Name, CheckpointsConfig] = Field(
        default_factory=dict, description="trainings whose snapshots are agents `NAME.UPDATE` as well"
    )


@dataclass(frozen=True)
class Setting:
    """A game under complete options, and how many deals of it are played."""

    game_name: str
    options: Options
    deals: int

    @property
    def game(self) -> Game:
        return get_game(self.game_name)

    @property
    def num_players(self) -> int:
        return int(self.options["num_players"])

    @cached_property
    def label(self) -> str:
        """The game's name with the options that differ from their defaults; `num_players` where it can vary."""
        game = self.game
        shown = [
            f"{option.name}={_word(self.options[option.name])}"
            for option in game.options
            if self.options[option.name] != option.default
            or (option.name == "num_players" and game.min_players < game.max_players)
        ]
        return f"{self.game_name}[{','.join(shown)}]" if shown else self.game_name


@dataclass(frozen=True)
class Experiment:
    """A checked config: names resolved, options and settings complete."""

    name: str
    seed: int
    output: Path
    workers: int
    records: bool
    imports: tuple[str, ...]
    tournament: TournamentConfig
    settings: tuple[Setting, ...]
    agents: Mapping[str, AgentConfig]
    executor: str = "local"

    @property
    def identity(self) -> dict[str, Any]:
        """All that the results depend on, as JSON-able data; not name, folder, `workers`, `executor`, `records`."""
        return {
            "seed": self.seed,
            "imports": list(self.imports),
            "tournament": self.tournament.model_dump(mode="json", exclude={"deals"}, exclude_none=True),
            "games": [{"game": s.game_name, "options": s.options, "deals": s.deals} for s in self.settings],
            "agents": {name: config.model_dump(mode="json") for name, config in sorted(self.agents.items())},
        }

    @property
    def hash(self) -> str:
        """Twelve hex digits over `identity`."""
        return digest(self.identity)

    def to_yaml(self) -> str:
        """The complete config as YAML: loaded again it is the same experiment."""
        body = {"name": self.name, **self.identity, "records": self.records}
        return yaml.safe_dump(body, sort_keys=False, allow_unicode=True, width=100)


def digest(data: Any) -> str:
    """Twelve hex digits over JSON-able data, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":")).encode()).hexdigest()[:12]


def import_modules(names: Iterable[str]) -> None:
    """Import modules that register games and agents, from Python's path or the current folder."""
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    for name in names:
        import_module(name)


def load_experiment(path: Path, overrides: Sequence[str] = ()) -> Experiment:
    """Read, complete and check a config file.

    `overrides` are `key=value`, the key dotted (`tournament.deals=5`, `games.0.options.num_players=3`), the
    value as YAML. Errors: `ConfigError`.
    """
    return ConfigLoader(YamlSource.read(path), overrides).experiment()


class ConfigLoader:
    """A config file under overrides, on its way to being checked; knows where each key came from.

    `data` is what it holds, as plain data. Errors: `ConfigError`.
    """

    def __init__(self, source: YamlSource, overrides: Sequence[str]) -> None:
        self.source = source
        self.overridden: dict[KeyPath, str] = {}
        try:
            tree = OmegaConf.create(source.text)
        except yaml.MarkedYAMLError as error:
            line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
            raise ConfigError(f"{source.path}{line}: {error.problem}") from None
        except (yaml.YAMLError, OmegaConfBaseException, ValueError) as error:
            raise ConfigError(f"{source.path}: {_first_line(error)}") from None
        assert isinstance(tree, DictConfig)
        for override in overrides:
            self._override(tree, override)
        try:
            self.data = OmegaConf.to_container(tree, resolve=True)
        except OmegaConfBaseException as error:
            key = tuple(str(error.full_key or "").replace("[", ".").replace("]", "").split("."))
            raise ConfigError(f"{self.place(key)}: {_first_line(error)}") from None

    def _override(self, tree: DictConfig, override: str) -> None:
        key, equals, text = override.partition("=")
        if not equals or not key:
            raise ConfigError(f"{override!r} is no override: write key=value, for example tournament.deals=5")
        path = tuple(key.replace("[", ".").replace("]", "").split("."))
        self.overridden[path] = override
        try:
            parsed: Any = OmegaConf.to_container(OmegaConf.from_dotlist([f"value={text}"]), resolve=False)
            OmegaConf.update(tree, key, parsed["value"], merge=False)
        except (OmegaConfBaseException, yaml.YAMLError, AssertionError, TypeError, ValueError, KeyError) as error:
            raise ConfigError(f"override {override}: {_first_line(error)}") from None

    def place(self, path: KeyPath) -> str:
        """Where a key was given: `file:line`, or the override."""
        for end in range(len(path), 0, -1):
            if override := self.overridden.get(path[:end]):
                return f"override {override}"
        return self.source.place(path)

    def fail(self, path: KeyPath, message: str) -> ConfigError:
        """The error for a key, with its place; to be raised."""
        return ConfigError(f"{self.place(path)}: {message}")

    def check(self, model: type[Model], data: Any, path: KeyPath = ()) -> Model:
        """`data` as a `model`. Errors: `ConfigError` for the first thing that is wrong."""
        try:
            text = json.dumps(data)
        except (TypeError, ValueError):
            raise self.fail(path, f"{'.'.join(path) or 'the config'} holds a value that is no plain data") from None
        try:
            return model.model_validate_json(text, strict=True)
        except ValidationError as error:
            problem = error.errors()[0]
        keys = tuple(str(part) for part in problem["loc"] if part != "[key]")
        full = (*path, *keys)
        if problem["type"] == "extra_forbidden":
            raise self.fail(full, _unknown_key(model, keys, ".".join(full[:-1])))
        if problem["type"] == "missing":
            place = f" in {'.'.join(full[:-1])}" if len(full) > 1 else ""
            raise self.fail(full[:-1], f"the key {full[-1]!r} is missing{place}")
        if "[key]" in problem["loc"]:
            raise self.fail(full, f"{full[-1]!r} is no name: use letters, digits, '_', '-' and '.'")
        known = (*path, *_keys_in(data, keys))
        given = json.dumps(problem["input"])
        raise self.fail(known, f"{'.'.join(known)} is {given[:60]}: {problem['msg'][:1].lower()}{problem['msg'][1:]}")

    def import_modules(self, modules: Sequence[str]) -> None:
        """Import the modules listed under `imports`. Errors: `ConfigError`."""
        for index, module in enumerate(modules):
            try:
                import_modules([module])
            except (Exception, SystemExit) as error:  # whatever the module does when it is imported
                what = f"{type(error).__name__}: {_first_line(error)}"
                raise self.fail(("imports", str(index)), f"module {module!r} cannot be imported: {what}") from error

    def game(self, name: str, given: Mapping[str, Any], path: KeyPath = ()) -> tuple[Game, Options]:
        """A game by its name, under complete options; the keys `game` and `options` stand at `path`."""
        place = ".".join(path)
        try:
            game = get_game(name)
        except UnknownName:
            raise self.fail((*path, "game"), unknown("game", name, game_names(), place)) from None
        try:
            return game, game.validate(given)
        except OptionError as error:
            wrong = next((key for key in given if repr(key) in str(error)), None)
            wrong = wrong or next((key for key in given if key in str(error)), "")
            options = ".".join((*path, "options"))
            raise self.fail((*path, "options", wrong), f"{options}: {error}") from None

    def experiment(self) -> Experiment:
        """The file as an experiment."""
        config = self.check(ExperimentConfig, self.data)
        name = config.name or self.source.path.stem
        self.import_modules(config.imports)
        settings = tuple(self._setting(i, game, config.tournament) for i, game in enumerate(config.games))
        for index, setting in enumerate(settings):
            if setting.label in [other.label for other in settings[:index]]:
                raise self.fail(("games", str(index)), f"games.{index}: {setting.label} is listed twice")
        agents = {agent: self._agent(agent, given) for agent, given in config.agents.items()}
        for training, past in config.checkpoints.items():
            agents |= self._checkpoints(training, past)
        if not agents:
            is_there = isinstance(self.data, dict) and "agents" in self.data
            raise self.fail(("agents",), "agents is {}: at least 1" if is_there else "the key 'agents' is missing")
        self._check_tables(settings, agents, config.tournament)
        return Experiment(
            name=name,
            seed=config.seed,
            output=Path(config.output) if config.output else Path("runs") / name,
            workers=usable_cores() if config.workers is None else config.workers,
            records=config.records,
            imports=tuple(config.imports),
            tournament=config.tournament,
            settings=settings,
            agents=agents,
            executor=config.executor,
        )

    def _setting(self, index: int, given: GameConfig, tournament: TournamentConfig) -> Setting:
        game, options = self.game(given.game, given.options, ("games", str(index)))
        return Setting(game.name, options, given.deals or tournament.deals)

    def _agent(self, name: str, given: dict[str, Any]) -> AgentConfig:
        path = ("agents", name)
        kind = given.get("type")
        if kind is None:
            raise self.fail(path, f"the key 'type' is missing in agents.{name}: {', '.join(agent_names())}")
        try:
            model = agent_type(str(kind)).config
        except UnknownName:
            message = unknown("agent type", kind, agent_names(), f"agents.{name}")
            raise self.fail((*path, "type"), message) from None
        return self.check(model, given, path)

    def _checkpoints(self, name: str, given: CheckpointsConfig) -> dict[str, AgentConfig]:
        """One agent for each snapshot in the folder of a training."""
        path = ("checkpoints", name)
        files = sorted(Path(given.training, "snapshots").glob("*-*.safetensors"))
        if not files:
            raise self.fail((*path, "training"), f"checkpoints.{name}: there are no snapshots in {given.training}")
        try:
            kind = algorithm_of(files[-1])
        except KontorError as error:
            raise self.fail((*path, "training"), f"checkpoints.{name}: {error}") from None
        settings: dict[str, Any] = {"type": kind, "temperature": given.temperature}
        if given.iterations is not None:
            settings["iterations"] = given.iterations
        return {
            f"{name}.{int(file.name.partition('-')[0])}": self.check(
                agent_type(kind).config, {**settings, "checkpoint": str(file)}, path
            )
            for file in reversed(files[:: -given.every])
        }

    def _check_tables(
        self, settings: Sequence[Setting], agents: Mapping[str, AgentConfig], tournament: TournamentConfig
    ) -> None:
        """Every table can be filled, and every agent can play every game."""
        self._check_format(agents, tournament)
        for index, setting in enumerate(settings):
            path = ("games", str(index))
            if len(agents) < setting.num_players and not tournament.repeat_agents:
                raise self.fail(
                    path,
                    f"{setting.label} seats {setting.num_players}, but there are {len(agents)} agents: "
                    "add agents, or set tournament.repeat_agents: true",
                )
            for name, config in agents.items():
                try:
                    config.check(setting.game, setting.options)
                except KontorError as error:
                    raise self.fail(("agents", name), f"agents.{name} cannot play {setting.label}: {error}") from None

    def _check_format(self, agents: Mapping[str, AgentConfig], tournament: TournamentConfig) -> None:
        """The keys of the tournament go with its format."""
        wanted = {"gauntlet": "challenger", "swiss": "rounds", "league": "window"}
        for kind, key in wanted.items():
            if getattr(tournament, key) is not None and tournament.format != kind:
                raise self.fail(("tournament", key), f"tournament.{key} is for the format {kind} only")
        if tournament.format == "gauntlet" and tournament.challenger is None:
            raise self.fail(("tournament",), "a gauntlet needs a challenger: set tournament.challenger to an agent")
        if tournament.challenger is not None and tournament.challenger not in agents:
            message = unknown("agent", tournament.challenger, agents, "tournament.challenger")
            raise self.fail(("tournament", "challenger"), message)
        if tournament.format in ("swiss", "league") and tournament.repeat_agents:
            raise self.fail(("tournament", "repeat_agents"), f"no agent sits twice at a table of a {tournament.format}")


def _unknown_key(model: type[BaseModel], keys: KeyPath, place: str) -> str:
    """The message for a key that `model` has not at the place `keys` lead to."""
    wrong, at = keys[-1], _model_at(model, keys[:-1])
    valid = list(at.model_fields) if at else []
    if at is model:  # a key of a section, given without the section's name
        for section, field in model.model_fields.items():
            inner = field.annotation
            if is_model(inner) and wrong in inner.model_fields:
                return f"unknown key {wrong!r}: did you mean '{section}.{wrong}'?"
    return unknown("key", wrong, valid, place)


def _model_at(model: type[BaseModel], keys: KeyPath) -> type[BaseModel] | None:
    """The model that holds the keys at a place, found through the annotations."""
    current: Any = model
    for key in keys:
        if is_model(current):
            current = current.model_fields[key].annotation if key in current.model_fields else None
        else:  # of a list or a mapping, what it holds
            current = (get_args(current) or (None,))[-1]
        if isinstance(current, UnionType):
            current = next((part for part in get_args(current) if part is not NoneType), None)
    return current if is_model(current) else None


def is_model(annotation: Any) -> TypeGuard[type[BaseModel]]:
    """Whether an annotation is a model."""
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _keys_in(data: Any, keys: KeyPath) -> KeyPath:
    """The part of a path that leads through `data`; behind it stand names of alternatives within a type."""
    found: list[str] = []
    for key in keys:
        if isinstance(data, dict) and key in data:
            data = data[key]
        elif isinstance(data, list) and key.isdigit() and int(key) < len(data):
            data = data[int(key)]
        else:
            break
        found.append(key)
    return tuple(found)


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
