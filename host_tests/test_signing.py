"""A release is used only with a signature that a key on this PC made over exactly these bytes."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from tools.emulator.boards_on_usb import run_tool
from tools.field import cli, signing
from tools.field.drive import INFO
from tools.field.releases import Release
from tools.field.report import PASS, TODO
from tools.field.signing import NotSigned
from tools.field.trouble import CODES, Trouble
from tools.image import image, release


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


def test_a_missing_file_is_found_and_one_beside_them_is_no_part_of_it(
    house: dict[str, Path],
) -> None:
    signing.sign(house["release"], house["key"])
    (house["release"] / "more.uf2").write_text("a technician's own")
    assert signing.verify(house["release"], house["held"])
    with pytest.raises(Trouble, match=r"has no more\.uf2"):
        Release(house["release"]).read("more.uf2")
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
    monkeypatch.setenv("PATH", "")
    assert "OpenSSH" in reason(house)


def told(house: dict[str, Path]) -> tuple[str, str]:
    return Release(house["release"]).signature()


@pytest.mark.parametrize(("system", "path"), [("linux", "."), ("win32", "")])
def test_no_program_that_lies_on_the_stick_judges_a_signature(
    system: str, path: str, house: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows looks for a program in the folder one is in first; a PATH may name it."""
    for name in ("ssh-keygen", "ssh-keygen.exe"):
        stranger = house["release"] / name
        stranger.write_text("#!/bin/sh\necho anything is SHA256:believed\n")
        stranger.chmod(0o755)
    (house["release"] / signing.SIGNATURE).write_text("none")
    monkeypatch.chdir(house["release"])
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setenv("PATHEXT", ".exe")
    monkeypatch.setenv("PATH", path or str(house["folder"]))
    assert "ssh-keygen is not installed on this PC" in reason(house)


def test_a_pc_without_a_key_says_what_it_sees_and_goes_on(
    house: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FELT_RELEASE_KEYS", str(house["folder"] / "nowhere"))
    assert told(house) == (TODO, "unsigned development build")
    signing.sign(house["release"], house["key"])
    assert told(house)[0] == TODO and "not checked" in told(house)[1]


def test_a_pc_with_a_key_takes_what_it_signed_and_refuses_the_rest(
    house: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FELT_RELEASE_KEYS", str(house["held"]))
    with pytest.raises(Trouble, match="not signed: a development build"):
        told(house)
    signing.sign(house["release"], house["key"])
    assert told(house)[0] == PASS and "signed by SHA256:" in told(house)[1]
    (house["release"] / "felt.uf2").write_bytes(b"another program")
    with pytest.raises(Trouble, match=r"felt\.uf2 is not what SHA256SUMS says") as caught:
        told(house)
    assert caught.value.code == CODES["signature"] == 26


def test_a_key_that_an_editor_saved_is_believed_and_one_in_utf_16_is_named(
    house: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """PowerShell and Notepad save so; the makers were blamed, who had sent a good release."""
    signing.sign(house["release"], house["key"])
    monkeypatch.setenv("FELT_RELEASE_KEYS", str(house["held"]))
    key = house["key"].with_name("house.pub").read_text()
    house["held"].write_text(key, encoding="utf-8-sig")
    assert told(house)[0] == PASS
    house["held"].write_text(key, encoding="utf-16")
    with pytest.raises(Trouble, match="held: it is saved as UTF-16. Save it as UTF-8") as caught:
        told(house)
    assert caught.value.code == CODES["signature"] and "makers" not in str(caught.value)


def test_what_the_pc_lacks_is_not_the_makers_fault(
    house: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    signing.sign(house["release"], house["key"])
    monkeypatch.setenv("FELT_RELEASE_KEYS", str(house["folder"]))
    said = []
    for lacking in (lambda: None, lambda: monkeypatch.setenv("PATH", "")):
        lacking()
        with pytest.raises(Trouble, match="cannot be checked, nothing was written") as caught:
            told(house)
        assert caught.value.code == CODES["signature"]
        said.append(str(caught.value))
        monkeypatch.setenv("FELT_RELEASE_KEYS", str(house["held"]))
    assert f"{house['folder']}: Is a directory" in said[0] and "OpenSSH" in said[1]
    assert not any("makers" in text for text in said)


@pytest.mark.parametrize("command", ["flash", "demo", "verify"])
def test_commands_refuse_before_anything_is_written(
    house: dict[str, Path], monkeypatch: pytest.MonkeyPatch, command: str,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """Signed by a stranger; no file of it is read, and the board in BOOTSEL gets nothing."""
    monkeypatch.setenv("FELT_RELEASE_KEYS", str(house["held"]))
    signing.sign(house["release"], make_key(house["folder"], "stranger"))
    drive = house["folder"] / "drive"
    drive.mkdir()
    (drive / INFO).write_text("Board-ID: RPI-RP2\n")
    words = [command, "--release", str(house["release"]), "--board", "RPI_PICO"]
    words += ["--reports", str(house["folder"] / "r")]
    words += ["--port", "/dev/ttyNONE"] if command == "verify" else ["--drive", str(drive)]
    args = cli.parser().parse_args(words)
    assert cli.told(lambda: args.run(args)) == CODES["signature"]
    spoken = capsys.readouterr()
    assert "The release is refused, nothing was written" in spoken.out + spoken.err
    assert "does not match a key" in spoken.out + spoken.err
    assert [path.name for path in drive.iterdir()] == [INFO]


def test_a_release_is_signed_as_it_is_made_and_an_old_signature_goes(
    house: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def files(boards: list[str], settings: bytes | None, signed: bool) -> dict[str, bytes]:
        asked.append(signed)
        made = {"felt.uf2": b"program %d" % signed, "manifest.json": b'{"builds": {}}'}
        sums = [f"{hashlib.sha256(made[name]).hexdigest()}  {name}\n" for name in sorted(made)]
        return {**made, signing.SUMS: "".join(sums).encode()}

    monkeypatch.setattr(release, "make", files)
    out = house["folder"] / "out"
    words = ["release", "--out", str(out)]
    monkeypatch.setattr("sys.argv", [*words, "--sign", str(house["key"])])
    assert release.main() == 0 and signing.verify(out, house["held"])
    monkeypatch.setattr("sys.argv", words)
    assert release.main() == 0 and not signing.is_signed(out)
    assert asked == [True, False]


def test_no_release_is_made_with_a_key_that_is_none(tmp_path: Path) -> None:
    done = run_tool("image.release", "--out", str(tmp_path / "out"), "--sign", "no-such-key")
    assert done.returncode == 1 and "no-such-key is no Ed25519 key" in done.stderr
    assert not (tmp_path / "out").exists()


def test_only_a_build_that_will_be_signed_does_not_call_itself_unsigned() -> None:
    frozen = "build/frozen/felt_release.py"
    assert b"VERSION = ''" in image.inputs("RPI_PICO")[frozen]
    assert b"VERSION = '1.2.3'" in image.inputs("RPI_PICO", "1.2.3")[frozen]
