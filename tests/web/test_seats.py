"""Whose a seat is: taken, moved to another browser, given to whoever is there; and by what name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from digitduel.errors import DigitDuelError
from digitduel.ruleset import find_ruleset
from digitduel.web.errors import NotAllowedError, RefusedError, UsedInviteError
from digitduel.web.models import Action, Join, MoveRequest, NewGame
from digitduel.web.rights import seats_of
from digitduel.web.service import SeatTaken, Service, recommended_settings

if TYPE_CHECKING:
    from digitduel.web.hosted import HostedDuel

OPEN = {"target": 101}


def game(service: Service, **options: object) -> SeatTaken:
    return service.create(NewGame.model_validate({"game": "pool", "rules": OPEN, **options}), "x")


def move(service: Service, duel: HostedDuel, token: str, digit: str) -> HostedDuel:
    return service.act(
        "move", duel.id, token, MoveRequest(move=digit, ply=service.find(duel.id).ply)
    )


# --- A friend's seat. ---


def test_whoever_comes_first_has_the_free_seat_without_an_invitation(service: Service) -> None:
    ann = game(service)
    bob = service.join(ann.duel.id, Join())
    assert seats_of(bob.duel, bob.token) == (2,)
    with pytest.raises(UsedInviteError, match="somebody has taken this seat"):
        service.join(ann.duel.id, Join())


@pytest.mark.parametrize("opponent", ["device", "level:1"])
def test_nobody_joins_where_no_friend_is_expected(service: Service, opponent: str) -> None:
    with pytest.raises(NotAllowedError, match="nobody can join"):
        service.join(game(service, opponent=opponent).duel.id, Join())


def test_a_friend_who_joined_in_another_browser_takes_the_seat_over(service: Service) -> None:
    ann = game(service)
    elsewhere = service.join(ann.duel.id, Join(name="Bob"))
    move(service, ann.duel, ann.token, "1")  # by Ann, which does not bind the friend
    with pytest.raises(UsedInviteError):
        service.join(ann.duel.id, Join())  # not said: a second friend takes nothing by accident
    bob = service.join(ann.duel.id, Join(again=True, name="Bob"))
    assert seats_of(bob.duel, bob.token) == (2,)
    assert seats_of(bob.duel, elsewhere.token) == ()


def test_a_friend_who_has_moved_keeps_the_seat(service: Service) -> None:
    ann = game(service, first=2)
    bob = service.join(ann.duel.id, Join())
    move(service, ann.duel, bob.token, "1")
    with pytest.raises(UsedInviteError):
        service.join(ann.duel.id, Join(again=True))


# --- The same seat on another device. ---


def test_a_seat_goes_on_elsewhere_once(service: Service) -> None:
    ann = game(service)
    _, secret = service.offer_seat(ann.duel.id, ann.token)
    phone = service.take_seat(ann.duel.id, f"https://a.example/games/x/seat?secret={secret}")
    assert seats_of(phone.duel, phone.token) == (1,)
    assert seats_of(phone.duel, ann.token) == ()
    with pytest.raises(UsedInviteError, match="has been used"):
        service.take_seat(ann.duel.id, secret)
    with pytest.raises(NotAllowedError):
        move(service, ann.duel, ann.token, "1")
    assert move(service, ann.duel, phone.token, "1").ply == 1
    assert service.take_seat(ann.duel.id, secret, phone.token).duel.host == phone.duel.host


def test_a_newer_link_takes_the_place_of_the_last(service: Service) -> None:
    ann = game(service, opponent="device")
    old, new = (service.offer_seat(ann.duel.id, ann.token)[1] for _ in range(2))
    with pytest.raises(UsedInviteError):
        service.take_seat(ann.duel.id, old)
    assert seats_of((taken := service.take_seat(ann.duel.id, new)).duel, taken.token) == (1, 2)


def test_only_a_player_hands_over_and_nobody_sits_on_both_sides(service: Service) -> None:
    ann = game(service)
    bob = service.join(ann.duel.id, Join())
    with pytest.raises(NotAllowedError):
        service.offer_seat(ann.duel.id, "nobody")
    _, secret = service.offer_seat(ann.duel.id, ann.token)
    with pytest.raises(RefusedError, match="has a seat in this game already"):
        service.take_seat(ann.duel.id, secret, bob.token)


def test_who_had_a_seat_for_a_moment_has_no_way_back(service: Service) -> None:
    ann = game(service)
    mallory = service.join(ann.duel.id, Join(key="k" * 16))
    _, secret = service.offer_seat(ann.duel.id, mallory.token)
    service.join(ann.duel.id, Join(again=True))
    with pytest.raises(UsedInviteError):
        service.take_seat(ann.duel.id, secret)
    bob = service.join(ann.duel.id, Join(again=True, key="b" * 16))
    _, secret = service.offer_seat(ann.duel.id, bob.token)
    service.take_seat(ann.duel.id, secret)
    with pytest.raises(UsedInviteError):
        service.join(ann.duel.id, Join(key="b" * 16))


def test_a_game_has_an_end_to_what_can_be_changed_about_it(service: Service) -> None:
    service.settings = replace(service.settings, most_changes=5)
    ann = game(service)
    for number in range(4):
        service.rename(ann.duel.id, ann.token, f"Ann {number}")
    with pytest.raises(RefusedError, match="enough changes"):
        service.rename(ann.duel.id, ann.token, "Ann")
    assert move(service, ann.duel, ann.token, "1").ply == 1, "it can be played to its end"


# --- Names. ---


def test_names_are_shown_and_told_apart(service: Service) -> None:
    ann = game(service, name="  Ann ")
    assert ann.duel.terms.names == ("Ann", "Player 2")
    bob = service.join(ann.duel.id, Join(name="Ann"))
    assert bob.duel.terms.names == ("Ann", "Ann (2)")
    assert service.rename(ann.duel.id, bob.token, "Bob").terms.names == ("Ann", "Bob")
    version = service.find(ann.duel.id).version
    assert service.rename(ann.duel.id, bob.token, "Bob").version == version, "nothing changes"
    assert service.rename(ann.duel.id, bob.token, " ").terms.names == ("Ann", "Player 2")


@pytest.mark.parametrize("name", ["x" * 25, "a\u202eb", "\x00"])
def test_what_is_no_name_is_refused(service: Service, name: str) -> None:
    ann = game(service)
    with pytest.raises(DigitDuelError, match="is no name"):
        service.rename(ann.duel.id, ann.token, name)


def test_a_round_on_record_keeps_the_names_it_was_played_under(service: Service) -> None:
    ann = game(service, opponent="level:1", name="Ann", first=1)
    service.act("resign", ann.duel.id, ann.token, Action())
    service.act("rematch", ann.duel.id, ann.token, Action())
    duel = service.rename(ann.duel.id, ann.token, "Anna")
    assert [record.players[0] for record in duel.records] == ["Ann", "Anna"]


# --- This browser's games. ---


def test_a_browsers_running_games_are_listed(service: Service) -> None:
    ann, other = game(service), game(service)
    mine = [service.create(NewGame(game="pool", rules=OPEN), "x", ann.token) for _ in range(2)]
    service.join(other.duel.id, Join(), ann.token)
    service.act("resign", mine[0].duel.id, ann.token, Action())
    listed = {duel.id for duel in service.running(ann.token)}
    assert listed == {ann.duel.id, mine[1].duel.id, other.duel.id}


def test_games_from_before_are_listed_too(service: Service) -> None:
    ann = game(service)
    with service.store.transaction() as run:
        run("DELETE FROM seats")
    assert service.running(ann.token) == []
    assert service.store.seat_older_games() == ann.duel.id
    assert service.store.seat_older_games(ann.duel.id) is None
    assert [duel.id for duel in service.running(ann.token)] == [ann.duel.id]


def test_between_the_rounds_of_a_match_it_is_not_over(service: Service) -> None:
    ann = game(service, opponent="device", best_of=3)
    service.act("resign", ann.duel.id, ann.token, Action())
    assert len(service.running(ann.token)) == 1
    service.act("rematch", ann.duel.id, ann.token, Action())
    duel = service.act("resign", ann.duel.id, ann.token, Action())
    assert duel.standing.score == (1, 1)
    service.act("rematch", ann.duel.id, ann.token, Action())
    service.act("resign", ann.duel.id, ann.token, Action())
    assert service.running(ann.token) == []


def test_a_match_of_rounds_or_best_of_them(service: Service) -> None:
    with pytest.raises(DigitDuelError, match="not both"):
        game(service, rounds=2, best_of=3)
    with pytest.raises(DigitDuelError, match="could end even"):
        game(service, best_of=2)


# --- Whoever is there. ---


def test_two_who_want_the_same_setting_meet(service: Service) -> None:
    ann = service.meet("closest:easy", "x")
    assert ann.duel.waiting == "closest:easy"
    assert service.waiting()["closest:easy"] == 1
    again = service.meet("closest:easy", "x", ann.token)
    assert again.duel.id == ann.duel.id, "a challenge stands: nobody meets themselves"
    other = service.meet("pool:easy", "x")
    assert other.duel.id != ann.duel.id
    bob = service.meet("closest:easy", "y")
    assert bob.duel.id == ann.duel.id
    assert bob.duel.terms.names == ("Player 1", "Player 2")
    assert service.waiting()["closest:easy"] == 0


def test_a_challenge_that_is_left_stands_no_more(service: Service) -> None:
    ann = service.meet("closest:easy", "x")
    service.act("off", ann.duel.id, ann.token, Action())
    assert service.meet("closest:easy", "y").duel.id != ann.duel.id


def test_nobody_is_sent_to_who_is_not_there(service: Service) -> None:
    ann = service.meet("closest:easy", "x")
    assert service.waiting()["closest:easy"] == 1, "whoever has just come has no page yet"
    with service.store.transaction() as run:
        run("UPDATE games SET created_at = created_at - 60")
    assert service.waiting()["closest:easy"] == 0
    other = service.meet("closest:easy", "y")
    assert other.duel.id != ann.duel.id
    service.act("off", other.duel.id, other.token, Action())
    service.present = lambda: [ann.duel.id]
    assert service.meet("closest:easy", "z").duel.id == ann.duel.id, "it stood all the while"


def test_many_who_have_left_hide_nobody_who_is_there(service: Service) -> None:
    for _ in range(510):
        service._create(
            find_ruleset("pool:easy"), NewGame(game="pool:easy"), "x", None, "pool:easy"
        )
    with service.store.transaction() as run:
        run("UPDATE games SET created_at = created_at - 60")
    ann = service.meet("pool:easy", "x")
    assert service.meet("pool:easy", "y").duel.id == ann.duel.id


def test_two_who_come_at_the_same_moment_meet(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = service.meet("closest:easy", "x")
    look, looks = service._first_waiting, list[str | None]()

    def blind_at_first(setting: str, token: str, before: str | None = None) -> SeatTaken | None:
        looks.append(before)
        return look(setting, token, before) if before else None

    monkeypatch.setattr(service, "_first_waiting", blind_at_first)
    with service.store.transaction() as run:  # whoever came first is first
        run("UPDATE games SET created_at = created_at - 1")
    bob = service.meet("closest:easy", "y")
    assert len(looks) == 2
    assert bob.duel.id == ann.duel.id
    assert service.waiting()["closest:easy"] == 0, "the challenge of the later one is taken back"


def test_only_recommended_settings_have_somebody(service: Service) -> None:
    assert "closest:easy" in recommended_settings()
    for setting in ("closest", "closest:hard", "x"):
        with pytest.raises(DigitDuelError, match="no recommended setting"):
            service.meet(setting, "x")


def test_games_with_whoever_is_there_have_no_names(service: Service) -> None:
    ann = service.meet("closest:easy", "x")
    with pytest.raises(RefusedError, match="have no names"):
        service.rename(ann.duel.id, ann.token, "Ann")
    bob = service.join(ann.duel.id, Join(name="Bob"))
    assert bob.duel.terms.names[1] == "Player 2"
