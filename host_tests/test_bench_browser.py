"""The page in a real browser: Premium played by clicking, the plug pulled in the spin, and more.

Needs Debian's chromium (or CHROMIUM=path); FELT_SHOTS=folder keeps the pictures of the docs.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest

from host_tests.helpers.browser import CHROMIUM, FLAGS, NEEDED, PATIENCE_MS
from host_tests.test_bench_rounds import DEALS, ROUND

SHOTS = os.environ.get("FELT_SHOTS")
HEARTS = ("Ah", "9c", "Ks", "Qh", "9d", "4s", "5h", "Jc", "2d")  # seat 1, seat 3, dealer, 3 times

pytestmark = [pytest.mark.browser, NEEDED]


class Bench:
    """`make run` as a person starts it, on a free port."""

    def __init__(self, folder: Path, *args: str) -> None:
        command = [sys.executable, "-m", "tools.bench", "--port", "0"]
        self.child = subprocess.Popen(
            [*command, "--state", str(folder), *args], stdout=subprocess.PIPE, text=True
        )
        assert self.child.stdout is not None
        line = self.child.stdout.readline()
        assert "http://127.0.0.1:" in line, line
        self.url = next(word for word in line.split() if word.startswith("http"))

    def firmware(self) -> list[str]:
        """Processes started by this bench that still live."""
        found = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self.child.pid)], capture_output=True, text=True
        )
        return found.stdout.split()

    def stop(self) -> int:
        self.child.send_signal(signal.SIGINT)
        return self.child.wait(PATIENCE_MS / 1000)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as p:
        chromium = p.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(autouse=True)
def no_page_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """A page whose bench has ended looks for it for ever, at a port others may have by then."""
    yield
    if "browser" in request.fixturenames:
        for context in request.getfixturevalue("browser").contexts:
            context.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Callable[..., Bench]]:
    started: list[Bench] = []

    def start(*args: str) -> Bench:
        started.append(Bench(tmp_path / str(len(started)), *args))
        return started[-1]

    yield start
    for each in started:
        if each.child.poll() is None:
            each.stop()


def visit(browser: Any, url: str, size: tuple[int, int] = (1366, 768)) -> Any:
    """Open the page; a script error on it fails the test at the end."""
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    page.set_default_timeout(PATIENCE_MS)
    page.problems = []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.goto(url)
    page.wait_for_selector("#strip button, #strip .says:not(:empty)")
    return page


def shot(page: Any, name: str) -> None:
    if SHOTS:
        Path(SHOTS).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=f"{SHOTS}/{name}.png")


def press(page: Any, label: str, does: str = "") -> None:
    """Click a button of the strip; `does` says which, where two seats have one of that name."""
    which = f'[data-do^="{does}"]' if does else ""
    page.locator(f"#strip button{which}", has_text=label).first.click()


def picture(page: Any) -> str:
    """The wheel display's pixels."""
    return str(page.evaluate("document.getElementById('wheel').toDataURL()"))


def picture_changes(page: Any, before: str) -> None:
    """Look after every painting, not all the time: that would keep the browser busy."""
    painted = "Number(document.getElementById('wheel').dataset.painted)"
    seen = page.evaluate(painted)
    while picture(page) == before:
        page.wait_for_function(f"seen => {painted} > seen", arg=seen)
        seen = page.evaluate(painted)


# A spin lasts eight seconds: a browser that gets no turn for so long may look too late.
REMEMBER = """() => {
  const wheel = document.querySelector('.wheel');
  const look = () => { window.turned ||= wheel.classList.contains('turning'); };
  new MutationObserver(look).observe(wheel, { attributes: true });
}"""


def spin_begins(page: Any) -> None:
    """The table says that the wheel turns, and its picture moves."""
    page.evaluate(REMEMBER)
    press(page, "Spin for seat 1")
    page.wait_for_function("window.turned")
    picture_changes(page, picture(page))


def chips(page: Any, seat: int, spots: str, times: int = 1) -> None:
    for spot in spots.split():
        for _ in range(times):
            page.locator(f'[data-seat="{seat}"][data-spot="{spot}"]').click()


def prompt(page: Any, text: str) -> None:
    """Wait for words of the prompt; what stands there instead is told when they never come."""
    from playwright.sync_api import TimeoutError as Never

    try:
        page.wait_for_function(
            "text => document.querySelector('#screen .prompt')?.textContent.includes(text)",
            arg=text,
        )
    except Never:
        shown = [page.inner_text(part) for part in ("#phase", "#screen", "#notices")]
        raise AssertionError("\n".join([f"no {text!r} in:", *shown])) from None


