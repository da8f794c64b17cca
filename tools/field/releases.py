"""A release as a technician carries it: a folder with an image a board, and checksums."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from . import boards, seal, signing, uf2file
from .places import PACKED, ROOT
from .report import PASS, TODO
from .trouble import Trouble

SUMS, MANIFEST = signing.SUMS, "manifest.json"
DEVELOPMENT = "unsigned development build"


def image_name(board: str, demo: bool = False) -> str:
    return f"felt-{board}{'-demo' if demo else ''}.uf2"


def find(given: Path | None) -> Path:
    """The release to use: the one named, the folder we are in, or the checkout's own."""
    if given is not None:
        return given
    near = [Path.cwd(), *([] if PACKED else [ROOT / "build" / "release"])]
    for folder in near:
        if (folder / SUMS).exists():
            return folder
    raise Trouble("no_file", "Say where the release is: --release FOLDER, or run felt inside it.")


class Release:
    """The files of a release, each checked against its SHA-256 when it is read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
            self.sums = {n: digest for digest, n in (line.split("  ", 1) for line in lines)}
        except OSError:
            lacks = f"{folder} is no release: it has no {SUMS}."
            then = "Name the release's folder with --release, or run felt inside it."
            raise Trouble("no_file", f"{lacks} {then}") from None
        except ValueError:
            raise Trouble("no_file", f"{folder / SUMS} is damaged: copy it again.") from None

    def read(self, name: str) -> bytes:
        """A file of the release, whole and undamaged."""
        path = self.folder / name
        if name not in self.sums:
            lacks = f"{self.folder} is no release of that: it has no {name}."
            raise Trouble("no_file", f"{lacks} Copy all of the release again.")
        try:
            raw = path.read_bytes()
        except OSError as error:
            raise Trouble(
                "no_file", f"{path}: {error.strerror}. Copy the release again."
            ) from None
        if hashlib.sha256(raw).hexdigest() != self.sums[name]:
            raise Trouble("no_file", f"{path} is damaged, by its SHA-256: copy the release again.")
        return raw

    def about(self) -> dict[str, Any]:
        """Version, date and identities."""
        return json.loads(self.read(MANIFEST))

    def image(self, board: str, demo: bool = False) -> bytes:
        """The .uf2 of a board."""
        return self.read(image_name(board, demo))

    def flash(self, board: str) -> bytes:
        """The flash a board has after it was written, up to the file system."""
        return uf2file.flat(self.image(board))[: boards.data(board)["FILES_AT"]]

    def identity(self, board: str) -> str:
        """The image's SHA-256 as the board measures it."""
        try:
            return seal.identity(self.flash(board))
        except seal.SealError as error:
            raise Trouble(
                "no_file", f"{image_name(board)}: {error}. Copy the release again."
            ) from None

    def damaged(self) -> list[str]:
        """Files that are missing or not what they were when the release was made."""
        found = []
        for name in self.sums:
            try:
                self.read(name)
            except Trouble:
                found.append(name)
        return found

    def signature(self) -> tuple[str, str]:
        """Outcome and words for a report; Trouble when this PC holds keys and none of them signed.

        A PC without keys believes nobody: it says what it sees and goes on.
        """
        try:
            if not signing.held_keys().exists():
                if not signing.is_signed(self.folder):
                    return TODO, DEVELOPMENT
                return TODO, f"signed, not checked: no public key in {signing.held_keys()}"
            return PASS, f"signed by {signing.verify(self.folder)}"
        except signing.NotChecked as error:
            raise Trouble("unchecked", error) from None
        except signing.NotSigned as error:
            raise Trouble("signature", f"{self.folder}: {error}") from None
