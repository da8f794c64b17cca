"""Health tests, refusal of bad sources, reseeding, wiping and unbiased drawing."""

from felt.spin.drbg import Drbg
from felt.spin.entropy import (
    BIT_CUTOFFS,
    BYTE_CUTOFFS,
    SPINS,
    EntropyError,
    EntropySource,
    Generator,
    Health,
    pick,
)


class Noise:
    """A repeatable noise source of settable quality: `ones` of 256 bits are 1, `stuck` repeats."""

    def __init__(self, tag=0, ones=128):
        self._drbg = Drbg()
        self._drbg.instantiate(bytes([tag]) * 32, bytes(16))
        self._pool = bytearray(256)
        self._at = 256
        self.ones = ones
        self.stuck = None
        self.bits = 0
        self.error = None

    def byte(self):
        if self._at == 256:
            self._drbg.generate(self._pool)
            self._at = 0
        self._at += 1
        return self._pool[self._at - 1]

    def urandom(self, n):
        if self.error:
            raise self.error
        return bytes([self.byte() if self.stuck is None else self.stuck for _ in range(n)])

    def jitter(self):
        self.bits += 1
        if self.error:
            raise self.error
        if self.stuck is not None:
            return self.stuck
        return 1 if self.byte() < self.ones else 0


def build(system=None, ring=None, boot=1):
    system = system or Noise(1)
    ring = ring or Noise(2)
    return Generator(EntropySource(system.urandom, ring.jitter, b"\xff" * 8, boot))


def code(call, *args):
    try:
        call(*args)
    except EntropyError as e:
        return e.args[0]
    return None


def test_repetition_cutoff_is_exact():
    for cutoffs in (BIT_CUTOFFS, BYTE_CUTOFFS):
        assert Health(cutoffs).feed(bytes([0] + [1] * (cutoffs[0] - 1))) is None
        assert Health(cutoffs).feed(bytes([0] + [1] * cutoffs[0])) == "entropy_stuck"


def spread(same, window, others):
    """A window that begins with 7, holds it `same` times and nowhere repeats for long."""
    out = bytearray()
    left = same
    for i in range(window):
        if left * (window - 1) >= (window - i) * (same - 1) and left:
            out.append(7)
            left -= 1
        else:
            out.append(others[i % len(others)])
    return out


def test_proportion_cutoff_is_exact():
    for cutoffs, others in ((BIT_CUTOFFS, (0,)), (BYTE_CUTOFFS, (1, 2, 3, 4, 5, 6))):
        window, most = cutoffs[1], cutoffs[2]
        below = spread(most - 1, window, others)
        at = spread(most, window, others)
        assert sum([s == 7 for s in at]) == most and at[0] == 7
        assert Health(cutoffs).feed(below) is None
        assert Health(cutoffs).feed(at) == "entropy_biased"


def test_bits_are_counted_whatever_the_first_one_was():
    window = spread(BIT_CUTOFFS[2], 1024, (0,))
    window[list(window).index(0)] = 7
    window[0] = 0
    assert window[0] == 0 and Health(BIT_CUTOFFS).feed(window) == "entropy_biased"


def test_tests_continue_across_calls():
    h = Health(BIT_CUTOFFS)
    assert [h.feed(b"\1") for _ in range(61)] == [None] * 60 + ["entropy_stuck"]
    h = Health(BYTE_CUTOFFS)
    window = spread(BYTE_CUTOFFS[2], 512, (1, 2, 3))
    got = [h.feed(window[i : i + 64]) for i in range(0, 512, 64)]
    assert got == [None] * 7 + ["entropy_biased"]
    h.reset()
    assert h.feed(b"\1" * 8) is None


def test_a_good_source_starts_and_draws():
    g = build()
    assert g.fault == "entropy_off"
    g.start()
    assert g.fault is None
    print([g.below(12) for _ in range(40)])


