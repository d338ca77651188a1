"""Run campaigns from the command line: `python -m tests.faults NAME... --seconds N --seed N`."""

from __future__ import annotations

import argparse
import sys

from tests.faults.campaign import Campaign, campaigns


def main() -> int:
    """Run the campaigns named, one after the other; 1 at the first fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="; ".join(campaigns()))
    parser.add_argument("--all", action="store_true", help="every campaign")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--most", type=int, help="stop after so many rounds")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for name in campaigns() if asked.all else asked.names:
        if name not in campaigns():
            parser.error(f"there is no campaign {name}: there are {', '.join(campaigns())}")
        report = Campaign(name, asked.seed, asked.seconds, asked.most).run()
        sys.stdout.write(f"{report}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
