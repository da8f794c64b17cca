"""The screens: pixels as committed, the same when painted in parts, none outside the band."""

import json
from array import array
from binascii import hexlify
from hashlib import sha256

from felt.texts import Texts
from felt.wheel import font, motion, pixels, shapes
from felt.wheel import wheel_view as wheel
from felt.wheel.pictures import PICTURES, labels
from felt.wheel.pictures_wide import PICTURES as PICTURES_WIDE
from felt.wheel.scene import Scene, meter, money
from felt.wheel.screens import Screens, moving, whole

from tools.generate import display_views as views

text = Texts(views.LANGUAGE).get
SPIN = views.VIEWS["spin_fast"]
SMALL = shapes.small()
SHAPES = (SMALL, shapes.large())
SIZE = SMALL.width
CX, CY = SMALL.cx, SMALL.cy
ROW = CY - 80


class Digest:
    """Hashes what is sent, band after band; whole frames arrive from top to bottom."""

    def __init__(self, shape):
        self.screens = Screens(self.blit, text, shape)

    def blit(self, x, y, w, h, data):
        shape = self.screens.shape
        assert (x, y, w) == (0, self.row, shape.width) and len(data) == 2 * w * h
        self.row += h
        self.sum.update(data)

    def of(self, view):
        self.row = 0
        self.sum = sha256()
        self.screens.redraw()
        self.screens.show(view)
        while self.screens.step():
            pass
        assert self.row == self.screens.shape.height
        return hexlify(self.sum.digest()).decode()


def test_every_screen_is_as_committed():
    with open("host_tests/data/screens.json") as f:
        kept = json.load(f)
    wrong = []
    for shape in SHAPES:
        digest = Digest(shape)
        for name in sorted(views.VIEWS):
            got = digest.of(views.VIEWS[name])
            print(name, got)
            if got != kept.pop(views.kept_as(name, shape)):
                wrong.append(views.kept_as(name, shape))
    assert not kept
    assert not wrong, "%s: look at it, then make screens" % wrong


def test_no_two_screens_are_alike():
    with open("host_tests/data/screens.json") as f:
        kept = json.load(f)
    assert len(set(kept.values())) == len(kept)


