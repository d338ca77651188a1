"""The menu: what `digitduel` alone offers on a terminal."""

from __future__ import annotations

from random import SystemRandom
from string import ascii_lowercase
from typing import TYPE_CHECKING, TypeVar

from digitduel import describe
from digitduel.atlas import Recommendation, choices
from digitduel.cli import saves
from digitduel.cli.commands.play import LARGEST_SEED, toss
from digitduel.cli.commands.resume import newest
from digitduel.cli.screen import Screen, enable_line_editing
from digitduel.cli.session import Session, start
from digitduel.errors import DigitDuelError
from digitduel.events import HUMAN, Terms
from digitduel.fields import RULES, Rule
from digitduel.match import Match
from digitduel.players import LEVELS, PERFECT
from digitduel.ruleset import find_ruleset, newcomers_game, ruleset_keys
from digitduel.text import listed, quoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from digitduel.ruleset import Ruleset

LEAVE = -1
EASY = "2"
SWITCH = {"y": True, "n": False}

T = TypeVar("T")


def run_menu(screen: Screen | None = None) -> int:
    """Lead to a game, and back here after it, until the user leaves."""
    screen = screen or Screen()
    enable_line_editing()
    screen.say("Digit Duel", style="bold")
    screen.say("Take turns adding a digit. Make the number divisible by the target and you win.")
    try:
        while (code := _one_game(screen)) == 0:
            pass
    except EOFError:
        return 0
    return max(code, 0)


def _one_game(screen: Screen) -> int:
    """Choose and play one game; LEAVE when the user wants no more."""
    choice = _choose_game(screen)
    if choice == "q":
        return LEAVE
    if choice == "r":
        return _go_on(screen)
    return start(saves.TerminalDuel.begin(_choose_terms(screen, find_ruleset(choice))), screen)


def _go_on(screen: Screen) -> int:
    try:
        journal, duel = newest()
    except DigitDuelError as problem:
        screen.complain(problem)
        return 0
    return Session(duel, screen, journal).run()


def _choose_game(screen: Screen) -> str:
    keys = ruleset_keys()
    screen.say()
    for number, key in enumerate(keys, start=1):
        game = find_ruleset(key)
        screen.say(f"  {number}  {game.title} ({key})", style="bold")
        screen.item("     ", game.goal)
    answers = {str(number): key for number, key in enumerate(keys, start=1)}
    answers |= {key: key for key in keys} | {"q": "q"}
    if saves.unfinished():
        screen.say("  r  Go on with the game you left")
        answers["r"] = "r"
    screen.say("  q  Leave")
    usual = str(1 + keys.index(newcomers_game()))
    return _ask_one_of(screen, "Your choice", answers, usual)


def _choose_terms(screen: Screen, ruleset: Ruleset) -> Terms:
    ruleset = _choose_rules(screen, ruleset)
    kinds = _choose_players(screen)
    seed = SystemRandom().randrange(LARGEST_SEED)
    names = ("Player 1", "Player 2") if kinds[1] == HUMAN else ("Player", "Computer")
    seats = {"1": 1, "2": 2, "toss": toss(seed)}
    first = _ask_one_of(screen, f"Who starts? 1 ({names[0]}), 2 ({names[1]}) or toss", seats, "1")
    rounds = _ask(screen, "How many rounds", "1", lambda text: Match(int(text)).rounds)
    screen.say(f"{names[first - 1]} starts. At any prompt, 'help' tells what you can type.")
    return Terms(ruleset, Match(rounds, first=first), kinds, names, str(seed))


def _choose_rules(screen: Screen, ruleset: Ruleset) -> Ruleset:
    """A setting on offer, or the rulebook's rules with any target and changes."""
    offered = dict(zip(ascii_lowercase, choices(ruleset), strict=False))
    _show_choices(screen, ruleset, offered)
    known = offered | {choice.name: choice for choice in offered.values() if choice.name}
    chosen = _ask(
        screen,
        f"{listed(offered, 'or')}, or a target",
        "a",
        lambda text: known.get(text.lower()) or _with_rule(ruleset, RULES["target"], text),
    )
    if isinstance(chosen, Recommendation):
        return chosen.ruleset
    first = offered["a"].ruleset
    if _prefers_another(screen, chosen, first):
        return first
    if _yes(screen, "Change other rules?", usual="n"):
        chosen = _change_rules(screen, chosen)
        if _prefers_another(screen, chosen, first):
            return first
    return chosen


