"""The game against a second implementation of its rules (`reference.py`), position by position.

Compared at every position: the set of legal actions, the open description and what each seat is shown, all
field by field. The games played here are a sample; to compare many more games of every line-up:

    python -m tests.fuerstenfeld.test_reference --games 200 --seed 1000
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from envs.catalog import get_game
from envs.position import Position
from tests.fuerstenfeld.reference import (
    CARD_ORDER,
    COSTS,
    GOODS,
    Action,
    Reference,
    deck_of_cards,
    is_palace,
    no_goods,
)

GAME = get_game("fuerstenfeld")
Options = dict[str, Any]
Policy = Callable[[Reference, list[Action]], Action]

LINE_UPS = [(players, variant) for players in (2, 3, 4, 5) for variant in ("basic", "advanced")]
REWARDS = ("win", "rank", "score")
DEMANDS = {(1, 3, 2), (1, 2, 3), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1), (2, 2, 2)}

ACTION_TYPES = (
    *("keep", "bury", "draw_extra", "stop_drawing", "sell", "sell_as", "end_sale", "build", "end_building"),
    *("store", "end_storing", "scavenge", "discard", "end_discarding"),
)


# ---------------------------------------------------------------- comparison


def differences(expected: Any, found: Any, place: str = "") -> Iterator[str]:
    """Where two described positions differ, by the path of the field."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in sorted(expected.keys() | found.keys()):
            if key not in expected or key not in found:
                yield f"{place}.{key}: only in the {'game' if key in found else 'reference'}"
            else:
                yield from differences(expected[key], found[key], f"{place}.{key}")
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for index, pair in enumerate(zip(expected, found, strict=True)):
            yield from differences(*pair, f"{place}[{index}]")
    elif isinstance(expected, float) and isinstance(found, float):
        if abs(expected - found) > 1e-9:
            yield f"{place}: {expected} expected, {found} found"
    elif type(expected) is not type(found) or expected != found:
        yield f"{place}: {expected!r} expected, {found!r} found"


def as_json(description: Any) -> str:
    """Text that is equal for equal values of equal types; a value that is not JSON is a `TypeError`."""
    return json.dumps(description, sort_keys=True)


def as_set(actions: list[Action]) -> set[str]:
    return {as_json(action) for action in actions}


def compare(position: Position, reference: Reference, history: list[Action], seats: Iterable[int]) -> None:
    """Fail where game and reference differ, with the last actions that led there."""
    expected = as_set(reference.legal_actions())
    offered = as_set([position.decode_action(action) for action in position.legal_actions()])
    found = [f"legal only in the reference: {action}" for action in sorted(expected - offered)]
    found += [f"legal only in the game: {action}" for action in sorted(offered - expected)]
    for player in (None, *seats):
        wanted = reference.position if player is None else reference.describe(player)
        shown = position.describe(player)
        if wanted != shown or (position.is_over and as_json(wanted) != as_json(shown)):
            found += [f"shown to {'all' if player is None else player}: {line}" for line in differences(wanted, shown)]
    if found:
        raise AssertionError("\n".join([*found, f"after {history[-12:]} in", as_json(reference.position)]))


def play_and_compare(
    position: Position,
    policy: Policy,
    seen: Counter[str],
    every_seat: bool = False,
    reference_class: type[Reference] = Reference,
) -> Reference:
    """Play a game to its end on both sides and compare every position; counts what happens in `seen`.

    What the seats are shown is compared for one seat after the other, or for all at every position (`every_seat`).
    """
    reference, history, all_seats = reference_class(position.describe()), list[Action](), range(position.num_players)
    compare(position, reference, history, all_seats)
    while not position.is_over:
        action = policy(reference, reference.legal_actions())
        count_before(reference, action, history, seen)
        before = {field: reference.position[field] for field in ("round", "current_player", "palace_price")}
        history.append(action)
        position.apply(position.encode_action(action))
        reference.apply(action)
        count_after(before, reference.position, action, seen)
        seats = all_seats if every_seat or position.is_over else [len(history) % len(all_seats)]
        compare(position, reference, history, seats)
    return reference


