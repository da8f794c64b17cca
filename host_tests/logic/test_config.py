"""The configuration document: parsed strictly, checked by the games' own rules, replaced whole."""

import json
import os

from cut_flash import cuts_of, with_flash
from felt.games.common import tenths
from felt.games.settings import SettingsError, resolve
from felt.store import config
from felt.store.config import ConfigError
from felt.store.kept import Kept

GOOD = json.dumps({"game": "headsup", "trips_plus": 2}).encode()
OTHER = json.dumps({"game": "colorado", "version": "required"}).encode()


def refusal(function, *args):
    try:
        function(*args)
    except ConfigError as e:
        return e.code, e.about
    except SettingsError as e:
        return e.why, e.name
    return None


def test_only_one_whole_object_is_a_document():
    assert refusal(config.parse, b'{"a": 1') == ("not_json", 7)
    assert refusal(config.parse, b"\xff\xfe") == ("not_text", 0)
    assert refusal(config.parse, b"[1]") == ("not_object", "")
    assert refusal(config.parse, b" " * 5000) == ("too_long", 5000)
    assert config.parse(b' {"a": [1, {"b": "x:{"}]} ') == {"a": [1, {"b": "x:{"}]}


def test_a_key_given_twice_is_refused_by_name():
    assert refusal(config.parse, b'{"seats": 5, "game": "x", "seats": 6}') == ("twice", "seats")
    assert refusal(config.parse, b'{"l": {"ante": 1, "ante": 2}}') == ("twice", "ante")
    assert refusal(config.parse, b'{"seats": 5, "se\\u0061ts": 6}') == ("twice", "seats")
    assert refusal(config.parse, b'{"l": {"a": 1}, "m": {"a": "\\"a\\": :"}, "a": 3}') is None


def test_text_that_is_nearly_json_is_refused_where_it_goes_wrong():
    """MicroPython's own reader takes most of these, each in a way of its own."""
    for raw, code, about in (
        (b'{"seats":6 "seats",2}', "not_json", 11),
        (b'{"seats" 6}', "not_json", 9),
        (b'{"seats": 6,}', "not_json", 12),
        (b'{"seats": 6}}', "not_json", 12),
        (b'{"seats": 6} x', "not_json", 13),
        (b"{5: 6}", "not_json", 1),
        (b"{'a': 6}", "not_json", 1),
        (b'{"a": [1 2]}', "not_json", 9),
        (b'{"a": [1,]}', "not_json", 9),
        (b'{"a": tru}', "not_json", 6),
        (b'{"a": 06}', "number", 6),
        (b'{"a": 6.55}', "number", 6),
        (b'{"a": 6.}', "number", 6),
        (b'{"a": 6.5e1}', "number", 6),
        (b'{"a": 6.5.5}', "number", 6),
        (b'{"a": 6e2}', "number", 6),
        (b'{"a": -}', "number", 6),
        (b'{"a": +6}', "not_json", 6),
        (b'{"a": 1234567890123456}', "number", 6),
        (b'{"a": "\n"}', "not_json", 7),
        (b'{"a": "\\x"}', "not_json", 8),
        (b'{"a": "\\u12g4"}', "not_json", 8),
        (b'{"a": "\\ud800"}', "not_json", 8),
        (b'{"a": "x', "not_json", 8),
        (b'{"a": "\xc0\xaf"}', "not_text", 7),
        (b'{"a": "\xed\xa0\x80"}', "not_text", 7),
        (b'{"a": "\xf4\x90\x80\x80"}', "not_text", 7),
        (b'{"a": ' + b"[" * 2000, "too_deep", 11),
        (b"", "not_json", 0),
    ):
        assert refusal(config.parse, raw) == (code, about), (raw[:40], refusal(config.parse, raw))
    assert config.parse(b'{"a": 6.5}') == {"a": 6.5}
    good = b'{"a": "\\u00e9\xc3\xa9\\n\\"", "b": [-12, true, false, null, {}, []]}'
    assert config.parse(good) == {"a": '\u00e9\u00e9\n"', "b": [-12, True, False, None, {}, []]}


