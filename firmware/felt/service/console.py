"""The service console: lines in, lines out, each answer closed by `OK` or `ERROR code text`.

Open only while the service key is on at power-on; each entry is logged. Ctrl-C leaves it for the
REPL, which is how mpremote gets in.
"""

import json
from binascii import hexlify

from felt import program
from felt.dealer import pages
from felt.round import events
from felt.round.state import Refused
from felt.service import selftest
from felt.store.area import REASONS, VaultError
from felt.store.config import MOST


class ServiceError(Exception):
    """A request that cannot be met: a code and a text."""


class Service:
    """Answers one line at a time; `say` prints a line."""

    def __init__(self, hw, table, texts, build, say):
        self.hw = hw
        self.table = table
        self.texts = texts
        self.build = build
        self.say = say
        self.config_path = "config.json"
        self.upload = bytearray()

    def answer(self, line):
        """Answer a request."""
        words = line.split()
        if not words:
            return
        try:
            if words[0] not in COMMANDS:
                raise ServiceError("E1", "unknown request %s, try help" % words[0])
            COMMANDS[words[0]][0](self, words[1:])
            self.say("OK")
        except ServiceError as e:
            self.say("ERROR %s %s" % e.args)
        except Refused as e:
            self.say("ERROR E2 " + self.texts.get("refused." + e.code, *e.about))
        except VaultError as e:
            self.say("ERROR E3 memory: " + REASONS[e.code])
        except (ValueError, OSError) as e:
            self.say("ERROR E3 %s" % e)

    def machine(self):
        """Return the machine, or say why there is none."""
        if self.table.machine is None:
            self.refuse()
        return self.table.machine

    def refuse(self):
        raise ServiceError("E4", "%s %s" % (self.table.fault, self.table.detail))


def help_(s, words):
    for name in sorted(COMMANDS):
        s.say("# " + COMMANDS[name][1])


def version(s, words):
    m = s.table.machine
    s.say("build " + s.build)
    s.say("release " + (program.version() or "unsigned"))
    s.say("board " + s.hw.board)
    s.say("id " + s.hw.unique_id)
    s.say("fault %s %s" % (s.table.fault or "none", s.table.detail))
    s.say("state " + (m.phase_name() if m else "none"))
    s.say("between %d" % (m is None or m.between))
    s.say("config " + hexlify(s.table.identity[8:16]).decode())
    s.say("recorded " + (hexlify(m.config_id).decode() if m else ""))
    if m and m.cfg["illustrative"]:
        s.say("weights ILLUSTRATIVE: not approved, not for live play")


def self_test(s, words):
    s.hw.program.measure()
    _, bad = selftest.run(s.hw, s.table, s.say)
    if bad:
        raise ServiceError("E5", "critical: " + " ".join(bad))


def hands(s, words):
    from felt import evaluator

    def progress(done, total):
        s.say("PROGRESS %d %d" % (done, total))

    if not evaluator.self_test_full(progress):
        raise ServiceError("E6", "evaluator miscounts")


def meters(s, words):
    m = s.machine()
    if s.table.unread():
        s.refuse()
    for text in pages.meter_lines(m, s.texts):
        s.say(text)


def recall(s, words):
    s.machine()
    back = int(words[0]) if words else 1
    for text in pages.recalled(s.table, s.texts, back):
        s.say(text)


def log(s, words):
    for text in pages.log_lines(s.table.vault, s.texts):
        s.say(text)


def hits(s, words):
    for text in pages.hit_lines(s.table.vault, s.texts):
        s.say(text)


def dump(s, words):
    m = s.machine()
    s.say(json.dumps({"game": m.game.NAME, "build": s.build}))
    if not s.table.unread():
        dump_meters(s, m)
    dump_logs(s)
    dump_rounds(s)


def dump_meters(s, m):
    t = m.meters
    s.say(json.dumps({"round": m.round_no}))
    for i, wager in enumerate(t.wagers):
        row = {"meter": wager, "handle": t.handle[i], "win": t.win[i]}
        row["period_handle"], row["period_win"] = t.period_handle[i], t.period_win[i]
        s.say(json.dumps(row))
    names = ("rounds", "commission", "spins", "jackpot", "seed", "contributions", "hits")
    for name in names + ("hit_total", "carried"):
        s.say(json.dumps({"meter": name, "value": getattr(t, name)}))


