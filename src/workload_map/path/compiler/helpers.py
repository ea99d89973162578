"""The names that generated code may use: helpers of the runtime and a few of Python's own."""

from __future__ import annotations

from itertools import product
from typing import Any

from workload_map.path import control, runtime, updates
from workload_map.path.budget import spent
from workload_map.path.errors import PathRuntimeError, PathUnknownError
from workload_map.path.library.text import concatenated, formatted
from workload_map.path.origins import EMPTY_PATH, UNTRACKED, Origin, no_path_into

_PYTHON = {
    "type": type,
    "dict": dict,
    "list": list,
    "int": int,
    "isinstance": isinstance,
    "enumerate": enumerate,
    "next": next,
    "product": product,
    "NoneType": type(None),
}

HELPERS: dict[str, Any] = {
    **_PYTHON,
    **{
        name: getattr(module, name)
        for module, names in (
            (
                runtime,
                """field item index cut iterate iterate_lenient iterate_optional entries entries_lenient
                entries_optional add subtract multiply divide modulo negate same less at_most object_key
                raised unknown""",
            ),
            (
                control,
                """Label Break element member array_of count_of number_range descend descend_located recurse
                recurse_located until until_located walked""",
            ),
            (updates, "paths_of all_paths first_of_pair get_path followed assigned modified extended Editor"),
        )
        for name in names.split()
    },
    "spent": spent,
    "PathRuntimeError": PathRuntimeError,
    "PathUnknownError": PathUnknownError,
    # `?//` goes on with its next pattern on an error and, as in other engines, on a `break` out of it.
    "PATTERN_FAULTS": (PathRuntimeError, control.Break),
    "Origin": Origin,
    "UNTRACKED": UNTRACKED,
    "EMPTY_PATH": EMPTY_PATH,
    "no_path_into": no_path_into,
    "concatenated": concatenated,
    "formatted": formatted,
}
