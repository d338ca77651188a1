"""Reasons are true: what the words claim is what happens on the board."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING

import pytest

from digitduel import DigitDuelError, Game, IllegalMoveError, Move, Position, find_ruleset
from digitduel.position import Side, Termination
from digitduel.ruleset import shipped_settings
from digitduel.solver import Evaluator, Value, solve
from digitduel.teach import Advice, Principle, Reason, explain
from digitduel.teach.patterns import DECIDED, find_pattern
from digitduel.teach.replies import Replies

if TYPE_CHECKING:
    from digitduel.ruleset import Ruleset

SUM = re.compile(r"(?<![\d.])(\d+) = (\d+) x (\d+) \+ (\d+)")
LONG = re.compile(r"the remainder (\d+) by (\d+) \((\d+) digits\)")
MULTIPLE = re.compile(r"a multiple of (\d+) \((\d+) digits\)")
MOVES = r"\d[LR]?(?:(?:, | or | and )\d[LR]?)*"
ANSWER = re.compile(rf"({MOVES}) with (\d[LR]?)")
EVERY_GIVES = re.compile(r"(very|very other|he only) reply gives a win at once")
# How each principle is said.
PHRASES = {
    Principle.ENDS_IT: re.compile(r"^\d[LR]? (wins|loses): (?!it leaves)"),
    Principle.GIVES_A_WIN: re.compile(r"^\d[LR]? loses: it leaves"),
    Principle.NOTHING_FINISHES: re.compile("one of the (digits|.* replies)|does not finish"),
    Principle.EVERY_REPLY_LOSES: re.compile(
        rf"very reply loses at once|(?<!the game open)(?:\. |that )({MOVES}) loses? at once "
        r"\([^()]*(\(.*?\))?[^()]*\)\.( Every (move|digit)| There is no|$)"
    ),
    Principle.EVERY_REPLY_GIVES: EVERY_GIVES,
    Principle.TWO_THREATS: re.compile("in two ways or more"),
    Principle.FEW_HOLD_OUT: re.compile("ll (other )?replies but"),
    Principle.RULE: re.compile(r"opy (the|any)|digit with|the two add up"),
    Principle.REMAINDERS: re.compile("so that the number leaves"),
    Principle.HOLD_OUT: re.compile(
        "can be made any more|neither player can force a multiple", re.I
    ),
    Principle.EVERY_MOVE_LOSES: re.compile("Every (move|digit) loses here|There is no other move"),
    Principle.TRAP: re.compile("the best trap"),
}


def some_rulesets(rng: Random, count: int) -> list[Ruleset]:
    """Rule sets of every kind, the five games and their recommended settings among them."""
    found = [
        find_ruleset(f"{key}:{setting['name']}")
        for key, shipped in shipped_settings().items()
        for setting in shipped["settings"]
    ]
    found += [find_ruleset("pool").replace(target=t) for t in (7, 11, 12, 13)]
    found += [find_ruleset("conquest").replace(target=t) for t in (7, 11, 13)]
    found += [find_ruleset("closest").replace(target=t) for t in (12, 33)]
    found += [find_ruleset("forbidden").replace(target=t) for t in (7, 11, 13)]
    found += [
        find_ruleset("ends").replace(digits="1-9", target=t) for t in (11, 13, 17, 33, 37, 101)
    ]
    while len(found) < count:
        try:
            found.append(
                find_ruleset("ends").replace(
                    digits=sorted(rng.sample(range(10), rng.randint(2, 6))),
                    uses=rng.choice([None, None, 1, 2]),
                    ends=rng.choice(["right", "left", "both"]),
                    target=rng.randint(2, 40),
                    forbidden=rng.choice([[], [], [2], [3, 5]]),
                    limit=rng.choice([None, 4, 6, 7]),
                    full=rng.choice(["last-loses", "closest"]),
                    leading_zero=rng.choice([True, False]),
                )
            )
        except DigitDuelError:
            continue
    return found


def some_position(ruleset: Ruleset, rng: Random) -> Position:
    """A position in play, after a few random moves."""
    position = Position(ruleset)
    for _ in range(rng.randrange(7)):
        after = position.play(rng.choice(position.legal_moves))
        if after.outcome() is not None:
            break
        position = after
    return position


def check_arithmetic(position: Position, reason: Reason) -> None:
    """Every sum is right, and so is every remainder of a number that is too long to write."""
    for number, divisor, times, rest in SUM.findall(reason.text):
        assert int(number) == int(divisor) * int(times) + int(rest), reason.text
        assert int(rest) < int(divisor), reason.text
        assert len(number) <= 9, reason.text
    met = numbers_met(position, reason)
    long = [*LONG.findall(reason.text), *(("0", *x) for x in MULTIPLE.findall(reason.text))]
    for rest, divisor, length in long:
        assert int(length) > 9
        fits = {n for n in met if len(n) == int(length) and int(n) % int(divisor) == int(rest)}
        assert fits, reason.text
    assert SUM.search(reason.text) or long, reason.text


def numbers_met(position: Position, reason: Reason) -> set[str]:
    """The numbers that a reason can be about: those of the line, and after the replies."""
    met = set()
    for move in reason.line:
        position = position.play(move)
        met |= {position.number, *(position.play(m).number for m in position.legal_moves)}
    return met


def check_line(position: Position, move: Move, reason: Reason) -> None:
    """The line begins with the move and ends the game when and how it is claimed."""
    assert reason.line[0] == move
    if shown := re.search(r"Best play (?:is|begins with) ((?:\d[LR]? ?)+)", reason.text):
        assert list(reason.line)[:9] == [Move.parse(each) for each in shown[1].split()]
    if reason.plies is None:
        return
    assert len(reason.line) == reason.plies
    mover = position.turn
    for each in reason.line:
        assert position.outcome() is None
        position = position.play(each)
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.winner is mover) is (reason.value is Value.WIN)


def wins_at_once(position: Position, move: Move) -> bool:
    outcome = position.play(move).outcome()
    return outcome is not None and outcome.winner is position.turn


@dataclass(frozen=True)
class Scene:
    """What the sentences about replies and answers are about, worked out by playing."""

    after: Position  # whoever is to reply has lost, or must see that the game stays open
    claim: Value  # for whoever answers
    plies: int | None  # in which the claimed win comes, from `after` on
    evaluator: Evaluator

    @classmethod
    def of(cls, position: Position, reason: Reason, evaluator: Evaluator) -> Scene | None:
        lost = reason.value is Value.LOSS
        for move in reason.line[: 2 if lost else 1]:
            position = position.play(move)
        if position.outcome() is not None:
            return None
        plies = None if reason.plies is None else reason.plies - (2 if lost else 1)
        return cls(position, Value.WIN if lost else reason.value, plies, evaluator)

    @cached_property
    def ended(self) -> set[Move]:
        return {m for m in self.after.legal_moves if self.after.play(m).outcome() is not None}

    @cached_property
    def ways(self) -> dict[Move, list[Move]]:
        """The answers that win at once, for each reply that lets the game go on."""
        found = {}
        for reply in self.after.legal_moves:
            if reply not in self.ended:
                replied = self.after.play(reply)
                found[reply] = [a for a in replied.legal_moves if wins_at_once(replied, a)]
        return found

    @cached_property
    def giving(self) -> set[Move]:
        return {reply for reply, ways in self.ways.items() if ways}

    @cached_property
    def holding(self) -> set[Move]:
        return self.ways.keys() - self.giving

    def keeps(self, reply: Move, answer: Move, in_time: bool = True) -> bool:
        """Whether an answer leaves its player with at least what was claimed."""
        answered = self.after.play(reply).play(answer)
        if answered.outcome() is not None:
            return wins_at_once(self.after.play(reply), answer)
        worth = self.evaluator.probe(answered).before()
        if self.claim is not Value.WIN:
            return worth.value is not Value.LOSS
        slow = in_time and (worth.plies or 0) > (self.plies or 0) - 1
        return worth.value is Value.WIN and not slow

    def named(self, text: str) -> set[Move]:
        """The moves of a list; a digit without a side is one at either end."""
        found = set()
        for digit, end in re.findall(r"(\d)([LR]?)", text):
            moves = {m for m in self.after.legal_moves if m.digit == int(digit)}
            found |= {m for m in moves if not end or m.end == end}
            assert moves, text
        return found


def answered_in_words(scene: Scene, text: str) -> dict[Move, Move]:
    """The answers that a text names, for each reply."""
    named = {r: Move.parse(a) for rs, a in ANSWER.findall(text) for r in scene.named(rs)}
    if rest := re.search(r"the rest with (\d[LR]?)", text):
        spoken_of = scene.ways.keys() if EVERY_GIVES.search(text) else scene.holding
        named |= {reply: Move.parse(rest[1]) for reply in spoken_of - named.keys()}
    return named


def check_answers(scene: Scene, reason: Reason) -> None:
    """There is an answer to each reply that lets the game go on, and each keeps the claim."""
    assert [reply for reply, _ in reason.answers] == list(scene.ways)
    told = answered_in_words(scene, reason.text)
    for reply, answer in reason.answers:
        assert scene.keeps(reply, answer), (reason.text, reply, answer)
        assert "such as" in reason.text or told.get(reply, answer) == answer, reason.text
        assert not reason.text.count("Copy the") or answer == reply, reason.text


def check_replies(scene: Scene, text: str) -> None:
    """What is said of replies: which lose, give a win, or hold out."""
    for listed in re.findall(rf"({MOVES}) loses? at once", text):
        assert scene.named(listed) == scene.ended, text
        assert all(not wins_at_once(scene.after, m) for m in scene.ended), text
    if "very reply loses at once" in text:
        assert scene.ended == set(scene.after.legal_moves), text
    for but, listed in re.findall(rf"(replies but )?({MOVES}) gives? a win at once;", text):
        assert scene.named(listed) == (scene.holding if but else scene.giving), text
    for count in re.findall(r"(\d+) replies give a win at once;", text):
        assert int(count) == len(scene.giving), text
    for other in re.findall("ll (other )?replies but", text):
        assert bool(other) is bool(scene.ended), text
    if every := EVERY_GIVES.search(text):
        assert not scene.holding, text
        assert bool(scene.ended) is (every[1] == "very other"), text
        fewest = 2 if "in two ways or more" in text else 1
        assert all(len(ways) >= fewest for ways in scene.ways.values()), text
    if target := re.search(r"some digit always makes a multiple of (\d+)", text):
        for reply, ways in scene.ways.items():
            made = [int(scene.after.play(reply).play(way).number) for way in ways]
            assert any(number % int(target[1]) == 0 for number in made), text


def check_named_answers(scene: Scene, text: str) -> None:
    """What is said of answers: pairs, one rule for all, or remainders to leave."""
    for reply, answer in answered_in_words(scene, text).items():
        assert scene.keeps(reply, answer, in_time="such as" not in text), text
        if EVERY_GIVES.search(text):
            assert answer in scene.ways[reply], text
    some = scene.holding if "any other digit" in text else scene.ways.keys()
    if re.search("opy (the|any)", text):
        assert all(scene.keeps(reply, reply) for reply in some), text
    if always := re.search(r"nswer (?:every|the next|any other) digit with (\d[LR]?)", text):
        assert all(scene.keeps(reply, Move.parse(always[1])) for reply in some), text
    if total := re.search(r"the two add up to (\d+)", text):
        for reply in some:
            assert scene.keeps(reply, Move(int(total[1]) - reply.digit, reply.end)), text
    if rule := re.search(r"the number leaves ([\d, or]+) by (\d+)", text):
        wanted, target = set(map(int, re.findall(r"\d+", rule[1]))), int(rule[2])
        assert len(wanted) <= 4
        for reply in scene.holding:
            replied = scene.after.play(reply)
            fits = [
                m for m in replied.legal_moves if int(replied.play(m).number) % target in wanted
            ]
            assert fits, text
            assert all(scene.keeps(reply, answer, in_time=False) for answer in fits), text


def can_happen(position: Position) -> set[Termination]:
    """How a game can end from here on, whoever plays how."""
    seen: dict[tuple[object, ...], Position] = {}
    ends, waiting = set(), [position]
    while waiting:
        here = waiting.pop()
        for after in map(here.play, here.legal_moves):
            if outcome := after.outcome():
                ends.add(outcome.termination)
            elif (key := (len(after.number), *after.state)) not in seen:
                seen[key] = after
                waiting.append(after)
    return ends


def can_force_a_multiple(position: Position, side: Side) -> bool:
    """Whether a side can make a multiple that wins, whatever the other does."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.termination is Termination.TARGET and outcome.winner is side
    can = (can_force_a_multiple(position.play(move), side) for move in position.legal_moves)
    return any(can) if position.turn is side else all(can)


