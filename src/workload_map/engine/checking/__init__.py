"""The safe trial of a definition: what it says of a workload, against what is really there.

What is there is told by owner references and the pods themselves, which no selector of the definition can
change. Here live the comparisons, each a row; how they are shown is `render`.
"""

from workload_map.engine.checking.check import Check, check
from workload_map.engine.checking.rows import Row, Verdict

__all__ = ["Check", "Row", "Verdict", "check"]
