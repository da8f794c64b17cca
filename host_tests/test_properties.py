"""Properties of settlement over thousands of made rounds, through the round machine."""

from __future__ import annotations

import copy
import random
from collections import Counter
from functools import lru_cache
from typing import Any

import pytest

from tools.prove import vector_maker, vector_player
from tools.prove.oracles import hands as oracle

EACH = 150  # rounds of each game


@lru_cache
def rounds(game: str) -> list[dict[str, Any]]:
    return [vector_maker.make(game, n, seed=77) for n in range(EACH)]


@pytest.mark.parametrize("game", vector_maker.GAMES)
def test_machine_and_oracle_agree(game: str) -> None:
    for v in rounds(game):
        assert vector_player.play(v) == v["expect"], v


@pytest.mark.parametrize("game", vector_maker.GAMES)
def test_seat_order_is_irrelevant(game: str) -> None:
    """The order in which a vector lists its seats changes nothing."""
    for v in rounds(game)[:100]:
        turned = {**v, "seats": v["seats"][::-1]}
        assert vector_player.play(turned) == vector_player.play(v)


@pytest.mark.parametrize("game", ("premium", "headsup", "colorado"))
def test_hands_pay_the_same_at_any_seat(game: str) -> None:
    """Moving every player to another seat moves the results with them (the wheel apart)."""
    for v in rounds(game)[:150]:
        moved = copy.deepcopy(v)
        moved.pop("spins", None)
        numbers = [s["seat"] for s in v["seats"]]
        to = dict(zip(numbers, sorted(numbers, reverse=True)))
        for s in moved["seats"]:
            s["seat"] = to[s["seat"]]
            s["wagers"].pop("bonus_spin", None)
        got, here = vector_player.play(moved), v["expect"]
        for n in numbers:
            nets = {w: net for w, net in here[str(n)].items() if w != "bonus_spin"}
            assert got[str(to[n])] == nets


@pytest.mark.parametrize("game", vector_maker.GAMES)
def test_suits_are_permutable(game: str) -> None:
    rng = random.Random(5)
    for v in rounds(game)[:150]:
        suits = list("cdhs")
        rng.shuffle(suits)
        table = str.maketrans("cdhs", "".join(suits))
        other = copy.deepcopy(v)
        for key in ("dealer", "community"):
            if key in other:
                other[key] = other[key].translate(table)
        for s in other["seats"]:
            s["cards"] = s["cards"].translate(table)
            s["actions"] = [_turn(a, table) for a in s["actions"]]
        assert vector_player.play(other) == v["expect"]


def _turn(action: str, table: dict[int, int]) -> str:
    word, colon, card = action.partition(":")
    return word + colon + card.translate(table)


def test_chips_are_conserved() -> None:
    """Players' net + house net + commission = 0, by the machine's own instructions."""
    for game in vector_maker.GAMES:
        for v in rounds(game)[:200]:
            house = commission = 0
            players: Counter[int] = Counter()

            def watch(event: bytes, effects: list) -> None:
                nonlocal house, commission
                for e in effects:
                    if e[0] == "take":
                        players[e[1]] -= e[3]
                        house += e[3]
                    elif e[0] == "pay":
                        players[e[1]] += e[3]
                        house -= e[3]
                    elif e[0] == "pot" and e[1] == 0:
                        house += e[2]
                    elif e[0] == "pot":
                        players[e[1]] += e[2]
                    elif e[0] == "commission":
                        commission += e[1]
                    elif e[0] == "return" and e[2] == "bonus_spin":  # taken at the lock
                        players[e[1]] += e[3]
                        house -= e[3]

            vector_player.play(v, watch)
            stakes = _stakes_in_pot(v)
            assert sum(players.values()) - stakes + house + commission == 0, v["id"]


def _stakes_in_pot(v: dict[str, Any]) -> int:
    if v["game"] != "winners_pot" or v.get("void"):
        return 0
    ante = v["seats"][0]["wagers"]["ante"]
    bet, double = v["table"].get("bet_multiple", 1), v["table"].get("double_multiple", 2)
    total = 0
    for s in v["seats"]:
        total += ante * (1 + bet * ("bet" in s["actions"]) + double * ("double" in s["actions"]))
    return total


