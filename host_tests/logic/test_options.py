"""What the texts permit a house (O1-O7), and what it cannot play."""

from croupier import Croupier, colorado, headsup, premium, winners_pot
from felt.games.common import tenths
from felt.games.settings import SettingsError, resolve
from felt.round.state import Refused
from felt.wheel.display import WheelDisplay


def wrong(game, **settings):
    """Return "name why" of the setting that is refused."""
    settings["game"] = game
    try:
        resolve(settings)
    except SettingsError as e:
        return "%s %s" % (e.name, e.why)
    return None


def test_O1_a_pay_table_may_pay_more_and_never_less():
    table = {"jacks_plus": {"royal_flush": "500 to 1", "pair": "3 to 2"}}
    t = winners_pot(pay_tables=table)
    t.open()
    t.bet(1, 500, 100)
    t.begin(1, 2, s1="JhJd2c3d5h", dealer="KhKd4c6d7h")
    while t.m.r.kind() in ("deal", "decide"):
        t.deal()
        t.all_act("bet" if t.m.r.arg() == 0 else "double")
    assert t.settle()[1, "jacks_plus"] == 150
    for game, more, rows in (
        ("winners_pot", {}, {"jacks_plus": {"flush": "14 to 1"}}),
        ("colorado", {"version": "required"}, {"required": {"flush": "15 to 2"}}),
        ("colorado", {"version": "required"}, {"bonus": {"royal_flush": "9999 to 1"}}),
    ):
        name = list(rows)[0]
        hand = list(rows[name])[0]
        found = wrong(game, pay_tables=rows, **more)
        assert found == "pay_tables.%s.%s pays_less" % (name, hand), found
    assert wrong("headsup", pay_tables={"odds": {"flush": "9 to 1"}}) == (
        "pay_tables.odds not_replaceable"
    )
    for bad in ("2", "2 for 1", "0 to 1", "x to 1", 2, None):
        found = wrong("winners_pot", pay_tables={"jacks_plus": {"pair": bad}})
        assert found == "pay_tables.jacks_plus.pair bad_value", bad
    for bad in ("jacks_plus", ["jacks_plus"], 2):
        assert wrong("winners_pot", pay_tables=bad) == "pay_tables bad_value", bad


def test_limits_are_pairs_by_wager():
    for bad in ([], 5, "ante", {"ante": 5}, {"ante": [5]}, {"blind": [1, 2]}, {"ante": [2, 1]}):
        assert wrong("headsup", limits=bad) == "limits bad_value", bad
    assert wrong("headsup", limits={"ante": [500, 500]}) is None


def test_O1_colorado_pays_by_the_houses_table():
    t = colorado(pay_tables={"required": {"pair": "2 to 1"}})
    t.begin(1, s1="AhAd2c", board="3c4d7h")
    t.deal()
    t.act(1, "bet", "2c")
    nets = t.settle()
    assert nets[1, "ante"] == nets[1, "bet"] == 1000


def test_O2_a_bad_beat_table_of_the_houses_own():
    own = {"bad_beat": {"straight_flush": "100 to 1", "full_house": "2 to 1"}}
    for hand, board, net in (("2h2c", "2dKhKdKc3s", 1000), ("AhQh", "2h3h4h9sTs", -500)):
        t = headsup(pay_tables=own)
        dealer = "KsQc" if net > 0 else "5h6h"
        t.begin(1, s1=hand, dealer=dealer, board=board)
        t.deal()
        t.act(1, "raise1")
        t.deal()
        t.deal()
        assert t.settle()[1, "odds"] == net, hand
    assert wrong("headsup", pay_tables={"bad_beat": {"pair": "1 to 1"}}) is not None


