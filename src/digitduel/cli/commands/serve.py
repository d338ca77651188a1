"""`digitduel serve`: play in the browser, and the API for programs."""

from __future__ import annotations

import click

from digitduel.web.settings import DAY, Settings

DAYS = click.FloatRange(min=0.001)


@click.command("serve", context_settings={"show_default": True})
@click.option("--host", default="127.0.0.1", help="The address to listen on.")
@click.option("--port", default=8000, type=click.IntRange(0, 65535))
@click.option(
    "--database",
    default="",
    show_default=False,
    metavar="FILE|postgresql://...",
    help="Where games are kept.  [default: a file in your data folder]",
)
@click.option(
    "--create-rate",
    default=Settings.creations_a_minute,
    type=click.IntRange(1),
    help="New games a minute per address.",
)
@click.option(
    "--move-rate",
    default=Settings.moves_a_second,
    type=click.IntRange(1),
    help="Changes a second per player.",
)
@click.option(
    "--max-moves",
    default=Settings.most_moves,
    type=click.IntRange(1, 20_000),
    help="A game is called off after so many moves.",
)
@click.option(
    "--keep-finished",
    default=Settings.keep_finished / DAY,
    type=DAYS,
    help="Days a finished game stays.",
)
@click.option(
    "--keep-unfinished",
    default=Settings.keep_unfinished / DAY,
    type=DAYS,
    help="Days an idle game stays.",
)
@click.option(
    "--proxy",
    default="127.0.0.1",
    metavar="ADDRESS,...",
    help="Proxies whose word on a visitor's address is taken.",
)
def command(
    host: str,
    port: int,
    database: str,
    create_rate: int,
    move_rate: int,
    max_moves: int,
    keep_finished: float,
    keep_unfinished: float,
    proxy: str,
) -> int:
    """Serve the games to browsers, and the API to programs, until Ctrl-C.

    Only this machine can reach it unless --host says otherwise.

    \b
    Examples:
      digitduel serve
      digitduel serve --port 8080 --database games.db
      digitduel serve --database postgresql://user@localhost/digitduel
    """
    try:
        from digitduel.web import server
        from digitduel.web.app import create_app
        from digitduel.web.store import open_store
    except ModuleNotFoundError as error:
        missing = f"{error.name} is missing: install it with  pip install 'digitduel[web]'"
        raise click.ClickException(missing) from None
    settings = Settings(
        database=database,
        creations_a_minute=create_rate,
        moves_a_second=move_rate,
        most_moves=max_moves,
        keep_finished=keep_finished * DAY,
        keep_unfinished=keep_unfinished * DAY,
    )
    listener, store = server.bind(host, port), open_store(settings)
    shown = f"[{host}]" if ":" in host else host
    click.echo(f"Digit Duel: http://{shown}:{listener.getsockname()[1]}/  (Ctrl-C stops it)")
    server.run(listener, create_app(settings, store), proxy)
    return 0
