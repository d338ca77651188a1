"""What goes in and out as JSON: every field with its bounds, as the OpenAPI document shows it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from digitduel.fields import RULES
from digitduel.match import MOST_ROUNDS
from digitduel.web.hosted import LONGEST_NICKNAME

LONGEST_KEY = 64
LONGEST_LINK = 500
VISIBLE = "^[!-~]+$"
MOST_PLIES = 1_000_000
MOST_VERSIONS = 2**62

Seat = Literal[1, 2]
Command = Literal["move", "resign", "off", "undo", "rematch", "decline"]
Key = Annotated[str, Field(min_length=1, max_length=LONGEST_KEY, pattern=VISIBLE)]
PlyNumber = Annotated[int, Field(ge=0, le=MOST_PLIES)]
RoundNumber = Annotated[int, Field(ge=1, le=MOST_PLIES)]
VersionNumber = Annotated[int, Field(ge=0, le=MOST_VERSIONS)]
MoveText = Annotated[str, Field(min_length=1, max_length=8, examples=["5R"])]
Rules = Annotated[
    dict[Annotated[str, Field(max_length=40)], Any],
    Field(
        max_length=16,
        description=f"The fields that differ from the game's own: {', '.join(RULES)}.",
        examples=[{"target": 12}],
    ),
]
GameName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=40,
        description="A game, or one of its settings by its full name.",
        examples=["pool", "closest:easy"],
    ),
]


Nickname = Annotated[str, Field(min_length=1, max_length=LONGEST_NICKNAME, examples=["Ann"])]


class Body(BaseModel):
    """What is sent: nothing is converted, and a misspelt field is refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


def _no_boolean(value: object) -> object:
    if isinstance(value, bool):  # Python takes true for 1
        raise ValueError("give 1, 2 or 'random'")
    return value


class NewGame(Body):
    """A game to be made."""

    game: GameName
    rules: Rules = Field(default_factory=dict)
    first: Annotated[Literal[1, 2, "random"], BeforeValidator(_no_boolean)] = Field(
        default=1, description="The seat that starts; whoever makes the game has seat 1."
    )
    opponent: str = Field(
        default="friend",
        min_length=1,
        max_length=20,
        description="friend (by invitation), device (both at one screen) or a computer player: "
        "level:1 to level:8.",
        examples=["friend", "device", "level:3"],
    )
    clock: Annotated[str, Field(max_length=20)] | None = Field(
        default=None,
        description="Minutes for each player and seconds added per move; for two people only.",
        examples=["5+3"],
    )

    rounds: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] | None = Field(
        default=None, description="Play this many rounds; without it, one after the other."
    )
    best_of: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] | None = Field(
        default=None, description="The same, but it stops when it is decided (odd)."
    )
    name: Nickname | None = Field(default=None, description="What you are called; nothing needed.")


class Join(Body):
    """A friend takes seat 2."""

    invite: str | None = Field(
        default=None,
        min_length=1,
        max_length=LONGEST_LINK,
        description="The invitation, or its whole link; not needed while the seat is free.",
    )
    again: bool = Field(
        default=False,
        description="You have joined before, somewhere else: take the seat over. Only before the "
        "first move of that seat.",
    )
    name: Nickname | None = Field(default=None, description="What you are called; nothing needed.")
    key: Annotated[str, Field(min_length=16, max_length=LONGEST_KEY)] | None = Field(
        default=None,
        description="A secret of your own: joining again with the same one gives a new token "
        "for the same seat, if the first answer got lost.",
    )


class TakeSeat(Body):
    """A seat goes on in another browser or program."""

    secret: str = Field(
        min_length=1, max_length=LONGEST_LINK, description="From the handover, or its whole link."
    )


class Rename(Body):
    """What a player is called from now on."""

    name: Nickname


class Meet(Body):
    """Play whoever is there."""

    setting: GameName


class Action(Body):
    """Resigning, calling off, taking back, a rematch."""

    round: RoundNumber | None = Field(default=None, description="The round meant.")
    ply: PlyNumber | None = Field(default=None, description="How many moves had been made.")
    asks: bool | None = Field(
        default=None,
        description="Of a takeback: only ask, and do not grant what the other asks for meanwhile.",
    )
    key: Key | None = Field(
        default=None, description="The same request with the same key is done once."
    )


class MoveRequest(Body):
    """A move, and the ply it answers."""

    move: MoveText
    ply: PlyNumber = Field(description="How many moves have been made so far in this round.")
    key: Key | None = Field(
        default=None, description="The same request with the same key is played once."
    )
    round: RoundNumber | None = Field(default=None, description="The round meant.")


class Line(Body):
    """A position: a game, its rules, and the moves that lead there."""

    game: GameName
    rules: Rules = Field(default_factory=dict)
    moves: list[MoveText] = Field(default_factory=list, max_length=2_000)


class LineMove(Line):
    """A position and a move to be explained."""

    move: MoveText


class Proposal(BaseModel):
    """What one player proposes: the other agrees by the same command, or declines."""

    seat: Seat
    what: Literal["off", "undo", "rematch"]