# ---------------------------------------------------------------- what the compared games met


def count_before(reference: Reference, action: Action, history: list[Action], seen: Counter[str]) -> None:
    """Count the type of an action and the rules that come into play with it."""
    kind, me, position = action["type"], reference.me, reference.position
    seen["decisions"] += 1
    seen[kind] += 1
    seen["decision with one answer"] += len(reference.legal_actions()) == 1
    if kind == "end_sale":
        for card in ("office", "bank_1", "bank_2", "magistrate"):
            seen[f"sale with {card}"] += card in me["spaces"]
        seen["sale with tourist guide and palaces"] += "tourist_guide" in me["spaces"] and me["palaces"] > 0
        seen["nothing sold"] += position["sale"]["brewery"] is None
        seen["plain and market sale in one"] += position["sale"]["sold_as"] is not None and any(
            position["sale"]["sold"].values()
        )
    if kind == "build":
        crane, second = "crane" in me["spaces"], position["built"] == 1
        seen[f"built {action['card']}"] += 1
        seen["second building"] += second
        seen["built with the crane"] += crane
        seen["crane covered"] += me["spaces"][action["space"]] == "crane"
        seen["card covered that was built in this turn"] += second and history[-1].get("space") == action["space"]
        if is_palace(action["card"]):
            seen["palace with the crane"] += crane
            seen["second palace of a turn"] += second and is_palace(history[-1]["card"])
            seen["second palace of a turn, at a new price"] += (
                second and is_palace(history[-1]["card"]) and position["palaces_at_price"] == 0
            )
    if kind == "scavenge":
        seen["palace scavenged"] += is_palace(action["card"])
        seen["second card scavenged"] += len(position["scavenged"]) == 1
    if kind == "end_discarding":
        seen["several cards kept"] += len(me["hand"]) > 1


def count_after(before: dict[str, Any], after: dict[str, Any], action: Action, seen: Counter[str]) -> None:
    """Count what an action brought about."""
    kind, same_seat = action["type"], before["current_player"] == after["current_player"]
    seen["palace price risen"] += before["palace_price"] < after["palace_price"]
    seen["sale ended by itself"] += kind in ("sell", "sell_as") and same_seat and after["phase"] != "sell"
    seen["storing ended by itself"] += kind == "store" and after["stored"] is None
    seen["turn without a sale"] += kind == "end_discarding" and after["phase"] == "build"
    if before["round"] < after["round"]:
        fields = [player["order_field"] for player in after["players"]]
        seen["tie on the income track"] += len(set(fields)) < len(fields)
        seen["price at 0 after phase 6"] += any(0 in brewery["price"].values() for brewery in after["breweries"])
        seen["deck drawn empty"] += any(not player["deck"] for player in after["players"])
        seen["whole order of a deck known"] += any(
            player["deck"] and player["deck_known_from"] == 0 for player in after["players"]
        )
    if after["phase"] == "over":
        seen["game terminated" if after["terminated"] else "game truncated"] += 1
        seen["game with several winners"] += len(after["winners"]) > 1
        seen["palace finished by several"] += sum(player["palaces"] == 6 for player in after["players"]) > 1


EVENTS = (
    *(f"built {card}" for card in CARD_ORDER),
    *(f"sale with {card}" for card in ("office", "bank_1", "bank_2", "magistrate")),
    "sale with tourist guide and palaces",
    "nothing sold",
    "plain and market sale in one",
    "sale ended by itself",
    "turn without a sale",
    "price at 0 after phase 6",
    "second building",
    "built with the crane",
    "crane covered",
    "card covered that was built in this turn",
    "palace with the crane",
    "palace price risen",
    "second palace of a turn",
    "second palace of a turn, at a new price",
    "storing ended by itself",
    "palace scavenged",
    "second card scavenged",
    "several cards kept",
    "decision with one answer",
    "tie on the income track",
    "whole order of a deck known",
    "deck drawn empty",
    "game terminated",
)


