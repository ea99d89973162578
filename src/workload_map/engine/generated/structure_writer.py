"""The structure function of a definition: all components, instances, specs and counts in one walk.

    def structure(v, reader): ...   # the drafts of `engine.structure.build`, or None: ask the per-path form

It gives up wherever the per-path form would report something or would have to search for the element that a
value belongs to. Which element that is is decided here, from the shapes of the paths.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from workload_map.definition.schema import Component, ScaleDefinition, SpecDefinition
from workload_map.engine.fields import Field
from workload_map.engine.generated.emitter import Unsupported, emitter
from workload_map.engine.generated.shapes import Shape, Steps, places, shape_of
from workload_map.engine.plan import ComponentPlan, Plan, ScalePlan
from workload_map.engine.reading import Reader
from workload_map.engine.resources import pod_resources
from workload_map.engine.scale import MAX_COUNT, ONE, Scale, effective
from workload_map.engine.specs import PodSpec, containers_in, spec_in_template, whole_spec
from workload_map.engine.structure import ComponentDraft, InstanceDraft
from workload_map.path.compiler.shape import single

Structure = Callable[[dict[str, Any], Reader], list[ComponentDraft] | None]

# What is known here, of each part of a component. A part with anything else has no generated form.
_KNOWN: dict[type[msgspec.Struct], frozenset[str]] = {
    Component: frozenset(
        [
            *("name", "kind", "owner_ref", "instance_id_path", "pod_selector"),
            *("spec_definition", "scale_definition", "status_definition", "suspend_definition"),
        ]
    ),
    SpecDefinition: frozenset(
        [
            *("pod_template_spec_path", "pod_spec_path"),
            *("injected_containers_path", "injected_init_containers_path"),
        ]
    ),
    ScaleDefinition: frozenset(
        [
            *("replicas_path", "min_replicas_path", "max_replicas_path", "defaults"),
            *("pods_per_replica_path", "suspended_path", "keeps_within_bounds"),
        ]
    ),
}


def structure_function(plan: Plan) -> Structure:
    """Write and compile the structure function.

    Raises:
        Unsupported: The definition has something that is not known here.
    """
    if plan.definition.spec.structure_definition.references:
        raise Unsupported("references")
    return _Writer(plan).function()


class _Column(NamedTuple):
    """A path of a component: one value an instance, or (`common`) one value for all of them."""

    field: Field
    shape: Shape
    common: bool


class _Writer:
    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.to = emitter(
            ComponentDraft=ComponentDraft,
            InstanceDraft=InstanceDraft,
            Scale=Scale,
            PodSpec=PodSpec,
            ONE=ONE,
            containers_in=containers_in,
            effective=effective,
            pod_resources=pod_resources,
            spec_in_template=spec_in_template,
            whole_spec=whole_spec,
        )

    def function(self) -> Structure:
        to = self.to
        to.begin("structure")
        top = to.temp("[]")
        if self.plan.root.spec is not None:
            self.component(self.plan.root, top, below=[])
        for child in self.plan.top:
            self.component(child, top, below=child.children)
        return to.finish("structure", top)

    def component(self, plan: ComponentPlan, siblings: str, below: list[ComponentPlan]) -> None:
        """A component with what lies below it, added to its siblings if it is there."""
        to = self.to
        instances = self.instances(plan)
        draft = to.given("C", plan)
        to.open(f"if {instances}:")
        made = to.temp(f"ComponentDraft({draft}, {instances})")
        if below:
            if plan.ids is not None or (plan.scale is not None and plan.scale.suspended is not None):
                raise Unsupported("children of instances, or of what may be suspended")
            children = to.temp(f"{made}.children")
            for child in below:
                self.component(child, children, below=child.children)
        if plan.spec is None:
            to.open(f"if {made}.children:")
        to.line(f"{siblings}.append({made})")
        if plan.spec is None:
            to.close()
        to.close()

    # Instances

    def instances(self, plan: ComponentPlan) -> str:
        """The name of the list of a component's instances."""
        to = self.to
        _check(plan)
        front, columns = _joined(plan)
        found = to.temp("[]")
        common = {id(one.field): self.value(one, "v") for one in columns if one.common}
        element, location = "v", []
        for step in front:
            if step is None:
                index, element = to.elements(element)
                location.append(index)
            else:
                element = to.field(element, step)
                location.append(to.constant(step))
        loops = front.count(None)
        values = {id(one.field): one for one in columns if not one.common}

        def value(field: Field) -> str:
            return common.get(id(field)) or self.value(values[id(field)], element)

        self.instance(plan, value, found, f"({''.join(f'{step}, ' for step in location)})", in_loop=loops > 0)
        for _ in range(loops):
            to.close(loop=True)
        if plan.ids is not None:
            to.line(f"if len({{one.id for one in {found}}}) != len({found}): return None")
        return found

    def value(self, column: _Column, element: str) -> str:
        return self.to.only(column.field.program, column.shape.rest, element, lenient=True)

    def instance(
        self, plan: ComponentPlan, value: Callable[[Field], str], found: str, location: str, *, in_loop: bool
    ) -> None:
        """One instance, added to those found."""
        to = self.to
        name = "None"
        if plan.ids is not None:
            name = value(plan.ids)
            to.line(f"if type({name}) is not str or not {name}: return None")
        spec = needs = "None"
        field = plan.spec.whole if plan.spec else None
        optional = field is not None and name == "None" and not in_loop
        if field is not None and plan.spec is not None:
            given = value(field)
            if optional:
                to.open(f"if {given} is not None:")
            read = "spec_in_template" if field is plan.spec.template else "whole_spec"
            spec = to.temp(f"{read}({given})")
            to.line(f"if {spec} is None: return None")
            more = ""
            if plan.spec.added:
                added, inits = (
                    self.containers(field, value) for field in (plan.spec.injected, plan.spec.injected_inits)
                )
                parts = f"{spec}.spec, {spec}.metadata, {added}, {spec}.image, False, {inits}"
                to.line(f"if {added} or {inits}: {spec} = PodSpec({parts})")
                more = f", {added}, {inits}"
            needs = to.temp(f"pod_resources({spec}.spec{more})")
            to.line(f"if {needs}.problems: return None")
        scale = self.scale(plan.scale, value) if plan.scale else "ONE"
        to.line(f"{found}.append(InstanceDraft({name}, {location}, {spec}, {scale}, {needs}))")
        if optional:
            to.close()

    def containers(self, field: Field | None, value: Callable[[Field], str]) -> str:
        """An expression for the containers that the operator adds to an instance."""
        if field is None:
            return "()"
        found = self.to.temp(f"containers_in({value(field)})")
        self.to.line(f"if {found} is None: return None")
        return found

    def scale(self, plan: ScalePlan, value: Callable[[Field], str]) -> str:
        """An expression for the scale of an instance."""
        to = self.to
        replicas = self.count(plan.replicas, plan.default_replicas, value)
        low = self.count(plan.minimum, plan.default_minimum, value)
        high = self.count(plan.maximum, plan.default_maximum, value)
        each = self.count(plan.pods_per_replica, 1, value)
        bounded = plan.minimum or plan.maximum or plan.default_minimum is not None
        if not bounded and plan.default_maximum is None and plan.suspended is None:
            return f"Scale({replicas}, None, None, {each}, False)"
        to.line(f"if {low} is not None and {high} is not None and {low} > {high}: return None")
        count, scale = to.temp(replicas), to.unit.fresh("t")
        if plan.suspended is not None:
            to.open(f"if {value(plan.suspended)} is True:")
            to.line(f"{scale} = effective({count}, {low}, {high}, {each}, True)")
            to.close()
            to.open("else:")
        # As `effective` and `within_bounds` say, but in line.
        to.line(f"if {count} is None: {count} = {low} if {low} == {high} else None")
        if plan.keeps_within_bounds:
            to.line(f"if {count} is not None and {high} is not None and {count} > {high}: {count} = {high}")
            to.line(f"if {count} is not None and {low} is not None and {count} < {low}: {count} = {low}")
        to.line(f"{scale} = Scale({count}, {low}, {high}, {each}, False)")
        if plan.suspended is not None:
            to.close()
        return scale

    def count(self, field: Field | None, default: int | None, value: Callable[[Field], str]) -> str:
        """The name of a count: a whole number, or the default (perhaps None) where it is absent."""
        to = self.to
        other = to.constant(default)
        if field is None:
            return other
        # A copy, since the value that was read may be what another path reads too.
        count = to.temp(value(field))
        to.open(f"if {count} is None:")
        to.line(f"{count} = {other}")
        to.close()
        whole = f"type({count}) is int"
        to.line(f"elif not ({whole} and 0 <= {count} <= {to.constant(MAX_COUNT)}): return None")
        return count