def check_hold_out(scene: Scene, move: Move, text: str) -> None:
    """Who places the last digit, and that nobody comes to a multiple before."""
    rules = scene.after.ruleset
    if "can be made any more" in text:
        assert can_happen(scene.after) <= {Termination.FULL, Termination.CLOSEST}, text
    if "who is closer to one at the end wins" in text:
        assert rules.full == "closest"
    last = re.search(r"(\d+) more digits? fills? the number, so (.*?) places the last one", text)
    if not last:
        return
    assert rules.full == "last-loses"
    assert len(scene.after.number) + int(last[1]) == rules.capacity, text
    assert int(last[1]) % 2 == 1, text  # so that it is the one who is to reply
    assert last[2] == (f"whoever plays {move}" if "loses in" in text else "the other"), text
    if "neither player can force a multiple" in text and int(last[1]) <= 3:
        assert not any(can_force_a_multiple(scene.after, side) for side in Side), text


def check_nothing_finishes(scene: Scene, text: str) -> None:
    """That no reply makes a multiple, and what they leave."""
    after, target = scene.after, scene.after.ruleset.target
    left = {m: int(after.play(m).number) % target for m in after.legal_moves}
    if said := re.search(
        r"one of the digits left \((.*?)\) finishes .*?: they leave (.*?)\.", text
    ):
        assert scene.named(said[1]) == set(left), text
        assert [int(n) for n in re.findall(r"\d+", said[2])] == list(left.values()), text
    if only := re.search(r"(\d[LR]?) does not finish .*?: it leaves (\d+)\.", text):
        assert left == {Move.parse(only[1]): int(only[2])}, text
    if count := re.search(r"one of the (\d+) replies makes a multiple of", text):
        assert int(count[1]) == len(left), text
    if PHRASES[Principle.NOTHING_FINISHES].search(text):
        assert all(left.values()), text