# ---------------------------------------------------------------- policies


def random_policy(rng: np.random.Generator) -> Policy:
    return lambda reference, legal: legal[int(rng.integers(len(legal)))]


def by_weight(rng: np.random.Generator, weight: Callable[[Reference, Action], float]) -> Policy:
    def choose(reference: Reference, legal: list[Action]) -> Action:
        weights = np.array([weight(reference, action) for action in legal])
        return legal[int(rng.choice(len(legal), p=weights / weights.sum()))]

    return choose


def room_for_a_building(covered: str | None) -> float:
    """How much a space invites a building: an empty one most of all, a production field least."""
    if covered is None:
        return 8.0
    return 3.0 if covered.startswith("printed") else 0.3 if covered.startswith("field") else 2.0


def sensible_policy(rng: np.random.Generator) -> Policy:
    """Sells for good prices, saves for palaces, and likes other buildings in every game."""
    taste = dict(zip(CARD_ORDER, rng.exponential(1.0, len(CARD_ORDER)), strict=True))
    saving = rng.uniform(0.0, 40.0)

    def weight(reference: Reference, action: Action) -> float:
        card = action.get("card")
        match action["type"]:
            case "sell" | "sell_as":
                kind = action.get("as", action["good"])
                return 1.0 + 3.0 * reference.position["breweries"][action["brewery"]]["price"][kind]
            case "build" if is_palace(card):
                return 30.0 * room_for_a_building(reference.me["spaces"][action["space"]])
            case "build":
                room = room_for_a_building(reference.me["spaces"][action["space"]])
                liked = 0.3 * taste[action["card"]] * (COSTS[action["card"]] or 0)
                return room * liked * (1.0 if reference.me["palaces"] < 3 else 0.1)
            case "end_building":
                return saving
            case "discard" | "scavenge":
                dear = {"discard": 0.1, "scavenge": 0.5}[action["type"]]
                return dear if is_palace(card) else 1.0 / (0.2 + taste[action["card"]])
            case "draw_extra" | "store" | "end_discarding":
                return 3.0
        return 1.0

    return by_weight(rng, weight)


def patient_policy(rng: np.random.Generator) -> Policy:
    """Builds palaces only, and the sixth when every seat can pay for its own: so all finish in one round."""

    def can_finish(player: dict[str, Any]) -> bool:
        pays = player["coins"] >= 18 and any(map(is_palace, player["hand"]))
        return player["palaces"] == 6 or (player["palaces"] == 5 and pays)

    def weight(reference: Reference, action: Action) -> float:
        finish = all(map(can_finish, reference.players))
        match action["type"]:
            case "build":
                return 1.0 if is_palace(action["card"]) and (finish or action["space"] < 5) else 0.0
            case "discard":
                return 1e-6 if is_palace(action["card"]) else 1.0
            case "end_sale" | "end_building":
                return 1e-6
        return 1.0

    return by_weight(rng, weight)


def play_games(
    options: Options,
    games: int,
    seed: int,
    seen: Counter[str],
    every_seat: bool = False,
    reference_class: type[Reference] = Reference,
) -> None:
    """Compare `games` games of one line-up; game k has the seed `seed + k`, the sensible policy if that is odd.

    Options that are not given change from game to game.
    """
    for number in range(seed, seed + games):
        rng = np.random.default_rng(number)
        own = {
            "scavenge_palaces": number % 3 == 0,
            "reward": REWARDS[number % len(REWARDS)],
            "max_rounds": 60 if number % 2 else int(rng.integers(1, 25)),
            **options,
        }
        policy = sensible_policy(rng) if number % 2 else random_policy(rng)
        play_and_compare(Position(GAME, own, number), policy, seen, every_seat, reference_class)


# ---------------------------------------------------------------- tests: set-up