def _fields(plan: ComponentPlan) -> list[Field]:
    """All paths that give something for each instance."""
    spec, scale = plan.spec, plan.scale
    fields = [plan.ids]
    if spec:
        fields += [spec.whole, *spec.added]
    if scale:
        fields += [scale.replicas, scale.minimum, scale.maximum, scale.pods_per_replica, scale.suspended]
    return [field for field in fields if field is not None]


def _check(plan: ComponentPlan) -> None:
    """Refuse what is not known here."""
    component = plan.component
    for part in (component, component.spec_definition, component.scale_definition):
        if part is None:
            continue
        for name in part.__struct_fields__:
            if getattr(part, name) and name not in _KNOWN[type(part)]:
                raise Unsupported(name)
    if plan.spec is not None and plan.spec.whole is None:
        raise Unsupported("no whole pod spec")


def _joined(plan: ComponentPlan) -> tuple[Steps, list[_Column]]:
    """Where the elements of a component lie, and its paths, each joined to them."""
    fields = _fields(plan)
    definer = plan.ids or (plan.spec.whole if plan.spec else None)
    shapes = {id(field): _shape(field) for field in fields}
    front: Steps = ()
    if definer is not None:
        front, rest = shapes[id(definer)]
        if places(rest, front) is None or (plan.ids and not single(rest)):
            raise Unsupported(f"where its elements lie: {definer.text}")
    columns = []
    for field in fields:
        shape = shapes[id(field)]
        common = shape.front != front
        if common and (shape.front or not _outside(shape, front) or (plan.spec and field in plan.spec.added)):
            raise Unsupported(f"which element it belongs to: {field.text}")
        columns.append(_Column(field, shape, common))
    return front, columns


def _shape(field: Field) -> Shape:
    shape = shape_of(field.program)
    if shape is None:
        raise Unsupported(f"several values: {field.text}")
    return shape


def _outside(shape: Shape, front: Steps) -> bool:
    """Whether no output lies within an element, so that all elements get it."""
    above = front[: front.index(None)]
    found = places(shape.rest)
    return found is not None and not any(
        len(place) > len(above) and place[: len(above)] == above for place in found
    )
