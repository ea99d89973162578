"""The parts of an answer to a question: the workloads, what belongs to them, and the pods."""

from __future__ import annotations

from collections.abc import Iterator

from workload_map.definition.kind_names import KindNames
from workload_map.source.cluster.lists import Decode, Scope, metadata_only, whole
from workload_map.source.cluster.pages import narrow
from workload_map.source.cluster.parts import Part
from workload_map.source.cluster.planning import Needs
from workload_map.source.fields import Sharing, fields_of, pod_fields
from workload_map.source.kinds import GroupKind
from workload_map.source.protocol import CLAIMS, Question

PODS = KindNames(group="", version="v1", kind="Pod", plural="pods", singular="pod")


def parts_of(question: Question, needs: Needs) -> list[Part]:
    """What is to be read for a question; the pods are the last."""
    return [*_asked(question, needs), *_beside(question, needs), _pods(question, needs)]


def _asked(question: Question, needs: Needs) -> Iterator[Part]:
    """The workloads: those that were named, or all of their kinds."""
    if question.names:
        for target, name in question.names:
            if (names := needs.workloads.get(target.kind)) is not None:
                scope = Scope(names=names, namespace=question.namespace)
                yield Part(scope=scope, name=name, asked=True)
        return
    for kind, names in needs.workloads.items():
        # What may stand between is needed whatever the selectors say of it.
        is_selected = bool(question.targets) and kind not in needs.below
        yield Part(
            scope=Scope(
                names=names,
                namespace=question.namespace,
                labels=question.labels if is_selected else "",
                fields=question.fields if is_selected else "",
            ),
            decode=whole if question.whole else _decode(kind, needs),
            asked=True,
        )


def _decode(kind: GroupKind, needs: Needs) -> Decode:
    definition = needs.definitions.get(kind)
    # Paths of other kinds may read any field of what they refer to, and of claims devices are counted.
    is_read = kind in needs.referenced or kind in CLAIMS
    return whole if definition is None or is_read else narrow(lambda: fields_of(definition))


def _beside(question: Question, needs: Needs) -> Iterator[Part]:
    for names in needs.whole.values():
        yield Part(scope=Scope(names=names, namespace=question.namespace))
    for names in needs.bare.values():
        decode = whole if question.whole else metadata_only
        yield Part(scope=Scope(names=names, namespace=question.namespace), decode=decode)


def _pods(question: Question, needs: Needs) -> Part:
    # The pods of a workload that lies in no namespace may lie in any.
    is_namespaced = needs.pods or any(names.namespaced for names in needs.workloads.values())
    namespace = question.namespace if is_namespaced else None
    some = narrow(lambda: pod_fields(needs.definitions.values()), Sharing().pod)
    decode = whole if question.whole else some
    return Part(scope=Scope(names=PODS, namespace=namespace), decode=decode, asked=needs.pods)
