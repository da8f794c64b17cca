"""Chips on the felt: what lies on each spot, and what the bet sensors see of it."""

from __future__ import annotations

from tools import games

SEATS = 7


class Chips:
    """Cents per seat and spot. The sensors know only whether something lies there."""

    def __init__(self, game: str) -> None:
        self.spots = games.spots(game)
        self.seats = games.seats(game)
        self.game = game
        self.cents: dict[tuple[int, str], int] = {}
        self.forced: dict[tuple[int, str], bool] = {}  # a spot stuck on or off

    def check(self, seat: int, spot: str) -> None:
        if not 1 <= seat <= self.seats:
            raise ValueError(f"there is no seat {seat}")
        if spot not in self.spots:
            raise ValueError(f"there is no spot {spot!r}; this game has {', '.join(self.spots)}")

    def place(self, seat: int, spot: str, cents: int) -> None:
        self.check(seat, spot)
        self.cents[seat, spot] = self.cents.get((seat, spot), 0) + cents

    def remove(self, seat: int, spot: str, cents: int | None = None) -> None:
        self.check(seat, spot)
        left = 0 if cents is None else self.cents.get((seat, spot), 0) - cents
        if left > 0:
            self.cents[seat, spot] = left
        else:
            self.cents.pop((seat, spot), None)

    def raised(self, seat: int, action: str) -> tuple[str, int] | None:
        """Spot and cents a decision puts down, `play3` for example; None when it adds none."""
        found = games.put_down(self.game, action, {})
        ante = self.cents.get((seat, self.spots[0]), 0)
        return (found[0], ante * found[1]) if found and ante else None

    def clear(self, seat: int | None = None) -> None:
        for key in [k for k in self.cents if seat in (None, k[0])]:
            del self.cents[key]

    def amounts(self) -> dict[tuple[int, int], int]:
        """What a chip reader tells: cents by seat and position of the spot."""
        return {
            (seat, self.spots.index(spot)): cents for (seat, spot), cents in self.cents.items()
        }

    def bitmap(self) -> bytes:
        """Seven bytes, one a seat, bit = position of the spot in the game's list."""
        out = bytearray(SEATS)
        covered = {**dict.fromkeys(self.cents, True), **self.forced}
        for (seat, spot), there in covered.items():
            if there:
                out[seat - 1] |= 1 << self.spots.index(spot)
        return bytes(out)