def test_nothing_is_drawn_before_start():
    g = build()
    assert code(g.below, 12) == "entropy_off"
    assert code(g.reseed) == "entropy_off"
    assert code(g.cycle) == "entropy_off"


def test_stuck_sources_are_refused():
    for value in (0, 1):
        ring = Noise(2)
        ring.stuck = value
        assert code(build(None, ring).start) == "entropy_stuck"
        assert ring.bits <= 2048  # noticed in the start-up test, not later
    for value in (0, 255, 90):
        system = Noise(1)
        system.stuck = value
        assert code(build(system).start) == "entropy_stuck"


def test_biased_sources_are_refused():
    for ones in (216, 222, 34, 40):  # 84% to 87% ones, or zeros
        assert code(build(None, Noise(2, ones)).start) == "entropy_biased"
    assert code(build(None, Noise(2, 150)).start) is None  # 59%: entropy above the claim


class Loaded(Noise):
    """A system source that says 0 every fourth byte, never twice running."""

    def urandom(self, n):
        return bytes([0 if i % 4 == 0 else self.byte() for i in range(n)])


def test_a_loaded_system_source_is_refused():
    assert code(build(Loaded(1)).start) == "entropy_biased"


def test_missing_sources_are_refused():
    broken = Noise(3)
    broken.error = OSError(5)
    assert code(build(broken).start) == "entropy_missing"
    assert code(build(None, broken).start) == "entropy_missing"
    good = Noise(1)
    sources = (
        EntropySource(None, good.jitter, b"", 0),
        EntropySource(good.urandom, None, b"", 0),
        EntropySource(lambda n: bytes(range(n - 1)), good.jitter, b"", 0),
        EntropySource(lambda n: None, good.jitter, b"", 0),
        EntropySource(good.urandom, lambda: None, b"", 0),
    )
    for source in sources:
        g = Generator(source)
        assert code(g.start) == "entropy_missing"
        assert g.fault == "entropy_missing" and code(g.below, 2) == "entropy_missing"


def test_a_source_that_dies_in_service_stays_refused_until_a_start_passes():
    for call in ("reseed", "cycle"):
        ring = Noise(2)
        g = build(None, ring)
        g.start()
        ring.stuck = 1
        codes = [code(getattr(g, call)) for _ in range(4)]
        assert codes[-1] == "entropy_stuck", codes
        assert g.fault == "entropy_stuck" and code(g.below, 12) == "entropy_stuck"
        assert not any(g._drbg._v) and not any(g._drbg._inner)
        ring.stuck = None
        assert code(g.below, 12) == "entropy_stuck"
        assert code(g.reseed) == "entropy_stuck"
        ring.stuck = 0
        assert code(g.start) == "entropy_stuck"
        ring.stuck = None
        assert code(g.start) is None and g.fault is None
        assert 0 <= g.below(12) < 12


def stream(g):
    return [g.below(1 << 24) for _ in range(4)]


def started(system=1, ring=2, board=b"\xff" * 8, boot=1):
    g = Generator(EntropySource(Noise(system).urandom, Noise(ring).jitter, board, boot))
    g.start()
    return g


def test_every_input_changes_the_stream():
    """Same noise, board and boot: same numbers. Any one different: other numbers."""
    base = stream(started())
    assert stream(started()) == base
    others = [
        stream(started(system=9)),
        stream(started(ring=9)),
        stream(started(board=b"\xfe" * 8)),
        stream(started(boot=2)),
    ]
    for action in ("reseed", "cycle", "start"):
        g = started()
        getattr(g, action)()
        others.append(stream(g))
    for i, other in enumerate(others):
        assert other != base and other not in others[:i], i


def test_a_round_of_spins_never_outlives_its_seed():
    ring = Noise(2)
    g = build(None, ring)
    g.start()
    used = ring.bits
    for _ in range(SPINS):
        g.below(12)
    assert ring.bits == used
    g.below(12)
    assert ring.bits > used


