"""How each answer of a view came about: the rule of the definition, the fields that it read, what follows.

Here live explanations as values (`facts`), of phases (`phase`), of counts (`counts`), of parts called by
their names (`parts`) and of the place of a pod (`place`). The answers themselves are those of the view: an
explanation never works one out in a second way, it reads the same fields again and says which they are. How
it is shown is `render`.
"""

from workload_map.engine.explaining.explain import explain, explain_pod, explainable
from workload_map.engine.explaining.facts import Explanation, Fact
from workload_map.engine.explaining.parts import UnknownFieldError

__all__ = ["Explanation", "Fact", "UnknownFieldError", "explain", "explain_pod", "explainable"]
