"""How each screen is arranged on a panel of 480 x 320: the wheel left, large words beside it."""

from felt.games import bonus_spin
from felt.wheel import wheel_view as wheel
from felt.wheel.pictures import (
    AMBER,
    AMBER_RAYS,
    DARK,
    FAULT,
    GOLD,
    GREY,
    PALE,
    WHITE,
    WINE,
    WINE_RAYS,
    labels,
    said,
    stake,
    top_prize,
)
from felt.wheel.pixels import mix, rgb
from felt.wheel.scene import meter, money

_SIDE = 304  # the column beside the wheel
_FOOT = 242  # a prize that was won, from here on
_WIDE = 480
_TALL = 320
_SHADE = rgb(96, 52, 0)
_NIGHT = rgb(20, 0, 10)

__all__ = ("PICTURES", "labels", "mark")


def _beside(scene):
    """Confine what follows to the column beside the wheel."""
    for y in range(0, _TALL, 20):
        scene.rect(_SIDE, y, _WIDE - _SIDE, 20, mix(WINE, DARK, 12 + y * 20 // _TALL))
    scene.rect(_SIDE, 0, 2, _TALL, wheel.BRONZE)
    scene.between(_SIDE + 2, _WIDE)


def _amount(scene, y, caption, amount, ink):
    """A caption and, below it, an amount in a frame."""
    shape = scene.shape
    y = scene.wrapped(shape.small, y, 22, caption, GOLD, 2)
    scene.panel(y + 2, 46, _NIGHT, GOLD)
    scene.centre(shape.medium, y + 12, amount, ink, _SHADE)
    return y + 64


def _seat(scene, y, view, text):
    shape = scene.shape
    scene.centre(shape.small, y, text("screen.seat"), GOLD)
    scene.centre(shape.large, y + 22, str(view["seat"]), WHITE, DARK)


def spin(scene, view, text):
    _beside(scene)
    y = _amount(scene, 20, top_prize(view, text), meter(view["jackpot"]), PALE)
    _seat(scene, y + 20, view, text)


def win(scene, view, text):
    """What was won goes from edge to edge in the largest letters, over the wheel's foot."""
    shape = scene.shape
    _beside(scene)
    top = view["position"] == bonus_spin.TOP
    caption = top_prize(view, text) if top else text("screen.seat_wins", view["seat"])
    y = scene.wrapped(shape.small, 18, 22, caption, GOLD, 2)
    _seat(scene, y + 16, view, text)
    scene.between(0, _WIDE)
    y = _FOOT
    if view.get("community") and not top:
        y -= 26
    scene.panel(y, _TALL - y, _NIGHT, GOLD)
    scene.centre(shape.large, y + 14, money(view["prize"]), GOLD, _SHADE)
    if y < _FOOT:
        others = text("screen.others", money(view["community"]))
        scene.centre(shape.medium, y + 74, others, PALE)


def attract(scene, view, text):
    shape = scene.shape
    scene.centre(shape.medium, 26, text("screen.title"), PALE, DARK)
    scene.rect(80, 62, 320, 2, GOLD)
    scene.centre(shape.small, 88, top_prize(view, text), GOLD)
    scene.panel(114, 76, _NIGHT, GOLD)
    scene.centre(shape.large, 128, meter(view["jackpot"]), GOLD, _SHADE)
    y = scene.wrapped(shape.small, 214, 24, text("screen.how"), PALE, 2)
    scene.wrapped(shape.small, y + 4, 24, text("screen.wager", money(stake(view))), GOLD, 2)


def closed(scene, view, text):
    _beside(scene)
    shape = scene.shape
    scene.panel(110, 54, rgb(14, 16, 30), wheel.BRONZE)
    scene.centre(shape.medium, 124, text("screen.closed"), PALE)
    scene.wrapped(shape.small, 184, 22, said(view), GREY, 4)


def handpay(scene, view, text):
    shape = scene.shape
    scene.centre(shape.medium, 18, top_prize(view, text), DARK)
    scene.centre(shape.small, 54, text("screen.seat_wins", view["seat"]), DARK)
    scene.panel(84, 82, _NIGHT, PALE)
    scene.centre(shape.large, 102, meter(view["prize"]), GOLD, _SHADE)
    scene.panel(190, 92, FAULT, WHITE)
    scene.centre(shape.medium, 206, text("screen.handpay"), WHITE)
    scene.centre(shape.small, 246, text("screen.attendant"), PALE)


def fault(scene, view, text):
    shape = scene.shape
    scene.rect(0, 0, _WIDE, _TALL, rgb(28, 0, 4))
    scene.rect(0, 0, _WIDE, 6, FAULT)
    for row in range(76):
        half = row * 45 // 76
        scene.rect(240 - half - 1, 22 + row, 2 * half + 2, 1, AMBER)
    scene.rect(236, 48, 8, 28, DARK)
    scene.rect(236, 82, 8, 8, DARK)
    scene.centre(shape.medium, 112, text("screen.out_of_order"), WHITE)
    scene.panel(150, 48, FAULT, rgb(255, 80, 80))
    scene.centre(shape.medium, 161, view["code"], WHITE)
    y = scene.wrapped(shape.small, 216, 24, said(view), PALE, 2)
    scene.wrapped(shape.small, max(y, 272), 24, text("screen.call_service"), GREY, 2)


def build(scene, view, text):
    shape = scene.shape
    scene.rect(0, 0, _WIDE, _TALL, rgb(6, 10, 24))
    scene.left(shape.small, 12, 18, text("screen.build"), GOLD)
    scene.right(shape.medium, _WIDE - 12, 12, view["code"], WHITE)
    y = 60
    for line in view["lines"]:
        name, _, value = line.partition(" ")
        scene.left(shape.small, 12, y, name, GOLD)
        scene.left(shape.small, 130, y, value, WHITE)
        scene.rect(12, y + 24, _WIDE - 24, 1, rgb(30, 38, 62))
        y += 34


def mark(scene, mode, text):
    """Mark a picture as a demonstration: in the column beside the wheel, else along the foot."""
    beside = mode in ("spin", "closed", "win")
    left = _SIDE + 2 if beside else 0
    y = 160 if mode == "win" else 294
    scene.between(left, _WIDE)
    scene.rect(left, y, _WIDE - left, 26, AMBER)
    what = text("screen.demo" if beside else "screen.demonstration")
    scene.centre(scene.shape.small, y + 4, what, DARK)


# mode: arrange(scene, view, text), what turns behind, its colours
PICTURES = {
    "attract": (attract, "rays", WINE_RAYS),
    "closed": (closed, "wheel", 20),
    "spin": (spin, "wheel", 0),
    "win": (win, "wheel", 6),
    "handpay": (handpay, "rays", AMBER_RAYS),
    "fault": (fault, None, None),
    "build": (build, None, None),
}
