"""Reading and changing by paths: `getpath`, `setpath`, `delpaths` and the update operators.

Nothing is changed in place: each change copies the containers on its way. Within one update, containers that
were copied already are changed where they are, so that an update of n places copies each container once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

from workload_map.path.budget import DEPTH, Budget, too_deep
from workload_map.path.errors import PathRuntimeError
from workload_map.path.origins import MAX_PATH, Exact, not_a_path
from workload_map.path.runtime import MAX_INDEX, add, bounds, described, fail, index, named, whole
from workload_map.path.values import is_number, type_name

_Change = Callable[[Any], Iterable[Any]]


def paths_of(pairs: Iterator[tuple[Any, Any]], budget: Budget) -> Iterator[list[Any]]:
    """The paths of the outputs of a path expression."""
    for value, origin in pairs:
        if not isinstance(origin, Exact) or origin.invalid:
            raise not_a_path(f"the result, {described(value)}, is computed")
        budget.work(1 + origin.depth // 8)
        budget.grow(8 * origin.depth)
        yield list(origin.location)


def all_paths(value: Any, budget: Budget) -> Iterator[list[Any]]:
    """`paths`: the paths of everything in the value, a container before its contents."""
    stack: list[tuple[Any, list[Any]]] = [(value, [])]
    while stack:
        item, path = stack.pop()
        if path:
            yield path
        if not isinstance(item, list | dict):
            continue
        if len(path) >= MAX_PATH:
            too_deep()
        keys = sorted(item, reverse=True) if isinstance(item, dict) else range(len(item) - 1, -1, -1)
        budget.work(len(item))
        budget.grow(8 * len(item) * (len(path) + 2))
        stack.extend((item[key], [*path, key]) for key in keys)


def first_of_pair(pair: tuple[Any, Any]) -> Any:
    """A value without its origin."""
    return pair[0]


def checked_path(path: Any, budget: Budget) -> list[Any]:
    """A path given as a value."""
    if not isinstance(path, list):
        fail("path", "expected an array as the path", path)
    if len(path) > MAX_PATH:
        raise PathRuntimeError("path", f"the path has {len(path)} steps; {MAX_PATH} are allowed")
    budget.work(len(path))
    return path


def get_path(value: Any, path: Any, budget: Budget) -> Any:
    """`getpath(path)`: null stays null, but for what is no key at all."""
    for key in checked_path(path, budget):
        if isinstance(value, str):  # `.[0]` of a string is a character, but no path leads there
            fail("index", "cannot follow a path: expected an object or an array", value)
        value = index(value, key, budget)
    return value


def followed(origin: Any, path: Any) -> Any:
    """The origin of what `getpath` gives."""
    for key in path:
        origin = (
            origin.step(key) if type(key) in (str, int) or isinstance(origin, Exact) else origin.computed()
        )
    return origin


def set_path(value: Any, path: Any, new: Any, budget: Budget) -> Any:
    """`setpath(path; new)`."""
    return Editor(budget).put(value, checked_path(path, budget), _always(new))


def assigned(
    value: Any, paths: Iterable[list[Any]], new: Any, budget: Budget, editor: Editor | None = None
) -> Any:
    """`paths = new`.

    A path is set before the next one is looked for, so that the first error is the first that arises. With an
    `editor`, what it has copied before is changed where it is: a fold whose state is used nowhere else passes
    the same one each time, and so costs a step a round instead of a copy.
    """
    paths = list(paths) if editor else paths
    editor = editor or Editor(budget)
    for path in paths:
        value = editor.put(value, path, _always(new))
    return value


_GONE = object()


def _always(new: Any) -> Callable[[Any], Any]:
    return lambda _: new


def modified(
    value: Any, paths: Iterable[list[Any]], change: _Change, budget: Budget, editor: Editor | None = None
) -> Any:
    """`paths |= change`: the first output of the change; none deletes. `editor` as above."""
    paths = list(paths) if editor else paths
    editor, gone = editor or Editor(budget), list[list[Any]]()

    def changed(old: Any) -> Any:
        for new in change(old):
            return new
        return _GONE

    for path in paths:
        new = changed(get_path(value, path, budget))
        if new is _GONE:
            gone.append(path)
        else:
            value = editor.put(value, path, _always(new))
    return delete_paths(value, gone, budget) if gone else value


def extended(left: Any, right: Any, budget: Budget, editor: Editor) -> Any:
    """`left + right` in a fold that uses its state nowhere else: what the editor owns grows where it is."""
    if isinstance(left, list) and isinstance(right, list):
        grown = editor.copy(left)
        budget.grow(16 * len(right))
        grown.extend(right)
        return grown
    if isinstance(left, dict) and isinstance(right, dict):
        grown = editor.copy(left)
        budget.grow(16 * len(right))
        grown.update(right)
        return grown
    if isinstance(left, str) and isinstance(right, str):
        budget.grow(len(right))
        budget.work(1 + (len(left) >> 14))
        return left + right
    return add(left, right, budget)


def delete_paths(value: Any, paths: Any, budget: Budget) -> Any:
    """`delpaths(paths)`: all places are marked first, so that indexes keep their meaning."""
    if not isinstance(paths, list):
        fail("path", "delpaths: expected an array of paths", paths)
    for path in paths:
        checked_path(path, budget)
    editor = Editor(budget)
    for path in paths:
        value = editor.mark(value, path)
    editor.sweep()
    return None if value is _GONE else value


class Editor:
    """Changes a value by copies; remembers which containers are its own copies."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.own: dict[int, Any] = {}  # by identity; the containers are held, so identities stay theirs

    def copy(self, container: Any) -> Any:
        """A container that is the editor's own: itself if it is, else a copy."""
        if id(container) in self.own:
            return container
        self.budget.work(len(container) // 8)
        self.budget.grow(16 * len(container))
        copied = list(container) if isinstance(container, list) else dict(container)
        self.own[id(copied)] = copied
        return copied

    def put(self, value: Any, path: list[Any], new: Callable[[Any], Any]) -> Any:
        """The value with another at a path; missing containers are made."""
        if len(path) > DEPTH:
            too_deep()
        self.budget.work(4 + 2 * len(path))
        trail = []
        for key in path:
            container, place = self.container(value, key)
            trail.append((container, place))
            value = self.held(container, place)
        result = new(value)
        for container, key in reversed(trail):
            if isinstance(key, slice):
                if not isinstance(result, list):
                    fail("path", "cannot put this into a slice: expected an array", result)
                self.budget.grow(16 * len(result))
                container[key] = result
            else:
                container[key] = result
            result = container
        return result

    def container(self, value: Any, key: Any) -> tuple[Any, Any]:
        """A copy of the container that a key needs, long enough, and the key as Python has it."""
        if isinstance(key, str):
            if value is None:
                return self.copy({}), key
            if not isinstance(value, dict):
                fail("index", f"cannot set field {named(key)}: expected an object", value)
            return self.copy(value), key
        if value is None:
            value = []
        if is_number(key):
            if not isinstance(value, list):
                fail("index", f"cannot set element {described(key)}: expected an array", value)
            return self.element(self.copy(value), key)
        if isinstance(key, dict):
            if not isinstance(value, list):
                fail("index", "cannot set a slice: expected an array", value)
            if "start" not in key or "end" not in key:
                fail("index", "cannot slice: expected an object with `start` and `end`", key)
            return self.copy(value), bounds(value, key["start"], key["end"])
        if isinstance(value, dict):
            fail("index", "cannot set a field: expected a string as the key", key)
        return fail("index", "cannot set an element: expected a number as the index", key)

    def element(self, array: list[Any], key: Any) -> tuple[list[Any], int]:
        """The array, made long enough, and the index as Python has it."""
        place = whole(key)
        if place is None:
            _refuse("the index is not a number (nan)")
        if place < 0:
            place += len(array)
            if place < 0:
                _refuse(f"index {described(key)} is before the beginning of the array")
        if place > MAX_INDEX and place >= len(array):
            _refuse(f"index {described(key)} is too large; arrays grow up to index {MAX_INDEX}")
        missing = place + 1 - len(array)
        if missing > 0:
            self.budget.grow(16 * missing)
            array.extend([None] * missing)
        return array, place

    def held(self, container: Any, key: Any) -> Any:
        """What a container has under a key."""
        if isinstance(container, dict):
            return container.get(key)
        return container[key]

    def mark(self, value: Any, path: list[Any]) -> Any:
        """The value with a mark at a path; what is not there is no error."""
        if not path:
            return _GONE
        self.budget.work(2 + 2 * len(path))
        trail = []
        here = value
        for key in path[:-1]:
            if here is None or here is _GONE:
                return value
            trail.append((here, key))
            here = index(here, key, self.budget)
        result = self.marked(here, path[-1])
        if result is here:
            return value
        for container, key in reversed(trail):
            copied, place = self.container(container, key)
            copied[place] = result
            result = copied
        return result

    def marked(self, value: Any, key: Any) -> Any:
        """A container with one key marked, or itself if there is nothing to take away."""
        if value is None or value is _GONE:
            return value
        kind = type_name(value)
        if kind == "object" and isinstance(key, str):
            if key not in value:
                return value
            copied = self.copy(value)
            copied[key] = _GONE
            return copied
        if kind == "array" and is_number(key):
            place = whole(key)
            if place is None or not -len(value) <= place < len(value):
                return value
            copied = self.copy(value)
            copied[place] = _GONE
            return copied
        if kind == "array" and isinstance(key, dict):
            span = bounds(value, key.get("start"), key.get("end"))
            copied = self.copy(value)
            copied[span] = [_GONE] * (span.stop - span.start)
            return copied
        wanted = {"object": "a string", "array": "a number"}.get(kind)
        if wanted:
            return fail("path", f"cannot delete a key of an {kind}: expected {wanted}", key)
        return fail("path", "cannot delete from this: expected an array or an object", value)

    def sweep(self) -> None:
        """Take away what is marked."""
        for container in self.own.values():
            self.budget.work(len(container) // 8)
            if isinstance(container, list):
                container[:] = [item for item in container if item is not _GONE]
            else:
                for key in [key for key, item in container.items() if item is _GONE]:
                    del container[key]


def _refuse(message: str) -> NoReturn:
    raise PathRuntimeError("path", message)