def described_setup(found: dict[str, Any], options: Options) -> dict[str, Any]:
    """What a fresh game looks like, but for what is drawn at random: that is taken over."""
    advanced = options["variant"] == "advanced"
    harvest = 0 if advanced else 1
    return {
        "game": "fuerstenfeld",
        "num_players": options["num_players"],
        "options": options,
        "phase": "draft" if advanced else "sell",
        "current_player": found["turn_order"][0],
        "terminated": False,
        "truncated": False,
        "move_number": 0,
        "round": 1,
        "turn_order": found["turn_order"],
        "palace_price": 8,
        "palaces_at_price": 0,
        "breweries": [
            {"demand": brewery["demand"], "price": dict.fromkeys(GOODS, 1), "delivered": no_goods()}
            for brewery in found["breweries"]
        ],
        "players": [
            {
                "coins": 2,
                "goods": dict.fromkeys(GOODS, harvest),
                "spaces": [None, None, None, "printed_hops", "printed_barley", "printed_water"],
                "hand": player["hand"],
                "deck": player["deck"],
                "deck_known_from": 18 if advanced else 20,
                "removed": [],
                "palaces": 0,
                "income": 0,
                "order_field": 0,
                "kept": None,
            }
            for player in found["players"]
        ],
        "extra_drawn": 0,
        "sale": None if advanced else {"brewery": None, "sold_as": None, "sold": no_goods()},
        "built": 0,
        "stored": None,
        "scavenged": [],
        "discarded": 0,
    }


@pytest.mark.parametrize(("players", "variant"), LINE_UPS)
def test_setup(players: int, variant: str) -> None:
    demands, tops, orders = set(), set(), set()
    for seed in range(120):
        options = {
            "num_players": players,
            "variant": variant,
            "scavenge_palaces": seed % 2 == 0,
            "max_rounds": 60,
            "reward": REWARDS[seed % 3],
        }
        found = Position(GAME, options, seed).describe()
        assert list(differences(described_setup(found, options), found)) == []
        opened = [tuple(brewery["demand"][good] for good in GOODS) for brewery in found["breweries"]]
        assert len(opened) == players
        assert len(set(opened)) == players
        assert sorted(found["turn_order"]) == list(range(players))
        for player in found["players"]:
            assert len(player["hand"]) == (10 if variant == "advanced" else 6)
            assert player["hand"] == sorted(player["hand"], key=CARD_ORDER.index)
            assert sorted(player["hand"] + player["deck"]) == sorted(deck_of_cards(variant))
            tops.add(player["deck"][0])
        demands |= set(opened)
        orders.add(tuple(found["turn_order"]))
    assert demands == DEMANDS
    assert tops == set(deck_of_cards(variant))
    assert len(orders) >= {2: 2, 3: 6, 4: 20, 5: 60}[players]


def test_defaults() -> None:
    assert Position(GAME).describe()["options"] == {
        "num_players": 2,
        "variant": "basic",
        "scavenge_palaces": False,
        "max_rounds": 60,
        "reward": "win",
    }


# ---------------------------------------------------------------- tests: games


@pytest.mark.parametrize(("players", "variant"), LINE_UPS)
def test_games_are_those_of_the_reference(players: int, variant: str) -> None:
    seen = Counter[str]()
    line_up = {"num_players": players, "variant": variant}
    for rounds, games, seed in ((1, 2, 10), (2, 2, 10), (6, 1, 0), (60, 1, 1), (60, 1, 3)):
        play_games({**line_up, "max_rounds": rounds}, games, seed, seen)
    assert seen["game truncated"] == 5
    assert seen["game terminated"] == 2


def test_compared_games_meet_every_rule() -> None:
    seen = Counter[str]()
    for variant in ("basic", "advanced"):
        for seed in range(55, 75, 2):  # odd: the sensible policy
            play_games({"num_players": 2, "variant": variant}, 1, seed, seen)
    assert [event for event in (*ACTION_TYPES, *EVENTS) if not seen[event]] == []


