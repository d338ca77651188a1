"""The API as it is promised: what goes in, what comes out, who may do what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from digitduel.record import loads
from digitduel.ruleset import find_ruleset, ruleset_keys
from tests.web.helpers import Player, create, friends

if TYPE_CHECKING:
    import httpx2 as httpx

STATE = (
    *("game", "rules", "number", "moves", "turn", "ply"),
    *("version", "result", "termination", "score"),
)


def test_a_new_game(client: httpx.Client) -> None:
    answer = client.post("/api/games", json={"game": "pool", "rules": {"target": 12}})
    made = answer.json()
    assert answer.status_code == 201
    assert made.keys() >= {"id", "version", "state", "links", "token"}
    assert made["links"].keys() == {"invite", "watch"}
    assert made["state"].keys() >= set(STATE)
    assert (made["version"], made["state"]["version"], made["state"]["ply"]) == (1, 1, 0)
    assert made["state"]["rules"] == find_ruleset("pool").replace(target=12).rules
    assert client.get(f"/api/games/{made['id']}").json() == made["state"]


@pytest.mark.parametrize(("first", "turns"), [(1, {1}), (2, {2}), ("random", {1, 2})])
def test_who_starts(client: httpx.Client, first: int | str, turns: set[int]) -> None:
    seats = {create(client, "pool", first=first)[0].state()["seat"] for _ in range(30)}
    assert seats == turns


def play_out(ann: Player, bob: Player) -> dict[str, Any]:
    """Take the last legal move each time, so that no game is over at once if it can be helped."""
    state = ann.state()
    while not state["over"] and state["ply"] < 40:
        player = (ann, bob)[state["seat"] - 1]
        answer = player.post("moves", move=state["legal_moves"][-1], ply=state["ply"], key="k")
        if answer.status_code == 409:  # the key was used for an earlier move
            answer = player.post("moves", move=state["legal_moves"][-1], ply=state["ply"])
        assert answer.status_code == 200, answer.text
        assert answer.json()["version"] == state["version"] + 1
        state = answer.json()
    return state


@pytest.mark.parametrize("game", ruleset_keys())
def test_all_five_games_to_the_end(client: httpx.Client, game: str) -> None:
    ann, bob = friends(client, game, rules={"target": 101})
    state = play_out(ann, bob)
    if not state["over"]:  # an endless one: they agree to stop
        ann.post("off")
        state = bob.post("off").json()
    assert state["over"]
    assert state["legal_moves"] == []
    assert state["termination"]
    assert state["result_text"]
    (record,) = loads(client.get(f"/api/games/{ann.id}/record").text)
    assert [str(move) for move in record.moves] == state["moves"]
    assert record.result == state["result"]


def test_the_worked_example_of_ends(client: httpx.Client) -> None:
    ann, bob = friends(client, "ends")
    ann.move("5R")
    bob.move("1L")
    state = ann.move("4R").json()
    assert (state["number"], state["result"], state["termination"]) == ("154", "1-0", "target")
    assert state["divisions"] == ["154 = 7 x 22 + 0"]
    assert state["score"] == [1, 0]


def test_a_move_names_the_ply_it_answers(client: httpx.Client) -> None:
    ann, bob = friends(client, rules={"target": 101})
    ann.move("5", ply=0)
    late = ann.move("6", ply=0)
    assert late.status_code == 409
    assert late.json()["state"] == ann.state()
    early = bob.move("6", ply=7)
    assert early.status_code == 409
    assert "taken back meanwhile" in early.json()["detail"]


def test_out_of_turn_and_after_the_end(client: httpx.Client) -> None:
    ann, bob = friends(client)
    turn = bob.move("5", ply=0)
    assert turn.status_code == 409
    assert turn.json()["detail"] == "5 is out of turn: Player 1 is to move."
    ann.move("7")
    before = ann.state()
    over = bob.move("5", ply=1)
    assert over.status_code == 409
    assert "the game is over" in over.json()["detail"]
    assert over.json()["state"] == before == ann.state()


@pytest.mark.parametrize(
    ("move", "reason"),
    [("x", "not a move"), ("0", "not in this game"), ("5L", "right end"), ("٣", "not a move")],
)
def test_what_is_no_move(client: httpx.Client, move: str, reason: str) -> None:
    ann, _ = friends(client)
    before = ann.state()
    answer = ann.move(move, ply=0)
    assert answer.status_code == 422
    assert reason in answer.json()["detail"]
    assert ann.state() == before


def test_the_same_request_twice_is_played_once_and_answered_alike(client: httpx.Client) -> None:
    ann, bob = friends(client, rules={"target": 101})
    once = ann.move("5", ply=0, key="k1")
    bob.move("6", ply=1, key="k1")  # another player's keys are his own
    again = ann.move("5", ply=0, key="k1")
    assert again.status_code == once.status_code == 200
    assert again.json() == once.json()
    assert ann.state()["moves"] == ["5", "6"]


def test_a_repeat_is_known_after_the_end_and_after_a_rematch(client: httpx.Client) -> None:
    ann, bob = friends(client)
    won = ann.move("7", ply=0, key="win")
    assert ann.move("7", ply=0, key="win").json() == won.json()
    for each in (ann, bob):
        each.post("rematch")
    assert ann.move("7", ply=0, key="win").json() == won.json()
    assert ann.state()["ply"] == 0


def test_a_key_is_for_one_request(client: httpx.Client) -> None:
    ann, bob = friends(client, rules={"target": 101})
    ann.move("5", ply=0, key="k1")
    bob.move("6", ply=1)
    other = ann.move("7", ply=2, key="k1")
    assert other.status_code == 409
    assert "'k1' belongs to another request" in other.json()["detail"]
    assert ann.state()["ply"] == 2


def test_a_request_may_name_the_round(client: httpx.Client) -> None:
    ann, bob = friends(client)
    ann.move("7")
    for each in (ann, bob):
        each.post("rematch")
    stale = bob.post("moves", move="7", ply=0, round=1)
    assert stale.status_code == 409
    assert stale.json()["detail"] == "round 2 has begun meanwhile: look again."


def test_who_may_change_a_game(client: httpx.Client) -> None:
    ann, _ = friends(client)
    stranger, _ = friends(client)
    watcher = Player(client, ann.id)
    for token, status in ((None, 401), ("nonsense", 403), (stranger.token, 403)):
        player = Player(client, ann.id, token)
        for what in ("moves", "resign", "off", "undo", "rematch"):
            body = {"move": "5", "ply": 0} if what == "moves" else {}
            answer = player.post(what, **body)
            assert answer.status_code == status, (what, answer.text)
    assert watcher.state()["version"] == 2
    assert client.get(f"/api/games/{ann.id}/you").json() == {"seats": [], "may": []}
    mine = client.get(f"/api/games/{ann.id}/you", headers=ann.headers).json()
    assert mine == {"seats": [1], "may": ["move", "resign", "off"]}


def test_an_invitation_is_valid_once(client: httpx.Client) -> None:
    ann, invite = create(client)
    assert invite is not None
    path = f"/api/games/{ann.id}/join"
    assert client.post(path, json={"invite": "wrong"}).status_code == 403
    secret = invite.rpartition("=")[2]
    assert client.post(path, json={"invite": secret}).status_code == 200
    used = client.post(path, json={"invite": invite})
    assert used.status_code == 410
    assert ann.state()["joined"] is True


def test_a_token_is_never_chosen_by_who_asks(client: httpx.Client) -> None:
    weak = {"Authorization": "Bearer 1"}
    made = client.post("/api/games", json={"game": "pool"}, headers=weak).json()
    joined = client.post(
        f"/api/games/{made['id']}/join", json={"invite": made["links"]["invite"]}, headers=weak
    ).json()
    assert len({"1", made["token"], joined["token"]}) == 3


def test_joining_again_with_a_key_of_ones_own(client: httpx.Client) -> None:
    ann, invite = create(client, rules={"target": 101}, first=2)
    path, key = f"/api/games/{ann.id}/join", "my own secret key"
    lost = client.post(path, json={"invite": invite, "key": key}).json()["token"]
    found = client.post(path, json={"invite": invite, "key": key}).json()["token"]
    assert client.post(path, json={"invite": invite, "key": key + "?"}).status_code == 410
    assert Player(client, ann.id, lost).move("5", ply=0).status_code == 403
    assert Player(client, ann.id, found).move("5", ply=0).status_code == 200


def test_resigning_gives_the_point_to_the_other(client: httpx.Client) -> None:
    ann, bob = friends(client, rules={"target": 101})
    state = bob.post("resign").json()
    assert (state["termination"], state["result"], state["winner"]) == ("resigned", "1-0", 1)
    assert ann.post("resign").status_code == 409


def test_calling_off_needs_both_friends(client: httpx.Client) -> None:
    ann, bob = friends(client, rules={"target": 101})
    assert ann.post("off").json()["offer"] == 1
    assert ann.post("off").json()["over"] is False  # asking twice is not agreeing
    assert ann.move("5").json()["offer"] is None  # a move withdraws it
    assert bob.post("off").json()["offer"] == 2
    state = ann.post("off").json()
    assert (state["result"], state["termination"], state["score"]) == ("*", "called-off", [0, 0])


@pytest.mark.parametrize("opponent", ["device", "careful"])
def test_calling_off_alone(client: httpx.Client, opponent: str) -> None:
    ann, _ = create(client, opponent=opponent, rules={"target": 101})
    assert ann.post("off").json()["termination"] == "called-off"


def test_two_at_one_device(client: httpx.Client) -> None:
    ann, invite = create(client, opponent="device", rules={"target": 101})
    assert invite is None
    ann.move("5")
    ann.move("6")
    state = ann.post("undo").json()
    assert state["moves"] == ["5"]
    assert ann.post("resign").json()["result"] == "1-0"  # whoever is to move resigns
    resumed = ann.post("undo").json()
    assert (resumed["moves"], resumed["seat"], resumed["score"]) == (["5"], 2, [0, 0])
    assert ann.post("undo").json()["moves"] == []
    assert ann.post("undo").status_code == 409


def test_calling_off_is_taken_back_alone_too(client: httpx.Client) -> None:
    ann, _ = create(client, opponent="device", rules={"target": 101})
    ann.post("off")
    assert ann.post("undo").json()["over"] is False


def test_a_takeback_between_friends_is_asked_for_and_granted_or_not(client: httpx.Client) -> None:
    ann, bob = friends(client, rules={"target": 101})
    ann.move("5")
    assert bob.post("undo").status_code == 409, "he has made no move"
    asked = ann.post("undo").json()
    assert asked["proposal"] == {"seat": 1, "what": "undo"}
    assert asked["moves"] == ["5"]
    assert bob.post("decline").json()["proposal"] is None
    ann.post("undo")
    assert bob.post("undo").json()["moves"] == []


def test_a_rematch_swaps_the_start_and_keeps_the_score(client: httpx.Client) -> None:
    ann, bob = friends(client)
    assert ann.post("rematch").status_code == 409  # not over yet
    ann.move("7")
    offered = bob.post("rematch").json()
    assert (offered["round"], offered["over"]) == (1, True), "the finished round stays until then"
    assert offered["proposal"] == {"seat": 2, "what": "rematch"}
    state = ann.post("rematch").json()
    assert (state["round"], state["first"], state["seat"]) == (2, 2, 2)
    assert state["score"] == [1, 0]
    assert bob.post("rematch").json() == state  # whoever asks once more finds it started
    assert ann.post("rematch", round=1).json() == state
    bob.move("7")
    assert ann.state()["score"] == [1, 1]
    assert bob.post("rematch", round=1).status_code == 409
    records = loads(client.get(f"/api/games/{ann.id}/record").text)
    assert [record.result for record in records] == ["1-0", "0-1"]


def test_an_action_with_a_key_is_done_once(client: httpx.Client) -> None:
    ann, _ = create(client, opponent="device", rules={"target": 101})
    for digit in "123":
        ann.move(digit)
    first = ann.post("undo", key="u1")
    assert ann.post("undo", key="u1").json() == first.json()
    assert ann.state()["moves"] == ["1", "2"]
    assert ann.post("undo", ply=3).status_code == 409


def test_rulesets(client: httpx.Client) -> None:
    games = client.get("/api/rulesets").json()
    assert [each["key"] for each in games] == list(ruleset_keys())


def test_health_and_docs(client: httpx.Client) -> None:
    assert client.get("/health").json() == {"status": "ok", "store": "sqlite"}
    assert client.head("/health").status_code == 200
    paths = client.get("/api/openapi.json").json()["paths"]
    page = client.get("/api/docs").text
    assert all(path in page for path in paths)
    assert "://" not in page  # nothing is fetched from elsewhere