def test_O3_permissible_wagers_can_be_switched_off():
    for game, off in (
        ("headsup", "trips_plus"),
        ("headsup", "pocket_bonus"),
        ("colorado", "bonus"),
    ):
        settings = {"version": "required"} if game == "colorado" else {}
        t = Croupier(game, wagers_off=[off], **settings)
        t.open()
        stakes = [100 if w in ("ante", "odds", off) else 0 for w in t.m.game.WAGERS]
        try:
            t.bet(1, *stakes)
        except Refused as e:
            assert e.code == "wager_off" and e.about[1] == off
        else:
            raise AssertionError(off)
    assert wrong("headsup", wagers_off=["odds"]) == "wagers_off bad_value"
    assert wrong("premium", wagers_off=["bonus_spin"]) == "wagers_off bad_value"


def test_O4_a_coupon_pays_its_face_value_and_is_no_drop():
    for hand, net, win in (("AhAdAc", 500, -500), ("2h4d8c", -500, 0)):
        t = premium()
        t.open()
        t.bet(1, 500, 500)
        assert t.refused("COUPON", 1, 2, 1) == "no_coupon"  # nothing lies there
        assert t.refused("COUPON", 1, 4, 1) == "no_coupon"
        t.do("COUPON", 1, 0, 1)
        before = t.m.snapshot()
        t.bet(1, 700, 700)
        assert not t.m.coupons[1]
        t.do("UNDO")
        assert t.m.coupons[1] == 1 and t.m.snapshot() == before
        saved = t.m.dump()
        t.m.load(saved)
        assert t.m.dump() == saved and t.m.coupons[1] == 1
        t.begin(1, s1=hand, dealer="KhKd5c", board="7s9sJdQc")
        assert t.refused("COUPON", 1, 0, 0) == "no_more_bets"
        t.deal()
        t.act(1, "play3")
        t.deal()
        assert t.settle()[1, "ante"] == net
        t.end()
        meters, i = t.m.meters, t.m.game.METERS.index("ante")
        assert (meters.handle[i], meters.win[i], meters.coupons) == (0, win, 500)
        assert meters.handle[t.m.game.METERS.index("xtra")] == 500 and not any(t.m.coupons)
        t.m.load(t.m.dump())
        assert t.m.meters.coupons == 500


class Running:
    """As much of a running table as its wheel looks at."""

    fault = machine = None

    def __init__(self):
        self.table = self


def test_O5_merchandise_has_a_name_and_a_value():
    t = premium(bonus_spin="flush5_fixed", fixed_prize=2500000, prize_name="Red Car")
    assert t.m.wheel.prize == 2500000 and t.m.wheel.prize_name == "Red Car"
    app = Running()
    app.table.machine = t.m
    t.open()
    view = WheelDisplay(None)._picture(app)
    assert (view["prize_name"], view["jackpot"], view["mode"]) == ("Red Car", 2500000, "attract")
    spin = {"bonus_spin": "flush5_progressive"}
    assert wrong("premium", prize_name="Car", **spin) == "prize_name contradiction"
    fixed = {"bonus_spin": "flush5_fixed", "fixed_prize": 100}
    for bad in ("x" * 17, "Car!", 5):
        assert wrong("premium", prize_name=bad, **fixed) == "prize_name bad_value"


def test_O6_commission_in_tenths_of_a_percent():
    assert [tenths(v) for v in (0, 7, 7.5, "7.5", 10)] == [0, 70, 75, 75, 100]
    for bad in ("7.25", "x", -1, 10.5, "10.1", True, None):
        assert wrong("winners_pot", commission_percent=bad) == (
            "commission_percent " + ("missing" if bad is None else "bad_value")
        ), bad
    for percent, won in ((7.5, 3700), ("0.5", 4000), (10, 3600)):
        t = winners_pot(commission_percent=percent)
        t.begin(1, 2, s1="AhAdAc2d3h", s2="4h5d7c8d9h", dealer="4c5s7d8h9s")
        t.deal()
        t.all_act("bet")
        t.deal()
        t.all_act("double")
        t.deal()
        assert t.settle()[1, "pot"] == won - 2000, percent