def stack(page: Any, cards: tuple[str, ...]) -> None:
    page.click('#tabs [data-name="shoe"]')
    for card in cards:
        page.click(f'.deck [data-card="{card}"]')
    page.locator("#panel fieldset").last.locator("button.main").click()


def fast(page: Any) -> None:
    """Four times the speed, on the tab that has it."""
    page.click('#tabs [data-name="board"]')
    page.click('[data-speed="400"]')


def reader(page: Any) -> None:
    """Let a chip reader tell the amounts."""
    page.click("#amounts")
    page.locator("#amounts", has_text="amounts").wait_for()


def no_more_bets(page: Any, key: str = "") -> None:
    """A screen that changed under the finger asks the dealer to look: then he presses again."""
    locked = "document.getElementById('phase').textContent.startsWith('Dealing')"
    asked = "document.body.innerText.includes('has just changed')"

    def once() -> None:
        page.keyboard.press(key) if key else press(page, "No more bets")

    once()
    page.wait_for_function(f"{locked} || {asked}")
    if not page.evaluate(locked):
        once()
        page.wait_for_function(locked)


def to_the_spin(page: Any) -> None:
    """Two players, one with three hearts and a Bonus Spin wager, up to the button that spins."""
    reader(page)
    stack(page, HEARTS)
    chips(page, 1, "ante xtra bonus_spin")
    chips(page, 3, "ante xtra player_bonus", 2)
    shot(page, "bets")
    no_more_bets(page)
    press(page, "Deal all due")
    prompt(page, "Seat 1")
    press(page, "Play 3x", "decide 1")
    prompt(page, "Seat 3")
    shot(page, "decide")
    press(page, "Check", "decide 3")
    press(page, "Deal all due")
    prompt(page, "Seat 3")
    press(page, "Play 1x", "decide 3")
    press(page, "Reveal the dealer")
    press(page, "Tap seat 1")
    shot(page, "settle")
    press(page, "Seat 1 settled")
    press(page, "Seat 3 settled")


def test_a_premium_round_with_a_spin_by_clicking(browser: Any, bench: Any) -> None:
    table = bench()
    page = visit(browser, table.url)
    prompt(page, "Place your bets")
    to_the_spin(page)
    spin_begins(page)
    shot(page, "spin")
    before = picture(page)
    fast(page)
    prompt(page, "won")
    picture_changes(page, before)
    shot(page, "won")
    press(page, "Spin paid")
    prompt(page, "Collect")
    press(page, "Collect the cards")
    page.click('#tabs [data-name="recall"]')
    page.wait_for_selector(".recall summary")
    assert "Bonus Spin" in page.inner_text(".recall")
    shot(page, "recall")
    assert not page.problems
    assert page.locator(".badge", has_text="SIMULATION").is_visible()


# What is offered now is pressed now: a table goes on by itself while a finger looks.
PRESS = """() => {
  const before = document.getElementById('screen').textContent;
  document.querySelector('#strip button')?.click();
  return before;
}"""
MOVED = "before => document.getElementById('screen').textContent !== before"
MOST = 150  # presses a round of two seats may take


@pytest.mark.parametrize(("game", "spots"), [
    ("colorado", "ante"), ("winners_pot", "ante"), ("ultimate", "ante blind"),
])  # fmt: skip
def test_a_round_with_the_buttons_below_the_felt_alone(
    browser: Any, bench: Any, game: str, spots: str
) -> None:
    """As a newcomer plays: chips, then whatever button comes first, up to the next round."""
    page = visit(browser, bench("--game", game).url)
    prompt(page, "Place your bets")
    fast(page)
    reader(page)
    for seat in (2, 5):
        chips(page, seat, spots)
    no_more_bets(page)
    again = "Place your bets · round 2"
    for _ in range(MOST):
        if page.inner_text("#phase") == again:
            break
        page.wait_for_function(MOVED, arg=page.evaluate(PRESS))
    assert page.inner_text("#phase") == again, page.inner_text("#screen")
    assert not page.problems


@pytest.mark.parametrize("dealing", DEALS)
def test_two_rounds_in_a_row(browser: Any, bench: Any, dealing: str) -> None:
    """What one round leaves behind, the next one meets: typed into the page, seen on it."""
    page = visit(browser, bench("--game", "headsup", "--dealing", dealing).url)
    prompt(page, "Place your bets")
    fast(page)
    page.click('#tabs [data-name="script"]')
    page.fill("#panel textarea", f"repeat 2\n{ROUND.format(deal=DEALS[dealing])}\nend\n")
    page.locator("#panel button.main", has_text="Run").click()
    page.locator("#panel .transcript", has_text="done —").wait_for()
    prompt(page, "Place your bets")
    assert "round 3" in page.inner_text("#screen")
    assert not page.problems