def dump_logs(s):
    vault = s.table.vault
    for kind, source in (("log", vault.entries()), ("security", vault.guards())):
        for entry in source:
            row = dict(zip(("seq", "code", "a", "b", "start", "seconds", "real"), entry[1:]))
            row[kind] = entry[0]
            s.say(json.dumps(row))
    for entry in vault.hits():
        row = dict(
            zip(("hit", "seq", "seat", "cents", "round", "start", "seconds", "real"), entry)
        )
        s.say(json.dumps(row))


def dump_rounds(s):
    """Every kept round event by event; what is damaged is said in its place."""
    back = 0
    try:
        for found in s.table.rounds():
            back += 1
            dump_round(s, found, back)
    except (VaultError, OSError):
        s.say(json.dumps({"back": back + 1, "finding": "damaged"}))


def dump_round(s, found, back):
    try:
        found.check()
        for event in found.events():
            name, args = events.unpack(event)
            args = [hexlify(a).decode() if isinstance(a, bytes) else a for a in args]
            s.say(json.dumps({"back": back, "event": name, "args": args}))
    except (VaultError, OSError):
        s.say(json.dumps({"back": back, "finding": found.finding or "damaged"}))


def config(s, words):
    with open(s.config_path) as f:
        for line in f:
            s.say(line.rstrip())


def security(s, words):
    for text in pages.entry_lines(s.table.vault.guards(), s.texts):
        s.say(text)


def look_at_keys(s):
    for key in (events.ATTENDANT, events.SERVICE):
        s.table.turn_key(key, s.hw.keys.read(key))


def accept(s, words):
    look_at_keys(s)
    fault = s.table.fault
    s.table.accept(1)
    s.say("# accepted %s, now: %s" % (fault, s.table.fault or "no fault"))


def clear(s, words):
    look_at_keys(s)
    s.table.clear(1)
    s.table.note("cleared", 1, 0)
    from felt.service.provision import record

    record(s.table, s.table.identity[8:16])


def put(s, words):
    from binascii import a2b_base64

    if not words:
        s.upload = bytearray()
    for word in words:
        s.upload += a2b_base64(word)
    if len(s.upload) > MOST:
        s.upload = bytearray()
        raise ValueError("more than %d bytes" % MOST)


def provision(s, words):
    from felt.service.provision import take

    raw, s.upload = bytes(s.upload), bytearray()
    take(s.table, s.hw.keys, s.config_path, raw, words[0] if words else "")
    s.say("# recorded" if not s.table.fault else "# in place, not recorded: power off and on")


def secret(s, words):
    from felt.service.provision import take_secret

    take_secret(s.table, s.hw.keys, "pit.key", words)


def memory(s, words):
    if s.hw.fram is None or len(words) != 2:
        raise ServiceError("E7", "memory ADDRESS COUNT")
    if s.table.machine and not s.table.machine.between:
        raise Refused("round_open")  # the journal of an open round holds cards nobody may see
    at, left = int(words[0]), int(words[1])
    while left > 0:
        buf = bytearray(min(32, left))
        s.hw.fram.readinto(at, buf)
        s.say("%05d %s" % (at, hexlify(buf).decode()))
        at += len(buf)
        left -= len(buf)


def format_(s, words):
    if s.hw.files():
        raise ServiceError("E8", "there is a file system")
    if not (s.hw.keys.read(0) and s.hw.keys.read(1)):
        raise Refused("both_keys")
    s.hw.format()
    s.table.note("cleared", 2, 0)


# MicroPython keeps no docstrings, so the list for people is data.
COMMANDS = {
    "help": (help_, "help: this list"),
    "version": (version, "version: build, board, state of the table"),
    "selftest": (self_test, "selftest: the power-on test again"),
    "hands": (hands, "hands: count all 2,598,960 five-card hands (minutes)"),
    "meters": (meters, "meters: every meter"),
    "recall": (recall, "recall [N]: the Nth last round in words"),
    "log": (log, "log: the event log, newest first"),
    "hits": (hits, "hits: the jackpot hits, newest first"),
    "dump": (dump, "dump: meters, log, hits and all kept rounds as JSON lines"),
    "config": (config, "config: the configuration in force"),
    "security": (security, "security: service, configuration, faults, keys, starts"),
    "accept": (accept, "accept: take memory with a named fault as it is; needs both keys on"),
    "clear": (clear, "clear: set critical memory up anew; needs both keys on"),
    "put": (put, "put BASE64: a part of a new configuration; put alone begins again"),
    "provision": (provision, "provision SHA256: check the parts, put them in force"),
    "secret": (secret, "secret KEY [PASSWORD]: the table's own key for the pit, its broker's"),
    "format": (format_, "format: make a file system where none can be read; needs both keys on"),
    "memory": (memory, "memory ADDRESS COUNT: critical memory in hex"),
}
