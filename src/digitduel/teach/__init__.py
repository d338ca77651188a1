"""For learners: a reason for every move, a game looked at again, remainders as a picture."""

from digitduel.teach.grading import Analysis, Grade, GradedMove, analyse
from digitduel.teach.reasons import Reason, explain
from digitduel.teach.remainders import remainder_graph, remainder_table
from digitduel.teach.report import ranked, report
from digitduel.teach.strip import strip_svg, strip_text

__all__ = [
    "Analysis",
    "Grade",
    "GradedMove",
    "Reason",
    "analyse",
    "explain",
    "ranked",
    "remainder_graph",
    "remainder_table",
    "report",
    "strip_svg",
    "strip_text",
]
