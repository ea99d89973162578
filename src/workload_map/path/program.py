"""Compiled programs, and the cache of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from workload_map.path.errors import Location, PathError, PathRuntimeError, PathSyntaxError
from workload_map.path.facts import Facts, facts_of
from workload_map.path.reads import ReadPattern, reads
from workload_map.path.resolver import resolve
from workload_map.path.splitting import repeats, split_at_last_iteration

if TYPE_CHECKING:
    from workload_map.path import core
    from workload_map.path.compiler.unit import Mark

Located = tuple[Any, Location, int]
_CACHED = 1024


class Program:
    """An expression, ready to run. Made by `compile`; safe to share between threads.

    Attributes:
        text: The expression.
        grade: `path` (selects, can be written through), `total` (cannot loop) or `general` (counted).
        writable: Whether every output is at a location, so that it can be set there.
        many: Whether it may give several outputs.
        reads: Patterns of all fields that it may look at.
        all: `all(value, budget=None, variables=())` gives the list of all outputs.
        first: `first(value, default=None, budget=None, variables=())` gives the first output, else the
        default;
            it stops behind the first.
        locations: `locations(value, budget=None, variables=())` gives `(value, location, iterated)` for each
            output: the location that it came from or was computed from, and how many of its leading steps
            reach to the last iterated one. What lies in a variable that is passed in has a location that
            begins with `$` and its name, unless it is read within an element: then it has that of the
            element.

    The three functions raise `PathRuntimeError` and `PathBudgetError`. They are made on first use, and are
    then plain attributes, so that a call costs nothing besides. Values passed in are never changed; results
    may share parts with them. What is known before it runs is found out on first use too: most programs of a
    definition are run within a function that needs none of it.
    """

    __slots__ = ("_facts", "_lenient", "_reads", "_resolved", "all", "first", "locations", "text")

    all: Callable[..., list[Any]]
    first: Callable[..., Any]
    locations: Callable[..., list[Located]]

    def __init__(self, resolved: core.Resolved, *, lenient: bool) -> None:
        self.text = resolved.text
        self._facts: Facts | None = None
        self._reads: tuple[ReadPattern, ...] | None = None
        self._resolved = resolved
        self._lenient = lenient
        self.all = self._stub("all")
        self.first = self._stub("first")
        self.locations = self._stub("locations")

    def __repr__(self) -> str:
        """The expression."""
        return f"Program({self.text!r})"

    @property
    def facts(self) -> Facts:
        """What is known before it runs, all of it.

        Raises:
            PathSyntaxError: The caller has left too little of the stack.
        """
        facts = self._facts
        if facts is None:
            try:
                facts = self._facts = facts_of(self._resolved)
            except RecursionError:
                raise _too_deep(self.text) from None
        return facts

    @property
    def grade(self) -> str:
        """See the class."""
        return self.facts.grade

    @property
    def writable(self) -> bool:
        """See the class."""
        return self.facts.writable

    @property
    def many(self) -> bool:
        """See the class."""
        return self.facts.many

    @property
    def reads(self) -> tuple[ReadPattern, ...]:
        """See the class. Found out without the other facts, which take several times as long."""
        found = self._reads
        if found is None:
            try:
                found = self._reads = reads(self._resolved)
            except RecursionError:
                raise _too_deep(self.text) from None
        return found

    @property
    def repeats(self) -> bool:
        """Whether it may give more outputs than are written there, such as one an entry of a list."""
        return repeats(self._resolved.body)

    @property
    def resolved(self) -> core.Resolved:
        """The resolved tree, for what compiles several programs into one function."""
        return self._resolved

    def split(self) -> tuple[Program, Program] | None:
        """The program cut behind its last iterated step.

        Returns:
            A program that gives the elements, and one that is to be run on each of them, so that an error can
            be kept to one element. Both together give what this one gives. None where there is no such cut:
            nothing is iterated, or only inside of a fold, a constructor or an argument.
        """
        parts = split_at_last_iteration(self._resolved)
        if parts is None:
            return None
        front, rest = parts
        return Program(front, lenient=self._lenient), Program(rest, lenient=self._lenient)

    def _stub(self, form: str) -> Callable[..., Any]:
        """What stands in for a function until it is first called."""

        def first_call(*args: Any, **kwargs: Any) -> Any:
            return self._build(form)(*args, **kwargs)

        first_call.form = form  # type: ignore[attr-defined]  # tells a stub from the function
        return first_call

    def _build(self, form: str) -> Callable[..., Any]:
        """Compile one form, unless another thread has, and put it in its slot."""
        known: Callable[..., Any] = getattr(self, form)
        if not hasattr(known, "form"):
            return known
        from workload_map.path.compiler import entry  # noqa: PLC0415 - the compiler loads on first use

        def explain(error: BaseException, value: Any, variables: Any, marks: list[Mark]) -> BaseException:
            return entry.explained(error, self.text, marks, lambda: self._locate(value, variables))

        try:
            function = entry.build(
                self._resolved, form, lenient=self._lenient, counted=self.grade == "general", explain=explain
            )
        except RecursionError as error:
            raise explain(error, None, (), []) from None
        setattr(self, form, function)
        return function

    def _locate(self, value: Any, variables: Any) -> Location | None:
        """Where in the value the error arises: the form that traces locations fails at the same place."""
        from workload_map.path.compiler import entry  # noqa: PLC0415 - the compiler loads on first use

        found: list[Location | None] = []

        def explain(error: BaseException, _: Any, __: Any, marks: list[Mark]) -> BaseException:
            if isinstance(error, PathRuntimeError):
                found.append(entry.location_of(error, marks))
            return error

        run = entry.build(
            self._resolved,
            "trace",
            lenient=self._lenient,
            counted=self.grade == "general",
            explain=explain,
        )
        try:
            run(value, None, variables)
        except (PathError, RecursionError, MemoryError):
            return found[0] if found else None
        return None


def compile(  # noqa: A001 - as in `re.compile`
    text: str,
    *,
    variables: tuple[str, ...] = (),
    unknown: tuple[str, ...] = (),
    null_is_empty: bool = False,
) -> Program:
    """Compile an expression. Programs are cached by the arguments.

    Args:
        text: The expression.
        variables: Names (without `$`) of variables whose values each run is given, in this order.
        unknown: Those of the variables whose values are not known. A run that comes to read one raises
            `PathUnknownError`, whatever the expression would make of it: so what a run gives rests on none.
            Where each entry of a list or map has its outputs, `locations` gives `UNKNOWN` for such an entry
            alone.
        null_is_empty: Whether iterating null gives nothing, instead of jq's error; all else stays.

    Raises:
        PathSyntaxError: The text is no expression, or uses what is unknown or refused.
    """
    return _compiled(text, tuple(variables), tuple(unknown), null_is_empty)


@lru_cache(maxsize=_CACHED)
def _compiled(text: str, variables: tuple[str, ...], unknown: tuple[str, ...], lenient: bool) -> Program:
    try:
        return Program(resolve(text, variables, unknown), lenient=lenient)
    except RecursionError:
        raise _too_deep(text) from None


def _too_deep(text: str) -> PathSyntaxError:
    # Depth is limited far below Python's own stack; only a caller who has used that up gets here.
    return PathSyntaxError("the expression is nested too deep for what is left of the stack", text, 0)


def check(text: str, *, variables: tuple[str, ...] = ()) -> Facts:
    """Check an expression without compiling it to Python.

    Raises:
        PathSyntaxError: As `compile`.
    """
    return _compiled(text, tuple(variables), (), False).facts
