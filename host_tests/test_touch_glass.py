"""The touch terminal in a real browser: nothing is cut or covered, however long the words are.

Needs Debian's chromium (or CHROMIUM=path).
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Awaitable, Callable

import pytest
from aiohttp.test_utils import TestServer
from felt.dealer import parts as parts_of
from felt.dealer.desk import Desk
from felt.dealer.screen import View
from felt.link import terminal as t
from felt.texts import Texts

from host_tests.helpers.browser import NEEDED, SIZES, opened, problems
from host_tests.helpers.no_line import NoLine
from host_tests.logic.croupier import Croupier, headsup, premium
from tools.generate.money_screens import Play
from tools.games import GAMES, LANGUAGE
from tools.terminal.server import Glass, make_app

pytestmark = [pytest.mark.browser, NEEDED]


BOUNCE_MS = 450  # a second touch after that is meant
READ_MS = 1600  # after that a notice counts as read


def shown(use: Callable[[Any], Awaitable[None]]) -> None:
    """Give `use` the terminal's page, with nothing at the other end."""

    async def run() -> None:
        async with TestServer(make_app(Glass(NoLine()))) as server:
            async with opened(str(server.make_url("/"))) as page:
                await use(page)

    asyncio.run(run())


SHOW = """async (parts) => {
  const { TouchTerminal } = await import('/touch.js');
  const box = document.getElementById('terminal');
  window.sent ??= [];
  window.shown ??= new TouchTerminal(box, (key, value) => { window.sent.push(key + value); });
  const list = Array.from({ length: 40 }, (_, i) => parts[i] || '');
  window.shown.show({ parts: list, rows: [], up: true, sent: 0, taken: 0, dropped: 0 });
}"""


def extremes() -> dict[str, dict[int, str]]:
    """Every recorded money screen as parts, by game and title."""
    found = {}
    for game in GAMES:
        play = Play(game)
        play.play()
        found.update({f"{game}: {title}": parts for title, parts in play.parts.items()})
    return found


def test_money_of_ten_thousand_dollar_antes_is_neither_cut_nor_covered(tmp_path: Path) -> None:
    async def use(page: Any) -> None:
        for width, height in SIZES:
            await page.set_viewport_size({"width": width, "height": height})
            for title, parts in extremes().items():
                await page.evaluate(SHOW, {str(k): v for k, v in parts.items()})
                found = await problems(page)
                assert not found, (title, width, found)

    shown(use)


def picture(table: Croupier, desk: Desk) -> dict[str, str]:
    view = View(table.m, desk, Texts(str(LANGUAGE)), every=True)
    return {str(part): text for part, text in parts_of.parts(view, False).items()}


def entries() -> dict[str, dict[str, str]]:
    """The screens with the most buttons: cards being named, the fullest menu."""
    unread = headsup(dealing="auto", card_reader=False)
    unread.begin(1)
    unread.do("DEALT")
    unread.act(1, "check")
    naming, menu = Desk(), Desk()
    naming.typed = "AhK"
    menu.floor, menu.asks = True, "miscount SEAT more"
    spins = premium(bonus_spin="flush5_progressive")
    spins.begin(1)
    return {"cards are named": picture(unread, naming), "the menu": picture(spins, menu)}


def withdrawn() -> dict[str, str]:
    """Six seats with every wager and a raise, and all their chips off the felt."""
    table = premium(bonus_spin="flush5_progressive", sensors=True)
    table.open()
    table.do("SENSORS", bytes([31] * 6 + [0]))
    for seat in range(1, 7):
        table.bet(seat, 500, 500, 100, 100, 500)
    table.begin()
    table.deal()
    table.do("SENSORS", bytes([63] * 6 + [0]))
    table.all_act("play3")
    table.do("SENSORS", bytes(7))
    return picture(table, Desk())


def test_tiles_whose_chips_are_all_gone_fit_on_the_glass() -> None:
    async def use(page: Any) -> None:
        for width, height in SIZES:
            await page.set_viewport_size({"width": width, "height": height})
            await page.evaluate(SHOW, withdrawn())
            assert not await problems(page), width
            assert await page.get_by_text("gone").count() == 6 * 5

    shown(use)


def test_cards_that_are_named_and_the_fullest_menu_fit_on_the_glass() -> None:
    async def use(page: Any) -> None:
        for width, height in SIZES:
            await page.set_viewport_size({"width": width, "height": height})
            for title, parts in entries().items():
                await page.evaluate(SHOW, parts)
                found = await problems(page)
                assert not found, (title, width, found)
                assert await page.locator(".touch .choices .key").count() >= 12, title

    shown(use)


def test_a_card_that_nobody_knows_is_no_amount() -> None:
    async def use(page: Any) -> None:
        await page.evaluate(SHOW, {str(t.SEAT + 1): "cAh ??\nwAnte $10\n!Odds ?"})
        assert await page.locator(".touch .amount").all_inner_texts() == ["$10", "?"]
        assert await page.get_by_text("??").count() == 1

    shown(use)


