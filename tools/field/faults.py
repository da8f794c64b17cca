"""What a person does next about a fault: the same words wherever a table tells of it."""

from __future__ import annotations

NEXT = {
    "files": "Both keys on, then: felt console format; then felt flash again",
    "config": "felt provision FILE.json",
    "vault_blank": "Both keys on, then: felt console clear",
}
# A table in use: what was put there past the tools goes again.
BACK = {"config_changed": "felt provision --recorded"}


def next_step(fault: str) -> str:
    """What comes next; the text behind a fault's name may be there."""
    return {**NEXT, **BACK}.get(fault.partition(" ")[0], "See Fault codes: technician.html")
