"""Where `felt` begins: Ctrl-C while its parts are still being loaded ends in a sentence, too."""

from __future__ import annotations

import sys


def main() -> int:
    try:
        from .places import reach_firmware

        reach_firmware()
        from .cli import main as felt

        return felt()
    except KeyboardInterrupt:
        return _interrupted()


def _interrupted() -> int:
    """What was half loaded is loaded again for its sentence; a second Ctrl-C changes nothing."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from .trouble import Trouble

    told = Trouble("interrupted")
    print(told, file=sys.stderr)
    return told.code
