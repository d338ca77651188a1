"""/health sees what players see, and asking for it often costs nothing."""

from __future__ import annotations

import asyncio
from threading import Event
from typing import TYPE_CHECKING

import pytest

from digitduel.web.errors import LostError
from digitduel.web.health import WRITE_SECONDS, Health

if TYPE_CHECKING:
    from digitduel.web.service import Service


@pytest.fixture
def looks(service: Service, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was done to the store to find out."""
    done: list[str] = []
    monkeypatch.setattr(service.store, "check_reading", lambda: done.append("read"))
    monkeypatch.setattr(service.store, "check_writing", lambda: done.append("write"))
    return done


def test_many_who_ask_at_once_share_one_look(service: Service, looks: list[str]) -> None:
    async def ask() -> list[bool]:
        health = Health(service.store, clock=lambda: 0.0)
        return await asyncio.gather(*(health.is_good() for _ in range(100)))

    assert asyncio.run(ask()) == [True] * 100
    assert looks == ["read", "write"]


def test_the_store_is_written_to_once_a_second_at_most(service: Service, looks: list[str]) -> None:
    now = 0.0

    async def ask() -> None:
        nonlocal now
        health = Health(service.store, clock=lambda: now)
        for _ in range(5):
            assert await health.is_good()
        now += WRITE_SECONDS
        assert await health.is_good()

    asyncio.run(ask())
    assert (looks.count("read"), looks.count("write")) == (6, 2)


def test_what_cannot_be_written_is_not_good_until_it_can(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0

    def lose() -> None:
        raise LostError("disk full")

    async def ask() -> list[bool]:
        nonlocal now
        health = Health(service.store, clock=lambda: now)
        monkeypatch.setattr(service.store, "check_writing", lose)
        found = [await health.is_good(), await health.is_good()]
        monkeypatch.undo()
        now += WRITE_SECONDS
        return [*found, await health.is_good()]

    assert asyncio.run(ask()) == [False, False, True]


def test_who_goes_away_does_not_end_the_look_for_others(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = Event()
    monkeypatch.setattr(service.store, "check_reading", go_on.wait)

    async def ask() -> bool:
        health = Health(service.store)
        first, second = (asyncio.create_task(health.is_good()) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.sleep(0)
        go_on.set()
        return await second

    assert asyncio.run(ask())
