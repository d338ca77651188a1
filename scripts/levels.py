"""Write into docs/learning.md how often each level beats the one below: exact, over both seats."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from digitduel import find_ruleset
from digitduel.atlas import recommendations
from digitduel.atlas.contests import level_chances
from digitduel.players import LEVELS, PERFECT, skills_for

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from digitduel import Ruleset
    from digitduel.players import Skill

PAGE = Path(__file__).parents[1] / "docs" / "learning.md"
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


def main() -> None:
    """Work the tables out and put them where they are marked."""
    text, settings = PAGE.read_text("utf-8"), list(sample())
    usual = table(((name, rules, list(LEVELS.values())) for name, rules in settings), told=False)
    shipped = [(f"`{setting.full_name}`", setting.ruleset) for setting in recommendations()]
    own = table(((name, rules, skills_for(rules).values()) for name, rules in shipped), told=True)
    for mark, written in (("usual", usual), ("own", own)):
        place = rf"(<!-- {mark} levels:[^>]*-->\n).*?(<!-- end -->)"
        text = re.sub(place, rf"\g<1>{written}\n\g<2>", text, flags=re.DOTALL)
    PAGE.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
