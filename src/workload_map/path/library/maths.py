"""Mathematical builtins. They work on doubles, as in C; those that round give integers.

What C leaves to the platform (a pole, an overflow) is an infinity or a NaN here, never an error.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

from workload_map.path.budget import Budget
from workload_map.path.library.bessel import bessel_j, bessel_y
from workload_map.path.runtime import fail
from workload_map.path.values import as_float, is_number

_EXACT = 1 << 53


def _real(value: Any, name: str) -> float:
    return as_float(value) if is_number(value) else fail("type", f"{name}: expected a number", value)


def _safe(function: Callable[..., float], *values: float) -> float:
    """A function of C's library: where Python raises, what C returns."""
    try:
        return function(*values)
    except OverflowError:
        return math.inf
    except (ValueError, ZeroDivisionError):
        return math.nan


def _one(name: str, function: Callable[[float], Any]) -> Callable[[Any, Budget], Any]:
    def builtin(value: Any, _: Budget) -> Any:
        return _safe(function, _real(value, name))

    return builtin


def _two(name: str, function: Callable[[float, float], Any]) -> Callable[[Any, Any, Any, Budget], Any]:
    def builtin(_: Any, left: Any, right: Any, __: Budget) -> Any:
        return _safe(function, _real(left, name), _real(right, name))

    return builtin


def _rounding(name: str, function: Callable[[float], Any]) -> Callable[[Any, Budget], Any]:
    """A function whose result is whole: an integer where a double holds it exactly."""

    def builtin(value: Any, _: Budget) -> Any:
        real = _real(value, name)
        if not math.isfinite(real) or abs(real) >= _EXACT:
            return real
        return int(function(real))

    return builtin


def absolute(value: Any, _: Budget) -> Any:
    """`abs`: exact for integers."""
    return abs(value) if is_number(value) else fail("type", "abs: expected a number", value)


def _log(base: Callable[[float], float]) -> Callable[[float], float]:
    return lambda real: -math.inf if real == 0 else base(real)


def _log1p(real: float) -> float:
    return -math.inf if real == -1 else math.log1p(real)


def _atanh(real: float) -> float:
    return math.copysign(math.inf, real) if abs(real) == 1 else math.atanh(real)


def _away(real: float) -> float:
    """Rounded half away from zero."""
    return math.copysign(math.floor(abs(real) + 0.5), real) if abs(real) != 0.49999999999999994 else 0.0


def _sinh(real: float) -> float:
    return math.copysign(math.inf, real) if abs(real) > 711 else math.sinh(real)


def _power(base: float, exponent: float) -> float:
    try:
        return math.pow(base, exponent)
    except OverflowError:
        odd = exponent % 2 == 1
        return -math.inf if base < 0 and odd else math.inf
    except ValueError:
        if base != 0:
            return math.nan
        return math.copysign(math.inf, base) if exponent % 2 == 1 else math.inf


def _gamma(real: float) -> float:
    if real == 0:
        return math.copysign(math.inf, real)
    return math.gamma(real)


def _lgamma(real: float) -> float:
    return math.inf if real <= 0 and real == math.floor(real) else math.lgamma(real)


def lgamma_r(value: Any, _: Budget) -> list[Any]:
    """The logarithm of the gamma function's absolute value, and its sign."""
    real = _real(value, "lgamma_r")
    negative = real < 0 and real != math.floor(real) and math.floor(real) % 2
    return [_safe(_lgamma, real), -1 if negative else 1]


def frexp(value: Any, _: Budget) -> list[Any]:
    """Mantissa and exponent."""
    mantissa, exponent = math.frexp(_real(value, "frexp"))
    return [mantissa, exponent]


def modf(value: Any, _: Budget) -> list[Any]:
    """Fraction and whole part."""
    fraction, whole = math.modf(_real(value, "modf"))
    return [fraction, whole]


def _significand(real: float) -> float:
    if real == 0 or not math.isfinite(real):
        return real
    return math.frexp(real)[0] * 2


def _logb(real: float) -> float:
    if real == 0:
        return -math.inf
    return abs(real) if not math.isfinite(real) else math.frexp(real)[1] - 1