def check_lost(position: Position, move: Move, reason: Reason, evaluator: Evaluator) -> None:
    """Where every move is said to lose they do, and no trap is better than the one that is."""
    text, values = reason.text, evaluator.move_values(position)
    lost = all(worth.value is Value.LOSS for worth in values.values())
    assert bool(PHRASES[Principle.EVERY_MOVE_LOSES].search(text)) is lost, text
    if not lost:
        return
    assert ("There is no other move" in text) is (len(values) == 1), text

    def winning(each: Move) -> list[Move]:
        after = position.play(each)
        replies = evaluator.move_values(after) if after.outcome() is None else {}
        return [reply for reply, worth in replies.items() if worth.value is Value.WIN]

    plies = {each: worth.plies or 0 for each, worth in values.items()}
    slowest = [each for each in plies if plies[each] == max(plies.values())]
    fewest = min(len(winning(each)) for each in slowest)
    better = {each for each in slowest if len(winning(each)) == fewest}
    scene = Scene(position, Value.WIN, None, evaluator)
    if longer := re.search(rf"here; ({MOVES}) holds? out longer", text):
        assert scene.named(longer[1]) == better, text
        assert plies[move] < max(plies.values()), text
    if sets := re.search(rf"here; ({MOVES}) sets? a better trap", text):
        assert scene.named(sets[1]) == better, text
        assert move in slowest, text
        assert len(winning(move)) > fewest, text
    if "this one holds out longest" in text:
        assert move in slowest, text
        assert len(slowest) < len(plies), text
    if trap := re.search(rf"best trap: of the (\d+) replies only ({MOVES}) wins?\.", text):
        assert move in better, text
        assert int(trap[1]) == len(position.play(move).legal_moves), text
        on = Scene(position.play(move), Value.WIN, None, evaluator)
        assert on.named(trap[2]) == set(winning(move)), text
    if trap := re.search(r"best trap: (\d+) of the (\d+) replies throw the win away", text):
        assert move in better, text
        assert int(trap[2]) == len(position.play(move).legal_moves), text
        assert int(trap[1]) == int(trap[2]) - len(winning(move)) > 0, text


