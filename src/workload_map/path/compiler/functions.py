"""Whole generated functions: generators for nodes and for definitions."""

from __future__ import annotations

from workload_map.path import syntax
from workload_map.path.compiler.emitter import Emitter
from workload_map.path.compiler.unit import Mark, Place
from workload_map.path.compiler.writer import Sink


def write_helper(writer: Emitter, name: str, node: syntax.Node, names: frozenset[str]) -> None:
    """Write a generator function for a node; `names` are those that it uses from outside."""
    params = [*_common(writer), *writer.parameters(names, located=writer.located)]
    writer.open(f"def {name}({', '.join(params)}):")
    writer.mark = Mark(node.span, _value(writer))
    writer.charge()
    _body(writer, node, tail=False)
    writer.settle()
    writer.close()
    writer.commit()


def write_definition(writer: Emitter, name: str) -> None:
    """Write the generator function of the writer's definition."""
    function = writer.function
    if function is None:
        raise AssertionError(name)
    params = _common(writer)
    for param in function.params:
        params += [param, param + "p"] if param[0] == "x" and writer.located else [param]
    params += writer.parameters(function.free, located=writer.located)
    writer.open(f"def {name}({', '.join(params)}):")
    writer.mark = Mark(function.body.span, _value(writer))
    if function.recursive:
        _recursive_body(writer, function.body)
    else:
        writer.charge()
        _body(writer, function.body, tail=False)
        writer.settle()
    writer.close()
    writer.commit()


def _recursive_body(writer: Emitter, body: syntax.Node) -> None:
    """A body that may call its function again: nesting is counted, and a last call of itself is a jump."""
    writer.line("budget.nesting -= 1")
    writer.open("try:")
    writer.line(f"if budget.nesting < 0: {writer.unit.use('spent')}(budget)")
    writer.open("while True:", loop=True)
    _body(writer, body, tail=True)
    writer.line("return")
    writer.close(loop=True)
    writer.close()
    writer.open("finally:")
    writer.line("budget.nesting += 1")
    writer.close()


def _common(writer: Emitter) -> list[str]:
    return ["v", "p", "budget"] if writer.located else ["v", "budget"]


def _value(writer: Emitter) -> Place:
    return Place("v", "p" if writer.located else None)


def _body(writer: Emitter, node: syntax.Node, *, tail: bool) -> None:
    def give(place: Place) -> None:
        writer.line(
            f"yield {place.value}, {writer.origin(place.origin)}"
            if writer.located
            else f"yield {place.value}"
        )

    start = len(writer.lines)
    writer.each(node, _value(writer), Sink(give, cheap=True, tail=tail))
    if not any(line.lstrip().startswith("yield") for line in writer.lines[start:]):
        writer.line("yield from ()")
