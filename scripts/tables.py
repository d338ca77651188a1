"""Writes the tables of the docs that follow from the recommended settings.

How often each level beats the one below (docs/learning.md), and the settings themselves
(docs/atlas.md).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from digitduel import find_ruleset
from digitduel.atlas import recommendations
from digitduel.atlas.contests import level_chances
from digitduel.atlas.pocket import helpful
from digitduel.cli.options import play_command
from digitduel.players import LEVELS, PERFECT, skills_for
from digitduel.text import listed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from digitduel import Ruleset
    from digitduel.players import Skill

DOCS = Path(__file__).parents[1] / "docs"
WINNERS = {"win": "starter", "loss": "other", "endless": "neither"}
ODD = "1,3,5,7,9"
CHANGES: dict[str, list[tuple[str, dict[str, object]]]] = {
    "closest": [
        ("12, digits 1-8, limit 6", {"target": 12, "digits": "1-8", "limit": 6}),
        ("12, limit 7", {"target": 12, "limit": 7}),
        ("27", {"target": 27}),
        ("71", {"target": 71}),
    ],
    "pool": [("12, digits 1-8", {"target": 12, "digits": "1-8"})],
    "ends": [
        ("33, digits 1-9, limit 9", {"target": 33, "digits": "1-9", "limit": 9}),
        ("33, digits 1-6, limit 9", {"target": 33, "digits": "1-6", "limit": 9}),
    ],
    "conquest": [
        ("13, odd digits, closest", {"target": 13, "digits": ODD, "full": "closest"}),
        ("22, limit 6, closest", {"target": 22, "limit": 6, "full": "closest"}),
    ],
    "forbidden": [("31, limit 8, closest", {"target": 31, "limit": 8, "full": "closest"})],
}


def sample() -> Iterable[tuple[str, Ruleset]]:
    """The settings that the table of all rules is judged by."""
    for key, changes in CHANGES.items():
        for words, rules in changes:
            yield f"`{key}` {words}", find_ruleset(key).replace(**rules)


def table(rows: Iterable[tuple[str, Ruleset, Collection[Skill]]], told: bool) -> str:
    """The steps of each setting, and if it is told, sight and slip of each level."""
    heads = ["setting", *map(str, range(2, PERFECT + 1)), *(["moves seen / slip"] if told else [])]
    lines = [heads, ["---"] * len(heads)]
    for name, ruleset, skills in rows:
        steps = [f"{step:.3f}"[1:] for step in level_chances(ruleset, list(skills)).steps]
        words = ", ".join(f"{sight} / {slip:g}" for sight, slip in skills)
        lines.append([name, *steps, *([words] if told else [])])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def recommended() -> str:
    """The recommended settings, with the figures that they are recommended for."""
    heads = ["to play it", "rules", "best play", "steps 2, 3, 4", "target decides at 2, 3, 4"]
    lines = [[*heads, "starter wins at 1 to 4", "forced", "sums", "pocket card", "appeal"]]
    lines.append(["---"] * len(lines[0]))
    for setting in recommendations():
        row, best = vars(setting.measures), helpful(setting.cards)[-1:]
        lines.append(
            [
                f"`{play_command(setting)}`",
                setting.words,
                f"{WINNERS[row['value']]}, {row['plies']} plies",
                *(chances(row, name, (2, 3, 4)) for name in ("step", "target")),
                chances(row, "first", (1, 2, 3, 4)),
                f"{row['forced']:.2f}"[1:],
                str(row["sums"]),
                "; ".join(f"{listed(card.remainders)}: {card.average:.1%}" for card in best) or "-",
                f"{row['appeal']:.2f}"[1:],
            ]
        )
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def chances(row: dict[str, Any], name: str, sights: Iterable[int]) -> str:
    return " ".join(f"{row[f'{name}_{sight}']:.2f}".removeprefix("0") for sight in sights)


def write(page: Path, tables: dict[str, str]) -> None:
    """Put tables where they are marked."""
    text = page.read_text("utf-8")
    for mark, written in tables.items():
        place = rf"(<!-- {mark}:[^>]*-->\n).*?(<!-- end -->)"
        text, found = re.subn(place, rf"\g<1>{written}\n\g<2>", text, flags=re.DOTALL)
        if found != 1:
            raise SystemExit(f"{page} has {found} places for the table {mark!r}, not one.")
    page.write_text(text, "utf-8")


def main() -> None:
    """Work the tables out and write them."""
    usual = ((name, rules, list(LEVELS.values())) for name, rules in sample())
    own = (
        (f"`{setting.full_name}`", setting.ruleset, skills_for(setting.ruleset).values())
        for setting in recommendations()
    )
    levels = {"usual levels": table(usual, told=False), "own levels": table(own, told=True)}
    write(DOCS / "learning.md", levels)
    write(DOCS / "atlas.md", {"recommended": recommended()})


if __name__ == "__main__":
    main()
