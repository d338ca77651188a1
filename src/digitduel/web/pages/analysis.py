"""Analysis: any position and any game, step by step. The address holds the whole of it."""

from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Query, Request, UploadFile
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from digitduel import describe
from digitduel.addresses import shipped
from digitduel.atlas import card_command, cards_in_words
from digitduel.errors import DigitDuelError, InvalidMoveError, InvalidRecordError
from digitduel.game import Game
from digitduel.position import Move, Side
from digitduel.ruleset import Ruleset
from digitduel.teach import (
    SIGNS,
    remainder_graph,
    remainder_table,
    swing_legend,
    verdicts,
)
from digitduel.text import counted
from digitduel.web.depends import EvaluationsOf, VisitorOf
from digitduel.web.errors import BAD_INPUT, RefusedError
from digitduel.web.evaluations import Pocket, Study
from digitduel.web.pages import addresses
from digitduel.web.pages.new_game import Given, NewGameForm
from digitduel.web.pages.rendering import page

router = APIRouter(prefix="/analysis")

MOST_MOVES = 2_000
LONGEST_LINE = 4 * MOST_MOVES
LONGEST_RECORD = 60_000
SIDES = (verdicts.SIDES[Side.FIRST].capitalize(), verdicts.SIDES[Side.SECOND].capitalize())


class Asked(Given):
    """A position as an address names it."""

    moves: Annotated[str, Query(max_length=LONGEST_LINE)] = ""
    ply: Annotated[str, Query(max_length=10)] = ""
    why: Annotated[str, Query(max_length=8)] = ""


@router.get("")
def analysis(
    request: Request,
    asked: Annotated[Asked, Query()],
    evaluations: EvaluationsOf,
    visitor: VisitorOf,
) -> HTMLResponse:
    """A position: what each digit is worth, why, and how the game got there."""
    form = NewGameForm.read(asked)
    try:
        _check_length(asked.moves)
        why = Move.parse(asked.why) if asked.why else None
        study = evaluations.study(visitor, asked.ruleset(), asked.moves, _ply(asked.ply), why)
    except RefusedError:
        raise
    except DigitDuelError as error:
        return _unread(form, asked.moves, str(error))
    pocket = evaluations.pocket(visitor, study.line.ruleset)
    shown = _shown(study) | _pocket(study.line.ruleset, pocket)
    return page("analysis.html", form=form, share=str(request.url), **shown)


@router.post("")
def read_record(
    evaluations: EvaluationsOf,
    visitor: VisitorOf,
    record: Annotated[str, Form(max_length=LONGEST_RECORD)] = "",
    file: Annotated[UploadFile | None, File()] = None,
) -> Response:
    """A record, pasted or uploaded: on to its address; a match is offered game by game."""
    form = NewGameForm.read(Given())
    try:
        records = evaluations.read_records(visitor, _text(record, file), MOST_MOVES)
        places = [
            addresses.analysis_address(shipped(game.ruleset), game.moves, ply=0) for game in records
        ]
    except RefusedError:
        raise
    except DigitDuelError as error:
        return _unread(form, "", str(error), record)
    if len(places) == 1:
        return RedirectResponse(places[0], status_code=303)
    return page("records.html", games=list(zip(records, places, strict=True)), counted=counted)


@router.get("/record")
def download(
    asked: Annotated[Asked, Query()], evaluations: EvaluationsOf, visitor: VisitorOf
) -> PlainTextResponse:
    """The line as a record file, as the terminal reads it."""
    _check_length(asked.moves)
    name = 'attachment; filename="digitduel-line.txt"'
    text = evaluations.line_record(visitor, asked.ruleset(), asked.moves)
    return PlainTextResponse(text, headers={"Content-Disposition": name})


def _text(pasted: str, file: UploadFile | None) -> str:
    """The record, however the other system marks texts and ends lines."""
    data = file.file.read() if file is not None else b""
    try:
        text = data.decode() if data else pasted
    except UnicodeDecodeError:
        raise InvalidRecordError("the file is not text in UTF-8.") from None
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").strip()


def _check_length(moves: str) -> None:
    """InvalidMoveError for a line that is longer than any game here."""
    if (count := len(moves.replace(",", " ").split())) > MOST_MOVES:
        raise InvalidMoveError(f"the line has {count:,} moves: give at most {MOST_MOVES:,}.")


def _ply(text: str) -> int | None:
    """The ply asked for; None for the last."""
    return int(text) if text.isascii() and text.isdecimal() else None


def _unread(form: NewGameForm, moves: str, problem: str, record: str = "") -> HTMLResponse:
    """The page with what was given and why it cannot be shown."""
    return page(
        "analysis.html",
        BAD_INPUT,
        form=form,
        moves=moves,
        record=record,
        problem=problem,
        game=None,
    )


def _shown(study: Study) -> dict[str, Any]:
    game, rules, moves = study.game, study.line.ruleset, study.line.move_stack
    ply, over = len(game.move_stack), game.outcome() is not None
    return {
        "moves": " ".join(map(str, moves)),
        "record": "",
        "problem": None,
        "game": game,
        "ruleset": rules,
        "terms": describe.terms(rules),
        "number": describe.shown_number(game),
        "divisions": describe.divisions(game.position) if game.position.number else [],
        "result": describe.result(game, SIDES, 1).splitlines() if over else [],
        "ply": ply,
        "last": len(moves),
        "at": lambda ply: addresses.analysis_address(rules, moves, ply),
        "line": [str(move) for move in moves],
        "report": study.report,
        "reason": study.reason,
        "why": study.why,
        "analysis": study.analysis,
        "words": verdicts,
        "signs": SIGNS,
        "legend": swing_legend,
        "why_address": lambda move: f"{addresses.analysis_address(rules, moves, ply, move)}#why",
        "play_address": lambda move: _played(game, moves, ply, move),
        "remainders": [] if over else remainder_table(game.position),
        "graph": None if over else remainder_graph(game.position),
        "download": addresses.analysis_address(rules, moves, page="/analysis/record"),
        "rules_page": addresses.rules_address(rules),
        "play": addresses.setup_address(rules),
    }


def _pocket(ruleset: Ruleset, pocket: Pocket) -> dict[str, Any]:
    return {
        "recipe": pocket.recipe,
        "cards": None if pocket.cards is None else cards_in_words(pocket.cards),
        "card_command": card_command(ruleset),
    }


def _played(game: Game, moves: list[Move], ply: int, move: Move) -> str:
    """The address after a move: along the line if it is the next one, else a line of its own."""
    along = ply < len(moves) and moves[ply] == game.position.as_written(move)
    line = moves if along else [*moves[:ply], move]
    return addresses.analysis_address(game.ruleset, line, ply + 1)
