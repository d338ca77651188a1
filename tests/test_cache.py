"""What is kept at hand is bounded, and the newer of two versions stays."""

from __future__ import annotations

from digitduel.cache import Cache


def test_the_weight_is_bounded_and_what_was_not_used_for_longest_goes() -> None:
    cache: Cache[str] = Cache(room=3, weigh=len)
    for name in "abc":
        cache.put(name, name)
    assert cache.get("a") == "a"  # now b is the one not used for longest
    cache.put("d", "d")
    assert [cache.get(name) for name in "abcd"] == ["a", None, "c", "d"]
    assert (len(cache), cache.weight) == (3, 3)


def test_what_would_fill_it_alone_is_not_kept_and_drives_nothing_out() -> None:
    cache: Cache[str] = Cache(room=3, weigh=len)
    cache.put("a", "a")
    cache.put("b", "too long")
    assert (cache.get("a"), cache.get("b"), cache.weight) == ("a", None, 1)


def test_an_older_version_does_not_replace_a_newer_one() -> None:
    cache: Cache[int] = Cache(room=9, weigh=lambda _: 1, replaces=lambda new, old: new > old)
    for version in (2, 1, 3):
        cache.put("game", version)
    assert (cache.get("game"), cache.weight) == (3, 1)
    cache.forget("game")
    cache.forget("game")
    assert (cache.get("game"), cache.weight) == (None, 0)
