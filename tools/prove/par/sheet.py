"""The sheets people read: a page a game, self-contained, the same bytes from the same figures."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from pathlib import Path
from typing import Any, Iterable

from tools.games import TITLES, WITH_WHEEL
from tools.prove.par import grids

Book = dict[str, Any]
STYLE = Path(__file__).with_name("sheet.css")


def table(head: Iterable[str], rows: Iterable[Iterable[str]], kind: str = "") -> str:
    """A table of ready cells; a cell that starts with `<t` brings its own tag."""
    top = "".join(f"<th>{h}</th>" for h in head)
    body = "".join(
        "<tr>" + "".join(c if c.startswith("<t") else f"<td>{c}</td>" for c in row) + "</tr>\n"
        for row in rows
    )
    return f'<table class="{kind}"><thead><tr>{top}</tr></thead><tbody>\n{body}</tbody></table>\n'


def exact(text: str) -> str:
    """A fraction in full, in small print; a long one breaks nowhere else than at its bar."""
    return f'<td class="exact">{text.replace("/", "/<wbr>")}</td>'


def share(text: str, digits: int = 4) -> str:
    return f"{float(Fraction(text)) * 100:.{digits}f} %"


def house(text: str) -> str:
    """An edge; in red where it is the player's."""
    shown = share(text)
    return f'<td class="bad">{shown}: the player\'s</td>' if Fraction(text) < 0 else shown


def settings(found: dict[str, Any]) -> str:
    """Settings in words; a house's own tables row by row."""
    words = []
    for name, value in found.items():
        if name == "pay_tables":
            for table, rows in value.items():
                pays = ", ".join(f"{hand.replace('_', ' ')} {odds}" for hand, odds in rows.items())
                words.append(f"own {table} table: {pays}")
        else:
            words.append(f"{name} {value}")
    return ", ".join(words) or "defaults"


def summary(book: Book, keys: list[str]) -> str:
    """The first thing to see: each wager's price."""
    head = (
        "wager",
        "house edge",
        "exact",
        "wins",
        "average wager",
        "element of risk",
        "deviation",
    )
    rows = []
    for key in keys:
        e = book[key]
        rows.append(
            (
                f"<b>{key}</b>",
                house(e["edge"]),
                exact(e["edge"]),
                share(e["hit_frequency"], 2),
                f"{float(Fraction(e['average_wager'])):.4f}",
                share(e["element_of_risk"]),
                f"{e['standard_deviation']:.4f}",
            )
        )
    return "<h2>Prices</h2>\n" + table(head, rows)


def options(key: str, entry: dict[str, Any]) -> str:
    """What each option costs or gives."""
    rows = [(escape(settings(entry["settings"])), house(entry["edge"]), exact(entry["edge"]), "")]
    for o in entry["options"]:
        sign = f"{o['change_percent']:+.4f}"
        rows.append((escape(settings(o["settings"])), house(o["edge"]), exact(o["edge"]), sign))
    return f"<h3>{key}: options</h3>\n" + table(("option", "house edge", "exact", "change"), rows)


def pay(net: Fraction) -> str:
    """What a line of a pay table says."""
    return f"{net.numerator} to {net.denominator}" if net > 0 else "lose" if net else "push"


def pays(key: str, entry: dict[str, Any]) -> str:
    """A side wager's pay table with what each line is worth."""
    rows = [
        (
            escape(p["name"]),
            pay(Fraction(p["net"])),
            f"{p['count']:,}",
            share(p["probability"]),
            f"{float(Fraction(p['contribution'])):+.6f}",
        )
        for p in entry["pays"]
    ]
    head = ("hand", "pays", "hands", "probability", "return")
    return f"<h3>{key} ({escape(settings(entry['settings']))})</h3>\n" + table(head, rows)