def test_a_button_under_the_finger_stays_while_the_words_beside_it_change(
    browser: Any, bench: Any
) -> None:
    """Words come in while a button is held down: the press still counts when it is let go."""
    page = visit(browser, bench("--game", "headsup").url)
    prompt(page, "Place your bets")
    page.locator("#strip button", has_text="Spread cards").hover()
    page.mouse.down()
    page.evaluate("fetch('/api/do', {method: 'POST', body: 'say undo'})")
    page.locator("#strip .says small").wait_for()
    page.mouse.up()
    page.locator("#strip button", has_text="Player comes").wait_for()
    assert not page.problems


CARD = """async (name) => {
  const { card } = await import('/cards.js');
  const drawn = card(name, 0, 0);
  return [...drawn.querySelectorAll('text, title')].map((node) => node.textContent);
}"""


def test_a_card_that_nobody_has_read_is_drawn_as_that(browser: Any, bench: Any) -> None:
    page = visit(browser, bench("--game", "headsup").url)
    assert page.evaluate(CARD, "Th") == ["10", "♥", "♥", "Th"]
    assert page.evaluate(CARD, "??") == ["?", "", "", "not read"]
    assert page.evaluate(CARD, "##") == ["face down"]


def test_power_cut_in_the_spin_shows_the_same_prize(browser: Any, bench: Any) -> None:
    page = visit(browser, bench().url)
    prompt(page, "Place your bets")
    fast(page)
    to_the_spin(page)
    press(page, "Spin for seat 1")
    prompt(page, "won")
    told = page.inner_text("#screen .prompt")
    page.click('#tabs [data-name="board"]')
    page.locator("#panel button", has_text="Cut now").click()
    page.wait_for_function("document.getElementById('phase').textContent === 'No power'")
    shot(page, "nopower")
    press(page, "Power on")
    page.wait_for_function("document.getElementById('phase').textContent.includes('Bonus Spin')")
    prompt(page, "won")
    assert page.inner_text("#screen .prompt") == told
    assert not page.problems


def test_every_stored_script_runs_from_the_page(browser: Any, bench: Any) -> None:
    page = visit(browser, bench().url)
    prompt(page, "Place your bets")
    fast(page)
    page.click('#tabs [data-name="script"]')
    page.wait_for_selector("#panel select option:nth-child(2)", state="attached")
    page.fill("#panel textarea", "deal 1\ndael 2")
    page.locator("#panel button", has_text="Run").click()
    page.locator(".transcript", has_text="line 2: no such statement: dael").wait_for()
    for game in ("headsup", "colorado", "winners_pot", "premium"):
        page.select_option("#panel select", game)
        page.locator("#panel button", has_text="Run").click()
        page.wait_for_function(
            "game => (told => told.includes('table ' + game) && /— done —|FAILED/.test(told))"
            "(document.querySelector('.transcript').textContent)",  # not the last one's
            arg=game,
        )
        transcript = page.inner_text(".transcript")
        assert "FAILED" not in transcript, transcript[-600:]
        shot(page, f"game_{game}")
    assert not page.problems


def test_keyboard_alone_places_locks_and_is_caught_late(browser: Any, bench: Any) -> None:
    page = visit(browser, bench("--game", "headsup").url)
    prompt(page, "Place your bets")
    reader(page)
    for spot in ("ante", "odds"):
        page.focus(f'[data-seat="2"][data-spot="{spot}"]')
        page.keyboard.press("Enter")
    page.focus('[data-seat="3"][data-spot="ante"]')
    page.keyboard.press("Enter")
    page.keyboard.press("Delete")
    page.focus("body")
    page.evaluate("document.activeElement.blur()")
    page.wait_for_selector("#touch .kN.sg")
    no_more_bets(page, "Space")
    prompt(page, "Next card")
    page.focus('[data-seat="3"][data-spot="odds"]')
    page.keyboard.press("Enter")
    page.locator("#strip .alarm", has_text="LATE BET seat 3 Odds").wait_for()
    assert page.locator(".spot.late").evaluate_all("all => all.map(n => n.dataset.spot)") == [
        "odds"
    ]
    page.keyboard.press("Delete")
    page.wait_for_selector(".spot.late", state="detached")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Shift+D")
    prompt(page, "Seat 2")
    assert not page.problems


