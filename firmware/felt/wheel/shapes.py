"""How large everything is on each panel: a picture is a function of the view and of a shape."""

from felt.wheel import font


class Shape:
    """A panel's size and the wheel's measures on it, in pixels.

    `letters` are the wheel's own with its rounds, `paper` the pieces of confetti.
    """

    def __init__(self, width, height, fonts, letters, paper, **measures):
        self.width = width
        self.height = height
        self.small, self.medium, self.large = fonts
        self.letters = letters
        self.paper = paper
        for name in measures:
            setattr(self, name, measures[name])

    def chord(self, y, end):
        """Half the width, in whole pixels, of what the rows y..end-1 show of the wheel."""
        near = max(y - self.cy, self.cy - end + 1, 0)
        half = self.swing if y < self.top + self.drop else 0  # the pointer swings
        while half * half + near * near <= self.outer * self.outer:
            half += 1
        return half


def small():
    """240 x 240: the wheel fills it."""
    from felt.wheel import lettering

    return Shape(
        240,
        240,
        (font.SMALL, font.MEDIUM, font.LARGE),
        lettering,
        60,
        cx=120,
        cy=138,
        outer=100,  # rim and its soft edge
        inner=91,  # where the segments end
        hub=32,  # and its shadow
        label=83,  # where a prize's text begins, reading inwards
        long=52,  # of text at most
        pitch=23,  # samples between lines of text
        pivot=35,  # row of the pointer's axle
        pointer=19,  # from it to the pointer's tip
        gem=14,
        top=30,  # the pointer's first row: nothing moves above it
        drop=36,  # rows the pointer reaches
        swing=12,
        thick=440,  # half a separator, in 1/256 pixel
        caption=14,  # the hub's lines, above its centre
        figure=3,
    )


def large():
    """480 x 320: a wheel of 290 on the left, the texts beside it."""
    from felt.wheel import font_large, lettering_large

    return Shape(
        480,
        320,
        (font.MEDIUM, font_large.MEDIUM, font_large.LARGE),
        lettering_large,
        140,
        cx=152,
        cy=170,
        outer=145,
        inner=133,
        hub=44,
        label=121,
        long=75,
        pitch=33,
        pivot=21,
        pointer=28,
        gem=21,
        top=14,
        drop=50,
        swing=17,
        thick=600,
        caption=22,
        figure=5,
    )


SHAPES = {(240, 240): small, (480, 320): large}
