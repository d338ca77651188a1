"""Compares the files that are not ours with the npm packages that they are from.

    .venv/bin/python scripts/vendored.py

scripts/vendored.toml says which they are. The registry is the one that npm is set up for; whatever
it sends has to have the integrity that is written there.
"""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
VENDOR = ROOT / "src" / "digitduel" / "web" / "static" / "vendor"
LIST = Path(__file__).with_suffix(".toml")


@dataclass(frozen=True)
class File:
    """A file of ours, its place in the package, and the digest of its bytes."""

    name: str
    source: str
    sha256: str


@dataclass(frozen=True)
class Package:
    """An npm package, as it was when its files were taken."""

    name: str
    version: str
    licence: str
    integrity: str
    files: tuple[File, ...]

    @classmethod
    def from_table(cls, table: dict[str, Any]) -> Package:
        """One `[[packages]]` of the list."""
        return cls(**table | {"files": tuple(File(**file) for file in table["files"])})

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


def packages() -> list[Package]:
    """All that the list names."""
    return [Package.from_table(table) for table in tomllib.loads(LIST.read_text())["packages"]]


def altered(listed: list[Package], folder: Path = VENDOR) -> list[str]:
    """What is wrong with the folder: a file that is missing, not as listed, or not listed."""
    files = {file.name: file for package in listed for file in package.files}
    there = {path.name for path in folder.iterdir()}
    return [
        *(f"{name} is listed, but not there" for name in sorted(files.keys() - there)),
        *(f"{name} is there, but not listed" for name in sorted(there - files.keys())),
        *(
            f"{name} is not the file whose sha256 is listed"
            for name in sorted(files.keys() & there)
            if hashlib.sha256((folder / name).read_bytes()).hexdigest() != files[name].sha256
        ),
    ]


def unlike(package: Package, tarball: Path, folder: Path = VENDOR) -> list[str]:
    """What differs between the package as it was sent and what is listed and kept."""
    if integrity(tarball.read_bytes()) != package.integrity:
        return [f"{package} does not have the integrity that is listed"]
    with tarfile.open(tarball) as archive:
        return [
            f"{file.name} is not {file.source} of {package}"
            for file in package.files
            if content(archive, file.source) != (folder / file.name).read_bytes()
        ]


def integrity(data: bytes) -> str:
    """The digest of a tarball as npm writes it."""
    return f"sha512-{base64.b64encode(hashlib.sha512(data).digest()).decode()}"


def content(archive: tarfile.TarFile, name: str) -> bytes | None:
    """The bytes of one file; None if there is none of that name."""
    try:
        file = archive.extractfile(name)
    except KeyError:
        return None
    return file.read() if file else None


def fetch(package: Package, folder: Path) -> Path:
    """The package's tarball from the registry, in a folder that holds nothing else."""
    command = ("npm", "pack", "--silent", "--pack-destination", str(folder), str(package))
    try:
        subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    except FileNotFoundError:
        sys.exit(f"{package} was not compared: npm is not installed here.")
    except subprocess.CalledProcessError as error:
        reason = error.stderr.strip() or f"npm pack ends with {error.returncode}"
        sys.exit(f"{package} was not compared: {reason}")
    return next(folder.glob("*.tgz"))


def main() -> None:
    """Say what is not as it should be, or how much is."""
    listed = packages()
    wrong = altered(listed)
    for package in listed:
        with tempfile.TemporaryDirectory(prefix="digitduel-vendored-") as folder:
            wrong += unlike(package, fetch(package, Path(folder)))
    if wrong:
        sys.exit("\n".join(wrong))
    for package in listed:
        print(f"{len(package.files)} files are those of {package}, whose integrity is as listed.")


if __name__ == "__main__":
    main()