@pytest.mark.parametrize(("players", "seed"), [(2, 0), (5, 1)])
def test_last_palace_of_all(players: int, seed: int) -> None:
    """All seats finish in one round: 6 palaces each, and the price stays 18."""
    seen = Counter[str]()
    position = Position(GAME, {"num_players": players, "max_rounds": 200}, seed)
    reference = play_and_compare(position, patient_policy(np.random.default_rng(0)), seen)
    assert [player["palaces"] for player in reference.players] == [6] * players
    assert reference.position["palace_price"] == 18
    assert reference.position["palaces_at_price"] == players
    assert seen["palace finished by several"] == 1


@pytest.mark.slow
@pytest.mark.parametrize(("players", "variant"), LINE_UPS)
def test_many_games_are_those_of_the_reference(players: int, variant: str) -> None:
    play_games({"num_players": players, "variant": variant}, 40, 100, Counter(), every_seat=True)


# ---------------------------------------------------------------- tests: a wrong rule is found


class CraneSparesPalaces(Reference):
    def _cost(self, card: str) -> int:
        discount = 2 if is_palace(card) and self._has_visible("crane") else 0
        return super()._cost(card) + discount


class MagistrateStepsTwoFields(Reference):
    def _place_order_marker(self) -> None:
        super()._place_order_marker()
        self.me["order_field"] = max(self.me["order_field"], self.me["income"] - 2)


class EarlierMarkerGoesFirst(Reference):
    def _next_turn_order(self) -> list[int]:
        return sorted(self.position["turn_order"], key=lambda seat: self.players[seat]["order_field"])


class OfficePaysPerGood(Reference):
    def _coins_of_office(self) -> int:
        return sum(map(self._sold_of, GOODS)) if self._has_visible("office") else 0


class SaleEndsWhenNoSaleIsOffered(Reference):
    def _nothing_can_be_sold(self) -> bool:
        return not self._plain_sales() and not self._market_sales()


class PricesChangeWhileSelling(Reference):
    def _sell(self, brewery: int, good: str) -> None:
        super()._sell(brewery, good)
        self.position["breweries"][brewery]["delivered"][good] += 1


class DiscardsGoOnTop(Reference):
    def _discard(self, card: str) -> None:
        super()._discard(card)
        self.me["deck"].insert(self.me["deck_known_from"], self.me["deck"].pop())


class LowestPalaceOnlyInBothGames(Reference):
    def _is_basic(self) -> bool:
        return True


class HarvestBeforeExtraCards(Reference):
    def _phase_1_draw(self) -> None:
        self._phase_2_harvest()
        super()._phase_1_draw()

    def _stop_drawing(self) -> None:
        goods = [dict(player["goods"]) for player in self.players]
        super()._stop_drawing()
        for player, before in zip(self.players, goods, strict=True):
            player["goods"] = before


@pytest.mark.parametrize(
    "wrong",
    [
        CraneSparesPalaces,
        MagistrateStepsTwoFields,
        EarlierMarkerGoesFirst,
        OfficePaysPerGood,
        SaleEndsWhenNoSaleIsOffered,
        PricesChangeWhileSelling,
        DiscardsGoOnTop,
        LowestPalaceOnlyInBothGames,
        HarvestBeforeExtraCards,
    ],
)
def test_wrong_rule_is_found(wrong: type[Reference]) -> None:
    with pytest.raises(AssertionError, match=r"only in|expected"):
        play_games({"num_players": 2, "variant": "advanced"}, 20, 0, Counter(), reference_class=wrong)


# ---------------------------------------------------------------- tests: what a seat may take for true


def draft_positions(players: int, seed: int) -> Iterator[Position]:
    """A fresh draft, a kept card, some buried ones, and the same of the second seat to draft."""
    position, rng = Position(GAME, {"num_players": players, "variant": "advanced"}, seed), np.random.default_rng(seed)
    for move in range(14):
        if move in (0, 1, 5, 9, 10, 13):
            yield position.copy()
        position.apply(int(rng.choice(position.legal_actions())))


