"""What a person does next about a fault: the same words wherever a table tells of it."""

from __future__ import annotations

NEXT = {
    "files": "Both keys on, then: felt console format; then felt flash again",
    "config": "felt provision FILE.json",
    "vault_blank": "Both keys on, then: felt console clear",
}


def next_step(fault: str) -> str:
    """What comes next; the text behind a fault's name may be there."""
    return NEXT.get(fault.partition(" ")[0], "See Fault codes: technician.html")