def _prefers_another(screen: Screen, ruleset: Ruleset, other: Ruleset) -> bool:
    """Say if a game would be over at once, and ask whether to play the other, if it would not."""
    note = describe.opening_note(ruleset)
    if note is None:
        return False
    screen.say(note, style="yellow")
    lasts = describe.opening_note(other) is None
    return lasts and _yes(screen, "Play setting a instead?", usual="y")


def _change_rules(screen: Screen, ruleset: Ruleset) -> Ruleset:
    """Every rule besides the target, as far as it can matter."""
    for name, rule in RULES.items():
        if name != "target" and rule.matters(ruleset):
            ruleset = _ask_rule(screen, ruleset, rule)
    return ruleset


def _show_choices(screen: Screen, ruleset: Ruleset, offered: dict[str, Recommendation]) -> None:
    """The settings that make a real game, and after them the rulebook's."""
    screen.say(f"{ruleset.title}. Which setting?")
    for letter, choice in offered.items():
        screen.item(f"  {letter}  ", choice.heading)
        screen.item("     ", choice.reason)
    screen.say("A step of looking ahead: seeing one move further than the other player.")


def _ask_rule(screen: Screen, ruleset: Ruleset, rule: Rule) -> Ruleset:
    value = getattr(ruleset, rule.name)
    if rule.kind.metavar is None:  # a switch
        usual = "y" if value else "n"
        # Inside the question, because an answer may go against the other rules.
        return _ask(
            screen,
            f"{rule.help} y or n",
            usual,
            lambda text: ruleset.replace(**{rule.name: _one_of(SWITCH, text)}),
        )
    return _ask(
        screen,
        f"{rule.help} {rule.kind.metavar}",
        rule.kind.format(value),
        lambda text: _with_rule(ruleset, rule, text),
    )


def _with_rule(ruleset: Ruleset, rule: Rule, text: str) -> Ruleset:
    return ruleset.replace(**{rule.name: rule.kind.parse(rule.name, text)})


def _choose_players(screen: Screen) -> tuple[str, str]:
    screen.say("Against whom?")
    screen.say("  1  a friend at this keyboard")
    screen.say("  2  the computer")
    if _ask_one_of(screen, "Your opponent", {"1": True, "2": False}, "1"):
        return HUMAN, HUMAN
    screen.say("How strong? Level 1 is a beginner, 8 plays perfectly.")
    levels = {str(level): f"level:{level}" for level in (*LEVELS, PERFECT)}
    return HUMAN, _ask_one_of(screen, "Level", levels, EASY)


def _yes(screen: Screen, question: str, usual: str) -> bool:
    return _ask_one_of(screen, f"{question} y or n", SWITCH, usual)


def _ask(screen: Screen, question: str, usual: str, read: Callable[[str], T]) -> T:
    """Ask until the answer can be read; Enter takes the usual one."""
    while True:
        answer = screen.ask(f"{question} [{usual}]: ").strip() or usual
        try:
            return read(answer)
        except DigitDuelError as problem:
            screen.complain(problem)
        except ValueError:
            screen.complain(f"{quoted(answer)} is not a whole number.")


def _ask_one_of(screen: Screen, question: str, answers: dict[str, T], usual: str) -> T:
    return _ask(screen, question, usual, lambda text: _one_of(answers, text))


def _one_of(answers: dict[str, T], text: str) -> T:
    """What an answer stands for."""
    if text.lower() not in answers:
        raise DigitDuelError(f"{quoted(text)} is not one of {listed(answers, 'or')}.")
    return answers[text.lower()]
