"""The wheel's motion: it ends where it must, never jumps and never seems to turn backwards."""

from felt.wheel import motion

TURN = motion.TURN
FRAME = 40  # ms at the slowest frame rate allowed
PAIRS = [(start, end) for start in range(1, 13) for end in range(1, 13)]


def test_rest_is_the_middle_of_the_position():
    for position in range(1, 13):
        at = motion.rest(position)
        half = motion.SEGMENT // 2
        for off in (-half + 1, -half // 2, 0, half // 2, half):
            assert motion.under_pointer((at + off) % TURN) == position, (position, off)
        assert motion.under_pointer((at + half + 1) % TURN) != position
        assert motion.under_pointer((at - half) % TURN) != position


def test_starts_and_ends_exactly():
    for start, end in PAIRS:
        assert motion.angle(start, end, 0) == motion.rest(start)
        assert motion.angle(start, end, -5) == motion.rest(start)
        for late in (0, 1, 1000, 1 << 29):
            assert motion.angle(start, end, motion.DURATION + late) == motion.rest(end)


def steps(start, end, every):
    """How far the wheel goes in each span of `every` ms."""
    last = motion.angle(start, end, 0)
    for t in range(every, motion.DURATION + every, every):
        at = motion.angle(start, end, t)
        assert isinstance(at, int) and 0 <= at < TURN
        yield (at - last) % TURN
        last = at


def test_turns_forward_the_right_number_of_times():
    for start, end in PAIRS:
        way = sum(steps(start, end, 20))
        part = (motion.rest(end) - motion.rest(start)) % TURN
        assert way == motion.TURNS * TURN + part


def test_never_seems_to_turn_backwards():
    """Less than half a segment a frame: the eye cannot take the next prize for the last one."""
    fastest = 0
    for start, end in PAIRS:
        fastest = max(fastest, max(steps(start, end, FRAME)))
    print(fastest)
    assert fastest < motion.SEGMENT * 2 // 3


def test_speed_has_no_jump_and_dies_away():
    for start, end in ((1, 1), (1, 2), (1, 12), (7, 3)):
        speeds = list(steps(start, end, 50))
        for one, other in zip(speeds, speeds[1:]):
            assert abs(one - other) < 330, (one, other)
        free = speeds[14:]
        for one, other in zip(free, free[1:]):
            assert other <= one + 2
        assert speeds[-2] < 40


def test_the_pointer_hangs_still_where_a_spin_ends():
    for position in range(1, 13):
        assert motion.kick(motion.rest(position)) == 0
    furthest = min([motion.kick(at) for at in range(motion.SEGMENT)])
    print(furthest)
    assert -3000 < furthest < -2000
    for at in range(motion.SEGMENT):
        assert abs(motion.kick(at) - motion.kick(at + 1)) < 10
