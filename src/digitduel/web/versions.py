"""How a version of a game is shown: the same to everyone, worked out once however many ask."""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from fastapi.sse import format_sse_event

from digitduel import describe
from digitduel.cache import Cache
from digitduel.events import OFF
from digitduel.record import RESULTS
from digitduel.web.models import ClockState, GameState, MatchState, Proposal

if TYPE_CHECKING:
    from collections.abc import Callable

    from digitduel.duel import Ply
    from digitduel.match import Match
    from digitduel.web.hosted import HostedDuel

# More moves are not listed beside the game: the analysis has them all.
MOST_LISTED = 24
ROOM = 100_000  # for versions at hand, as games are weighed
ROOM_FOR_PAGES = 16 * 1024 * 1024  # bytes, of pages and of what tells them apart


class Version:
    """One version of a game as everyone sees it."""

    def __init__(self, duel: HostedDuel) -> None:
        self.duel = duel

    @cached_property
    def state(self) -> GameState:
        """The match as everyone sees it."""
        duel, position, outcome = self.duel, self.duel.position, self.duel.outcome()
        proposal = duel.proposal
        names, starter, over = duel.terms.names, duel.match.starter, outcome is not None
        return GameState.model_construct(
            id=duel.id,
            version=duel.version,
            game=duel.ruleset.key,
            title=duel.ruleset.title,
            rules=duel.ruleset.rules,
            opponent=duel.opponent,
            players=list(names),
            joined=duel.joined,
            round=duel.round,
            first=starter,
            score=list(duel.standing.score),
            match=None if duel.is_open_ended else _match_state(duel.standing, duel.match.round),
            number=position.number,
            moves=[str(move) for move in duel.moves],
            ply=duel.ply,
            turn=position.turn.value,
            seat=None if over else duel.seat,
            legal_moves=[] if over else [str(move) for move in position.legal_moves],
            digits=list(position.available_digits),
            divisions=describe.divisions(position) if position.number else [],
            offer=proposal.seat if proposal and proposal.what == OFF else None,
            proposal=Proposal(**proposal._asdict()) if proposal else None,
            over=over,
            result=RESULTS[duel.winner] if over else None,
            winner=duel.winner,
            termination=outcome.termination.value if outcome else None,
            result_text=describe.result(duel, names, starter) if over else None,
            clock=_clock_state(duel),
        )

    @cached_property
    def latest(self) -> list[tuple[Ply, list[str]]]:
        """The latest moves and the divisions they left, the last first; worked out once for all."""
        position, latest = self.duel.position, []
        for ply in islice(self.duel.last or (), MOST_LISTED):
            latest.append((ply, describe.divisions(position)))
            position = position.before(ply.move, ply.state)
        return latest

    @cached_property
    def json(self) -> bytes:
        """The state as JSON, encoded once however many ask for it."""
        return self.state.model_dump_json().encode()

    def once(self, seen: str, render: Callable[[], bytes]) -> bytes:
        """What all are shown who see the same, as `seen` tells: rendered for the first of them."""
        key = self.duel.id, self.duel.version, seen
        page = _PAGES.get(key)
        if page is None:
            page = seen, render()
            _PAGES.put(key, page)
        return page[1]

    @cached_property
    def server_event(self) -> bytes:
        """The state as a server-sent event, encoded once however many watch."""
        return format_sse_event(data_str=self.json.decode(), id=str(self.duel.version))


def _clock_state(duel: HostedDuel) -> ClockState | None:
    clock, times = duel.terms.clock, duel.times
    if clock is None or times is None:
        return None
    return ClockState.model_construct(
        seconds=clock.seconds,
        increment=clock.increment,
        left=list(times.left),
        running_since=times.since,
        time_up_at=duel.time_up_at,
    )


def _match_state(standing: Match, number: int) -> MatchState:
    return MatchState.model_construct(
        rounds=standing.rounds,
        best_of=standing.best_of,
        round=number,
        over=standing.over,
        champion=standing.champion,
    )


_PAGES: Cache[tuple[str, bytes]] = Cache(
    ROOM_FOR_PAGES, weigh=lambda page: len(page[0]) + len(page[1])
)
_VERSIONS: Cache[Version] = Cache(ROOM, weigh=lambda version: version.duel.weight)


def version_of(duel: HostedDuel) -> Version:
    """The version that a game is at, kept for whoever asks next."""
    version = known_version(duel.id, duel.version)
    if version is None:
        version = Version(duel)
        _VERSIONS.put((duel.id, duel.version), version)
    return version


def known_version(game_id: str, number: int) -> Version | None:
    """A version of a game, if it is still at hand."""
    return _VERSIONS.get((game_id, number))
