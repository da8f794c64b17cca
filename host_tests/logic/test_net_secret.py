"""The table's key: taken with the service key only, written whole, read by the network alone."""

import os
from binascii import unhexlify

from cut_flash import with_flash
from felt.net import start
from felt.service.provision import take_secret

KEY = "00112233445566778899aabbccddeeff" * 2


class Keys:
    def __init__(self, on):
        self.on = on

    def read(self, which):
        return self.on


class Table:
    def __init__(self):
        self.notes = []

    def note(self, key, a=0, b=0):
        self.notes.append((key, a))


def refused(words, on=True):
    table = Table()
    try:
        take_secret(table, Keys(on), "/nowhere/pit.key", words)
    except ValueError:
        assert table.notes == []
        return True
    return False


def test_what_is_no_key_is_refused():
    for words in ([], ["00"], ["zz" * 32], [KEY, "a", "b"], [KEY + "00"]):
        assert refused(words)
    assert refused([KEY], on=False)


def test_a_key_and_a_password_are_kept_and_found():
    def body(folder):
        path = folder + "/pit.key"
        assert start.secret(path) is None
        table = Table()
        take_secret(table, Keys(True), path, [KEY, "broker-word"])
        assert start.secret(path) == (unhexlify(KEY), "broker-word")
        take_secret(table, Keys(True), path, ["ff" * 32])
        assert start.secret(path) == (b"\xff" * 32, "")
        assert table.notes == [("network", 2)] * 2
        assert [n for n in os.listdir(folder) if n.endswith(".new")] == []

    with_flash(body)


def test_a_damaged_key_is_no_key():
    def body(folder):
        for text in ("", "abc", "zz" * 32, "ff" * 31):
            with open(folder + "/pit.key", "w") as f:
                f.write(text)
            assert start.secret(folder + "/pit.key") is None

    with_flash(body)
