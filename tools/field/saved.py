"""Text files as people's editors save them: Notepad and PowerShell put a mark first, or UTF-16."""

from __future__ import annotations

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
