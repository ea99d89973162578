"""Pages of lists decoded into some of the fields of their objects (`source.fields` says which)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec

from workload_map.source.cluster.lists import Decode, Page, whole
from workload_map.source.fields import Tree, object_type

_LARGE = 200_000


def narrow(fields: Callable[[], Tree | None], share: Callable[[Any], None] | None = None) -> Decode:
    """Decodes pages of objects into some of their fields.

    Args:
        fields: Which ones; asked when a page is so large that leaving something out is worth finding out.
        share: Called with each object of such a page.
    """
    decoder = cache(lambda: _decoder(fields()))

    def decode(data: bytes) -> Page[Any]:
        if len(data) < _LARGE:
            return whole(data)
        try:
            page = decoder()(data)
        except msgspec.ValidationError:
            return whole(data)
        if share is not None:
            for item in page.items or ():
                share(item)
        return page

    return decode


def _decoder(tree: Tree | None) -> Decode:
    if tree is None:
        return whole
    decode: Decode = msgspec.json.Decoder(Page[object_type(tree)]).decode  # type: ignore[misc]  # a type made here
    return decode