class MatchState(BaseModel):
    """How a match of several rounds stands; without one, round follows round."""

    rounds: int = Field(description="At most.")
    best_of: bool = Field(description="Whether it stops when it is decided.")
    round: int = Field(description="The round being played, from 1 on.")
    over: bool
    champion: Seat | None = Field(description="The seat that is ahead; null when they are level.")


class ClockState(BaseModel):
    """A clock, in milliseconds of playing time: GET .../clock says which it is now."""

    seconds: int = Field(description="What each player has for a round.")
    increment: int = Field(description="The seconds that a move adds.")
    left: list[int] = Field(
        description="What seat 1 and seat 2 had left when the seat to move began to think."
    )
    running_since: int | None = Field(description="When that was; null while nobody's time runs.")
    time_up_at: int | None = Field(description="When its time is up.")


class ClockNow(BaseModel):
    """What a clock shows just now, in milliseconds."""

    now: int = Field(description="The playing time; it stands still while no server runs.")
    left: list[int] = Field(description="What seat 1 and seat 2 have left.")
    time_up_at: int | None = Field(description="When the time of the seat to move is up.")


class GameState(BaseModel):
    """A game as everyone sees it. It depends on the version alone, never on who asks."""

    __qualname__ = "State"  # what the OpenAPI document calls it
    model_config = ConfigDict(title="State")

    id: str
    version: int = Field(description="Goes up by one with each change.")
    game: str
    title: str
    rules: dict[str, Any]
    opponent: str
    players: list[str] = Field(description="What seat 1 and seat 2 are called.")
    joined: bool = Field(description="Whether both seats are taken.")
    round: int = Field(description="From 1 on; a rematch is the next round.")
    first: Seat = Field(description="The seat that starts this round.")
    score: list[int] = Field(description="Points of seat 1 and of seat 2, this round included.")
    match: MatchState | None = Field(description="Where a number of rounds was agreed.")
    number: str = Field(description='The digits so far; "" before the first move.')
    moves: list[str]
    ply: int = Field(description="How many moves have been made in this round.")
    turn: Literal["first", "second"] = Field(
        description="The side to move: first is who started the round. "
        "Once the game is over: the side that would be."
    )
    seat: Seat | None = Field(description="The seat to move; null once the game is over.")
    legal_moves: list[str] = Field(description="Empty exactly when the game is over.")
    digits: list[int] = Field(description="The digits that are not used up.")
    divisions: list[str] = Field(
        description="The last move's number divided by the target, and by each forbidden "
        "divisor that struck; empty before the first move."
    )
    offer: Seat | None = Field(description="The seat that proposes to call the game off.")
    proposal: Proposal | None = Field(description="What one player proposes to the other.")
    over: bool
    result: Literal["1-0", "0-1", "*"] | None = Field(
        description="For seat 1, for seat 2, no winner; null while the game goes on."
    )
    winner: Seat | None
    termination: (
        Literal["target", "forbidden", "stuck", "full", "closest", "resigned", "called-off", "time"]
        | None
    )
    result_text: str | None = Field(description="Who won and why, in the game's own words.")
    clock: ClockState | None = Field(description="Where a clock was agreed.")


class Viewer(BaseModel):
    """What one token may do in a game just now."""

    seats: list[Seat] = Field(description="The seats it plays for; none for who only watches.")
    may: list[Command]


class Links(BaseModel):
    """Where people go."""

    invite: str | None = Field(description="For a friend; null where nobody can join.")
    watch: str = Field(description="For anyone.")


class Seated(BaseModel):
    """The answer to whoever made or joined a game."""

    id: str
    version: int
    state: GameState
    links: Links
    token: str = Field(description="The right to play: send it as 'Authorization: Bearer TOKEN'.")
    you: Viewer


class Handover(BaseModel):
    """How a seat goes on elsewhere: valid once, and a newer one takes its place."""

    secret: str
    link: str = Field(description="To be opened where the seat goes on.")


class Waiting(BaseModel):
    """A setting for whoever is there."""

    setting: str = Field(examples=["closest:easy"])
    title: str
    waiting: int = Field(description="How many wait there just now.")


class Refusal(BaseModel):
    """Why a request was refused; with a 409 also how the game stands."""

    detail: str
    state: GameState | None = None


class Health(BaseModel):
    """Whether the server can do its work."""

    status: Literal["ok", "unavailable"]
    store: Literal["sqlite", "postgresql"]


Value = Literal["win", "loss", "endless", "unknown"]


class MoveValue(BaseModel):
    """What one move is worth to whoever makes it."""

    move: str
    number: str
    value: Value
    plies: int | None


class Solved(BaseModel):
    """A position judged; `value` is for the side to move, `moves` are the best first."""

    game: str
    rules: dict[str, Any]
    number: str
    turn: Literal["first", "second"]
    value: Value
    plies: int | None = Field(description="Plies to the end with best play; null if endless.")
    moves: list[MoveValue]
    best: list[str]
    depth: int = Field(
        default=0, description="Where the rules are too large to solve: the plies looked ahead."
    )


class Explained(BaseModel):
    """A reason in words, and the line that proves it."""

    text: str
    value: Value
    plies: int | None
    line: list[str]
    principles: list[str]
