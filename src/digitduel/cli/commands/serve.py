"""`digitduel serve`: play in the browser, and the API for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from digitduel.errors import DigitDuelError
from digitduel.web.settings import DAY, Settings, origin

if TYPE_CHECKING:
    from collections.abc import Callable

ONE_OR_MORE, MOVES, DAYS = click.IntRange(1), click.IntRange(1, 20_000), click.FloatRange(0.001)


def _limit(
    flag: str, default: float, meaning: str, kind: click.ParamType[Any] = ONE_OR_MORE
) -> Callable[[Any], Any]:
    """An option for one of the server's settings."""
    return click.option(flag, default=default, type=kind, help=meaning)


def _public_url(_: click.Context, __: click.Parameter, given: str) -> str:
    try:
        return origin(given) if given else ""
    except DigitDuelError as error:
        raise click.BadParameter(str(error)) from None


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
@_limit("--create-rate", Settings.creations_a_minute, "New games a minute per browser.")
@_limit(
    "--create-rate-per-address",
    Settings.creations_per_address,
    "The same per address, which a class may share.",
)
@_limit("--move-rate", Settings.moves_a_second, "Changes a second per player.")
@_limit(
    "--per-address",
    Settings.per_address,
    "Connections at a time per address, half of them streams.",
)
@_limit("--max-moves", Settings.most_moves, "A game is called off after so many moves.", MOVES)
@_limit("--keep-finished", Settings.keep_finished / DAY, "Days a finished game stays.", DAYS)
@_limit("--keep-unfinished", Settings.keep_unfinished / DAY, "Days an idle game stays.", DAYS)
@click.option(
    "--proxy",
    default="127.0.0.1",
    metavar="ADDRESS,...",
    help="Proxies whose word on a visitor's address is taken.",
)
@click.option(
    "--public-url",
    default="",
    show_default=False,
    callback=_public_url,
    metavar="URL",
    help="Where visitors find it: links use it, and requests for another host are refused.",
)
def command(
    host: str,
    port: int,
    database: str,
    create_rate: int,
    create_rate_per_address: int,
    move_rate: int,
    per_address: int,
    max_moves: int,
    keep_finished: float,
    keep_unfinished: float,
    proxy: str,
    public_url: str,
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
        public_url=public_url,
        creations_a_minute=create_rate,
        creations_per_address=create_rate_per_address,
        moves_a_second=move_rate,
        per_address=per_address,
        most_moves=max_moves,
        keep_finished=keep_finished * DAY,
        keep_unfinished=keep_unfinished * DAY,
    )
    listener, store = server.bind(host, port), open_store(settings)
    shown = f"[{host}]" if ":" in host else host
    click.echo(f"Digit Duel: http://{shown}:{listener.getsockname()[1]}/  (Ctrl-C stops it)")
    server.run(listener, create_app(settings, store), proxy)
    return 0