def test_every_configuration_played_under_is_found_by_its_identity():
    def body(folder):
        kept = Kept(folder + "/settings", 3)
        documents = [b'{"n": %d}' % n for n in range(5)]
        for raw in documents:
            assert kept.put(raw) and not kept.put(raw)
            assert kept.get(config.identity(raw)[:8]) == raw
        found = [kept.get(config.identity(raw)) for raw in documents]
        assert found == [None, None] + documents[2:]
        assert len(os.listdir(folder + "/settings")) == 3
        name = [n for n in os.listdir(folder + "/settings")][0]
        with open(folder + "/settings/" + name, "wb") as f:
            f.write(b"{}")
        kept = Kept(folder + "/settings", 3)
        assert [kept.get(config.identity(raw)) for raw in documents].count(None) == 3

    with_flash(body)


def test_load_gives_the_resolved_settings_and_the_identity():
    def body(folder):
        path = folder + "/table.json"
        assert refusal(config.load, path, resolve) == ("missing", path)
        with open(path, "wb") as f:
            f.write(GOOD)
        (game, cfg), sha = config.load(path, resolve)
        assert game.NAME == "headsup" and cfg["trips_plus"] == 2
        assert sha == config.identity(GOOD) and len(sha) == 32
        with open(path, "wb") as f:
            f.write(b'{"game": "headsup", "jokers": 2}')
        assert refusal(config.load, path, resolve) == ("unknown_setting", "jokers")

    with_flash(body)


def test_a_replacement_needs_the_key_and_no_round_and_a_good_document():
    def body(folder):
        path = folder + "/table.json"
        config.replace(path, GOOD, resolve, True, True)
        assert refusal(config.replace, path, OTHER, resolve, False, True) == ("round_open", "")
        assert refusal(config.replace, path, OTHER, resolve, True, False) == ("service_key", "")
        bad = b'{"game": "headsup", "trips_plus": 9}'
        assert refusal(config.replace, path, bad, resolve, True, True) == (
            "bad_value",
            "trips_plus",
        )
        assert config.read(path) == GOOD
        assert config.replace(path, OTHER, resolve, True, True) == config.identity(OTHER)
        assert config.read(path) == OTHER and os.listdir(folder) == ["table.json"]

    with_flash(body)


def test_a_cut_leaves_the_old_document_or_the_new_one():
    def prepare(folder):
        config.replace(folder + "/table.json", GOOD, resolve, True, True)

    def change(folder):
        config.replace(folder + "/table.json", OTHER, resolve, True, True)

    def after(folder):
        assert config.read(folder + "/table.json") in (GOOD, OTHER)
        change(folder)
        assert config.read(folder + "/table.json") == OTHER

    assert cuts_of(prepare, change, after) > 0


def test_a_percentage_may_have_one_decimal_and_nothing_else_may():
    for percent, kept in ((b"7.5", 75), (b'"7.5"', 75), (b"9.9", 99), (b"10.0", 100), (b"7", 70)):
        raw = b'{"game": "winners_pot", "commission_percent": ' + percent + b"}"
        _, cfg = resolve(config.parse(raw))
        assert tenths(cfg["commission_percent"]) == kept, percent
    for setting in (
        b'"seats": 6.0', b'"chip_unit": 100.0', b'"limits": {"ante": [1.0, 500]}',
        b'"table_name": 7.5', b'"commission_cap": 0.5', b'"second_deck": 1.0',
        b'"pay_tables": {"jacks_plus": {"pair": 1.5}}', b'"commission_percent": 10.1',
    ):  # fmt: skip
        raw = b'{"game": "winners_pot", ' + setting + b"}"
        assert refusal(resolve, config.parse(raw))[0] == "bad_value", setting
