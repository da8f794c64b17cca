"""The reliable link: nothing lost, doubled or out of order, whatever the line does."""

from felt.link import port

from tools.peers.wire import Clock, Random, Wire


class Pair:
    """A controller and a device on one wire; each end sends numbered messages."""

    def __init__(self, noise=(0, 0, 0, 0), seed=1, keep=True, queue=16):
        self.clock = Clock()
        self.random = Random(seed)
        self.wire = Wire(random=self.random, noise=noise)
        self.keep = keep
        self.queue = queue
        self.a = self.make_a(101)
        self.b = self.make_b(202)
        self.got_a = []
        self.got_b = []
        self.news_a = []

    def make_a(self, session, resume=(0, 0)):
        return port.Port(
            self.wire.a, port.CONTROLLER, port.SHOE, session, keep=self.keep, resume=resume
        )

    def make_b(self, session):
        return port.Port(
            self.wire.b, port.SHOE, port.CONTROLLER, session, keep=self.keep, queue=self.queue
        )

    def step(self, ms=5):
        now = self.clock.step(ms)
        self.wire.step(ms)
        if not self.wire.a.deaf:
            news = self.a.poll(now)
            if news:
                self.news_a.append(news)
            self.take(self.a, self.got_a)
        if not self.wire.b.deaf:
            self.b.poll(now)
            self.take(self.b, self.got_b)

    def take(self, end, got):
        if end.message is not None:
            got.append(int(str(end.message, "ascii")))
            end.accept()

    def run(self, ms):
        for _ in range(ms // 5):
            self.step()


def _exchange(pair, count, disturb):
    sent_a = sent_b = 0
    for _ in range(400000):
        if sent_a < count and pair.a.send(b"%d" % sent_a):
            sent_a += 1
        if sent_b < count and pair.b.send(b"%d" % sent_b):
            sent_b += 1
        disturb(pair)
        pair.step()
        if len(pair.got_a) >= count and len(pair.got_b) >= count:
            break
    pair.wire.noise = (0, 0, 0, 0)
    pair.run(1000)
    assert pair.got_a == list(range(count)), pair.got_a
    assert pair.got_b == list(range(count)), pair.got_b


def test_messages_pass_across_the_wrap_of_the_clock():
    pair = Pair()
    _exchange(pair, 400, lambda _: None)
    assert pair.clock.now < 1 << 29, "the clock has wrapped"
    assert pair.news_a == [port.FRESH]
    print(pair.a.repeats, pair.b.repeats, pair.a.bad)


def test_flipped_lost_doubled_and_swapped_bytes():
    for kind in range(4):
        noise = [0, 0, 0, 0]
        noise[kind] = 60
        pair = Pair(tuple(noise), 10 + kind)
        _exchange(pair, 150, lambda _: None)
        assert pair.a.bad and pair.b.repeats
    pair = Pair((200, 200, 200, 200), 5)
    _exchange(pair, 150, lambda _: None)
    print(pair.a.bad, pair.b.bad)


def test_deaf_for_400_ms_at_either_end_loses_nothing():
    def erase(pair):
        if pair.random.chance(80):
            (pair.wire.a if pair.random.chance(2) else pair.wire.b).go_deaf(400)

    pair = Pair(seed=3)
    _exchange(pair, 300, erase)
    assert pair.wire.a.lost and pair.wire.b.lost, "bytes were really lost"
    assert pair.news_a == [port.FRESH], "and the link was never given up"


def test_a_cut_cable_is_lost_after_its_timeout_and_comes_back():
    pair = Pair()
    pair.run(500)
    assert pair.a.up and pair.b.up
    pair.wire.cut = True
    pair.run(port.LOST_MS - port.BEAT_MS - 100)
    assert pair.a.up
    pair.run(port.BEAT_MS + 200)
    assert not pair.a.up and not pair.b.up
    assert pair.b.send(b"7")
    pair.run(5000)
    pair.wire.cut = False
    pair.run(500)
    assert pair.news_a == [port.FRESH, port.LOST, port.BACK]
    assert pair.got_a == [7]


def test_one_broken_direction_is_lost_at_both_ends():
    pair = Pair()
    pair.run(500)
    for _ in range(2 * port.LOST_MS // 5 + 100):
        pair.step()
        pair.wire.a.out = bytearray()  # the controller's transmit wire is broken
    assert not pair.b.up
    assert not pair.a.up


def test_a_full_queue_says_so():
    pair = Pair()
    for n in range(16):
        assert pair.a.send(b"%d" % n)
    assert not pair.a.send(b"16")
    pair.run(1000)
    assert pair.got_b == list(range(16))
    try:
        pair.a.send(bytes(port.PAYLOAD + 1))
        raise AssertionError("too long")
    except ValueError:
        pass


def test_an_unaccepted_message_waits_and_is_not_doubled():
    pair = Pair()
    pair.take = lambda end, got: None
    pair.b.send(b"1")
    pair.b.send(b"2")
    pair.run(1000)
    assert pair.a.message == b"1" and pair.b.pending == 2
    pair.a.accept()
    pair.run(300)
    assert pair.a.message == b"2" and pair.b.pending == 1


def test_restarts_with_a_saved_mark_lose_and_double_nothing():
    pair = Pair(seed=9)
    marks = [(0, 0)]
    take = pair.take

    def take_and_save(end, got):
        take(end, got)
        if end is pair.a:
            marks[0] = end.mark  # saved together with the message, as a journal does

    pair.take = take_and_save
    sent = 0
    for turn in range(6000):
        if sent < 300 and pair.b.send(b"%d" % sent):
            sent += 1
        if turn % 97 == 50:
            pair.a = pair.make_a(1000 + turn, marks[0])
        pair.step()
    assert pair.got_a == list(range(300)), pair.got_a


def test_what_a_restarted_controller_missed_can_be_dropped():
    pair = Pair(keep=False)
    pair.run(300)
    pair.take = lambda end, got: None
    pair.b.send(b"1")
    pair.b.send(b"2")
    pair.run(100)
    assert pair.a.message == b"1"
    pair.a = pair.make_a(555)  # the controller restarts without having accepted
    pair.run(500)
    assert pair.a.message is None and pair.b.pending == 0
    pair.b.send(b"3")
    pair.run(100)
    assert pair.a.message == b"3"
    assert pair.news_a == [port.FRESH, port.FRESH]


def test_drop_works_with_a_mark_too():
    for accepted in (False, True):
        pair = Pair(keep=False)
        pair.b.send(b"1")
        pair.run(300)
        pair.take = lambda end, got: None
        pair.b.send(b"2")
        pair.run(100)
        if accepted:
            pair.a.accept()  # and dies before the acknowledgement leaves
        pair.a = pair.make_a(556, pair.a.mark)
        pair.run(500)
        pair.b.send(b"3")
        pair.run(200)
        assert pair.a.message == b"3", pair.a.message


def test_a_device_of_the_wrong_kind_never_connects():
    pair = Pair()
    pair.b = port.Port(pair.wire.b, port.TERMINAL, port.CONTROLLER, 9)
    pair.run(2000)
    assert not pair.a.up and pair.a.foreign
    assert not pair.b.up


def test_an_echo_is_not_a_peer():
    pair = Pair()
    for _ in range(400):
        pair.a.poll(pair.clock.step(5))
        pair.wire.a.arrive(pair.wire.a.out)
        pair.wire.a.out = bytearray()
    assert not pair.a.up and pair.a.good == 0
    assert pair.a.session == 101 and not pair.a.foreign, "nor is it a reason to take another"


def test_ends_that_draw_the_same_session_find_each_other():
    """One start in 65,535: the link stayed down until either end was restarted."""
    for session, passive in ((9, True), (9, False), (65535, False)):
        pair = Pair()
        pair.a = port.Port(pair.wire.a, port.CONTROLLER, port.SHOE, session, passive=passive)
        pair.b = pair.make_b(session)
        pair.run(1000)
        assert pair.a.up and pair.b.up, (session, passive)
        assert (pair.a.session, pair.b.session) == (session % 65535 + 1, session)
        pair.b.send(b"1")
        pair.run(300)
        assert pair.got_a == [1]


def test_a_passive_end_is_silent_until_spoken_to():
    pair = Pair()
    pair.a = port.Port(pair.wire.a, port.CONTROLLER, port.SHOE, 7, passive=True)
    for _ in range(1000):
        pair.a.poll(pair.clock.step(5))
    assert not pair.wire.a.out
    pair.run(500)
    assert pair.a.up and pair.b.up


def test_random_bytes_never_connect_or_crash():
    pair = Pair()
    random = Random(4)
    for _ in range(300):
        pair.wire.a.arrive(bytearray([random.below(256) for _ in range(100)]))
        pair.a.poll(pair.clock.step(5))
        pair.wire.a.out = bytearray()
    assert not pair.a.up and pair.a.message is None
    pair.run(500)
    assert pair.a.up


def test_the_same_session_drawn_twice_heals_itself():
    pair = Pair()
    for n in range(5):
        pair.b.send(b"%d" % n)
    pair.run(500)
    pair.b = pair.make_b(202)
    for n in range(5, 9):
        pair.b.send(b"%d" % n)
    pair.run(1000)
    assert pair.got_a == list(range(9)), pair.got_a
    assert pair.b.session == 203


def test_restarts_of_both_ends_noise_and_deafness_together():
    pair = Pair((900, 900, 900, 900), 77)
    mark = (0, 0)
    sent = doomed = 0
    lost = set()
    for turn in range(12000):
        if sent < 500 and pair.b.send(b"%d" % sent):
            sent += 1
        if pair.random.chance(400):
            pair.wire.a.go_deaf(pair.random.below(400))
        if pair.random.chance(700):
            pair.a = pair.make_a(1 + pair.random.below(65535), mark)
        if pair.random.chance(700):
            doomed += pair.b.pending
            lost |= set(range(sent - pair.b.pending, sent))
            pair.b = pair.make_b(1 + pair.random.below(65535))
        pair.step()
        mark = pair.a.mark
    assert doomed and sent == 500
    assert all([x < y for x, y in zip(pair.got_a, pair.got_a[1:])]), "doubled or out of order"
    assert set(range(500)) - set(pair.got_a) <= lost, "only what died with its sender is missing"


def test_a_number_that_skips_is_not_taken():
    pair = Pair()
    pair.b.send(b"1")
    pair.run(300)
    pair.b._number += 1  # a device that lost count
    pair.b.send(b"2")
    for _ in range(10):
        pair.wire.step(5)
        pair.b.poll(pair.clock.step(5))
        pair.a.poll(pair.clock.now)
    assert pair.a.message is None


def test_accepting_a_message_of_an_old_session_acknowledges_nothing():
    pair = Pair()
    pair.b.send(b"1")
    pair.take = lambda end, got: None
    pair.run(300)
    assert pair.a.message == b"1"
    pair.b = pair.make_b(203)
    pair.b.send(b"2")
    pair.run(300)
    assert pair.a.message == b"1", "it did happen"
    pair.a.accept()
    assert pair.a.mark == (203, 0)
    pair.run(300)
    assert pair.a.message == b"2"


def test_an_echo_beside_a_living_peer_is_ignored():
    pair = Pair()
    pair.run(500)
    before = pair.a.good
    for _ in range(40):
        pair.a.poll(pair.clock.step(5))
        pair.wire.a.arrive(pair.wire.a.out)
        pair.wire.a.out = bytearray()
    assert pair.a.good == before