def test_a_turning_frame_is_the_whole_frame():
    """Bands around what moves leave the panel as a frame painted anew would."""
    glass = views.Glass(bottom=SIZE // 4)  # a board has no room for more
    for quarter in range(4):
        glass.look(quarter * SIZE // 4)
        glass.screens.redraw()
        for elapsed in (0, 900, 3333, 7000, motion.DURATION):
            view = dict(SPIN)
            view["elapsed"] = elapsed
            view["demo"] = quarter != 1
            glass.paint(view)
        parts = sha256(glass.pixels).digest()
        glass.screens.redraw()
        assert sha256(glass.paint(view)).digest() == parts


def test_bands_cover_what_they_should():
    for shape in SHAPES:
        for plan, end in (
            (whole(shape), shape.height),
            (moving(shape), shape.cy + shape.outer + 1),
        ):
            row = plan[0][1]
            for x, y, w, h in plan:
                assert y == row and x >= 0 and x + w <= shape.width
                assert w % 2 == 0 and w * h <= 3840
                row += h
            assert row == end <= shape.height


def seen(glass, x, y):
    at = ((y - ROW) * SIZE + x) * 2
    return glass.pixels[at] | glass.pixels[at + 1] << 8


def test_the_last_frame_has_the_position_in_the_middle():
    """Under the pointer the drawn segment's colour reaches as far to the left as to the right."""
    glass = views.Glass(top=ROW, bottom=ROW + 4)
    for position in range(1, 13):
        view = dict(SPIN)
        view["position"] = position
        view["elapsed"] = motion.DURATION
        glass.paint(view)
        face = wheel.JEWELS[position - 1]
        # 80 pixels out: the segment is 41 wide there, the text at most 14
        for away in (9, 12, 15, 18):
            assert seen(glass, CX - away, CY - 79) == face, (position, away)
            assert seen(glass, CX + away, CY - 79) == face, (position, away)
        for away in (26, 29):
            assert seen(glass, CX - away, CY - 77) == wheel.JEWELS[position - 2]
            assert seen(glass, CX + away, CY - 77) == wheel.JEWELS[position % 12]


def test_segments_are_the_tables_own():
    assert labels("flush5_fixed", text)[:4] == (
        ("FIXED", "PRIZE"),
        ("$50",),
        ("$100",),
        ("$10,000",),
    )
    assert labels("flush1_progressive", text)[0] == ("JACKPOT",)
    assert labels("flush1_progressive", text)[11] == ("$60",)


def test_money():
    assert money(500) == "$5"
    assert money(1284735) == "$12,847.35"
    assert money(100000000) == "$1,000,000"
    assert meter(500000) == "$5,000.00"


def test_a_frame_is_finished_before_the_next_begins():
    seen = []
    screens = Screens(lambda x, y, w, h, data: seen.append(y), text)
    assert not screens.step()
    screens.show(views.VIEWS["fault"])
    while len(seen) < 5:
        assert screens.step()
    screens.show(views.VIEWS["build"])
    while screens.step():
        pass
    assert seen == [y for _, y, _, _ in whole(SMALL)] * 2
    assert not screens.step()


def test_a_picture_that_stands_still_is_painted_once():
    bands = []
    screens = Screens(lambda x, y, w, h, data: bands.append(y), text)
    for mode in ("fault", "build", "closed"):
        bands.clear()
        for elapsed in (0, 50, 5000):
            view = dict(views.VIEWS[mode])
            view["elapsed"] = elapsed
            screens.show(view)
            while screens.step():
                pass
        assert len(bands) == len(whole(SMALL)), mode


def test_slow_rays_leave_time_for_other_things():
    bands = []
    screens = Screens(lambda x, y, w, h, data: bands.append(y), text)
    for elapsed in range(0, 400, 10):
        view = dict(views.VIEWS["attract"])
        view["elapsed"] = elapsed
        screens.show(view)
        while screens.step():
            pass
    assert len(bands) == 5 * len(whole(SMALL))


def test_the_two_buffers_take_turns():
    sent = []
    screens = Screens(lambda x, y, w, h, data: sent.append(data), text)
    screens.show(views.VIEWS["fault"])
    while screens.step():
        pass
    sent[0][0] ^= 255
    sent[1][1] ^= 255
    assert bytes(sent[0]) == bytes(sent[2]) and bytes(sent[1]) == bytes(sent[3])
    assert bytes(sent[0]) != bytes(sent[1])


def test_nothing_is_painted_outside_the_band():
    """Windows of all kinds, everything that turns and writes: the bytes around stay."""
    guard = 2048
    memory = bytearray(b"\xa5" * (guard * 2 + 4500))
    disc = wheel.Wheel(SMALL)
    for _ in disc.letter(labels("flush5_progressive", text)):
        pass
    disc.colour()
    disc.name("SEAT", "12")
    win = disc.window
    paper = disc._faces
    size = array("i", (240, 240, 60))
    for n in range(120):
        w = 2 + n * 14 % 238
        h = 1 + 2000 // w % 40
        x = n * 37 % (241 - w) & ~1
        y = n * 53 % (241 - h)
        band = memoryview(memory)[guard : guard + 2 * w * h]
        for place, value in enumerate((x, y, w, h)):
            win[place] = value
        disc.turn(n * 409 * 7 % motion.TURN, motion.kick(n * 97))
        disc.paint(band, win)
        disc.glare(band, win)
        pixels.rect(band, win, -7, n, 260, 9, 5)
        pixels.confetti(band, win, n * 777, size, paper, 12)
        pixels.write(band, win, font.LARGE, n - 30, y - 10, "$8,40", 77)
        pixels.write(band, win, font.SMALL, 200, y + h - 3, "EDGE AND ON", 77)
        for at in range(guard):
            if memory[at] != 0xA5 or memory[guard + 2 * w * h + at] != 0xA5:
                raise AssertionError((n, x, y, w, h, at))
        memory[guard : guard + 4500] = b"\xa5" * 4500


def test_a_band_waits_for_the_panel_and_the_caller_need_not():
    """While the panel is busy one more band is painted, nothing is sent, nobody waits."""
    sent = []
    busy = [False]
    screens = Screens(lambda x, y, w, h, data: sent.append(y), text, SMALL, lambda: busy[0])
    screens.show(views.VIEWS["fault"])
    while not sent:
        assert screens.step()
    busy[0] = True
    for _ in range(5):
        assert screens.step()
    assert len(sent) == 1
    busy[0] = False
    while screens.step():
        pass
    assert sent == [y for _, y, _, _ in whole(SMALL)]


def written(shape, view):
    """The texts on a picture: [(text, left, right)]."""
    still = Scene(shape)
    pictures = PICTURES if shape is SMALL else PICTURES_WIDE
    pictures[view["mode"]][0](still, view, text)
    faces = [thing for thing in still._things if thing[2] is not None]
    return [(what, x, x + pixels.width(face, what)) for _, _, face, x, what, _ in faces]


def test_O5_the_wheel_shows_the_name_of_merchandise():
    for shape in SHAPES:
        for name in ("attract", "spin_flush5_fixed", "win_jackpot", "handpay"):
            for prize in ("Red Car", "Weekend in Macau"):
                view = dict(views.VIEWS[name], table="flush5_fixed", prize_name=prize)
                found = written(shape, view)
                assert prize.upper() in " ".join([what for what, _, _ in found]), (name, prize)
                assert all([0 <= left and right <= shape.width for _, left, right in found])


def test_a_long_prize_name_has_the_bar_to_itself():
    view = dict(views.VIEWS["spin_flush5_fixed"], prize_name="Red Car")
    assert [what for what, _, _ in written(SMALL, view)] == ["RED CAR", "$25,000.00"]
    assert len(written(SMALL, dict(view, prize_name="Weekend in Macau"))) == 1
