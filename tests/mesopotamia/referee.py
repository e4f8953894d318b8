"""A second, literal engine: the rules once more over described positions, to compare with the compiled ones.

Slow and plain on purpose: lists and dicts, no record, no action numbers. Only what chance decides after a shuffle is
taken from the position that the compiled rules came to.
"""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from typing import Any

Action = dict[str, Any]

STEPS = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)]
COSTS = [2, 4, 6, 7]
KINDS = ["plain", "forest", "quarry", "volcano"]
GOODS = ["wood", "stone"]
CARDS = ["endurance", "priest", "fertility", "holy_stone", "land", "mana_theft", "teleport", "expulsion"]
FIRST_POINTS = {2: [2, 5], 3: [2, 3, 4], 4: [2, 3, 4, 5]}


class Referee:
    """A position as `describe()` gives it, moved on by actions in words."""

    def __init__(self, described: dict[str, Any]) -> None:
        self.p = deepcopy(described)
        self.options = self.p["options"]

    # -------------------------------------------------------------- looking

    @property
    def seat(self) -> int:
        seat: int = self.p["current_player"]
        return seat

    @property
    def me(self) -> dict[str, Any]:
        me: dict[str, Any] = self.p["players"][self.seat]
        return me

    def tile_at(self, q: int, r: int) -> int | None:
        for number, tile in enumerate(self.p["tiles"]):
            if (tile["q"], tile["r"]) == (q, r):
                return number
        return None

    def beside(self, number: int, direction: int) -> tuple[int, int]:
        tile = self.p["tiles"][number]
        return tile["q"] + STEPS[direction][0], tile["r"] + STEPS[direction][1]

    def standing(self, seat: int, tile: int) -> list[dict[str, Any]]:
        return [figure for figure in self.p["players"][seat]["figures"] if figure["tile"] == tile]

    def shown(self, seat: int) -> list[int]:
        """Figures on the map that are the lowest of those alike."""
        figures = self.p["players"][seat]["figures"]
        return [i for i, figure in enumerate(figures) if figure["tile"] is not None and figures.index(figure) == i]

    def playable(self, card: str) -> bool:
        return self.me["hand"].count(card) > (self.p["drawn_card"] == card)

    def expected(self) -> bool:
        """Whether others must reckon with a card."""
        return len(self.me["hand"]) > (self.p["drawn_card"] is not None)

    def can_discover(self) -> bool:
        return self.p["discoveries_left"] > 0 and any(kind != "volcano" for kind in self.p["stack"])

    # -------------------------------------------------------------- what may be done

    def legal(self) -> list[Action]:
        options: list[Action] = getattr(self, f"options_{self.p['phase']}")()
        return options

    def options_move(self) -> list[Action]:
        return [*self.moves(), *self.cards(), {"type": "end_movement"}]

    def moves(self) -> list[Action]:
        found: list[Action] = []
        for i in self.shown(self.seat):
            figure = self.me["figures"][i]
            tile = self.p["tiles"][figure["tile"]]
            if self.p["movement_points"] > 0:
                found += [
                    {"type": "step", "figure": i, "direction": d} for d in range(6) if self.step_is_fine(figure, d)
                ]
            if figure["load"] in GOODS:
                found.append({"type": "drop", "figure": i})
            if figure["load"] is not None:
                continue
            for good in GOODS:
                if tile[good] and good not in figure["dropped"]:
                    found.append({"type": "take", "figure": i, "good": good})
            for hut in tile["huts"]:
                if hut["owner"] == self.seat and hut["offering"] is not None:
                    found.append({"type": "take_offering", "figure": i, "offering": hut["offering"]})
            for other in range(self.p["num_players"]):
                theirs = self.standing(other, figure["tile"])
                more = len(self.standing(self.seat, figure["tile"])) > len(theirs)
                if other != self.seat and more and not figure["has_stolen"]:
                    for good in GOODS:
                        if any(victim["load"] == good for victim in theirs):
                            found.append({"type": "steal", "figure": i, "from": other, "good": good})
        return found

    def step_is_fine(self, figure: dict[str, Any], direction: int) -> bool:
        number = self.tile_at(*self.beside(figure["tile"], direction))
        if number is None:
            return self.can_discover()
        kind = self.p["tiles"][number]["kind"]
        if kind == "temple":
            return figure["load"] != "wood" and not (type(figure["load"]) is int and figure["load"] > self.me["mana"])
        return bool(kind != "volcano")

    def cards(self) -> list[Action]:
        found: list[Action] = []
        names = ["holy_stone", "teleport", "expulsion"]
        if self.p["phase"] == "move":
            names += ["endurance", "land"]
        else:
            names.append("fertility")
        found += [{"type": "play_card", "card": card} for card in names if self.playable(card) and self.helps(card)]
        if self.playable("mana_theft") and self.me["mana"] < self.me["mana_max"]:
            for other, player in enumerate(self.p["players"]):
                if other != self.seat and player["mana"] > 0:
                    found.append({"type": "steal_mana", "from": other})
        return found

    def helps(self, card: str) -> bool:
        if card == "endurance":
            return True
        if card == "holy_stone":
            return bool(self.me["mana"] < self.me["mana_max"])
        if card == "land":
            edge = any(
                self.tile_at(*self.beside(figure["tile"], d)) is None
                for figure in self.me["figures"]
                if figure["tile"] is not None
                for d in range(6)
            )
            return bool(not self.p["land_armed"] and self.p["movement_points"] and self.can_discover() and edge)
        if card == "fertility":
            open_kind = self.p["action_kind"] in (None, "give_birth")
            return bool(open_kind and self.p["births_per_hut"] == 1 and self.birth_places(2))
        return bool(self.targets(card))

    def targets(self, card: str) -> list[Action]:
        found: list[Action] = []
        for seat in range(self.p["num_players"]):
            for i in self.shown(seat):
                if card == "teleport" or seat != self.seat:
                    found.append({"type": "pick_figure", "seat": seat, "figure": i})
                if card == "teleport" and self.p["players"][seat]["figures"][i]["load"] in GOODS:
                    found.append({"type": "pick_load", "seat": seat, "figure": i})
        for number, tile in enumerate(self.p["tiles"]):
            if card == "teleport":
                found += [{"type": "pick_good", "tile": number, "good": good} for good in GOODS if tile[good]]
            else:
                for place, hut in enumerate(tile["huts"]):
                    if hut["owner"] not in (None, self.seat) and tile["huts"].index(hut) == place:
                        found.append({"type": "pick_hut", "tile": number, "hut": place})
        return [target for target in found if self.destinations(card, target)]

    def origin(self, target: Action) -> int:
        if "tile" in target:
            return int(target["tile"])
        return int(self.p["players"][target["seat"]]["figures"][target["figure"]]["tile"])

    def destinations(self, card: str, target: Action) -> list[int]:
        start = self.p["tiles"][self.origin(target)]
        found = []
        for number, tile in enumerate(self.p["tiles"]):
            if number == self.origin(target) or tile["kind"] in ("volcano", "temple"):
                continue
            if card == "expulsion":
                q, r = tile["q"] - start["q"], tile["r"] - start["r"]
                if max(abs(q), abs(r), abs(q + r)) > 3:
                    continue
                if target["type"] == "pick_hut" and not self.room_for_hut(tile):
                    continue
            found.append(number)
        return found

    @staticmethod
    def room_for_hut(tile: dict[str, Any]) -> bool:
        return bool(tile["kind"] == "plain" and len(tile["huts"]) < 2 and tile["cult_site"] is None)

    def options_place_volcano(self) -> list[Action]:
        figure = self.me["figures"][self.p["pending"]["figure"]]
        entered = self.beside(figure["tile"], self.p["pending"]["direction"])
        names: dict[tuple[int, int], Action] = {}
        for number in range(len(self.p["tiles"])):
            for d in range(6):
                place = self.beside(number, d)
                if self.tile_at(*place) is None and place != entered:
                    names.setdefault(place, {"type": "place_volcano", "tile": number, "direction": d})
        return list(names.values())

    def options_seed(self) -> list[Action]:
        pending = self.p["pending"]
        kind = "forest" if pending["good"] == "wood" else "quarry"
        tiles = [number for number, tile in enumerate(self.p["tiles"]) if tile["kind"] == kind]
        tiles = [number for number in tiles if number > max(pending["seeded"], default=-1)]
        return [{"type": "seed", "tile": tile} for tile in tiles[: len(tiles) - pending["left"] + 1]]

    def options_choose_hex(self) -> list[Action]:
        return [{"type": "choose_hex", "kind": kind} for kind in KINDS if kind in self.p["stack"][:4]]

    def options_pick_target(self) -> list[Action]:
        return self.targets(self.p["pending"]["card"])

    def options_pick_destination(self) -> list[Action]:
        pending = self.p["pending"]
        return [{"type": "pick_tile", "tile": tile} for tile in self.destinations(pending["card"], pending["target"])]

    def options_act(self) -> list[Action]:
        return [*self.acts(), *self.cards(), {"type": "end_action"}]

    def acts(self) -> list[Action]:
        found: list[Action] = []
        chosen = self.p["action_kind"]
        for number, tile in enumerate(self.p["tiles"]):
            loads = [figure["load"] for figure in self.standing(self.seat, number)]
            if len(loads) < 2:
                continue
            if chosen in (None, "build_hut") and "wood" in loads and self.me["huts_left"] and self.room_for_hut(tile):
                found += [
                    {"type": "build_hut", "tile": number, "offering": cost} for cost in self.me["unused_offerings"]
                ]
            empty = tile["kind"] == "plain" and not tile["huts"] and tile["cult_site"] is None
            others = [self.standing(seat, number) for seat in range(self.p["num_players"]) if seat != self.seat]
            free = chosen in (None, "build_cult_site") and self.me["cult_sites_left"] and not any(others)
            if free and "stone" in loads and empty:
                found.append({"type": "build_cult_site", "tile": number})
        if chosen in (None, "give_birth"):
            places = self.birth_places(self.p["births_per_hut"])
            found += [{"type": "give_birth", "tile": number} for number in places]
        discards = [] if self.options["no_reshuffle"] else self.p["discard_pile"]
        if chosen is None and (self.p["draw_pile"] or discards):
            found.append({"type": "draw_card"})
        return found

    def birth_places(self, per_hut: int) -> list[int]:
        if all(figure["tile"] is not None for figure in self.me["figures"]):
            return []
        return [
            number
            for number, tile in enumerate(self.p["tiles"])
            if len(self.standing(self.seat, number)) >= 2
            and tile["births"] < per_hut * tile["huts"].count({"owner": self.seat, "offering": None})
        ]

    def options_mana(self) -> list[Action]:
        return [{"type": "play_priest"}] * self.playable("priest") + [{"type": "end_turn"}]

    # -------------------------------------------------------------- what is done

    def play(self, action: Action, after: dict[str, Any]) -> None:
        """Play an action and what follows by itself; `after` tells how anything was shuffled."""
        self.after = after
        self.p["move_number"] += 1
        todo: Action | None = action
        while todo is not None:
            arguments = {f"{key}_" if key == "from" else key: value for key, value in todo.items() if key != "type"}
            getattr(self, f"do_{todo['type']}")(**arguments)
            todo = self.forced()

    def forced(self) -> Action | None:
        phase = self.p["phase"]
        if phase == "over":
            return None
        if phase == "move":
            return None if self.moves() or self.expected() else {"type": "end_movement"}
        if phase == "act":
            return None if self.acts() or self.expected() else {"type": "end_action"}
        if phase == "mana":
            could = self.me["mana"] < self.me["mana_max"] and self.expected() and self.paying()
            return None if could else {"type": "end_turn"}
        options = self.legal()
        return options[0] if len(options) == 1 else None

    def do_step(self, figure: int, direction: int) -> None:
        self.p["movement_points"] -= 1
        mover = self.me["figures"][figure]
        number = self.tile_at(*self.beside(mover["tile"], direction))
        if number is None:
            self.p["pending"] = {"figure": figure, "direction": direction}
            if self.p["land_armed"]:
                self.p["phase"] = "choose_hex"
            else:
                self.uncover(self.p["stack"].pop(0))
            return
        mover["tile"], mover["dropped"] = number, []
        if number != 0:
            return
        if mover["load"] == "stone":
            mover["load"] = None
            self.p["supply"]["stone"] += 1
            self.me["mana_max"] = min(8, self.me["mana_max"] + 1)
            self.gain(1)
        elif mover["load"] is not None:
            self.me["mana"] -= mover["load"]
            self.me["delivered"].append(mover["load"])
            mover["load"] = mover["tile"] = None
            if len(self.me["delivered"]) == 4:
                self.p["terminated"] = True
                self.finish()

    def gain(self, mana: int) -> None:
        self.me["mana"] = min(self.me["mana_max"], self.me["mana"] + mana)

    def lay(self, kind: str, q: int, r: int) -> int:
        tile = {"kind": kind, "q": q, "r": r, "wood": 0, "stone": 0, "huts": [], "cult_site": None, "births": 0}
        self.p["tiles"].append(tile)
        return len(self.p["tiles"]) - 1

    def uncover(self, kind: str) -> None:
        if kind == "volcano":
            self.p["phase"] = "place_volcano"
            return
        mover = self.me["figures"][self.p["pending"]["figure"]]
        number = self.lay(kind, *self.beside(mover["tile"], self.p["pending"]["direction"]))
        mover["tile"], mover["dropped"] = number, []
        self.p["discoveries_left"] -= 1
        self.p["pending"], self.p["phase"] = None, "move"
        if kind == "plain":
            return
        good = "wood" if kind == "forest" else "stone"
        others = [tile for tile in self.p["tiles"][:-1] if tile["kind"] == kind]
        tokens = min(self.p["num_players"], self.p["supply"][good])
        if len(others) < tokens:
            self.p["supply"][good] -= tokens
            for tile in others:
                tile[good] += 1
            self.p["tiles"][-1][good] += tokens - len(others)
        elif tokens:
            self.p["phase"], self.p["pending"] = "seed", {"good": good, "left": tokens, "seeded": []}

    def do_choose_hex(self, kind: str) -> None:
        self.p["land_armed"] = False
        self.p["stack"].remove(kind)
        self.p["stack"] = self.shuffled(self.p["stack"], self.after["stack"])
        self.uncover(kind)

    def shuffled(self, before: list[str], after: list[str]) -> list[str]:
        """The order after a shuffle: nobody can check more than that the pieces are the same."""
        assert Counter(before) == Counter(after)
        return list(after)

    def do_place_volcano(self, tile: int, direction: int) -> None:
        self.lay("volcano", *self.beside(tile, direction))
        self.uncover(self.p["stack"].pop(0))

    def do_seed(self, tile: int) -> None:
        pending = self.p["pending"]
        self.p["tiles"][tile][pending["good"]] += 1
        self.p["supply"][pending["good"]] -= 1
        pending["left"] -= 1
        pending["seeded"].append(tile)
        if pending["left"] == 0:
            self.p["pending"], self.p["phase"] = None, "move"

    def do_take(self, figure: int, good: str) -> None:
        taker = self.me["figures"][figure]
        taker["load"] = good
        self.p["tiles"][taker["tile"]][good] -= 1

    def do_drop(self, figure: int) -> None:
        dropper = self.me["figures"][figure]
        self.p["tiles"][dropper["tile"]][dropper["load"]] += 1
        dropper["dropped"] = [good for good in GOODS if good in (*dropper["dropped"], dropper["load"])]
        dropper["load"] = None

    def do_take_offering(self, figure: int, offering: int) -> None:
        taker = self.me["figures"][figure]
        huts = self.p["tiles"][taker["tile"]]["huts"]
        huts[huts.index({"owner": self.seat, "offering": offering})]["offering"] = None
        taker["load"] = offering

    def do_steal(self, figure: int, from_: int, good: str) -> None:
        thief = self.me["figures"][figure]
        victim = next(other for other in self.standing(from_, thief["tile"]) if other["load"] == good)
        victim["load"], thief["load"], thief["has_stolen"] = None, good, True

    def discard(self, card: str) -> None:
        self.me["hand"].remove(card)
        self.p["discard_pile"].append(card)

    def do_play_card(self, card: str) -> None:
        self.discard(card)
        if card == "endurance":
            self.p["movement_points"] += 3
        elif card == "land":
            self.p["land_armed"] = True
        elif card == "holy_stone":
            self.gain(2)
        elif card == "fertility":
            self.p["births_per_hut"], self.p["action_kind"] = 2, "give_birth"
        else:
            self.p["pending"] = {"card": card, "resume": self.p["phase"]}
            self.p["phase"] = "pick_target"

    def do_steal_mana(self, from_: int) -> None:
        self.discard("mana_theft")
        self.p["players"][from_]["mana"] -= 1
        self.me["mana"] += 1

    def pick(self, target: Action) -> None:
        self.p["pending"]["target"] = target
        self.p["phase"] = "pick_destination"

    def do_pick_figure(self, seat: int, figure: int) -> None:
        self.pick({"type": "pick_figure", "seat": seat, "figure": figure})

    def do_pick_load(self, seat: int, figure: int) -> None:
        self.pick({"type": "pick_load", "seat": seat, "figure": figure})

    def do_pick_good(self, tile: int, good: str) -> None:
        self.pick({"type": "pick_good", "tile": tile, "good": good})

    def do_pick_hut(self, tile: int, hut: int) -> None:
        self.pick({"type": "pick_hut", "tile": tile, "hut": hut})

    def do_pick_tile(self, tile: int) -> None:
        pending, tiles = self.p["pending"], self.p["tiles"]
        target = pending["target"]
        origin = tiles[self.origin(target)]
        if target["type"] == "pick_good":
            origin[target["good"]] -= 1
            tiles[tile][target["good"]] += 1
        elif target["type"] == "pick_hut":
            tiles[tile]["huts"].append(origin["huts"].pop(target["hut"]))
        else:
            figure = self.p["players"][target["seat"]]["figures"][target["figure"]]
            if target["type"] == "pick_load":
                tiles[tile][figure["load"]] += 1
                figure["load"] = None
            else:
                if pending["card"] == "expulsion" and figure["load"] in GOODS:
                    origin[figure["load"]] += 1
                    figure["load"] = None
                figure["tile"], figure["dropped"] = tile, []
        self.p["phase"], self.p["pending"] = pending["resume"], None

    def do_end_movement(self) -> None:
        self.p.update(movement_points=0, discoveries_left=0, land_armed=False, phase="act")
        for figure in self.me["figures"]:
            figure.update(has_stolen=False, dropped=[])

    def spend(self, tile: int, good: str) -> None:
        next(figure for figure in self.standing(self.seat, tile) if figure["load"] == good)["load"] = None
        self.p["supply"][good] += 1

    def do_build_hut(self, tile: int, offering: int) -> None:
        self.p["action_kind"] = "build_hut"
        self.spend(tile, "wood")
        self.me["huts_left"] -= 1
        self.me["unused_offerings"].remove(offering)
        self.p["tiles"][tile]["huts"].append({"owner": self.seat, "offering": offering})

    def do_build_cult_site(self, tile: int) -> None:
        self.p["action_kind"] = "build_cult_site"
        self.spend(tile, "stone")
        self.me["cult_sites_left"] -= 1
        self.p["tiles"][tile]["cult_site"] = self.seat

    def do_give_birth(self, tile: int) -> None:
        self.p["action_kind"] = "give_birth"
        self.p["tiles"][tile]["births"] += 1
        next(figure for figure in self.me["figures"] if figure["tile"] is None)["tile"] = tile

    def do_draw_card(self) -> None:
        self.p["action_kind"] = "draw_card"
        if not self.p["draw_pile"]:
            drawn = Counter(self.p["discard_pile"]) - Counter(self.after["draw_pile"])
            order = [*drawn.elements(), *self.after["draw_pile"]]
            self.p["draw_pile"], self.p["discard_pile"] = self.shuffled(self.p["discard_pile"], order), []
        card = self.p["draw_pile"].pop(0)
        self.p["drawn_card"] = card
        self.me["hand"] = sorted([*self.me["hand"], card], key=CARDS.index)

    def paying(self) -> int:
        sites = 0
        for number, tile in enumerate(self.p["tiles"]):
            if tile["cult_site"] is not None:
                sites += len(self.standing(self.seat, number)) >= (1 if tile["cult_site"] == self.seat else 2)
        return sites

    def do_end_action(self) -> None:
        self.gain(self.paying())
        self.p["phase"] = "mana"

    def do_play_priest(self) -> None:
        self.discard("priest")
        self.gain(1)

    def do_end_turn(self) -> None:
        for tile in self.p["tiles"]:
            tile["births"] = 0
        self.p.update(births_per_hut=1, action_kind=None, drawn_card=None)
        last = self.seat == self.p["num_players"] - 1
        if last and self.p["round"] == self.options["max_rounds"]:
            self.p["truncated"] = True
            self.finish()
            return
        self.p["round"] += last
        self.p["current_player"] = 0 if last else self.seat + 1
        first = FIRST_POINTS[self.p["num_players"]][self.seat]
        self.p.update(phase="move", movement_points=first if self.p["round"] == 1 else 5, discoveries_left=3)

    # -------------------------------------------------------------- the end

    def finish(self) -> None:
        keys = [self.standing_of(seat) for seat in range(self.p["num_players"])]
        self.p["winners"] = [seat for seat, key in enumerate(keys) if key == max(keys)]
        n, k = len(keys), len(self.p["winners"])
        self.p["returns"] = [
            ((seat in self.p["winners"]) / k - 1 / n) * n / (n - 1) for seat in range(n)
        ]  # the reward `win`
        self.p["current_player"], self.p["phase"] = None, "over"

    def standing_of(self, seat: int) -> tuple[int, ...]:
        player = self.p["players"][seat]
        ways = self.ways()
        steps = 41 * len(player["unused_offerings"])
        steps += sum(ways[figure["tile"]] for figure in player["figures"] if type(figure["load"]) is int)
        for number, tile in enumerate(self.p["tiles"]):
            for hut in tile["huts"]:
                if hut["owner"] == seat and hut["offering"] is not None:
                    steps += ways.get(number, 41)
        return len(player["delivered"]), sum(player["delivered"]), player["mana"], -steps

    def ways(self) -> dict[int, int]:
        """Steps to the temple from every tile from which there is a way."""
        ways, edge = {0: 0}, [0]
        for here in edge:
            for d in range(6):
                number = self.tile_at(*self.beside(here, d))
                if number is not None and number not in ways and self.p["tiles"][number]["kind"] != "volcano":
                    ways[number] = ways[here] + 1
                    edge.append(number)
        return ways