def test_made_rounds_reach_the_rare_cases() -> None:
    """The maker is worth its name: every class of hand, every result, every option comes up."""
    seen: Counter[str] = Counter()
    for game in vector_maker.GAMES:
        for v in rounds(game):
            seen.update(f"{game} {key}={value}" for key, value in v["table"].items())
            _count(v, seen)
    for needed in (
        "premium class 9", "headsup class 9", "colorado class 9", "winners_pot class 9",
        "premium class 8", "headsup class 8", "colorado class 8", "winners_pot class 8",
        "premium two hits", "winners_pot split", "winners_pot split with dealer",
        "winners_pot all fold", "winners_pot royals share", "colorado capped",
        "premium unqualified", "headsup unqualified", "headsup bad beat", "colorado instant",
        "colorado false instant", "premium void", "headsup void", "colorado void",
        "winners_pot void", "premium folded spin",
    ):  # fmt: skip
        assert seen[needed], needed


def _count(v: dict[str, Any], seen: Counter[str]) -> None:
    game = v["game"]
    seen[f"{game} void"] += bool(v.get("void"))
    board = oracle.split(v.get("community", ""))
    for s in v["seats"]:
        cards = oracle.split(s["cards"]) + board
        if len(cards) >= 5:  # Three Card Poker has classes of its own
            kind = _colorado_class(v, s) if game == "colorado" else oracle.best(cards)[0]
            seen[f"{game} class {kind}"] += 1
        nets = v["expect"][str(s["seat"])]
        _count_seat(v, s, nets, seen)
    if game == "winners_pot" and not v.get("void"):
        won = [n for n in v["expect"].values() if n["pot"] > 0]
        seen["winners_pot split"] += len(won) > 1
        live = [s for s in v["seats"] if "double" in s["actions"]]
        seen["winners_pot all fold"] += not live
        hands = [oracle.five(oracle.split(s["cards"])) for s in live]
        dealer = oracle.five(oracle.split(v["dealer"]))
        seen["winners_pot split with dealer"] += bool(hands) and max(hands) == dealer
        royals = [s for s, h in zip(live, hands) if h[0] == 9 and "jacks_plus" in s["wagers"]]
        stakes = sum(s["wagers"]["jacks_plus"] for s in royals)
        limit = v["table"].get("payout_limit", 5_000_000)
        seen["winners_pot royals share"] += len(royals) > 1 and stakes * 400 > limit
    if game == "premium":
        seen["premium two hits"] += v.get("spins", []).count(1) > 1


def _colorado_class(v: dict[str, Any], s: dict[str, Any]) -> int:
    gone = s["actions"][0][-2:]
    kept = [c for c in oracle.split(s["cards"]) if c != gone][:2]
    return oracle.five(kept + oracle.split(v["community"]))[0]


def _count_seat(v: dict[str, Any], s: dict[str, Any], nets: dict, seen: Counter[str]) -> None:
    game = v["game"]
    if v.get("void"):
        return
    if game in ("premium", "headsup"):
        dealer = oracle.best(oracle.split(v["dealer"] + v["community"]))
        seen[f"{game} unqualified"] += dealer < ((1, [3, 0]) if game == "premium" else (1, []))
    seen["headsup bad beat"] += nets.get("odds", 0) > 0 > nets.get("raise", 0)
    if game == "colorado":
        limit = v["table"].get("payout_limit", 5_000_000)
        seen["colorado capped"] += nets.get("bet", 0) + nets["ante"] == limit
        if s["actions"] == ["instant"]:
            seen["colorado instant" if nets["ante"] > 0 else "colorado false instant"] += 1
    suits = {c[1] for c in oracle.split(s["cards"])}
    if game == "premium" and "bonus_spin" in nets and len(suits) == 1:
        seen["premium folded spin"] += s["actions"][-1] == "fold"
