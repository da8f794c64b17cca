"""What a person does next about a fault: the same words wherever a table tells of it."""

from __future__ import annotations

CLEAR = "both keys on, then: felt console clear"
# Memory that holds nothing yet. Under any other fault it may hold a table's meters, which `clear`
# takes away: no tool names that word then without the meters' way home.
EMPTY = ("vault_blank", "vault_clearing")
NEXT = {
    "files": "Both keys on, then: felt console format; then felt flash again",
    "config": "felt provision FILE.json",
    **{fault: CLEAR.capitalize() for fault in EMPTY},
}
# A table in use: what was put there past the tools goes again.
BACK = {"config_changed": "felt provision --recorded"}
USED = {
    "state_foreign": "Put the old configuration back: felt provision FILE.json; where the change"
    " is meant see Fault codes: technician.html",
}


def next_step(fault: str) -> str:
    """What comes next; the text behind a fault's name may be there."""
    return {**NEXT, **BACK, **USED}.get(
        fault.partition(" ")[0], "See Fault codes: technician.html"
    )
