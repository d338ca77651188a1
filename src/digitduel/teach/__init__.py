"""For learners: a reason for every move, a game looked at again, remainders as a picture."""

from digitduel.teach.grading import Analysis, Grade, GradedMove, analyse
from digitduel.teach.reasons import Reason, explain
from digitduel.teach.remainders import remainder_graph, remainder_table
from digitduel.teach.report import ranked, report
from digitduel.teach.strip import strip_svg, strip_text
from digitduel.teach.words import SIGNS, WORDS, in_words

__all__ = [
    "SIGNS",
    "WORDS",
    "Analysis",
    "Grade",
    "GradedMove",
    "Reason",
    "analyse",
    "explain",
    "in_words",
    "ranked",
    "remainder_graph",
    "remainder_table",
    "report",
    "strip_svg",
    "strip_text",
]
