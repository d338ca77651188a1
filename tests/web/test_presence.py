"""Who is here: at once when somebody comes, after a while when they go, over several servers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from digitduel.web import presence
from digitduel.web.presence import Presence

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine


@pytest.fixture(autouse=True)
def short_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "GRACE_SECONDS", 0.02)
    monkeypatch.setattr(presence, "FORGET_SECONDS", 0.2)


def run(story: Callable[[], Coroutine[None, None, None]]) -> None:
    asyncio.run(asyncio.wait_for(story(), 30))


async def until(true: Callable[[], bool]) -> None:
    while not true():
        await asyncio.sleep(0.005)


def test_a_player_is_here_while_any_stream_is_and_a_moment_longer() -> None:
    async def story() -> None:
        changed: list[str] = []
        here = Presence(changed.append, lambda _: None)
        here.come("a", (1,))
        here.come("a", (1,))
        assert here.here("a") == (1,)
        assert changed == ["a"], "the second stream is no news"
        here.leave("a", (1,))
        here.leave("a", (1,))
        assert here.here("a") == (1,)
        here.come("a", (1,))  # opened anew
        await asyncio.sleep(0.05)
        assert (here.here("a"), changed) == ((1,), ["a"])
        here.leave("a", (1,))
        await until(lambda: here.here("a") == ())
        assert changed == ["a", "a"]

    run(story)


def test_whoever_only_watches_is_not_counted() -> None:
    async def story() -> None:
        here = Presence(pytest.fail, lambda _: None)
        here.come("a", ())
        here.leave("a", ())
        assert here.here("a") == ()

    run(story)


def test_two_servers_know_of_each_others_players() -> None:
    async def story() -> None:
        servers: list[Presence] = []

        def tell(text: str) -> None:
            for server in servers:
                server.told(text)

        one, two = (Presence(lambda _: None, tell) for _ in range(2))
        servers += [one, two]
        one.come("a", (1,))
        two.come("a", (2,))
        await until(lambda: one.here("a") == two.here("a") == (1, 2))
        one.leave("a", (1,))
        await until(lambda: two.here("a") == (2,))
        servers.remove(two)  # killed: it says no more
        await until(lambda: one.here("a") == ())
        one.repeat()
        servers.append(two)
        two.repeat()
        await until(lambda: one.here("a") == (2,))

    run(story)
