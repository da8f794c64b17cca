"""Journals that older tables wrote: their events are accepted and settle as they did then."""

import json

from felt.round.machine import Machine

KEPT = "host_tests/data/journals.txt"


class Replay:
    """One kept journal: its lines come in their order, table, events, round, dump."""

    def __init__(self, settings):
        self.m = Machine(settings)
        self.rounds = []

    def events(self, words):
        for text in words.split():
            r = self.m.r
            effects = self.m.step(bytes.fromhex(text))
            if any([e[0] == "over" for e in effects]):
                settled = sorted([list(result) for result in r.results])
                self.rounds.append(" ".join(["%d:%s:%d" % tuple(one) for one in settled]))

    def round(self, words):
        assert self.rounds.pop(0) == words

    def dump(self, words):
        """What a table knew then is the beginning of what it knows now."""
        assert not self.rounds and self.m.dump().startswith(bytes.fromhex(words))


def test_they_replay_to_the_cent():
    count = 0
    with open(KEPT) as f:
        for line in f:
            word, _, rest = line.strip().partition(" ")
            if word == "table":
                settings = json.loads(rest)
                if settings["game"] == "premium":
                    settings["stub_waiver_auto"] = True  # as those tables had it, without a word
                replay = Replay(settings)
                count += 1
            elif word != "#":
                getattr(replay, word)(rest)
    assert count == 18
