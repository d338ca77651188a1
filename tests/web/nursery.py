"""Servers that start at once: everything is imported, and each start is a fork.

Run as a program: each line on stdin starts a server on the port and database given as
arguments, and its process id is printed. What is forked is the real server, fit to be killed.
"""

from __future__ import annotations

import os
import sys

from digitduel.web import server
from digitduel.web.app import create_app
from digitduel.web.settings import Settings


def main(port: int, database: str) -> None:
    """Start a server whenever asked, until stdin ends."""
    settings = Settings(database=database, creations_per_address=10**6, most_moves=20_000)
    app = create_app(settings)
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            server.run(server.bind("127.0.0.1", port), app)
            os._exit(0)
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()
        os.waitpid(child, 0)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
