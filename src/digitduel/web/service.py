"""What can be done to a game, for pages and API alike. Plain calls that may wait for the disk.

    seated = service.create(NewGame(game="pool"), address)    a new game, its token and invitation
    seated = service.join(game_id, Join())                    a friend takes seat 2
    seated = service.meet("closest:easy", address)            a game with whoever is there
    duel, secret = service.offer_seat(game_id, token)         the seat may go on elsewhere ...
    seated = service.take_seat(game_id, secret)               ... and does
    duel = service.find(game_id)                              a game as it stands
    duel = service.act("move", game_id, token, MoveRequest(...))  ... and changed: committed when
    duel = service.act("resign", game_id, token, Action())    it returns; off, undo, rematch too
    viewer = viewer_of(duel, token)                           which seats, and what they may do
    text = service.record(game_id)                            all rounds as a record file

`web.versions` shows a game as everyone sees it.
Whatever is refused raises a DigitDuelError; `web.errors` has those with a status of their own.
"""

from __future__ import annotations

import contextlib
import re
import secrets
from dataclasses import dataclass, replace
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from digitduel.cache import Cache
from digitduel.clock import Clock
from digitduel.errors import DigitDuelError, InvalidRulesetError
from digitduel.events import HUMAN, Begun, CalledOff, Moved, Terms
from digitduel.fields import RULES
from digitduel.match import MOST_ROUNDS, SEATS, Match
from digitduel.players import PLAYERS
from digitduel.record import dumps
from digitduel.ruleset import Ruleset, find_ruleset, ruleset_keys, setting_names
from digitduel.text import did_you_mean, listed, quoted
from digitduel.web.commands import COMMANDS, allowed
from digitduel.web.errors import (
    BusyError,
    LostError,
    NotAllowedError,
    NoTokenError,
    RefusedError,
    UnknownGameError,
    UsedInviteError,
)
from digitduel.web.hosted import (
    DEVICE,
    FRIEND,
    Change,
    HostedDuel,
    Joined,
    Renamed,
    SeatMoved,
    SeatOffered,
    nickname,
    told_apart,
)
from digitduel.web.limits import Allowance, network
from digitduel.web.models import Join, NewGame, Viewer
from digitduel.web.playingtime import PlayingTime
from digitduel.web.rights import digest, matches, new_id, new_token, seats_of
from digitduel.web.turns import Visitor
from digitduel.web.versions import known_version

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from digitduel.events import Event
    from digitduel.position import Move
    from digitduel.web.models import Action, MoveRequest
    from digitduel.web.settings import Settings
    from digitduel.web.store import Store

GAME_ID = re.compile(r"[A-Za-z0-9_-]{16}")
ATTEMPTS = 5
# A rule's number in a web game has at most so many digits, and so many divisors are forbidden.
LONGEST_RULE = 30
MOST_FORBIDDEN = 20
ROOM = 400_000  # for games at hand, so that a change need not play its game again
MOST_MAKERS = MOST_NEEDLESS = 20_000
REPEATS_A_MINUTE = 60  # of a player, for answers that are not at hand any more
RECORDS_A_MINUTE = 300  # per address: one of a thousand rounds takes a moment
LOADING_AT_ONCE = 16
TAKEN = "somebody has taken this seat already: the game can still be watched."
TALK = ("undo", "rematch", "off", "decline")  # what could go on for ever
JOINS_A_MINUTE = 30  # of one game: a seat may be taken over
MOST_RUNNING = 12  # of one browser's games, listed on the start page
BURST = 5  # seconds over which changes are counted: short bursts are fine


@dataclass(frozen=True)
class SeatTaken:
    """Whoever has just taken a seat: the token is shown this once."""

    duel: HostedDuel
    token: str
    invite: str | None = None