@pytest.mark.parametrize("players", [2, 3, 5])
def test_determinized_draft_keeps_what_the_seat_knows(players: int) -> None:
    for position in draft_positions(players, players):
        true = position.describe()
        for seat in range(players):
            for seed in range(5):
                sample = position.determinize(seat, seed)
                assert list(differences(position.describe(seat), sample.describe(seat))) == []
                assumed = sample.describe()
                assert list(differences(true["players"][seat]["hand"], assumed["players"][seat]["hand"])) == []
                for real, taken in zip(true["players"], assumed["players"], strict=True):
                    assert sorted(real["hand"] + real["deck"]) == sorted(taken["hand"] + taken["deck"])
                    assert (real["kept"] is None) == (taken["kept"] is None)
                    assert taken["kept"] is None or taken["kept"] in taken["hand"]
                    assert taken["hand"] == sorted(taken["hand"], key=CARD_ORDER.index)


def test_determinized_draft_is_uniform() -> None:
    """Chi-square tests on 1,500 samples, seeds 0 to 1,499; four tests at 1e-4: a false alarm in 2,500 code changes."""
    *_, position = draft_positions(2, 0)  # the first has finished, the second has kept one card and buried three
    acting = position.current_player
    assert acting is not None
    other = 1 - acting
    top_of_other, kept, own_top, last_of_other = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for seed in range(1500):
        seen_by_acting = position.determinize(acting, seed).describe()["players"]
        own_top[seen_by_acting[acting]["deck"][0]] += 1
        top_of_other[seen_by_acting[other]["deck"][0]] += 1
        last_of_other[seen_by_acting[other]["deck"][-1]] += 1
        kept[position.determinize(other, seed).describe()["players"][acting]["kept"]] += 1
    cards = Counter(deck_of_cards("advanced"))
    own = Counter(position.describe()["players"][acting]["deck"][:18])
    for found, pool in ((top_of_other, cards), (last_of_other, cards), (kept, cards), (own_top, own)):
        assert found.keys() <= pool.keys()
        expected = np.array([pool[card] for card in pool]) * 1500 / pool.total()
        assert chisquare([found[card] for card in pool], expected).pvalue > 1e-4


@pytest.mark.parametrize(("players", "variant"), [(2, "basic"), (2, "advanced"), (4, "advanced")])
def test_samples_play_on_like_the_reference(players: int, variant: str) -> None:
    """A described position of any moment, a determinized one too, says all that the rest of the game needs."""
    rng = np.random.default_rng(players)
    position = Position(GAME, {"num_players": players, "variant": variant}, players)
    policy, met = sensible_policy(rng), Counter[str]()
    while not position.is_over:
        reference = Reference(position.describe())
        if position.move_number % 25 == 0:
            met[position.phase] += 1
            sample = position.determinize(int(rng.integers(players)), position.move_number)
            sample.states["options"]["max_rounds"] = min(60, reference.position["round"] + 1)
            sample = Position.of(GAME, sample.state)
            play_and_compare(sample, random_policy(rng), Counter())
        position.apply(position.encode_action(policy(reference, reference.legal_actions())))
    assert met.keys() >= {"sell", "build", "discard"}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="compare many games with the reference")
    parser.add_argument("--games", type=int, default=200, help="games of each line-up")
    parser.add_argument("--seed", type=int, default=1000, help="seed of the first game")
    parser.add_argument("--every-seat", action="store_true", help="compare what all seats are shown at each position")
    arguments = parser.parse_args()
    total = Counter[str]()
    for num_players, deck in LINE_UPS:
        met = Counter[str]()
        line_up = {"num_players": num_players, "variant": deck}
        play_games(line_up, arguments.games, arguments.seed, met, arguments.every_seat)
        print(f"{line_up}: {arguments.games} games, {met['decisions']} decisions, no difference", flush=True)
        total += met
    print(dict(total.most_common()))
