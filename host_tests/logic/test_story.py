"""The whole story of a round as the journal and the news tell it: event -> effects, in order.

Screens, lamps, log, recall and the pit live on these; one that is missing or says something else
is noticed by nobody who only looks at the money.
"""

from croupier import premium, premium_round, winners_pot
from felt.round.due import due
from felt.round.events import unpack

PREMIUM = """
OPEN 0 -> check,inspect
KEY 0 1 -> log,key,0,1
DONE 1 52 -> check,verify
DONE 2 52 -> check,spread
DONE 3 52 -> check,view
DONE 4 52 -> check,wash
DONE 5 52 -> check,shuffle
SHUFFLED 52 -> check,cut
DONE 7 26 -> phase,bet
KEY 0 0 -> log,key,0,0
BET 1 [0, 0, 1, 244, 0, 0, 1, 244, 0, 0, 0, 100, 0, 0, 0, 100, 0, 0, 1, 244] -> \\
bet,1,500,500,100,100,500
BET 2 [0, 0, 1, 244, 0, 0, 1, 244, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 244] -> \\
bet,2,500,500,0,0,500
LOCK [] -> locked,1; take,1,bonus_spin,500,13:69F-X.10(a)3,latched; \\
take,2,bonus_spin,500,13:69F-X.10(a)3,latched; phase,deal; due,1,1,0
CARD 2 -> note,first_card; down,1; due,2,1,0
CARD 7 -> down,2; due,0,1,0
CARD 4 -> down,0; due,1,1,0
CARD 14 -> down,1; due,2,1,0
CARD 9 -> down,2; due,0,1,0
CARD 5 -> down,0; due,1,1,0
CARD 30 -> down,1; due,2,1,0
CARD 20 -> down,2; due,0,1,0
CARD 35 -> down,0; phase,decide; ask,1,play3,check
ACT 1 0 255 -> act,1,check,0; ask,2,play3,check
ACT 2 0 255 -> act,2,check,0; phase,deal; due,8,1,1
CARD 45 -> card,8,45; due,8,1,1
CARD 43 -> card,8,43; due,8,1,1
CARD 24 -> card,8,24; due,8,1,1
CARD 21 -> card,8,21; phase,decide; ask,1,play1,play2,fold
ACT 1 2 255 -> act,1,play1,500; ask,2,play1,play2,fold
ACT 2 1 255 -> act,2,fold,0; take,2,ante,500,13:69F-X.10(d)2,fold; \\
take,2,xtra,500,13:69F-X.10(d)2,fold; phase,reveal
REVEAL -> card,0,4; card,0,5; card,0,35; phase,settle; card,1,2; card,1,14; card,1,30; \\
take,1,dealer_bonus,100,13:69F-X.11(c),1; take,1,player_bonus,100,13:69F-X.11(c),0; \\
take,1,ante,500,13:69F-X.10(g)3i,lose; take,1,play,500,13:69F-X.10(g)4i,lose; \\
take,1,xtra,500,13:69F-X.11(d),lose; tap_due,1
TAP 1 -> tapped,1; log,tap,1,0
PAID 1 -> paid,1; phase,spin; spin_due,1
SPIN 1 3 -> spin,1,3; pay,1,bonus_spin,10000,None,13:69F-X.11(e),spin; \\
pay,2,bonus_spin,5000,None,13:69F-X.11(e),community
SPUN 1 -> phase,collect
END -> over,1; check,shuffle; checkpoint,1
"""  # fmt: skip
POT = """
BET 1 [0, 0, 1, 244, 0, 0, 0, 100] -> bet,1,500,100
BET 2 [0, 0, 1, 244, 0, 0, 0, 0] -> bet,2,500,0
BET 3 [0, 0, 1, 244, 0, 0, 0, 0] -> bet,3,500,0
LOCK [] -> locked,1; phase,deal; due,1,1,0
CARD 50 -> note,first_card; down,1; due,2,1,0
CARD 0 -> down,2; due,3,1,0
CARD 4 -> down,3; due,0,1,0
CARD 24 -> down,0; due,1,1,0
CARD 49 -> down,1; due,2,1,0
CARD 9 -> down,2; due,3,1,0
CARD 13 -> down,3; due,0,1,0
CARD 25 -> down,0; due,1,1,1
CARD 44 -> card,1,44; due,2,1,1
CARD 23 -> card,2,23; due,3,1,1
CARD 18 -> card,3,18; due,0,1,1
CARD 2 -> card,0,2; phase,decide; ask,1,bet,fold
ACT 1 1 255 -> act,1,bet,500; ask,2,bet,fold
ACT 2 1 255 -> act,2,bet,500; ask,3,bet,fold
ACT 3 1 255 -> act,3,bet,500; phase,deal; due,9,1,0
CARD 7 -> down,9; due,1,1,1
CARD 29 -> card,1,29; due,2,1,1
CARD 38 -> card,2,38; due,3,1,1
CARD 31 -> card,3,31; due,0,1,1
CARD 15 -> card,0,15; phase,decide; ask,1,double,fold
ACT 1 2 255 -> act,1,double,1500; ask,2,double,fold
ACT 2 2 255 -> act,2,double,1500; ask,3,double,fold
ACT 3 0 255 -> act,3,fold,500; to_pot,3,1000,19:47-33.10(c)2; phase,deal; due,9,1,0
CARD 14 -> down,9; due,1,1,1
CARD 26 -> card,1,26; due,2,1,1
CARD 43 -> card,2,43; due,0,1,1
CARD 33 -> card,0,33; phase,reveal
REVEAL -> card,0,24; card,0,25; phase,settle; card,2,0; card,2,9; card,1,50; card,1,49; \\
pay,1,jacks_plus,100,(1, 1),19:47-33.11(b),1
PAID 1 -> paid,1; phase,pot; pot,1,4500,19:47-33.10(h),win; pot,0,0,19:47-33.10(h),house; \\
commission,500
PAID 0 -> paid,0; phase,collect
END -> over,1; check,shuffle; checkpoint,1
"""  # fmt: skip


def told(t):
    """Let a table write down what happens to it."""
    rows, step = [], t.feed

    def feed(event):
        out = step(event)
        name, args = unpack(event)
        said = [name] + [str(list(a)) if isinstance(a, bytes) else str(a) for a in args]
        news = "; ".join([",".join([str(part) for part in effect]) for effect in out])
        rows.append(" ".join(said) + " -> " + news)
        return out

    t.feed = feed
    return rows


def same(rows, wanted):
    wanted = wanted.replace("\\\n", "").strip().split("\n")
    for row, want in zip(rows, wanted):
        assert row == want, row
    assert len(rows) == len(wanted)


def test_a_round_of_premium_with_a_spin():
    t = premium(bonus_spin="flush5_progressive")
    rows = told(t)
    premium_round(t)
    same(rows, PREMIUM)


def test_a_round_for_the_pot():
    t = winners_pot()
    t.open()
    rows = told(t)
    t.bet(1, 500, 100)
    hands = {"s1": "AhAdKc9d8h", "s2": "2c4d7sJhQs", "s3": "3c5d6h9sTc", "dealer": "8c8d2h5sTd"}
    t.begin(1, 2, 3, **hands)
    while t.m.r.kind() in ("deal", "decide"):
        t.deal()
        now = due(t.m)
        if now.kind == "decide":
            folds = now.seat == 3 and t.m.r.arg()
            t.act(now.seat, "fold" if folds else now.choices[0])
    t.settle()
    t.end()
    same(rows, POT)