def test_space_is_the_golden_button_after_a_click_and_its_own_after_tab(
    browser: Any, bench: Any
) -> None:
    page = visit(browser, bench("--game", "headsup").url)
    prompt(page, "Place your bets")
    reader(page)
    for spot in ("ante", "odds"):
        page.click(f'[data-seat="2"][data-spot="{spot}"]')
    page.wait_for_selector("#touch .kN.sg")
    no_more_bets(page, "Space")
    prompt(page, "Next card")
    assert page.locator(".spot.late").count() == 0
    pressed = "addEventListener('click', (e) => { window.pressed = e.target.textContent; })"
    page.evaluate(pressed)
    page.wait_for_selector("#strip button.main:has-text('Deal a card')")
    page.click('#tabs [data-name="shoe"]')
    page.keyboard.press("Space")
    page.wait_for_function("window.pressed === 'Deal a card'")
    page.click('#tabs [data-name="shoe"]')
    page.keyboard.press("Tab")
    reached = page.evaluate("document.activeElement.textContent")
    assert reached and reached != "Deal a card"
    page.keyboard.press("Space")
    page.wait_for_function("reached => window.pressed === reached", arg=reached)
    assert not page.problems


def test_cards_that_nothing_reads_are_dealt_first_and_then_said_to_lie_there(
    browser: Any, bench: Any
) -> None:
    """The shoe's cable is out in the deal: the space bar deals, a touch on the glass goes on."""
    page = visit(browser, bench("--game", "headsup").url)
    prompt(page, "Place your bets")
    reader(page)
    chips(page, 2, "ante odds")
    no_more_bets(page)
    page.evaluate("fetch('/api/do', {method: 'POST', body: 'unplug shoe'})")
    page.locator("#touch .kN.sg", has_text="CARDS DEALT").wait_for()
    assert page.locator("#strip button.main", has_text="Deal a card").is_visible()
    page.locator("#strip button", has_text="Deal all due").click()
    page.locator("#touch .kN").click()
    prompt(page, "Seat 2")
    assert not page.problems


def test_a_page_that_comes_again_says_no_alarm_of_before(browser: Any, bench: Any) -> None:
    """One that was long put right stood on the glass in red."""
    page = visit(browser, bench("--game", "headsup").url)
    prompt(page, "Place your bets")
    page.evaluate("fetch('/api/do', {method: 'POST', body: 'say undo'})")
    page.locator("#touch .said.alarm", has_text="Nothing can be undone").wait_for()
    page.reload()
    prompt(page, "Place your bets")
    page.locator("#notices li", has_text="Nothing can be undone").wait_for(state="attached")
    assert page.text_content("#touch .said") == ""
    page.evaluate("fetch('/api/do', {method: 'POST', body: 'say undo'})")
    page.locator("#touch .said.alarm", has_text="Nothing can be undone").wait_for()
    assert not page.problems


# What the page opens is kept where a test can close it.
SOCKETS = """
window.sockets = [];
window.WebSocket = class extends WebSocket {
  constructor(url) { super(url); sockets.push(this); }
};
"""


def test_a_page_whose_bench_has_ended_shows_no_table(browser: Any, bench: Any) -> None:
    """The glass kept its last picture and the strip its buttons, as if a table were there."""
    table = bench("--game", "headsup")
    page = visit(browser, table.url)
    page.add_init_script(SOCKETS)
    page.reload()
    prompt(page, "Place your bets")
    page.evaluate("sockets[0].close()")
    page.wait_for_function("sockets.length > 1")
    page.locator("#touch .prompt", has_text="Place your bets").wait_for()
    page.locator("#strip button", has_text="No more bets").wait_for()
    assert table.stop() == 0
    page.locator("#touch .prompt", has_text="NO LINK TO THE TABLE").wait_for()
    assert page.inner_text("#screen").strip() == "NO CONNECTION"
    assert page.inner_text("#strip").startswith("The bench does not answer; trying again.")
    assert page.locator("#strip button").count() == 0
    assert not page.problems


@pytest.mark.parametrize("size", [(1180, 820), (820, 1180)])
def test_tablet_shows_everything_without_sideways_scrolling(
    browser: Any, bench: Any, size: tuple[int, int]
) -> None:
    page = visit(browser, bench().url, size)
    prompt(page, "Place your bets")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for part in ("#felt", "#wheel", "#screen", "#strip", "#tabs", ".badge"):
        assert page.locator(part).is_visible(), part
    shot(page, f"tablet_{size[0]}")


def test_two_tables_at_once_and_a_clean_end(bench: Any) -> None:
    one, two = bench("--game", "colorado"), bench("--game", "headsup")
    assert one.url != two.url
    running = one.firmware() + two.firmware()
    assert len(running) == 2
    assert one.stop() == 0 and two.stop() == 0
    assert not [pid for pid in running if Path(f"/proc/{pid}").exists()]
