"""Whatever is installed is pinned with hashes, and the audit of the pins hides nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts import advisories

ROOT = Path(__file__).parent.parent
LOCKS = sorted(ROOT.glob("requirements*.lock"))
REQUIREMENT = re.compile(r"^\S.*?(?=^\S|\Z)", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_every_requirement_of_a_lock_has_one_version_and_a_hash(lock: Path) -> None:
    entries = REQUIREMENT.findall(lock.read_text("utf-8"))
    assert entries
    for entry in entries:
        assert advisories.PIN.match(entry), entry
        assert "--hash=sha256:" in entry, entry


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_a_lock_names_no_host(lock: Path) -> None:
    text = lock.read_text("utf-8")
    assert "://" not in text
    assert "index-url" not in text


def test_make_installs_nothing_without_hashes() -> None:
    lines = [line for line in (ROOT / "Makefile").read_text().splitlines() if "pip install" in line]
    assert lines
    for line in lines:
        assert "--require-hashes" in line or line.endswith("--no-deps --editable ."), line


def test_pip_and_what_pins_and_audits_are_pinned() -> None:
    assert dict(advisories.pins([ROOT / "requirements-pip.lock"])).keys() == {"pip"}
    tools = dict(advisories.pins([ROOT / "requirements-tools.lock"]))
    assert {"pip", "pip-audit", "uv"} <= tools.keys()


def test_each_pinned_version_is_asked_for_once_and_no_list_names_a_package_twice(
    tmp_path: Path,
) -> None:
    first, second = tmp_path / "a.lock", tmp_path / "b.lock"
    first.write_text(
        "numpy==2.4.6 ; python_full_version < '3.12' \\\n    --hash=sha256:00\n"
        "numpy==2.5.4 ; python_full_version >= '3.12' \\\n    --hash=sha256:00\n    # via x==1\n"
    )
    second.write_text("numpy==2.4.6 \\\n    --hash=sha256:00\npsycopg[binary,pool]==3.2 \\\n")
    pinned = advisories.pins([first, second])
    assert pinned == [("numpy", "2.4.6"), ("numpy", "2.5.4"), ("psycopg", "3.2")]
    assert advisories.lists(pinned) == ["numpy==2.4.6\npsycopg==3.2\n", "numpy==2.5.4\n"]


def test_an_audit_that_did_not_look_at_every_pin_fails() -> None:
    pinned = [("a", "1"), ("b", "2")]
    sound = {"name": "a", "version": "1", "vulns": []}
    skipped = {"name": "b", "skip_reason": "not found"}
    assert advisories.verdict(pinned, [sound, {"name": "b", "version": "2", "vulns": []}])[0]
    assert advisories.verdict(pinned, [sound, skipped]) == (
        False,
        ["1 of 2 pinned versions audited, 0 weak."],
    )
    passed, lines = advisories.verdict(pinned, [skipped])
    assert not passed
    assert lines == ["NOT AUDITED: neither pypi nor osv answers for any of 2 pins."]


def test_a_weak_version_is_named_with_the_versions_that_mend_it() -> None:
    weakness = {"id": "PYSEC-1", "fix_versions": ["1.1", "2.0"]}
    weak = {"name": "a", "version": "1", "vulns": [weakness, {"id": "PYSEC-2", "fix_versions": []}]}
    assert advisories.verdict([("a", "1")], [weak]) == (
        False,
        [
            "a 1: PYSEC-1, mended in 1.1, 2.0",
            "a 1: PYSEC-2, mended in no version yet",
            "1 of 1 pinned versions audited, 1 weak.",
        ],
    )
