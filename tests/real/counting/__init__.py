"""Counts of pods and GPUs by a second way: kind by kind, in plain Python, straight from the raw object.

Each function here is written from what the framework's controller does, and knows neither definitions nor the
engine, so that where both agree, two ways have led to one figure. None stands for *unknown*.
"""

from tests.real.counting.counts import Around, Count
from tests.real.counting.kinds import count

__all__ = ["Around", "Count", "count"]