class Service:
    """Games and who may change them."""

    def __init__(
        self, store: Store, settings: Settings, playing_time: PlayingTime | None = None
    ) -> None:
        self.store = store
        self.playing_time = playing_time or PlayingTime(store.keep_playing_time)
        self.settings = settings
        # Called after each change, in any thread.
        self.observers: list[Callable[[HostedDuel], None]] = []
        self._cache: Cache[HostedDuel] = Cache(
            ROOM, lambda duel: duel.weight, lambda new, old: new.version > old.version
        )
        self._loading = [Lock() for _ in range(LOADING_AT_ONCE)]
        self._repeats = Allowance(REPEATS_A_MINUTE, 60, "questions about old requests")
        self._joins = Allowance(JOINS_A_MINUTE, 60, "people on one seat")
        self._records = Allowance(RECORDS_A_MINUTE, 60, "records asked for from your address")
        self._creations = Allowance(settings.creations_a_minute, 60, "new games from this browser")
        self._crowds = Allowance(settings.creations_per_address, 60, "new games from your address")
        # Keys of requests that found everything done, and what they asked.
        self._needless: Cache[dict[str, Any]] = Cache(MOST_NEEDLESS, weigh=lambda _: 1)
        self._makers: Cache[str] = Cache(MOST_MAKERS, weigh=lambda _: 1)
        # The games that wait for anybody and whose makers look at them; the hub knows.
        self.present: Callable[[], Collection[str]] = tuple
        self._moves = Allowance(settings.moves_a_second * BURST, BURST, "changes")

    # --- Looking. ---

    def find(self, game_id: str) -> HostedDuel:
        """A game as it stands on disk."""
        if not GAME_ID.fullmatch(game_id):
            raise UnknownGameError(f"there is no game {quoted(game_id)}.")
        known = self._cache.get(game_id)
        if known is None:
            # One reads a game for all who ask for it at the same time.
            with self._loading[hash(game_id) % len(self._loading)]:
                known = self._cache.get(game_id) or self.store.duel_at(game_id)
                if known is not None:
                    self._cache.put(game_id, known)
        changes = self.store.changes(game_id, after=known.version) if known else []
        duel = HostedDuel.of(game_id, changes, known)
        if duel is None:
            raise UnknownGameError(
                f"there is no game {quoted(game_id)}: it may have been removed after a long rest."
            )
        if changes:
            self._cache.put(duel.id, duel)
        return duel

    def record(self, game_id: str, address: str) -> str:
        """All rounds of a game as a record file, for whoever asks from this address."""
        self._records.take(network(address))
        records = self.find(game_id).records
        return dumps(records if len(records) > 1 else [replace(records[0], round=None)])

    def maker(self, duel: HostedDuel) -> Visitor:
        """Whoever made a game; from where is forgotten when the server stops."""
        return Visitor(self._makers.get(duel.id) or "", duel.host)

    def running(self, token: str) -> list[HostedDuel]:
        """The games of whoever shows this token that are not over, newest first."""
        found = []
        for game_id in self.store.running(digest(token), MOST_RUNNING):
            with contextlib.suppress(RefusedError):  # damaged, or removed meanwhile
                found.append(self.find(game_id))
        return found

    # --- Taking a seat. ---

    def create(self, new: NewGame, address: str, token: str | None = None) -> SeatTaken:
        """A new game for whoever asks; a browser brings the token it has."""
        ruleset = ruleset_for(new.game, new.rules)
        if new.opponent not in (known := (FRIEND, DEVICE, *PLAYERS)):
            raise DigitDuelError(
                f"there is no opponent {quoted(new.opponent)}: known are {listed(known)}."
            )
        return self._create(ruleset, new, address, token)

    def _create(
        self,
        ruleset: Ruleset,
        new: NewGame,
        address: str,
        token: str | None,
        lobby: str | None = None,
    ) -> SeatTaken:
        terms = self._terms(ruleset, new)
        if token is not None:  # or there is only the address to count by
            self._creations.take(digest(token))
        self._crowds.take(network(address))
        token = token or new_token()
        invite = new_token() if new.opponent == FRIEND else None
        holders = {"host": digest(token), "invite": digest(invite) if invite else None}
        holders |= {"lobby": lobby} if lobby else {}
        duel = HostedDuel.begin(terms, id=new_id(), version=1, **holders)
        self.store.create(duel, Change(1, Begun(terms), "created", holders))
        self._makers.put(duel.id, network(address))
        self._publish(duel)
        return SeatTaken(duel, token, invite)

    def _terms(self, ruleset: Ruleset, new: NewGame) -> Terms:
        human = new.opponent in (FRIEND, DEVICE)
        second = "Player 2" if human else f"Computer ({new.opponent.replace(':', ' ')})"
        name = nickname(new.name or "") or "Player 1"
        return Terms(
            ruleset,
            _match(new),
            players=(HUMAN, HUMAN if human else new.opponent),
            names=(told_apart(name, second, 1), second),
            seed=secrets.token_hex(16),
            most_moves=self.settings.most_moves,
            clock=Clock.parse(new.clock) if new.clock else None,
        )

    def join(self, game_id: str, join: Join, token: str | None = None) -> SeatTaken:
        """Take seat 2 while it is free. A key of one's own allows a second try."""
        token, name = token or new_token(), nickname(join.name or "")

        def joined(duel: HostedDuel) -> Event | None:
            self._check_free(duel, join, token)
            if matches(token, duel.friend):  # the same browser once more, or an answer got lost
                return None
            self._joins.take(game_id)
            called = None if duel.lobby else name
            return Joined(digest(token), digest(join.key) if join.key else None, called)

        return SeatTaken(self._persist(game_id, joined), token)

    def _check_free(self, duel: HostedDuel, join: Join, token: str) -> None:
        invite = None if join.invite is None else join.invite.rpartition("invite=")[2]
        if duel.opponent != FRIEND:
            raise NotAllowedError("nobody can join this game: it can be watched.", duel)
        if invite is not None and not matches(invite, duel.invite):
            raise NotAllowedError("this invitation is not one to this game: ask for the link.")
        if matches(token, duel.host):
            raise RefusedError("you are Player 1 in this game: send its address to a friend.", duel)
        again = matches(token, duel.friend) or (join.key and matches(join.key, duel.join_key))
        if duel.friend is not None and not again and not (join.again and duel.seat_is_loose):
            raise UsedInviteError(TAKEN, duel)

    def offer_seat(self, game_id: str, token: str | None) -> tuple[HostedDuel, str]:
        """A secret with which this token's seat goes on elsewhere, once."""
        secret = new_token()

        def offered(duel: HostedDuel) -> Event | None:
            seat = self._seats(duel, token)[0]
            known = duel.secrets[seat - 1] == digest(secret)
            return None if known else SeatOffered(seat, digest(secret))

        return self._persist(game_id, offered), secret

    def take_seat(self, game_id: str, secret: str, token: str | None = None) -> SeatTaken:
        """Go on with the seat that a secret (or its link) was given for."""
        token, secret = token or new_token(), secret.rpartition("secret=")[2]

        def moved(duel: HostedDuel) -> Event | None:
            seat = duel.seat_for(digest(secret))
            held = seats_of(duel, token)
            if seat is None and held:
                return None  # the answer got lost, or it is here already
            if seat is None:
                raise UsedInviteError(
                    "this link has been used, or a newer one was made: make one where you play.",
                    duel,
                )
            if held:
                raise RefusedError("this browser has a seat in this game already.", duel)
            return SeatMoved(seat, digest(token))

        return SeatTaken(self._persist(game_id, moved), token)

    def rename(self, game_id: str, token: str | None, name: str) -> HostedDuel:
        """Call whoever holds this token something else from now on; nothing gives it up."""
        called = nickname(name)

        def renamed(duel: HostedDuel) -> Event | None:
            seat = self._seats(duel, token)[0]
            wanted = called or f"Player {seat}"
            if duel.lobby is not None:
                raise RefusedError("games with whoever is there have no names.", duel)
            if duel.opponent == DEVICE:
                raise RefusedError("two people at one device have no names of their own.", duel)
            other, now = duel.terms.names[2 - seat], duel.terms.names[seat - 1]
            return None if now == told_apart(wanted, other, seat) else Renamed(seat, wanted)

        return self._persist(game_id, renamed)

    # --- Whoever is there. ---

    def meet(self, setting: str, address: str, token: str | None = None) -> SeatTaken:
        """A game of a recommended setting with whoever waits for one; else wait for somebody."""
        if setting not in recommended_settings():
            raise DigitDuelError(
                f"{quoted(setting)} is no recommended setting: "
                f"{did_you_mean(setting, recommended_settings())}"
            )
        token = token or new_token()
        for duel in self.running(token):
            if duel.waiting == setting:
                return SeatTaken(duel, token)  # a challenge stands
        if met := self._first_waiting(setting, token):
            return met
        new = NewGame(game=setting, first="random")
        own = self._create(find_ruleset(setting), new, address, token, lobby=setting)
        # Two who come at the same moment both wait: the later of them goes to the other.
        if met := self._first_waiting(setting, token, before=own.duel.id):
            self.leave(own.duel.id)
            return met
        return own

    def _first_waiting(
        self, setting: str, token: str, before: str | None = None
    ) -> SeatTaken | None:
        """A game with whoever has waited longest; `before` is one that others must come before."""
        for game_id, name in self.store.waiting(self.present()):
            if game_id == before:
                return None
            if name == setting:
                with contextlib.suppress(UsedInviteError, UnknownGameError):  # another was quicker
                    return self.join(game_id, Join(), token)
        return None

    def waiting(self) -> dict[str, int]:
        """How many wait for anybody just now, for each recommended setting."""
        here = [name for _, name in self.store.waiting(self.present())]
        return {setting: here.count(setting) for setting in recommended_settings()}

    def leave(self, game_id: str) -> None:
        """Take a challenge back that nobody has taken."""
        self._persist(game_id, lambda duel: CalledOff() if duel.waiting else None)

    def _persist(self, game_id: str, event_of: Callable[[HostedDuel], Event | None]) -> HostedDuel:
        """Let happen what `event_of` makes of a game as it stands; None if it has happened."""
        lost = False
        for _ in range(ATTEMPTS):
            duel = self.find(game_id)
            event = event_of(duel)
            if event is None:
                return duel
            if duel.version >= self.settings.most_changes:
                raise RefusedError("this game has seen enough changes: start a new one.", duel)
            event = replace(event, at=self._moment(duel))
            try:
                if after := self._commit(duel, event, f"seat/{secrets.token_hex(8)}"):
                    return after
            except LostError:  # perhaps committed, perhaps not: the game tells
                if lost:
                    raise
                lost = True
        raise BusyError("the game is busy: try again.", wait=1)

    # --- Changing. ---

    def act(
        self, what: str, game_id: str, token: str | None, request: MoveRequest | Action
    ) -> HostedDuel:
        """Move, resign, call off, take back, or start a rematch: `what` is one of COMMANDS."""
        asked = request.model_dump(exclude={"key"}, exclude_none=True) | {"do": what}
        duel = self.find(game_id)
        seats = self._seats(duel, token)
        # Without a key of its own a request gets one, to be known again after a lost connection.
        key = f"{seats[0]}/{request.key or secrets.token_hex(16)}"
        self._check_key(duel, key, asked, self._needless.get((game_id, key)))
        lost = False
        for _ in range(ATTEMPTS):
            try:
                after = self._attempt(duel, seats, request, asked, key)
            except LostError:
                if lost:  # a second time: the store is away, or its disk is full
                    raise
                lost, after = True, None  # perhaps committed, perhaps not: the key tells
            if after := after or self._earlier(game_id, key, asked):
                return after
            self._cache.forget(game_id)  # what is at hand may not be what is on disk
            duel = self.find(game_id)
        raise BusyError("the game is busy: try again.", duel, wait=1)

    def _attempt(
        self,
        duel: HostedDuel,
        seats: tuple[int, ...],
        request: MoveRequest | Action,
        asked: dict[str, Any],
        key: str,
    ) -> HostedDuel | None:
        """The game after the request; None if another change came first."""
        try:
            if asked["do"] in TALK and duel.version >= self.settings.most_changes:
                raise RefusedError("this game has seen enough changes: start a new one.", duel)
            moment = self._moment(duel)
            duel = self._on_time(duel, moment)
            event = COMMANDS[asked["do"]](duel, seats, request)
        except DigitDuelError:  # refused now, but perhaps because it was done before
            if earlier := self._earlier(duel.id, key, asked):
                return earlier
            raise
        if event is not None:
            return self._commit(duel, replace(event, at=moment), key, asked)
        if earlier := self._earlier(duel.id, key, asked):
            return earlier
        self._needless.put((duel.id, key), asked)
        return duel

    def _earlier(self, game_id: str, key: str, asked: dict[str, Any]) -> HostedDuel | None:
        """What was answered to the same request before, if it was made before."""
        change = self.store.change_with_key(game_id, key)
        if change is None:
            return None
        now = self.find(game_id)
        self._check_key(now, key, asked, change.request)
        return self._at(now, change.version, key)

    def _check_key(
        self, duel: HostedDuel, key: str, asked: dict[str, Any], used_for: dict[str, Any] | None
    ) -> None:
        if used_for not in (None, asked):
            raise RefusedError(
                f"the key {quoted(key.partition('/')[2])} belongs to another request: "
                "take a new one for each.",
                duel,
            )

    def _at(self, now: HostedDuel, version: int, key: str) -> HostedDuel | None:
        """A game as it stood at a version: at hand, or else worked out anew, though not often."""
        if now.version == version:
            return now
        if known := known_version(now.id, version):
            return known.duel
        self._repeats.take(f"{now.id}/{key[0]}")
        return self.store.duel_at(now.id, version)

    def computer_move(self, duel: HostedDuel, move: Move) -> HostedDuel | None:
        """Play the computer's move; None if the game has changed meanwhile."""
        return self._commit(duel, Moved(move), f"computer/{secrets.token_hex(8)}")

    # --- Clocks. ---

    def look_at_clock(self, game_id: str) -> HostedDuel:
        """A game, its round ended if the time of whoever is to move is up."""
        duel = self.find(game_id)
        return self._on_time(duel, self._moment(duel))

    def _moment(self, duel: HostedDuel) -> int | None:
        """The playing time now; None in a game without a clock."""
        return None if duel.times is None else max(self.playing_time.now(), duel.times.since or 0)

    def _on_time(self, duel: HostedDuel, moment: int | None) -> HostedDuel:
        """The game at this moment, in which the time may be up."""
        up = None if moment is None else duel.time_up(moment)
        if up is None:
            return duel
        # Two servers may do it at once: the version decides.
        return self._commit(duel, up, f"time/{secrets.token_hex(8)}") or self.find(duel.id)

    def _commit(
        self, duel: HostedDuel, event: Event, key: str, asked: dict[str, Any] | None = None
    ) -> HostedDuel | None:
        change = Change(duel.version + 1, event, key, asked or {})
        after = replace(duel.after(event), version=change.version)
        if not self.store.append(after, change):
            return None
        self._publish(after)
        return after

    def _publish(self, duel: HostedDuel) -> None:
        self._cache.put(duel.id, duel)
        for observer in self.observers:
            observer(duel)

    def _seats(self, duel: HostedDuel, token: str | None) -> tuple[int, ...]:
        if token is None:
            raise NoTokenError("this needs a player's token: send 'Authorization: Bearer TOKEN'.")
        seats = seats_of(duel, token)
        if not seats:
            raise NotAllowedError("this token does not play in this game: you can watch it.")
        self._moves.take(digest(token))
        return seats

    # --- Keeping house. ---

    def remove_idle(self) -> int:
        """Remove games that nobody has touched for long; how many they were."""
        settings = self.settings
        removed = self.store.remove_idle(settings.keep_finished, settings.keep_unfinished)
        for game_id in removed:
            self._cache.forget(game_id)
        return len(removed)


