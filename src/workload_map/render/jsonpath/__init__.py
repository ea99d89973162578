"""kubectl's JSONPath notations, `-o jsonpath=` and `-o custom-columns=`, over the view.

They are not translated into the path language, since kubectl's rules are others: a key that is not there
gives nothing instead of null, a place outside of a list is an error, and text stands between expressions.
Nothing is evaluated but these steps, each linear in the view. `parsing` makes `steps` of a text, `checking`
tells keys that no view has, `template` and `columns` print.

Not here: paths of definitions (`path`), and tables of columns that are our own (`render.rows`).
"""

from workload_map.render.jsonpath.columns import Columns
from workload_map.render.jsonpath.errors import JsonPathError
from workload_map.render.jsonpath.template import Template

__all__ = ["Columns", "JsonPathError", "Template"]