def _scaled(real: float, exponent: float) -> float:
    if math.isnan(real) or math.isnan(exponent):
        return math.nan
    power = int(max(min(exponent, 1e6), -1e6))
    try:
        return math.ldexp(real, power)
    except OverflowError:
        return math.copysign(math.inf, real)


def _fdim(left: float, right: float) -> float:
    return math.nan if math.isnan(left) or math.isnan(right) else max(left - right, 0.0)


def _least(left: float, right: float) -> float:
    return math.nan if math.isnan(left) or math.isnan(right) else min(left, right)


def _greatest(left: float, right: float) -> float:
    return math.nan if math.isnan(left) or math.isnan(right) else max(left, right)


def _bessel(name: str, function: Callable[[int, float], float], order: int) -> Callable[[Any, Budget], Any]:
    return lambda value, _: function(order, _real(value, name))


def _bessel_n(name: str, function: Callable[[int, float], float]) -> Callable[[Any, Any, Any, Budget], Any]:
    def builtin(_: Any, order: Any, value: Any, budget: Budget) -> Any:
        real = _real(order, name)
        whole = 0 if math.isnan(real) else int(max(min(real, 1000), -1000))
        budget.work(2000)
        return function(whole, _real(value, name))

    return builtin


def fma(_: Any, factor: Any, other: Any, addend: Any, __: Budget) -> Any:
    """`factor * other + addend`."""
    return _real(factor, "fma") * _real(other, "fma") + _real(addend, "fma")


def is_infinite(value: Any, _: Budget) -> bool:
    """Whether a number is an infinity."""
    return math.isinf(_real(value, "isinfinite"))


def is_nan(value: Any, _: Budget) -> bool:
    """Whether a number is no number."""
    return math.isnan(_real(value, "isnan"))


def is_normal(value: Any, _: Budget) -> bool:
    """Whether a number is neither zero, subnormal, infinite nor a NaN."""
    real = _real(value, "isnormal")
    return math.isfinite(real) and abs(real) >= sys.float_info.min


_ONES: dict[str, Callable[[float], Any]] = {
    "fabs": math.fabs,
    "sqrt": math.sqrt,
    "cbrt": math.cbrt,
    "exp": math.exp,
    "exp2": math.exp2,
    "exp10": lambda real: _power(10.0, real),
    "expm1": math.expm1,
    "log": _log(math.log),
    "log2": _log(math.log2),
    "log10": _log(math.log10),
    "log1p": _log1p,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "sinh": _sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
    "asinh": math.asinh,
    "acosh": math.acosh,
    "atanh": _atanh,
    "significand": _significand,
    "logb": _logb,
    "gamma": _gamma,
    "lgamma": _lgamma,
    "tgamma": _gamma,
    "erf": math.erf,
    "erfc": math.erfc,
}
_ROUNDED: dict[str, Callable[[float], Any]] = {
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
    "round": _away,
    "rint": round,
    "nearbyint": round,
}
_TWOS: dict[str, Callable[[float, float], Any]] = {
    "pow": _power,
    "atan2": math.atan2,
    "fmod": math.fmod,
    "fmin": _least,
    "fmax": _greatest,
    "fdim": _fdim,
    "hypot": math.hypot,
    "copysign": math.copysign,
    "drem": math.remainder,
    "remainder": math.remainder,
    "ldexp": _scaled,
    "scalb": _scaled,
    "scalbln": _scaled,
    "nextafter": math.nextafter,
    "nexttoward": math.nextafter,
}

FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{f"{name}/0": _one(name, function) for name, function in _ONES.items()},
    **{f"{name}/0": _rounding(name, function) for name, function in _ROUNDED.items()},
    **{f"{name}/2": _two(name, function) for name, function in _TWOS.items()},
    "j0/0": _bessel("j0", bessel_j, 0),
    "j1/0": _bessel("j1", bessel_j, 1),
    "y0/0": _bessel("y0", bessel_y, 0),
    "y1/0": _bessel("y1", bessel_y, 1),
    "jn/2": _bessel_n("jn", bessel_j),
    "yn/2": _bessel_n("yn", bessel_y),
    "abs/0": absolute,
    "lgamma_r/0": lgamma_r,
    "frexp/0": frexp,
    "modf/0": modf,
    "fma/3": fma,
    "isinfinite/0": is_infinite,
    "isnan/0": is_nan,
    "isnormal/0": is_normal,
}
