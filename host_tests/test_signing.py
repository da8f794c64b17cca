"""A release is used only with a signature that a key on this PC made over exactly these bytes."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest

from tools.field import signing
from tools.field.signing import NotSigned


def make_key(folder: Path, name: str, kind: str = "ed25519") -> Path:
    command = ["ssh-keygen", "-q", "-t", kind, "-N", "", "-C", name, "-f", str(folder / name)]
    subprocess.run(command, check=True)
    return folder / name


@pytest.fixture
def house(tmp_path: Path) -> dict[str, Path]:
    """A release of two files, the house's key, and the file of keys a PC holds."""
    release = tmp_path / "release"
    (release / "boards").mkdir(parents=True)
    files = {"felt.uf2": b"program", "boards/notes.md": b"notes"}
    rows = []
    for name, data in files.items():
        (release / name).write_bytes(data)
        rows.append(f"{hashlib.sha256(data).hexdigest()}  {name}\n")
    (release / signing.SUMS).write_text("".join(rows))
    key = make_key(tmp_path, "house")
    held = tmp_path / "held"
    held.write_text("# the house\n" + key.with_name("house.pub").read_text())
    return {"release": release, "key": key, "held": held, "folder": tmp_path}


def reason(house: dict[str, Path]) -> str:
    with pytest.raises(NotSigned) as caught:
        signing.verify(house["release"], house["held"])
    return str(caught.value)


def test_a_signed_release_is_believed(house: dict[str, Path]) -> None:
    signing.sign(house["release"], house["key"])
    assert signing.is_signed(house["release"])
    assert signing.verify(house["release"], house["held"]).startswith("SHA256:")


def test_an_unsigned_release_is_a_development_build(house: dict[str, Path]) -> None:
    assert not signing.is_signed(house["release"]) and "development build" in reason(house)


def test_every_changed_byte_is_found(house: dict[str, Path]) -> None:
    signing.sign(house["release"], house["key"])
    for path in sorted(p for p in house["release"].rglob("*") if p.is_file()):
        whole = path.read_bytes()
        for at in range(0, len(whole), 7):
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            reason(house)
        path.write_bytes(whole)
    assert signing.verify(house["release"], house["held"])


def test_a_file_more_or_less_is_found(house: dict[str, Path]) -> None:
    signing.sign(house["release"], house["key"])
    (house["release"] / "more.py").write_text("print()")
    assert "more.py is not listed" in reason(house)
    (house["release"] / "more.py").unlink()
    (house["release"] / "felt.uf2").unlink()
    assert "felt.uf2 is missing" in reason(house)


def test_another_key_is_not_believed(house: dict[str, Path]) -> None:
    signing.sign(house["release"], make_key(house["folder"], "stranger"))
    assert "does not match" in reason(house)


def test_a_signature_made_for_something_else_is_not_believed(house: dict[str, Path]) -> None:
    command = ["ssh-keygen", "-Y", "sign", "-q", "-f", str(house["key"]), "-n", "file"]
    subprocess.run([*command, str(house["release"] / signing.SUMS)], check=True)
    assert "does not match" in reason(house)


def test_only_ed25519_signs_and_is_held(house: dict[str, Path]) -> None:
    other = make_key(house["folder"], "rsa", "rsa")
    with pytest.raises(NotSigned, match="no Ed25519"):
        signing.sign(house["release"], other)
    signing.sign(house["release"], house["key"])
    house["held"].write_text(other.with_name("rsa.pub").read_text())
    assert "holds no Ed25519 key" in reason(house)


def test_a_pc_without_keys_says_where_they_belong(
    house: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    signing.sign(house["release"], house["key"])
    monkeypatch.setenv("FELT_RELEASE_KEYS", str(house["folder"] / "nowhere"))
    with pytest.raises(NotSigned, match="holds no release key: .*nowhere"):
        signing.verify(house["release"])
    monkeypatch.setenv("FELT_RELEASE_KEYS", str(house["held"]))
    assert signing.verify(house["release"])


def test_nothing_is_signed_that_its_list_does_not_describe(house: dict[str, Path]) -> None:
    (house["release"] / "felt.uf2").write_bytes(b"another program")
    with pytest.raises(NotSigned, match=r"felt\.uf2 is not what"):
        signing.sign(house["release"], house["key"])


def test_a_pc_without_openssh_says_so(
    house: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    signing.sign(house["release"], house["key"])
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert "OpenSSH" in reason(house)