def test_a_long_idle_table_reseeds_itself():
    ring = Noise(2)
    g = build(None, ring)
    g.start()
    g._drbg.count = 4096
    used = ring.bits
    g.cycle()
    assert ring.bits == used + 1024 and g._drbg.count == 1


def test_nothing_secret_is_left_lying_about():
    g = started()
    g.below(12)
    assert not any(g._out) and not any(g._source._raw)
    g.cycle()
    assert not any(g._out) and not any(g._source._raw)
    g.reseed()
    assert not any(g._source._raw) and any(g._drbg._v)
    state = [g._drbg._v, g._drbg._inner, g._drbg._outer]
    g.wipe()
    assert not any([any(s) for s in state])
    assert g.fault == "entropy_off" and code(g.below, 12) == "entropy_off"


def test_below_bounds():
    g = started()
    for n in (0, -1, (1 << 24) + 1):
        try:
            g.below(n)
        except ValueError:
            continue
        raise AssertionError(n)
    assert g.below(1) == 0
    assert 0 <= g.below(1 << 24) < 1 << 24


def test_pick_is_exactly_uniform():
    """All candidates of the low byte, for every n to 130: each value comes from equally many."""
    block = bytearray(3)
    for n in list(range(1, 131)) + [255, 256]:
        hits = [0] * n
        for low in range(256):
            block[2] = low
            value = pick(block, n)
            if value >= 0:
                hits[value] += 1
        assert min(hits) == max(hits) > 0, (n, hits)
        assert sum(hits) > 127, n  # at least half are accepted


def test_pick_takes_the_first_candidate_that_fits():
    block = bytes([255, 255, 12, 0, 16, 11, 0, 0, 3])
    assert pick(block, 12) == 11  # 12 is too big; 0x00100b cut to four bits is 11
    assert pick(block, 13) == 12
    assert pick(block[:3], 12) == -1
    assert pick(bytes([128, 0, 0]), 1 << 24) == 1 << 23
    assert pick(bytes([0xAB, 0xCD, 0xEF]), 0xABCDF0) == 0xABCDEF
    assert pick(bytes([0xAB, 0xCD, 0xEF]), 0xABCDEF) == -1


class Stubborn(Drbg):
    """A DRBG whose output never fits."""

    def generate(self, out, additional=b""):
        for i in range(len(out)):
            out[i] = 255


def test_a_draw_that_never_fits_ends():
    g = started()
    g._drbg = Stubborn()
    g._drbg.instantiate(bytes(32), bytes(16))
    assert code(g.below, 12) == "entropy_draw"
    assert g.fault == "entropy_off"


def test_an_interrupted_start_is_no_start():
    ring = Noise(2)
    g = build(None, ring)
    g.start()
    ring.error = KeyError("not an entropy fault")
    try:
        g.start()
    except KeyError:
        pass
    ring.error = None
    assert g.fault == "entropy_off" and code(g._source.seed) == "entropy_off"


def test_a_reseed_in_parts_takes_a_whole_seed():
    ring = Noise(2)
    g = build(None, ring)
    g.start()
    used, before = ring.bits, bytes(g._drbg._v)
    parts = 1
    while not g.gather():
        assert bytes(g._drbg._v) == before
        parts += 1
    assert (parts, ring.bits - used) == (9, 1024)
    assert bytes(g._drbg._v) != before and not any(g._source._raw)


def test_a_reseed_in_parts_starts_over_when_it_is_disturbed():
    for disturb in ("cycle", "reseed", "start"):
        ring = Noise(2)
        g = build(None, ring)
        g.start()
        for _ in range(5):
            assert not g.gather()
        getattr(g, disturb)()
        used = ring.bits
        while not g.gather():
            pass
        assert ring.bits - used == 1024, disturb


def test_a_source_that_dies_between_parts_is_refused():
    ring = Noise(2)
    g = build(None, ring)
    g.start()
    g.gather()
    ring.stuck = 1
    assert code(g.gather) == "entropy_stuck"
    assert g.fault == "entropy_stuck" and not any(g._source._raw) and not any(g._drbg._v)