def main_game(key: str, entry: dict[str, Any]) -> str:
    """A main game: what it is made of, how it is played best, what its options cost."""
    parts = [f"<h2>{key}</h2>\n<p class='big'>{share(entry['edge'])} of the ante</p>\n"]
    parts.append(f"<p>{entry['deals']:,} deals, each with its best decisions.</p>\n")
    if "by_wager" in entry:
        rows = [(w, f"{float(Fraction(n)):+.6f}") for w, n in entry["by_wager"].items()]
        parts.append("<h3>The house's gain by wager, per unit of ante</h3>\n")
        parts.append(table(("wager", "gain"), rows))
    if "paths" in entry:
        ways = [
            (p["path"].replace(" ", ", "), share(p["frequency"]), f"{p['mean_net']:+.4f}")
            for p in entry["paths"]
        ]
        parts.append("<h3>Ways of play</h3>\n" + table(("decisions", "share", "mean net"), ways))
    if entry["options"]:
        parts.append(options(key, entry))
    if "strategy" in entry:
        parts.append("<h3>The best play</h3>\n" + grids.show(entry["strategy"]))
    if "later" in entry:
        parts.append(_later(entry["later"]))
    return "".join(parts) + _outcomes(entry)


def _later(rows: list[dict[str, str]]) -> str:
    """What hands that were checked do once the board is there."""
    paths = [p for p in rows[0] if p != "hand"]
    cells = [[r["hand"], *(share(r[p], 2) for p in paths)] for r in rows]
    head = ["hand made in the end", *(p.replace("check ", "") for p in paths)]
    return "<h3>Hands that check first: what they do later</h3>\n" + table(head, cells)


def _outcomes(entry: dict[str, Any]) -> str:
    total = entry["deals"]
    rows = [(net, f"{n:,}", share(str(Fraction(n, total)), 6)) for net, n in entry["outcomes"]]
    inner = table(("net, units of ante", "deals", "probability"), rows)
    return f"<details><summary>every outcome</summary>{inner}</details>\n"


def spin(key: str, entry: dict[str, Any]) -> str:
    """Bonus Spin under one set of weights."""
    rows = [
        (
            seats,
            share(e["return"]),
            share(e["own"]),
            share(e["community"]),
            share(str(Fraction(e["top"]) + Fraction(e["meter"]))),
            share(e["jackpot_share"]),
            f"{e['standard_deviation']:.3f}",
        )
        for seats, e in entry["by_seats"].items()
    ]
    head = (
        "players",
        "return",
        "own spin",
        "others' spins",
        "top prize",
        "its share",
        "deviation",
    )
    jackpot = float(Fraction(entry["mean_jackpot_cents"])) / 100
    hit = float(Fraction(entry["wagers_to_a_hit"]))
    return (
        f"<h3>{key}</h3>\n<p class='note'>{escape(entry['note'])}</p>\n"
        f"<p>Weights {', '.join(map(str, entry['weights']))}. Mean top prize "
        f"({entry['top_prize']}) ${jackpot:,.2f}, one in {hit:,.0f} wagers.</p>\n"
        + table(head, rows)
    )


def page(game: str, book: Book, identity: str) -> str:
    """The whole sheet of one game."""
    mine = [k for k in book if k.split(".")[0] == game]
    priced = [k for k in mine if "edge" in book[k]]
    title = f"Par sheet: {TITLES[game]}"
    parts = [summary(book, priced)]
    parts += [main_game(k, book[k]) for k in priced if "options" in book[k]]
    sides = [pays(k, book[k]) for k in priced if "pays" in book[k]]
    parts += ["<h2>Side wagers</h2>\n", *sides] if sides else []
    spins = [spin(k, book[k]) for k in mine if "by_seats" in book[k]]
    if spins:
        chance = book[f"{WITH_WHEEL}.bonus_spin.trigger"]["probability"]
        parts.append(f"<h2>Bonus Spin</h2>\n<p>A wager wins a spin with {chance}.</p>\n")
        parts += spins
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
        f"<style>\n{STYLE.read_text()}</style></head><body>\n<header><h1>{title}</h1>\n"
        f'<p class="identity">rules {identity}</p></header>\n' + "".join(parts) + FOOT
    )


FOOT = """<footer><p>Every figure is exact: all deals enumerated, each class of them settled by the
firmware's own round machine, every decision the best for a player who sees his own cards and the
board. Odds are "to". The rules' identity above is the SHA-256 of the game modules.</p></footer>
</body></html>
"""


def write(folder: Path, book: Book, identity: str) -> list[Path]:
    """Write the sheet of every game the book has something about."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for game in TITLES:
        if any(k.split(".")[0] == game and "edge" in e for k, e in book.items() if k != "about"):
            file = folder / f"{game}.html"
            file.write_text(page(game, book, identity), encoding="utf-8")
            files.append(file)
    return files
