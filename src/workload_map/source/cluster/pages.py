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
    decoder = cache(lambda: _decoder(fields(), share))

    def decode(data: bytes) -> Page[Any]:
        if len(data) < _LARGE:
            return whole(data)
        try:
            return decoder()(data)
        except msgspec.ValidationError:
            return whole(data)

    return decode


def _decoder(tree: Tree | None, share: Callable[[Any], None] | None) -> Decode:
    if tree is None:
        return whole
    kind = object_type(tree)
    if share is None:
        decode: Decode = msgspec.json.Decoder(Page[kind]).decode  # type: ignore[valid-type]  # a type made here
        return decode
    return _one_by_one(msgspec.json.Decoder(kind).decode, share)


def _one_by_one(decode: Callable[[msgspec.Raw], Any], share: Callable[[Any], None]) -> Decode:
    """Decodes object by object, so that what one gives up for what it shares is taken by the next one.

    They then lie close together and are read in less time, which is worth a second look at the text.
    """
    split = msgspec.json.Decoder(Page[msgspec.Raw]).decode

    def page(data: bytes) -> Page[Any]:
        found = split(data)
        items = []
        for text in found.items or ():
            item = decode(text)
            share(item)
            items.append(item)
        return Page(items if found.items is not None else None, found.metadata)

    return page
