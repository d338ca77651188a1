"""Learning by doing: puzzles that are proved, generated, named, and come back when missed."""

from digitduel.learn.difficulty import DIFFICULTIES
from digitduel.learn.generator import (
    Wish,
    daily,
    find_puzzle,
    puzzles,
    some_puzzles,
    streak,
)
from digitduel.learn.puzzles import Puzzle, puzzle_at
from digitduel.learn.themes import THEMES, Theme, find_theme

__all__ = [
    "DIFFICULTIES",
    "THEMES",
    "Puzzle",
    "Theme",
    "Wish",
    "daily",
    "find_puzzle",
    "find_theme",
    "puzzle_at",
    "puzzles",
    "some_puzzles",
    "streak",
]
