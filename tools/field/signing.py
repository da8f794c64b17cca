"""Signs a release and checks the signature: OpenSSH's own signature files over SHA256SUMS.

Ed25519 and nothing else, through `ssh-keygen -Y`, so that keys may live in an agent or on a token
and anybody can check a release without this project. The signing key is never part of the project;
the technician's PC holds the public keys it believes, in `~/.config/felt/release_keys` (or where
FELT_RELEASE_KEYS points): one line a key, as ssh-keygen prints them into its .pub file.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from .saved import SavedAsUtf16, plain

SUMS = "SHA256SUMS"
SIGNATURE = SUMS + ".sig"
NAMESPACE = "felt-release"
SIGNER = "release"
KIND = "ssh-ed25519"


class NotSigned(Exception):
    """A release that must not be used: the text says why."""


class NotChecked(NotSigned):
    """A release that this PC cannot judge: the text says what it lacks, the release is as good."""


def held_keys() -> Path:
    """Where this PC keeps the public keys it believes."""
    named = os.environ.get("FELT_RELEASE_KEYS")
    try:
        return Path(named) if named else Path.home() / ".config" / "felt" / "release_keys"
    except RuntimeError:
        raise NotChecked("no home folder for its keys: say FELT_RELEASE_KEYS") from None


def _ssh_keygen() -> str:
    """This PC's own. Windows looks in the folder one is in first, and there a stick could carry a
    program that believes every signature."""
    name = "ssh-keygen.exe" if sys.platform == "win32" else "ssh-keygen"
    for folder in map(Path, os.get_exec_path()):
        if folder.is_absolute() and os.access(folder / name, os.X_OK):
            return str(folder / name)
    raise NotChecked("ssh-keygen is not installed on this PC: it belongs to OpenSSH")


def _kinds(path: Path) -> list[list[str]]:
    """The words of each key line in a file of public keys."""
    try:
        raw = plain(path.read_bytes())
    except (OSError, SavedAsUtf16) as error:
        raise NotChecked(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    text = raw.decode(errors="replace")  # what is no text is no key
    rows = [row.split() for row in text.splitlines()]
    return [row for row in rows if row and not row[0].startswith("#")]


def check_key(key: Path) -> None:
    """NotSigned unless this is an Ed25519 key: asked before minutes are spent on images."""
    public = key if key.suffix == ".pub" else key.with_name(key.name + ".pub")
    if not public.exists() or [row[0] for row in _kinds(public)] != [KIND]:
        raise NotSigned(f"{key} is no Ed25519 key with its public half in {public.name} beside it")


def sign(folder: Path, key: Path) -> Path:
    """Sign the release in `folder` with a private key (or the .pub of one in the agent)."""
    check_key(key)
    check_sums(folder)
    (folder / SIGNATURE).unlink(missing_ok=True)
    command = [_ssh_keygen(), "-Y", "sign", "-q", "-f", str(key), "-n", NAMESPACE]
    done = subprocess.run([*command, str(folder / SUMS)], capture_output=True, text=True)
    if done.returncode or not (folder / SIGNATURE).exists():
        raise NotSigned(f"not signed: {done.stderr.strip() or done.stdout.strip()}")
    return folder / SIGNATURE


def check_sums(folder: Path) -> None:
    """Every file SHA256SUMS lists is there and has the hash it names.

    What lies beside them (reports, configurations) is no part of it: nothing reads it as such.
    """
    try:
        rows = (folder / SUMS).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        raise NotSigned(f"{folder} is no release: {error}") from None
    listed = dict(row.split(maxsplit=1)[::-1] for row in rows if row.strip())
    for name in sorted(listed):
        path = folder / name
        if not path.is_file():
            raise NotSigned(f"{name} is missing")
        if hashlib.sha256(path.read_bytes()).hexdigest() != listed[name]:
            raise NotSigned(f"{name} is not what {SUMS} says")


def verify(folder: Path, keys: Path | None = None) -> str:
    """Return the fingerprint of the key that signed; NotSigned says why not to use a release.

    The signature is checked against the public keys this PC holds, then every file against the
    list that was signed.
    """
    keys = keys or held_keys()
    if not keys.exists():
        raise NotSigned(f"this PC holds no release key: put the house's public key into {keys}")
    if not (folder / SIGNATURE).exists():
        raise NotSigned("the release is not signed: a development build")
    believed = [row for row in _kinds(keys) if row[0] == KIND and len(row) > 1]
    if not believed:
        raise NotChecked(f"{keys} holds no Ed25519 key, a line that begins with {KIND}")
    done = _verify_signature(folder, believed)
    if done.returncode:
        raise NotSigned(f"the signature does not match a key in {keys}")
    check_sums(folder)
    return done.stdout.strip().rpartition(" ")[2]


def _verify_signature(folder: Path, believed: list[list[str]]) -> subprocess.CompletedProcess:
    with tempfile.TemporaryDirectory() as scratch:
        allowed = Path(scratch) / "allowed_signers"
        lines = [f'{SIGNER} namespaces="{NAMESPACE}" {row[0]} {row[1]}\n' for row in believed]
        allowed.write_text("".join(lines), encoding="utf-8")
        command = [_ssh_keygen(), "-Y", "verify", "-f", str(allowed), "-I", SIGNER]
        command += ["-n", NAMESPACE, "-s", str(folder / SIGNATURE)]
        data = (folder / SUMS).read_bytes()
        done = subprocess.run(command, input=data, capture_output=True)
    return subprocess.CompletedProcess(command, done.returncode, done.stdout.decode(), "")


def is_signed(folder: Path) -> bool:
    """True when a signature lies with the release; what it is worth only `verify` says."""
    return (folder / SIGNATURE).exists()
