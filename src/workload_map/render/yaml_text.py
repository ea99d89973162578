"""Plain objects as YAML that every reader takes back as they were."""

from __future__ import annotations

import re
from typing import Any

import yaml

from workload_map.render.machine import INVISIBLE

_AMBIGUOUS = re.compile(
    r"[-+.\d].*"  # numbers in any notation, also those that only YAML 1.2 or only go-yaml reads as such
    r"|y|Y|n|N|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|true|True|TRUE|false|False|FALSE|null|Null|NULL|~|"
)


class _Dumper(yaml.SafeDumper):
    """Writes what every reader of YAML reads back as it was: `1e3` and `on` are strings here."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002  # the signature is PyYAML's
        return True


def _string(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=_style(text))


def _style(text: str) -> str | None:
    """In quotes what may be mistaken, line by line what has lines (expressions), else what PyYAML takes."""
    if _AMBIGUOUS.fullmatch(text) or INVISIBLE.search(text):
        return '"'
    # Blanks before the first line would have to be counted; after a line PyYAML itself takes quotes.
    return "|" if "\n" in text and not text[0].isspace() else None


_Dumper.add_representer(str, _string)


def dumped(value: Any) -> str:
    """A value as YAML, keys in their order."""
    text: str = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)
    return text
