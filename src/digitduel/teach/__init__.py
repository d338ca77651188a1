"""For learners: a reason for every move, a game looked at again, remainders as a picture."""

from typing import TYPE_CHECKING

from digitduel.lazy import lazy_names

if TYPE_CHECKING:  # each as itself, which makes it part of the interface
    from digitduel.teach.grading import Analysis as Analysis
    from digitduel.teach.grading import Grade as Grade
    from digitduel.teach.grading import GradedMove as GradedMove
    from digitduel.teach.grading import analyse as analyse
    from digitduel.teach.pictures import remainder_graph as remainder_graph
    from digitduel.teach.pictures import remainder_table as remainder_table
    from digitduel.teach.pictures import swing_legend as swing_legend
    from digitduel.teach.pictures import swing_svg as swing_svg
    from digitduel.teach.pictures import swing_text as swing_text
    from digitduel.teach.principles import Advice as Advice
    from digitduel.teach.principles import Principle as Principle
    from digitduel.teach.reasons import Reason as Reason
    from digitduel.teach.reasons import explain as explain
    from digitduel.teach.report import RankedMove as RankedMove
    from digitduel.teach.report import Report as Report
    from digitduel.teach.verdicts import SIGNS as SIGNS
    from digitduel.teach.verdicts import WORDS as WORDS
    from digitduel.teach.verdicts import in_words as in_words
    from digitduel.teach.verdicts import verdict as verdict

_ROOMS = {
    "grading": ("Analysis", "Grade", "GradedMove", "analyse"),
    "pictures": (
        *("remainder_graph", "remainder_table", "swing_legend", "swing_svg", "swing_text"),
    ),
    "principles": ("Advice", "Principle"),
    "reasons": ("Reason", "explain"),
    "report": ("RankedMove", "Report"),
    "verdicts": ("SIGNS", "WORDS", "in_words", "verdict"),
}
__getattr__, __all__ = lazy_names(__name__, _ROOMS)
