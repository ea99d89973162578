"""What an object is resolved among: the definitions, and the other objects at hand."""

from __future__ import annotations

import msgspec

from workload_map.definition import DefinitionSet
from workload_map.engine.owners import OwnerIndex


class Surroundings(msgspec.Struct, frozen=True, eq=False):
    """What is at hand besides the object itself.

    Attributes:
        definitions: Where the definitions of wrapped objects are looked up.
        index: The other objects.
        listed: Whether the index holds all objects that labels could select; a function that finds one
            object by its name cannot list them.
    """

    definitions: DefinitionSet
    index: OwnerIndex
    listed: bool
