"""How the wheel turns: its angle as a function of the time since it was set going, in integers.

Angles count clockwise in 1/49152 of a turn, so a segment is 4096 and twelve make the turn.
Position p rests under the pointer, which stands at twelve o'clock, at `rest(p)`.
"""

from micropython import const

SEGMENT = const(4096)
TURN = const(12 * 4096)
TURNS = const(3)  # whole turns of every spin, before the part that leads to the position
DURATION = const(7800)  # ms
_PUSH = const(700)  # ms of being pushed; after that the wheel runs free


def rest(position):
    """The angle at which a position (1..12) stands in the middle under the pointer."""
    return (1 - position) * SEGMENT % TURN


def under_pointer(angle):
    """The position (1..12) the pointer is in."""
    return (SEGMENT // 2 - angle) // SEGMENT % 12 + 1


def _times(a, b):
    """a * b >> 15 for a up to 2**22 and b below 2**18, in ints that a board does not allocate."""
    return ((a >> 11) * b + ((a & 2047) * b >> 11)) >> 4


def angle(start, end, elapsed, duration=DURATION):
    """The angle `elapsed` ms into a spin from the position `start` to the position `end`.

    Pushed evenly, then slowed by friction (a square) and air (a cube); speed has no jump, the
    angle never falls, and from `duration` on it is exactly the rest of the end position.
    """
    if elapsed >= duration:
        return rest(end)
    if elapsed <= 0:
        return rest(start)
    way = TURNS * TURN + (rest(end) - rest(start)) % TURN
    free = duration - _PUSH
    # The free run is way * free / (free + 5/4 * push): its slope at the start is 5/2 of its mean.
    run = way * (free // 25) // ((4 * free + 5 * _PUSH) // 100)
    if elapsed <= _PUSH:
        part = (elapsed << 14) // _PUSH
        gone = (way - run) * (part * part >> 14) >> 14
    else:
        left = ((duration - elapsed) << 15) // free
        square = left * left >> 8  # in 1/2**22
        part = (square + _times(square, left)) >> 1
        gone = way - (_times(part, run) >> 7)
    return (rest(start) + gone) % TURN


def kick(at):
    """How far the pegs push the pointer aside at an angle; nothing where a spin may end."""
    past = (at + SEGMENT // 2) % SEGMENT
    if past < 600:
        return -past * 9 // 2
    if past < 1000:
        return -(1000 - past) * 27 // 4
    return 0
