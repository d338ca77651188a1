"""Makes what the atlas ships: for each game a sweep, its picture, and the settings to recommend.

    .venv/bin/python scripts/atlas.py [GAME ...]

Nothing in src/digitduel/atlas/data and games/settings.json is typed by hand.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

from digitduel import find_ruleset, ruleset_keys
from digitduel.atlas import COLUMNS, best_cards, search
from digitduel.atlas.calibration import calibrate
from digitduel.atlas.campaign import rows_of
from digitduel.atlas.plots import draw
from digitduel.atlas.recommend import DATA
from digitduel.atlas.search import qualifies
from digitduel.atlas.sweep import Axis, Sweep, measured
from digitduel.atlas.tables import columns_of, write_table
from digitduel.atlas.workers import Workforce, workforce
from digitduel.ruleset import SETTINGS_FILE

if TYPE_CHECKING:
    from digitduel import Ruleset
    from digitduel.atlas.sweep import Row

LARGEST_TARGET, LARGEST_DRAWN = 200, 100


def main(keys: list[str]) -> None:
    DATA.mkdir(exist_ok=True)
    shipped = json.loads(SETTINGS_FILE.read_text()) if SETTINGS_FILE.exists() else {}
    with workforce(os.cpu_count() or 1) as force:
        for key in keys or ruleset_keys():
            ruleset = find_ruleset(key)
            swept = make_sweep(ruleset, force)
            shipped[key] = {"swept": swept, **make_recommendations(ruleset, force)}
            text = json.dumps(dict(sorted(shipped.items())), indent=1)
            SETTINGS_FILE.write_text(text + "\n")


def make_sweep(ruleset: Ruleset, force: Workforce) -> dict[str, Any]:
    """The game's own rules over the target, but without 0 where that wins as a first move."""
    changes: dict[str, Any] = {}
    if 0 in ruleset.safe_first_digits:
        changes["digits"] = [digit for digit in ruleset.digits if digit]
    swept = ruleset.replace(**changes)
    sweep = Sweep(swept, (Axis("target", range(swept.smallest_target, LARGEST_TARGET + 1)),))
    rows = rows_of(sweep, force)
    for suffix in (".csv", ".svg"):
        (DATA / f"{ruleset.key}{suffix}").unlink(missing_ok=True)
    write_table(DATA / f"{ruleset.key}.csv", columns_of(sweep.names, rows))
    shown = [row for row in rows if row["target"] <= LARGEST_DRAWN]
    draw(DATA / f"{ruleset.key}.svg", swept, columns_of(sweep.names, shown))
    return changes


def make_recommendations(ruleset: Ruleset, force: Workforce) -> dict[str, Any]:
    """The settings to recommend; three rules are changed only where two do not give each name."""
    good: list[search.Setting] = []
    searched = 0
    for fewest, most in ((0, search.FEW_CHANGES), (search.MOST_CHANGES, search.MOST_CHANGES)):
        for changes in search.candidates(ruleset, most):
            if len(changes) >= fewest:
                rows = rows_of(search.sweep_of(ruleset, changes), force)
                searched += len(rows)
                good += [(changes, whole(ruleset, changes, row)) for row in rows if qualifies(row)]
        chosen = search.choose(good)
        sys.stderr.write(f"{ruleset.key}: {searched} settings, {len(good)} good ones\n")
        if len(chosen) == len(search.NAMES):
            break
    return {
        "searched": searched,
        "shortcoming": search.shortcoming(chosen),
        "settings": [
            entry | company(ruleset.replace(**entry["changes"]))
            for entry in (search.entry(ruleset, name, *chosen[name]) for name in chosen)
        ],
    }


def company(ruleset: Ruleset) -> dict[str, Any]:
    """What goes with a setting: opponents that climb evenly, and the best pocket cards."""
    cards = [card.to_json() for card in best_cards(ruleset)]
    return {"levels": calibrate(ruleset), "cards": cards}


def whole(ruleset: Ruleset, changes: search.Changes, row: Row) -> Row:
    """A row with every column."""
    setting = ruleset.replace(**changes, target=row["target"])
    return {"target": row["target"], **measured(setting, COLUMNS)}


if __name__ == "__main__":
    main(sys.argv[1:])
