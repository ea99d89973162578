"""Tables of what was worked out before: most workloads of a cluster ask for what others ask for too.

Keys name values by identity (`id`), which is quicker than by content. So an entry keeps all that its key
names: an id then stands for one value.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, TypeVar

Value = TypeVar("Value")
Table = dict[Hashable, tuple[Value, object]]

_LIMIT: Final = 4096


def remember(table: Table[Value], key: Hashable, value: Value, kept: object) -> Value:
    """Put a value into a table, and give it back.

    Args:
        table: The table. One that is full starts anew: what is used often is there again at once.
        key: What the value was made from.
        value: A value that never changes.
        kept: Everything that the key names by identity.
    """
    if len(table) >= _LIMIT:
        table.clear()
    table[key] = (value, kept)
    return value
