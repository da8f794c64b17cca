"""Archives whose bytes depend on names and contents only."""

from __future__ import annotations

import zipfile
from io import BytesIO


def zip_of(files: dict[str, bytes]) -> bytes:
    """A zip without times; stored, as zlib's output may change from version to version."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.external_attr = 0o644 << 16
            info.create_system = 3
            archive.writestr(info, files[name])
    return out.getvalue()
