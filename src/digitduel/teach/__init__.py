"""For learners: a reason for every move, a game looked at again, remainders as a picture."""

from digitduel.teach.grading import Analysis, Grade, GradedMove, analyse
from digitduel.teach.pictures import (
    remainder_graph,
    remainder_table,
    swing_legend,
    swing_svg,
    swing_text,
)
from digitduel.teach.principles import Advice, Principle
from digitduel.teach.reasons import Reason, explain
from digitduel.teach.report import RankedMove, Report
from digitduel.teach.verdicts import SIGNS, WORDS, in_words, verdict

__all__ = [
    "SIGNS",
    "WORDS",
    "Advice",
    "Analysis",
    "Grade",
    "GradedMove",
    "Principle",
    "RankedMove",
    "Reason",
    "Report",
    "analyse",
    "explain",
    "in_words",
    "remainder_graph",
    "remainder_table",
    "swing_legend",
    "swing_svg",
    "swing_text",
    "verdict",
]