def check_losing_pattern(position: Position, reason: Reason, evaluator: Evaluator) -> None:
    """Where one rule is said to beat every move, it does."""
    _, claim, rule = reason.text.partition("Every digit loses here: ")
    if not claim:
        return
    for move in position.legal_moves:
        after = position.play(move)
        if after.outcome() is not None:
            continue
        if re.search("copy the (next )?digit", rule):
            reply = move
        elif always := re.search(r"answer (?:every|the next) digit with (\d[LR]?)", rule):
            reply = Move.parse(always[1])
        else:
            total = re.search(r"the two add up to (\d+)", rule)
            assert total is not None, reason.text
            reply = Move(int(total[1]) - move.digit, move.end)
        assert evaluator.move_values(after)[reply].value is Value.WIN, reason.text


def check_reason(position: Position, move: Move, reason: Reason, evaluator: Evaluator) -> None:
    """All that a reason says is what happens on the board."""
    assert (reason.value, reason.plies) == evaluator.move_values(position)[move]
    assert reason.text.startswith(f"{move} ")
    assert reason.text.count(". ") <= 4, reason.text
    stated = {p for p, phrase in PHRASES.items() if phrase.search(reason.text)}
    assert stated == set(reason.principles), (reason.text, stated)
    check_arithmetic(position, reason)
    check_line(position, move, reason)
    if reason.value is Value.LOSS:
        check_lost(position, move, reason, evaluator)
        check_losing_pattern(position, reason, evaluator)
    scene = Scene.of(position, reason, evaluator)
    if scene is None:
        return
    # What follows the loser's move is told apart from what is told of the position before.
    follow = re.sub(r"(Every (move|digit) loses here|There is no other move).*", "", reason.text)
    if reason.value is not Value.LOSS:
        check_answers(scene, reason)
    check_replies(scene, follow)
    check_named_answers(scene, follow)
    check_hold_out(scene, move, follow)
    check_nothing_finishes(scene, follow)


