"""Journals that older tables wrote: their events are accepted and settle as they did then."""

import json

from felt.round.machine import Machine

KEPT = "host_tests/data/journals.jsonl"  # settings, events, results of each round, dump at the end


def replayed(kept):
    """Return (results of each round, dump at the end) of a kept journal."""
    m = Machine(kept["settings"])
    rounds = []
    for text in kept["events"].split():
        r = m.r
        effects = m.step(bytes.fromhex(text))
        if any([e[0] == "over" for e in effects]):
            rounds.append(sorted([list(result) for result in r.results]))
    return rounds, m.dump()


def test_they_replay_to_the_cent():
    count = 0
    with open(KEPT) as f:
        for line in f:
            kept = json.loads(line)
            rounds, dump = replayed(kept)
            assert rounds == kept["results"], kept["settings"]
            assert dump == bytes.fromhex(kept["dump"]), kept["settings"]
            count += 1
    assert count == 18
