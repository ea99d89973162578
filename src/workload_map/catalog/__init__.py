"""The definitions that come built in, and beside each the cases that show that it is right.

Here live the data (a folder a kind: `definition.yaml` and `cases/`), the index that makes it quick to read,
and the loader. What a definition may say, and which of several counts, `workload_map.definition` decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from workload_map.catalog import index
from workload_map.definition import DefinitionError, DefinitionSet, Layer, load
from workload_map.definition.kind_names import KindNames

__all__ = ["Catalog"]


class Catalog(DefinitionSet):
    """A set of definitions that begins with the built-in ones.

    Which kinds these cover is known at once; each definition is read on its first use.
    """

    @classmethod
    def builtin(cls) -> Catalog:
        """The built-in definitions alone."""
        return cls([_builtin_layer()])

    @classmethod
    def load(cls, paths: Iterable[Path | str]) -> Catalog:
        """The built-in definitions, and over them those of files and directories.

        Raises:
            DefinitionError: Something in the files cannot be used; it carries all findings.
        """
        layer, findings = load(paths)
        if any(finding.severity == "error" for finding in findings):
            raise DefinitionError(findings)
        return cls([_builtin_layer(), layer])

    @property
    def kind_names(self) -> tuple[KindNames, ...]:
        """What the built-in kinds are called, each version on its own; no definition is read for it."""
        return index.kind_names()


def _builtin_layer() -> Layer:
    return Layer.lazy(
        ((one.definition, one.group, one.version, one.kind, one.versions) for one in index.kinds()),
        index.definition,
    )