def test_a_touch_without_a_link_is_told_and_a_guarded_one_asks_again() -> None:
    async def use(page: Any) -> None:
        play = Play("headsup")
        play.play()
        parts = {str(k): v for k, v in play.parts["settle 1"].items()}
        parts[str(t.BUTTON + 3)] = "rM0 Void the round"
        await page.evaluate(SHOW, parts)
        void = page.locator(f'.touch [data-key="{t.MENU}"]')
        await void.click()
        assert await void.inner_text() == "Void the round: sure?"
        assert await page.evaluate("window.sent") == []
        await page.wait_for_timeout(BOUNCE_MS)
        await void.click()
        assert await page.evaluate("window.sent") == ["M0"]
        await page.evaluate("window.shown.show({ up: false })")
        assert await page.inner_text(".touch .prompt") == "NO LINK TO THE TABLE"
        await page.click(f'.touch [data-key="{t.NEXT}"]')
        assert await page.inner_text(".touch .warn") == "NO LINK: nothing was sent"
        assert await page.evaluate("window.sent") == ["M0"]

    shown(use)


TOUCHES = """async ([target, gaps]) => {
  for (const gap of gaps) {
    await new Promise((done) => setTimeout(done, gap));
    const touch = new PointerEvent('pointerdown', { bubbles: true });
    document.querySelector(target).dispatchEvent(touch);
  }
  return [window.sent.length, document.querySelector(target).textContent];
}"""
HELD = """(target) => {
  for (const repeat of [false, true, true]) {
    window.shown.guardedAt -= 1000;
    const held = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, repeat });
    document.querySelector(target).dispatchEvent(held);
  }
  return window.sent.length;
}"""


def test_a_double_tap_or_a_key_held_down_does_not_pass_the_guard() -> None:
    async def use(page: Any) -> None:
        await page.evaluate(SHOW, {str(t.BUTTON + 3): "rM0 Void the round"})
        target = f'.touch [data-key="{t.MENU}"]'
        asked = [0, "Void the round: sure?"]
        assert await page.evaluate(TOUCHES, [target, [0, 20]]) == asked
        assert await page.evaluate(TOUCHES, [target, [BOUNCE_MS]]) == [1, "Void the round"]
        assert await page.evaluate(HELD, target) == 1

    shown(use)


REPAINTED = """async (ms) => {
  const end = performance.now() + ms;
  for (let count = 0; performance.now() < end; count += 1) {
    window.shown.show({ rows: [String(count)] });
    await new Promise((done) => setTimeout(done, 100));
  }
}"""


# In one turn of the page: however slow a PC is, no time passes between notice and touch.
TOUCHED_AT_ONCE = """(key) => {
  window.shown.say('A cut takes 10 to 51 cards, not 5.', true);
  const touch = new PointerEvent('pointerdown', { bubbles: true });
  document.querySelector(`.touch [data-key="${key}"]`).dispatchEvent(touch);
  return Boolean(document.querySelector('.touch .said.on'));
}"""


def test_what_was_read_leaves_with_the_next_touch() -> None:
    """A refusal stood in red over what had been put right; one said just now may be unread."""

    async def use(page: Any) -> None:
        await page.evaluate(SHOW, {str(t.BUTTON): "gN0 DONE"})
        said = page.locator(".touch .said.on")
        assert await page.evaluate(TOUCHED_AT_ONCE, t.NEXT), "it may be unread"
        await page.evaluate(REPAINTED, READ_MS)
        await page.click(f'.touch [data-key="{t.NEXT}"]')
        assert await said.count() == 0

    shown(use)


def test_a_notice_leaves_at_its_time_however_often_the_screen_changes() -> None:
    async def use(page: Any) -> None:
        await page.evaluate(SHOW, {})
        warn, said = page.locator(".touch .warn"), page.locator(".touch .said")
        await page.evaluate("window.shown.say('dealt', false); window.shown.warn('NOT SENT')")
        await page.evaluate(REPAINTED, 500)
        assert await said.inner_text() == "dealt" and await warn.inner_text() == "NOT SENT"
        await page.evaluate(REPAINTED, 4000)
        assert not await said.is_visible() and not await warn.is_visible()
        await page.evaluate("window.shown.show({ dropped: 1 })")
        assert await warn.inner_text() == "NOT TAKEN: touch again"
        await page.evaluate("window.shown.show({ sent: 2, taken: 1 })")
        assert not await warn.is_visible(), "a touch was taken since"
        await page.evaluate("window.shown.show({ sent: 4, taken: 2, dropped: 2 })")
        assert await warn.inner_text() == "NOT TAKEN: touch again"

    shown(use)
