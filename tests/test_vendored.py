"""Files that are not ours are the bytes that their npm packages hold."""

from __future__ import annotations

import hashlib
import io
import shutil
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from scripts import vendored
from scripts.vendored import File, Package

ROOT = Path(__file__).parent.parent
CODE = b"let duel = 7;\n"


def tarball(folder: Path, content: bytes = CODE) -> Path:
    """A package as npm sends it, with one file."""
    path = folder / "duel-1.0.0.tgz"
    with tarfile.open(path, "w:gz") as archive:
        entry = tarfile.TarInfo("package/duel.js")
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
    return path


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A folder that holds the file of the package."""
    folder = tmp_path / "vendor"
    folder.mkdir()
    (folder / "duel-1.0.0.js").write_bytes(CODE)
    return folder


@pytest.fixture
def package(tmp_path: Path) -> Package:
    """The package as the list would have it."""
    file = File("duel-1.0.0.js", "package/duel.js", hashlib.sha256(CODE).hexdigest())
    integrity = vendored.integrity(tarball(tmp_path).read_bytes())
    return Package("duel", "1.0.0", "0BSD", integrity, (file,))


def test_every_vendored_file_has_the_listed_sha256_and_no_other_is_there() -> None:
    assert vendored.altered(vendored.packages()) == []


def test_the_readme_names_every_vendored_package_with_version_and_licence() -> None:
    line = next(
        line for line in (ROOT / "README.md").read_text("utf-8").splitlines() if "Vendored" in line
    )
    for package in vendored.packages():
        name = package.name.removesuffix(".org")
        assert f"{name} {package.version}" in line
        assert package.licence in line


def test_a_vendored_file_that_was_changed_added_or_removed_is_named(
    package: Package, kept: Path
) -> None:
    assert vendored.altered([package], kept) == []
    (kept / "duel-1.0.0.js").write_bytes(CODE + b" ")
    (kept / "other.js").write_bytes(CODE)
    assert vendored.altered([package], kept) == [
        "other.js is there, but not listed",
        "duel-1.0.0.js is not the file whose sha256 is listed",
    ]
    (kept / "duel-1.0.0.js").unlink()
    (kept / "other.js").unlink()
    assert vendored.altered([package], kept) == ["duel-1.0.0.js is listed, but not there"]


def test_a_package_without_the_listed_integrity_is_not_looked_into(
    package: Package, kept: Path, tmp_path: Path
) -> None:
    sent = tarball(tmp_path, CODE + b"alert(1)\n")
    assert vendored.unlike(package, sent, kept) == [
        "duel@1.0.0 does not have the integrity that is listed"
    ]


def test_a_file_that_is_not_the_package_s_own_is_named(
    package: Package, kept: Path, tmp_path: Path
) -> None:
    sent = tarball(tmp_path)
    package = replace(package, integrity=vendored.integrity(sent.read_bytes()))
    assert vendored.unlike(package, sent, kept) == []
    (kept / "duel-1.0.0.js").write_bytes(CODE + b" ")
    words = "duel-1.0.0.js is not package/duel.js of duel@1.0.0"
    assert vendored.unlike(package, sent, kept) == [words]
    gone = replace(package, files=(replace(package.files[0], source="package/gone.js"),))
    assert vendored.unlike(gone, sent, kept) == [
        "duel-1.0.0.js is not package/gone.js of duel@1.0.0"
    ]


@pytest.mark.slow
@pytest.mark.parametrize("package", vendored.packages(), ids=str)
def test_vendored_files_are_those_of_the_npm_package(package: Package, tmp_path: Path) -> None:
    if not shutil.which("npm"):
        pytest.skip("npm is not installed here")
    try:
        sent = vendored.fetch(package, tmp_path)
    except SystemExit as unreachable:
        pytest.skip(str(unreachable))
    assert vendored.unlike(package, sent) == []
