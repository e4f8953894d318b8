"""A game in the terminal: people and agents at the seats, one screen for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.columns import Columns
from rich.console import Console
from rich.markup import escape

from agents.agent import Agent
from envs.errors import KontorError
from envs.position import Position
from envs.record import GameRecord
from envs.view import View
from experiments.replay import action_in_words
from experiments.undo import may_take_back

MOST_LISTED = 60
"""How many legal actions are listed; words narrow longer lists down."""

HELP = """\
a number          plays that action
words             list only the actions that have all of them; Enter alone lists all again, or plays the only one listed
u                 takes your last action back, if nothing hidden came to light and nobody has acted since
b                 shows the board again
l                 shows the log
r                 shows what the last agent that searched saw
s FILE            saves the record of the game so far
q                 leaves the game"""


class Left(Exception):
    """The person at the terminal has left the game."""


@dataclass(frozen=True)
class Player:
    """Who sits at a seat: its name, and the agent, None for a person."""

    name: str
    agent: Agent | None


class TerminalGame:
    """A game from `position` on (its `actions` so far led there from `seed`), played to its end by `run`."""

    def __init__(
        self,
        players: Sequence[Player],
        positions: Sequence[Position],
        actions: Sequence[int],
        seed: int,
        out: Console,
        boards: bool = False,
    ) -> None:
        self.players, self.seed, self.out, self.boards = players, seed, out, boards
        self.positions, self.actions = list(positions), list(actions)
        self.people = [seat for seat, player in enumerate(players) if player.agent is None]
        self._told: dict[int | None, int] = {}
        self._looking = self.people[0] if self.people else None
        self._report: tuple[int, str, list[str]] | None = None
        self._is_handed_on = len(self.people) > 1 and self.game_hides

    @property
    def position(self) -> Position:
        """The position reached."""
        return self.positions[-1]

    @property
    def game_hides(self) -> bool:
        """Whether seats know things that others do not."""
        return self.position.game.hidden_information

    def record(self) -> GameRecord:
        """The game so far."""
        return GameRecord.of(self.position, self.seed, self.actions)

    def run(self) -> None:
        """Play to the end. Errors: `Left`, `EOFError` and `KeyboardInterrupt` from a person; the game stands."""
        self._tell_moves()
        while (seat := self.position.current_player) is not None:
            agent = self.players[seat].agent
            if agent is None:
                self._ask(seat)
            else:
                self._let_act(agent, seat)
        self._told[None] = self._told.get(self._reader, 0)
        self._looking = None  # all is open now
        self._tell_moves()
        self.out.print()
        self._show_board(None)
        self._line(outcome(self.position))

    # ------------------------------------------------------------------ agents

    def _let_act(self, agent: Agent, seat: int) -> None:
        view = View(self.position, seat)
        if self.people:
            with self.out.status(f"{self._name(seat)} is thinking"):
                action = agent.act(view)
        else:
            action = agent.act(view)
        self._report = _report(agent, view) or self._report
        self._play(int(action))
        self._tell_moves()

    def _play(self, action: int) -> None:
        after = self.position.copy()
        after.apply(action)
        self.positions.append(after)
        self.actions.append(action)

    # ------------------------------------------------------------------ people

    def _ask(self, seat: int) -> None:
        """Have a person choose an action for a seat, and play it."""
        self._hand_over(seat)
        self.out.print()
        self._show_board(seat)
        words = {
            action: action_in_words(self.position, action, seat) for action in View(self.position, seat).legal_actions()
        }
        numbered = dict(enumerate(words, 1))
        shown = list(numbered)
        self._list(shown, numbered, words)
        while True:
            answer = self.out.input(f"{escape(self._name(seat))}, your choice (h: help): ").strip()
            command, _, rest = answer.partition(" ")
            if answer.isdecimal() and int(answer) in numbered:
                chosen = numbered[int(answer)]
            elif not answer and len(shown) == 1:
                chosen = numbered[shown[0]]
            elif command in self._commands and (not rest or command == "s"):
                if self._commands[command](self, seat, rest.strip()):
                    return
                continue
            else:
                shown = self._narrowed(answer, numbered, words)
                continue
            self._play(chosen)
            self._tell_moves()
            return

    def _narrowed(self, answer: str, numbered: dict[int, int], words: dict[int, str]) -> list[int]:
        """The numbers of the actions with all words of an answer, listed; all of them where there is none such."""
        wanted = answer.lower().split()
        shown = [number for number, action in numbered.items() if all(word in words[action].lower() for word in wanted)]
        if answer.isdecimal() or not shown:
            self._line(f"there is no action {answer!r}: a number from 1 to {len(numbered)}, or words of an action")
            return list(numbered)
        self._list(shown, numbered, words)
        if len(shown) == 1 and wanted:
            self._line("Enter plays it")
        return shown

    def _list(self, shown: Sequence[int], numbered: dict[int, int], words: dict[int, str]) -> None:
        lines = [f"[bold]{number:3}[/]  {escape(words[numbered[number]])}" for number in shown[:MOST_LISTED]]
        self.out.print(Columns(lines, padding=(0, 3), column_first=True))
        if len(shown) > MOST_LISTED:
            self._line(f"and {len(shown) - MOST_LISTED} more: type a word to list only the actions that have it")

    def _hand_over(self, seat: int) -> None:
        """Where seats have secrets and several people share the terminal, ask for it to be handed on."""
        if self._is_handed_on and (seat != self._looking or not self._told):
            self.out.input(f"The terminal goes to {escape(self._name(seat))}: press Enter when nobody else looks ")
            self.out.clear()
        self._looking = seat
        self._tell_moves()

    # Commands give whether the position has changed.

    def _undo(self, seat: int, rest: str) -> bool:
        if not self.actions or not may_take_back(self.positions[-2], self.actions[-1], self.position, seat):
            self._line("nothing can be taken back: another seat has acted since, or something hidden came to light")
            return False
        self.positions.pop()
        self.actions.pop()
        self._told = {reader: min(told, len(self.actions)) for reader, told in self._told.items()}
        self._line("taken back")
        return True

    def _board(self, seat: int, rest: str) -> bool:
        self._show_board(seat)
        return False

    def _log(self, seat: int, rest: str) -> bool:
        self._told[self._reader] = 0
        self._tell_moves()
        return False

    def _ask_report(self, seat: int, rest: str) -> bool:
        game = self.position.game
        if self.game_hides and not game.deducible(self.position.options):
            self._line("what agents saw is told once the game is over (kontor analyse): it would show their hands")
        elif self._report is None:
            self._line("no agent has searched yet")
        else:
            number, name, lines = self._report
            self._line(f"what {name} saw before move {number}:")
            for line in lines:
                self._line(line)
        return False

    def _save(self, seat: int, rest: str) -> bool:
        if not rest:
            self._line("say where: s FILE")
            return False
        try:
            self.record().save(Path(rest))
            self._line(f"recorded: {rest} (kontor replay {rest})")
        except OSError as error:
            self._line(f"{rest}: {error.strerror or error}")
        return False

    def _help(self, seat: int, rest: str) -> bool:
        self._line(HELP)
        return False

    def _leave(self, seat: int, rest: str) -> bool:
        raise Left

    _commands: dict[str, Callable[[TerminalGame, int, str], bool]] = {  # noqa: RUF012
        "u": _undo,
        "b": _board,
        "l": _log,
        "r": _ask_report,
        "s": _save,
        "h": _help,
        "?": _help,
        "q": _leave,
    }

    # ------------------------------------------------------------------ showing

    def _tell_moves(self) -> None:
        """The moves that were not told yet, in words that whoever looks may hear."""
        for number in range(self._told.get(self._reader, 0), len(self.actions)):
            position = self.positions[number]
            seat = position.current_player
            assert seat is not None
            words = action_in_words(position, self.actions[number], self._looking)
            self._line(f"{number + 1:4}  {self._name(seat)}  {words}")
            if self.boards and number + 1 == len(self.actions) and not self.position.is_over:
                self._show_board(self._looking)
                self.out.print()
        self._told[self._reader] = len(self.actions)

    @property
    def _reader(self) -> int | None:
        """Whose log it is that is written: one for all, unless the terminal is handed on for the sake of secrets."""
        return self._looking if self._is_handed_on else None

    def _show_board(self, seat: int | None) -> None:
        self._line(self.position.game.text(self.position.describe(seat)))

    def _name(self, seat: int) -> str:
        return f"player_{seat} ({self.players[seat].name})" if self.people else f"player_{seat}"

    def _line(self, text: str) -> None:
        self.out.print(text, markup=False, highlight=False, soft_wrap=True)


def outcome(position: Position) -> str:
    """How a game came out, on one line."""
    if not position.is_over:
        return f"the game is not over: player_{position.current_player} is to act"
    returns = ", ".join(f"player_{seat} {value:+g}" for seat, value in enumerate(position.returns()))
    winners = position.winners()
    if len(winners) == position.num_players:
        result = "drawn"
    else:
        result = f"won by {' and '.join(f'player_{seat}' for seat in winners)}"
    cap = " (cut off by the cap on its length)" if position.truncated else ""
    return f"{result} after {position.move_number} moves{cap}; returns: {returns}"


def _report(agent: Agent, view: View) -> tuple[int, str, list[str]] | None:
    """What an agent that searches saw at its last move, best first; None for one that does not, or a forced move."""
    search_report = getattr(agent, "search_report", None)
    if search_report is None or len(view.legal_actions()) == 1:
        return None
    found = search_report(view)
    described, game = view.describe(), view.game
    lines = [
        f"{entry.visits:8} visits  {entry.values[view.seat]:+.3f}  "
        f"{game.say(game.decode_action(entry.action, view.options), described)}"
        for entry in found.actions[:8]
    ]
    return view.move_number + 1, f"player_{view.seat}", lines


def opening(position: Position, actions: Sequence[int]) -> list[Position]:
    """The positions that these actions lead through, the first included. Errors: `IllegalAction`."""
    positions = [position]
    for action in actions:
        after = positions[-1].copy()
        after.apply(action)
        positions.append(after)
    return positions


def seats_for(given: Sequence[str], num_players: int, default: str) -> list[str]:
    """Who sits at each seat: as given, the last for all that are left; by default a person and agents.

    Errors: `KontorError` for more seats than there are.
    """
    if len(given) > num_players:
        raise KontorError(f"--seat is given {len(given)} times: there are {num_players} seats")
    named = list(given) or ["human", default]
    return [*named, *[named[-1]] * num_players][:num_players]
