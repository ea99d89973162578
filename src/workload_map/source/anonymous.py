"""Objects without what would tell whose they are, that still give the same figures.

Names in Kubernetes are made of other names: a pod is called after its Job, a label holds the name of a role.
So single words are replaced, each by the same one wherever it stands, and all that is equal, or begins alike,
still does. What stays: numbers, words that definitions look for or that are names of fields, and values of
the API such as `Running`. What somebody wrote freely (environments, command lines, messages) goes.

Definitions and CustomResourceDefinitions stay as they are: without them nothing else can be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from workload_map.definition import DefinitionSet
from workload_map.engine import ACCELERATORS, queues
from workload_map.source.crds import CRD
from workload_map.source.objects import Object, group_kind
from workload_map.source.protocol import DEFINITION

GONE = "redacted"
_WORD = re.compile(r"[^\W_]+")
_LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"|\.([A-Za-z_][\w-]*)')
_PLAIN = re.compile(r"[\w-][\w./-]*")  # no expression
_ENUM = re.compile(r"[A-Z][A-Za-z0-9_]*")
_ADDRESS = re.compile(r"\d+\.\d+\.\d+\.\d+(?:[:/]\d+)?|[0-9A-Fa-f]*(?::[0-9A-Fa-f]*){2,}(?:/\d+)?")
_PART = re.compile(r"[^,=]+")
_QUALIFIED = re.compile(r"([\w.-]+)/[\w.-]+")
_VERSION = re.compile(r":v?\d+(?:\.\d+)*$")
_AMOUNT = re.compile(
    r"[-+]?\d*\.?\d+(?:[eE][-+]?\d+|[A-Za-z]{1,2})?%?"  # numbers and quantities, also as Java writes them
    r"|(?:\d+(?:\.\d+)?(?:h|ms|us|s|m|d))+"  # durations
    r"|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[-+]\d\d:\d\d)"
    r"|true|false|null"
)

# Fields whose texts are the API's own.
_API = "apiVersion apiGroup group version kind type status phase reason operator effect"
_KEPT = frozenset((*_API.split(), "resource", "resourceVersion", "restartPolicy"))
_BY_LABEL = ("labels", "matchlabels", "nodeselector")
_NAMES = ("name", "namespace")
_NAME = re.compile(r"(?i:(?:name|id)s?|namespace)$")  # groupName, stepId
_IMAGES = frozenset(("image", "imageID"))
_WRITTEN = frozenset(("command", "args", "message", "description", "log"))
_DATA = frozenset(("data", "stringData", "binaryData"))
_DOMAINS = ("kubernetes.io", "k8s.io")


def anonymous(objects: Sequence[Object], definitions: DefinitionSet) -> list[Object]:
    """The objects with names, labels, environments and images replaced, each the same way everywhere.

    Args:
        objects: All of them at once, so that what belongs together still does.
        definitions: What they look for stays.
    """
    own = [value for value in objects if group_kind(value) not in (DEFINITION, CRD)]
    replacing = _Replacing(own, definitions)
    return [
        replacing.object(value) if group_kind(value) not in (DEFINITION, CRD) else _definition(value)
        for value in objects
    ]


def _definition(value: Object) -> Object:
    return {**value, "metadata": {"name": value["metadata"]["name"]}}


class _Replacing:
    def __init__(self, objects: Sequence[Object], definitions: DefinitionSet) -> None:
        known = _looked_for(definitions)
        self._keys, self._domains = known.keys, known.domains
        self._kept = {word.lower() for text in known.texts for word in _WORD.findall(text)}
        # Roles that are keys of a map, and that labels and names hold, in small letters or not.
        fields = {key.lower() for value in objects for key in _fields(value) if key.isalnum()}
        self._kept |= fields & {name.lower() for value in objects for name in _called(value)}
        self._words: dict[str, str] = {}
        self._images: dict[str, int] = {}

    def object(self, value: Object) -> Object:
        """One object, all of it."""
        taken: Object = self._value(value, "")
        if value["kind"] in ("ConfigMap", "Secret"):
            taken |= {
                key: dict.fromkeys(map(self._text, value[key]), GONE) for key in _DATA if value.get(key)
            }
        return taken

    def _value(self, value: Any, key: str) -> Any:
        if isinstance(value, str):
            return self._string(value, key)
        if isinstance(value, list):
            if key == "env":
                return [self._variable(item) for item in value]
            return [self._value(item, key) for item in value]
        if not isinstance(value, dict):
            return value
        if key.lower().endswith("annotations"):
            return {self._key(name): self._annotation(name, text) for name, text in value.items()}
        if _is_by_label(key, value):
            return {self._key(name): self._value(text, "name") for name, text in value.items()}
        return {name: self._value(item, name) for name, item in value.items()}

    def _string(self, text: str, key: str) -> str:
        if not text:
            return text
        if key in _IMAGES:
            return self._image(text)
        # A name may have blanks, where no API server has seen it yet; other texts with blanks are sentences.
        if key in _WRITTEN or (any(map(str.isspace, text)) and not _NAME.search(key)):
            return GONE
        if key in _KEPT or (_ENUM.fullmatch(text) and key not in _NAMES):
            return text
        return self._text(text)

    def _image(self, text: str) -> str:
        """The image by a number; a tag that is a version stays, since the version decides what runs."""
        version = _VERSION.search(text)
        name = text[: version.start()] if version else text
        number = self._images.setdefault(name, len(self._images) + 1)
        return f"image-{number}{version[0] if version else ''}"

    def _text(self, text: str) -> str:
        if _ADDRESS.fullmatch(text):
            return "192.0.2.1" if "." in text else "2001:db8::1"
        if _AMOUNT.fullmatch(text) or self._is_known_key(text):
            return text
        if "," in text or "=" in text:  # a selector, and other texts made of several
            return _PART.sub(lambda found: self._text(found[0]), text)
        return _WORD.sub(lambda found: self._word(found[0]), text)

    def _word(self, word: str) -> str:
        if word.isdigit() or word.lower() in self._kept:
            return word
        # Labels hold some names in small letters, so a capital one keeps its word.
        if word[1:].islower() and word[0].isupper():
            return self._word(word.lower()).capitalize()
        return self._words.setdefault(word, f"w{len(self._words) + 1}")

    def _key(self, key: str) -> str:
        """A key of a label or an annotation: those of software stay, those of people do not."""
        return key if self._is_known_key(key) else _WORD.sub(lambda found: self._word(found[0]), key)

    def _is_known_key(self, key: str) -> bool:
        shape = _QUALIFIED.fullmatch(key)
        return key in self._keys or (shape is not None and shape[1].endswith(self._domains))

    def _annotation(self, key: str, text: Any) -> Any:
        return self._text(text) if isinstance(text, str) and text and key in self._keys else GONE

    def _variable(self, value: Any) -> Any:
        """A variable of an environment: where it comes from, but neither its name nor what it holds."""
        if not isinstance(value, dict):
            return self._value(value, "")
        taken = {name: self._value(item, name) for name, item in value.items()}
        return taken | {name: GONE for name in ("name", "value") if value.get(name)}


class _Known(NamedTuple):
    """What definitions look for.

    Attributes:
        texts: What they compare with.
        keys: What they read by, and all texts, which may be keys too.
        domains: Those of kinds that they name.
    """

    texts: set[str]
    keys: set[str]
    domains: tuple[str, ...]


def _looked_for(definitions: DefinitionSet) -> _Known:
    texts: set[str] = {*ACCELERATORS, *queues.WORDS}
    fields: set[str] = set()
    domains = set(_DOMAINS)
    for entry in definitions.entries():
        for text in _strings(msgspec.to_builtins(entry.definition)):
            if _PLAIN.fullmatch(text):
                texts.add(text)
            for quoted, field in _LITERAL.findall(text):
                texts.update([quoted] if quoted else [])
                fields.update([field] if field else [])
        domains.update([entry.kind.group] if "." in entry.kind.group else [])
    return _Known(texts, texts | fields, tuple(sorted(domains)))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)


def _fields(value: Any, key: str = "") -> Iterator[str]:
    """The names of all fields in a value; not the keys of labels and the like, which people choose."""
    if isinstance(value, list):
        for item in value:
            yield from _fields(item, key)
    elif isinstance(value, dict) and not _is_free(key, value):
        for name, item in value.items():
            yield name
            yield from _fields(item, name)


def _called(value: Any, key: str = "") -> Iterator[str]:
    """What stands in labels and behind `name`."""
    if isinstance(value, dict):
        by_label = _is_by_label(key, value)
        for name, item in value.items():
            yield from _called(item, "name" if by_label else name)
    elif isinstance(value, list):
        for item in value:
            yield from _called(item)
    elif key == "name" and isinstance(value, str):
        yield value


def _is_by_label(key: str, value: Object) -> bool:
    """Whether a mapping has labels for its keys: those of an object, or those that are looked for."""
    is_selector = key == "selector" and all(isinstance(one, str) for one in value.values())
    return is_selector or key.lower().endswith(_BY_LABEL)


def _is_free(key: str, value: Object) -> bool:
    """Whether people choose the keys of a mapping."""
    return key in _DATA or key.lower().endswith("annotations") or _is_by_label(key, value)