def has_content(position: Position, reason: Reason, evaluator: Evaluator) -> bool:
    """Whether there is a principle, or for each reply an answer in words."""
    scene = Scene.of(position, reason, evaluator)
    if reason.principles or scene is None:
        return bool(reason.principles)
    told = answered_in_words(scene, reason.text).keys() | scene.giving
    return told >= scene.ways.keys()


def check_random_reasons(rng: Random, rulesets: int, reasons: int) -> Counter[object]:
    """Reasons that are all true; how many state each principle, are of each kind, or say little."""
    minds = [(rules, solve(rules)) for rules in some_rulesets(rng, rulesets)]
    counts: Counter[object] = Counter()
    for _ in range(reasons):
        rules, evaluator = rng.choice(minds)
        position = some_position(rules, rng)
        move = rng.choice(position.legal_moves)
        reason = explain(position, move, evaluator)
        check_reason(position, move, reason, evaluator)
        counts.update(reason.principles)
        counts[reason.value, position.play(move).outcome() is None] += 1
        counts["bare"] += not reason.principles
        counts["little"] += not has_content(position, reason, evaluator)
    return counts


def test_of_random_reasons_none_is_false_and_at_most_one_in_fifty_says_little() -> None:
    counts = check_random_reasons(Random(600), rulesets=60, reasons=600)
    assert counts["little"] * 50 <= 600


def test_where_replies_are_many_the_remainders_that_are_said_to_be_good_are() -> None:
    rng, found = Random(33), 0
    for name in ("conquest:classic", "conquest:sharp", "ends:sharp", "closest:classic"):
        rules = find_ruleset(name)
        evaluator = solve(rules)
        for _ in range(25):
            position = some_position(rules, rng)
            for move in evaluator.best_moves(position):
                reason = explain(position, move, evaluator)
                check_reason(position, move, reason, evaluator)
                found += Principle.REMAINDERS in reason.principles
    assert found


def test_where_there_is_too_much_to_look_through_nothing_is_said_to_be_out_of_reach() -> None:
    sparse = find_ruleset("pool").replace(target=99_999_989)
    assert not Replies(Position(sparse, "1"), {}).only_fill
    assert Replies(Position(sparse, "12345"), {}).only_fill
    endless = find_ruleset("forbidden").replace(digits=[3, 9], target=10, forbidden=[])
    assert not Replies(Position(endless, "3"), {}).only_fill


@pytest.mark.slow
def test_five_thousand_random_reasons_are_true() -> None:
    counts = check_random_reasons(Random(5000), rulesets=120, reasons=5_000)
    assert counts["little"] * 50 <= 5_000
    # Every kind of reason and every principle came up, so every one was checked.
    assert {kind for kind in counts if isinstance(kind, tuple)} == {
        (Value.WIN, True),
        (Value.WIN, False),
        (Value.LOSS, True),
        (Value.LOSS, False),
        (Value.ENDLESS, True),
    }
    assert set(Principle) - {Principle.RECIPE, Principle.CARD} <= counts.keys()


def test_what_is_known_of_the_setting_is_said_where_it_speaks_of_the_move() -> None:
    rules = find_ruleset("conquest").replace(target=101)
    known = Advice("the starter plays 3, then always plays 1", (29, 31))
    opening = explain(Position(rules), Move(3), advice=known)
    assert opening.text.endswith("From the start the starter plays 3, then always plays 1.")
    assert Principle.RECIPE in opening.principles
    later = explain(Position(rules, "311"), Move(1), advice=known)
    assert not {Principle.RECIPE, Principle.CARD} & set(later.principles)
    pool = Position(find_ruleset("pool:easy"), "13")
    reason = explain(pool, Move(4), advice=Advice(card=(1, 2, 3, 5)))
    assert reason.text.endswith("2 is on the pocket card: leave 1, 2, 3 or 5.")
    assert Principle.CARD in reason.principles
    assert "card" not in explain(pool, Move(5), advice=Advice(card=(1, 2, 3, 5))).text  # loses


