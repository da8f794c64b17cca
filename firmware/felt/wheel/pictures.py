"""How each screen is arranged on a square panel: what stands still, and what turns behind that."""

from array import array

from felt.games import bonus_spin
from felt.wheel import wheel_view as wheel
from felt.wheel.pixels import mix, rgb, width
from felt.wheel.scene import meter, money

DARK = wheel.DARK
GOLD = wheel.GOLD
PALE = wheel.PALE
WHITE = wheel.WHITE
WINE = rgb(92, 8, 40)
WINE_RAYS = array("H", (rgb(84, 8, 36), rgb(48, 2, 22)) * 6)
AMBER_RAYS = array("H", (rgb(232, 164, 30), rgb(190, 122, 10)) * 6)
AMBER = rgb(255, 176, 0)
FAULT = rgb(150, 8, 16)
GREY = rgb(150, 156, 170)


def fixed(name):
    """Whether a pay table's top prize is a fixed one."""
    return bonus_spin.TABLES[name][1] is None


def top_prize(view, text):
    if view.get("prize_name"):  # merchandise
        return view["prize_name"].upper()
    return text("screen.fixed" if fixed(view["table"]) else "screen.jackpot")


def labels(name, text):
    """The twelve texts of a pay table's wheel, each a tuple of lines."""
    top = text("screen.fixed" if fixed(name) else "screen.jackpot")
    found = [tuple(top.upper().split(" ")[:2])]
    for cents in bonus_spin.TABLES[name][2][1:]:
        found.append((money(cents),))
    return tuple(found)


def _bar(scene, caption, amount, ink):
    """The bar above the wheel."""
    for y in range(0, 26, 2):
        scene.rect(0, y, 240, 2, mix(WINE, DARK, y))
    scene.rect(0, 26, 240, 2, wheel.BRONZE)
    small, medium = scene.shape.small, scene.shape.medium
    scene.left(small, 7, 9, caption, GOLD)
    if width(small, caption.upper()) + width(medium, amount) < 240 - 20:  # a long name has the bar
        scene.right(medium, 240 - 7, 4, amount, ink)


def spin(scene, view, text):
    _bar(scene, top_prize(view, text), meter(view["jackpot"]), PALE)


def win(scene, view, text):
    _bar(scene, text("screen.seat_wins", view["seat"]), money(view["prize"]), WHITE)
    top = view["position"] == bonus_spin.TOP
    high = 62 if top or view.get("community") else 46
    y = 240 - high
    scene.panel(y, high, rgb(40, 4, 20), GOLD)
    if top:
        scene.centre(scene.shape.small, y + 5, top_prize(view, text), PALE)
        y += 14
    scene.centre(scene.shape.large, y + 7, money(view["prize"]), GOLD, rgb(96, 52, 0))
    if view.get("community") and not top:
        others = text("screen.others", money(view["community"]))
        scene.centre(scene.shape.small, y + 45, others, PALE)


def attract(scene, view, text):
    scene.centre(scene.shape.medium, 22, text("screen.title"), PALE, DARK)
    scene.rect(40, 46, 160, 1, GOLD)
    scene.centre(scene.shape.small, 66, top_prize(view, text), GOLD)
    scene.panel(82, 50, rgb(20, 0, 10), GOLD)
    scene.centre(scene.shape.large, 90, meter(view["jackpot"]), GOLD, rgb(96, 52, 0))
    y = scene.wrapped(scene.shape.small, 154, 16, text("screen.how"), PALE, 3)
    scene.wrapped(scene.shape.small, y + 4, 16, text("screen.wager", money(stake(view))), GOLD, 2)


def stake(view):
    return bonus_spin.TABLES[view["table"]][0]


def closed(scene, view, text):
    scene.panel(106, 64, rgb(14, 16, 30), wheel.BRONZE)
    scene.centre(scene.shape.medium, 114, text("screen.closed"), PALE)
    scene.wrapped(scene.shape.small, 138, 14, said(view), GREY, 2)


def handpay(scene, view, text):
    scene.centre(scene.shape.medium, 16, top_prize(view, text), DARK)
    scene.centre(scene.shape.small, 42, text("screen.seat_wins", view["seat"]), DARK)
    scene.panel(62, 54, rgb(20, 0, 10), PALE)
    scene.centre(scene.shape.large, 72, meter(view["prize"]), GOLD, rgb(96, 52, 0))
    scene.panel(136, 64, FAULT, WHITE)
    scene.centre(scene.shape.medium, 146, text("screen.handpay"), WHITE)
    scene.centre(scene.shape.small, 174, text("screen.attendant"), PALE)


def fault(scene, view, text):
    scene.rect(0, 0, 240, 240, rgb(28, 0, 4))
    scene.rect(0, 0, 240, 4, FAULT)
    for row in range(52):
        half = row * 31 // 52
        scene.rect(120 - half - 1, 16 + row, 2 * half + 2, 1, AMBER)
    scene.rect(117, 34, 6, 20, DARK)
    scene.rect(117, 58, 6, 6, DARK)
    scene.centre(scene.shape.medium, 78, text("screen.out_of_order"), WHITE)
    scene.panel(104, 34, FAULT, rgb(255, 80, 80))
    scene.centre(scene.shape.medium, 112, view["code"], WHITE)
    y = scene.wrapped(scene.shape.small, 150, 16, said(view), PALE, 3)
    scene.wrapped(scene.shape.small, max(y, 200), 16, text("screen.call_service"), GREY, 2)


def build(scene, view, text):
    scene.rect(0, 0, 240, 240, rgb(6, 10, 24))
    _bar(scene, text("screen.build"), view["code"], WHITE)
    y = 38
    for line in view["lines"]:
        name, _, value = line.partition(" ")
        scene.left(scene.shape.small, 8, y, name, GOLD)
        scene.left(scene.shape.small, 84, y, value, WHITE)
        scene.rect(8, y + 15, 240 - 16, 1, rgb(30, 38, 62))
        y += 20


def said(view):
    """The lines that go with a fault or a closed table, as one text."""
    return " ".join([line for line in view.get("lines") or () if line])


def mark(scene, mode, text):
    """Mark a picture as a demonstration: wheel screens in the corners, others along the foot."""
    if mode in ("spin", "closed"):
        for x in (0, 240 - 46):
            scene.rect(x, 223, 46, 17, AMBER)
        scene.left(scene.shape.small, 6, 226, text("screen.demo"), DARK)
        scene.right(scene.shape.small, 240 - 6, 226, text("screen.demo"), DARK)
        return
    foot = 28 if mode == "win" else 222
    scene.rect(0, foot, 240, 18, AMBER)
    scene.centre(scene.shape.small, foot + 3, text("screen.demonstration"), DARK)


# mode: arrange(scene, view, text), what turns behind, its colours
PICTURES = {
    "attract": (attract, "rays", WINE_RAYS),
    "closed": (closed, "wheel", 20),
    "spin": (spin, "wheel", 0),
    "win": (win, "wheel", 14),
    "handpay": (handpay, "rays", AMBER_RAYS),
    "fault": (fault, None, None),
    "build": (build, None, None),
}