def test_O7_what_cannot_be_played_is_refused_by_name():
    spin = {"bonus_spin": "flush1_progressive"}
    assert wrong("premium", chip_unit=500, **spin) == "chip_unit contradiction"
    assert wrong("colorado", version="required", chip_unit=500) == "chip_unit contradiction"
    colorado(chip_unit=500, wagers_off=["bonus"])
    ante = {"ante": [500, 5000]}
    for xtra in ([100, 5000], [500, 10000], [6000, 9000]):
        assert wrong("premium", limits=dict(ante, xtra=xtra)) == "limits.xtra contradiction"
    assert wrong("premium", limits=dict(ante, xtra=[500, 5000])) is None
    assert wrong("premium", limits={"bonus_spin": [200, 5000]}, **spin) == (
        "limits.bonus_spin contradiction"
    )
    assert wrong("headsup", limits={"ante": [50, 90]}) == "limits.ante contradiction"
    limits = {"jacks_plus": [12600, 50000]}
    assert wrong("winners_pot", limits=limits) == "limits.jacks_plus contradiction"
    assert wrong("winners_pot", limits=limits, payout_limit=5040000) is None


def test_odds_of_the_house_stay_small_numbers():
    for told, good in (("16777215 to 1", True), ("16777216 to 1", False), ("1 to 0", False)):
        found = wrong("winners_pot", pay_tables={"jacks_plus": {"royal_flush": told}})
        assert (found is None) == good, told
    for rows in ([], 5):
        assert wrong("winners_pot", pay_tables={"jacks_plus": rows}) == (
            "pay_tables.jacks_plus bad_value"
        )
    found = wrong("winners_pot", pay_tables={"jacks_plus": {"high_card": "1 to 1"}})
    assert found == "pay_tables.jacks_plus.high_card bad_value"
    assert wrong("winners_pot", pay_tables={"none": {}}) == "pay_tables.none not_replaceable"
    assert (
        wrong("headsup", pay_tables={"trips_plus": {}}) == "pay_tables.trips_plus not_replaceable"
    )


WAY = {
    "table": "T-01_a",
    "address": "10.0.0.7",
    "subnet": "255.255.255.0",
    "gateway": "10.0.0.1",
    "broker": "192.168.200.250",
}


def way(**changed):
    """Return what is said of the way to the pit with some settings changed."""
    section = dict(WAY)
    section.update(changed)
    return wrong("headsup", network=section)


def test_the_way_to_the_pit_is_checked_by_name():
    assert way() is None
    assert way(port=1, user="u" * 32) is None
    assert way(port=65535, table="t" * 32) is None
    assert wrong("headsup", network=5) == "network bad_value"
    assert way(dns="1.1.1.1") == "network.dns unknown_setting"
    for name in WAY:
        section = dict(WAY)
        del section[name]
        assert wrong("headsup", network=section) == "network.%s missing" % name
        assert way(**{name: ""}) == "network.%s bad_value" % name
        assert way(**{name: 5}) == "network.%s bad_value" % name
    lent = {"table": "T1", "broker": "10.0.0.9", "address": "dhcp"}  # all three are lent
    assert wrong("headsup", network=lent) is None
    for name in ("subnet", "gateway"):
        section = dict(lent)
        section[name] = WAY[name]
        assert wrong("headsup", network=section) == "network.%s bad_value" % name
    for port in (0, 65536, True, "1883", -1):
        assert way(port=port) == "network.port bad_value", port
    for name in ("t" * 33, "a/b", "a b", "caf\u00e9", "+", "#"):
        assert way(table=name) == "network.table bad_value", name
        assert way(user=name) == "network.user bad_value", name
    assert way(table="T.1") == "network.table bad_value" and way(user="T.1") is None
    for bad in ("10.0.0", "10.0.0.0.1", "10.0.0.256", "10.0.0.x", "10.0.0.0001", "10.0..1"):
        assert way(broker=bad) == "network.broker bad_value", bad
    for good in ("0.0.0.0", "255.255.255.255", "10.0.0.007"):
        assert way(gateway=good) is None, good
