"""What can be wrong with a template of the user's."""

from __future__ import annotations

from workload_map.errors import WorkloadMapError


class JsonPathError(WorkloadMapError):
    """A template cannot be read, names what no view has, or meets a value that it does not fit.

    Args:
        message: What is wrong.
        text: The whole template.
        offset: Where in it.
        hint: What to do about it.
    """

    code = "jsonpath"
    exit_code = 2

    def __init__(self, message: str, text: str, offset: int, *, hint: str | None = None) -> None:
        super().__init__(message, location=f"column {offset + 1} of {text}" if text else None, hint=hint)


class JsonPathValueError(WorkloadMapError):
    """A step does not fit a value of this very view; the template adds its place.

    Args:
        message: What is wrong.
        offset: Where in the template the step stands.
    """

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self._offset = offset

    def placed(self, text: str) -> JsonPathError:
        """The same with its place in the template; the call may be right, so that it is no wrong one."""
        error = JsonPathError(self.message, text, self._offset)
        error.exit_code = WorkloadMapError.exit_code
        return error