def test_numbers_of_more_than_nine_digits_are_spoken_of_by_their_remainder() -> None:
    rules = find_ruleset("conquest").replace(target=13, limit=12)
    position = Position(rules, "1111211111")
    for move in position.legal_moves:
        assert not re.search(r"\d{10}", explain(position, move).text)


def test_where_every_move_loses_the_best_trap_is_named() -> None:
    position = Position(find_ruleset("pool").replace(target=12), "6")
    assert explain(position, Move(3)).text.endswith(
        "Every move loses here; this one holds out longest and sets the best trap: "
        "of the 7 replies only 9 wins."
    )
    assert explain(position, Move(4)).text.endswith(
        "Every move loses here; 3 and 9 hold out longer."
    )
    assert explain(position, Move(5)).text.endswith(
        "Every move loses here; 3 and 9 set a better trap."
    )


def test_against_target_11_in_conquest_the_reason_is_to_copy_the_digit() -> None:
    start = Position(find_ruleset("conquest").replace(target=11))
    reason = explain(start, Move(3))
    assert reason.text == (
        "3 loses: it leaves 3 = 11 x 0 + 3, and then 3 makes 33 = 11 x 3 + 0. "
        "Every digit loses here: the other can copy the digit."
    )


def test_an_illegal_move_has_no_reason() -> None:
    with pytest.raises(IllegalMoveError, match="0 is not in this game"):
        explain(Position(find_ruleset("pool")), Move(0))


def test_a_side_that_goes_without_saying_is_left_out() -> None:
    reason = explain(Position(find_ruleset("pool")), Move(7, "R"))
    assert reason.text == "7 wins: 7 = 7 x 1 + 0."
    assert reason.line == (Move(7),)


def test_a_game_too_large_to_solve_still_has_reasons() -> None:
    rules = find_ruleset("ends").replace(digits="1-9", target=10**15 + 37)
    reason = explain(Position(rules), Move(5, "R"))
    assert reason.value is Value.UNKNOWN
    assert "5 = 1000000000000037 x 0 + 5" in reason.text
    assert re.search(r"no win can be forced within \d+ moves", reason.text)


def test_long_numbers_are_shortened_in_reasons() -> None:
    rules = find_ruleset("forbidden").replace(target=13)
    game = Game(rules, [Move(1)])
    while len(game.move_stack) < 60:
        safe = [m for m in game.position.legal_moves if not game.position.play(m).outcome()]
        game.push(safe[0])
    for move in game.position.legal_moves:
        reason = explain(game.position, move)
        assert "(61 digits)" in reason.text
        assert len(reason.text) < 600


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, None),
        ({Move(1): (Move(1),)}, None),
        ({Move(1): (Move(1), Move(2)), Move(2): (Move(2),)}, "copy the digit"),
        ({Move(1): (Move(3),), Move(2): (Move(3), Move(4))}, "answer every digit with 3"),
        (
            {Move(1): (Move(8),), Move(2): (Move(7),)},
            "answer every digit so that the two add up to 9",
        ),
        ({Move(1): (Move(8),), Move(2): (Move(5),)}, None),
        (
            {Move(1, "L"): (Move(1, "L"),), Move(1, "R"): (Move(1, "R"),)},
            "copy the digit at the same end",
        ),
    ],
)
def test_patterns(options: dict[Move, tuple[Move, ...]], words: str | None) -> None:
    found, next_only = find_pattern(options, DECIDED), find_pattern(options)
    assert (found and found.words) == words
    assert all(
        answer in options[reply] for reply, answer in (found.answers if found else {}).items()
    )
    only_next = words and words.replace("every", "the next").replace("the digit", "the next digit")
    assert (next_only and next_only.words) == only_next


def test_what_need_not_hold_to_the_end_is_said_of_the_next_digit_only() -> None:
    rules = find_ruleset("conquest").replace(target=101)
    position = Game(rules, map(Move, (6, 1, 6, 2))).position
    assert "Copy the next digit" in explain(position, Move(1)).text
    eleven = Position(find_ruleset("conquest").replace(target=11))
    assert "copy the digit" in explain(eleven, Move(5)).text