def viewer_of(duel: HostedDuel, token: str | None) -> Viewer:
    """What a token may do in a game just now."""
    seats = seats_of(duel, token)
    return Viewer.model_validate({"seats": list(seats), "may": allowed(duel, seats)})


def _match(new: NewGame) -> Match:
    """The match that is wanted; round after round where no number was given."""
    if new.rounds is not None and new.best_of is not None:
        raise DigitDuelError("a match has 'rounds' or is 'best_of', not both: leave one out.")
    return Match(
        rounds=new.rounds or new.best_of or MOST_ROUNDS,
        best_of=new.best_of is not None,
        first=secrets.choice(SEATS) if new.first == "random" else new.first,
    )


@cache
def recommended_settings() -> tuple[str, ...]:
    """The settings for whoever is there: every one that has a name."""
    return tuple(f"{key}:{name}" for key in ruleset_keys() for name in setting_names(key))


def ruleset_for(game: str, rules: dict[str, Any]) -> Ruleset:
    """A game's rules with some changed, within what a server can reckon with quickly."""
    for name in rules:
        if name not in RULES:
            raise InvalidRulesetError(
                f"there is no rule called {quoted(name)}: {did_you_mean(name, RULES)}"
            )
    ruleset = find_ruleset(game).replace(**rules)
    for name, value in ruleset.values.items():
        number = max((value or (0,)) if isinstance(value, tuple) else (value,))
        if isinstance(number, int) and number >= 10**LONGEST_RULE:
            raise InvalidRulesetError(
                f"{name} = {quoted(str(number))} is too large to play with here: "
                f"give a number of at most {LONGEST_RULE} digits."
            )
    if len(ruleset.forbidden) > MOST_FORBIDDEN:
        raise InvalidRulesetError(
            f"forbidden holds {len(ruleset.forbidden)} divisors: give at most {MOST_FORBIDDEN}."
        )
    return ruleset
