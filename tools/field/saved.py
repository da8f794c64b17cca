"""Text as people's programs hand it over: Notepad and PowerShell put a mark before a file's, or
save it as UTF-16; a shell passes bytes on that are none."""

from __future__ import annotations

import argparse
import codecs

UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
AS_UTF16 = "it is saved as UTF-16. Save it as UTF-8 (Notepad: Save as, Encoding), then repeat"


class SavedAsUtf16(ValueError):
    """Nothing here reads that; the text says what to do."""


def plain(raw: bytes) -> bytes:
    """A file's bytes without an editor's mark: what goes to a table has none."""
    if raw.startswith(UTF16):
        raise SavedAsUtf16(AS_UTF16)
    return raw.removeprefix(codecs.BOM_UTF8)


def typed(text: str) -> str:
    """An option's value that goes into files: letters, and not bytes that are none."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        place = f"letter {error.start + 1} of {text!r}"
        raise argparse.ArgumentTypeError(f"{place} is none: type it anew") from None
    return text
