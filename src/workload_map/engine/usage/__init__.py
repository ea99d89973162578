"""How often each part of a definition gives something on real objects and their pods.

Here live counting (`meter`, with a component in `roles` and a path in `probes`) and the counts as they are
shown (`counts`). What is told of parts that never gave anything is `definition.against_objects`; what an
object means is the rest of the engine, which is asked here and not repeated.

A part that had no chance is no part that is wrong: the paths of a component count where the component is
there, what reads the status where there is a status, selectors where there should be pods.
"""

from workload_map.engine.usage.counts import Part, ProblemCount, Usage
from workload_map.engine.usage.meter import Meter, measure

__all__ = ["Meter", "Part", "ProblemCount", "Usage", "measure"]
