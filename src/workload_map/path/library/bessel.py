"""Bessel functions of whole order, which Python's `math` lacks, by their integrals.

    J_n(x) = 1/π ∫₀^π cos(n t - x sin t) dt
    Y_n(x) = 1/π ∫₀^π sin(x sin t - n t) dt - 1/π ∫₀^∞ (eⁿᵗ + (-1)ⁿ e⁻ⁿᵗ) exp(-x sinh t) dt

The first integrand is periodic, so that the trapezoid rule converges faster than any power; the others are
done by the tanh-sinh rule. Correct to about twelve digits up to `_FAR`, behind which the leading term for
large x is used.
"""

from __future__ import annotations

import math
from collections.abc import Callable

_FAR = 2000.0
_STEP = 1 / 64
_REACH = 3.2


def bessel_j(order: int, x: float) -> float:
    """The function of the first kind."""
    if not math.isfinite(x):
        return math.nan if math.isnan(x) else 0.0
    if abs(x) > _FAR:
        return _far(order, x, math.cos)
    count = 64 + 2 * abs(order) + 2 * math.ceil(abs(x))
    angles = (math.pi * (2 * step + 1) / (2 * count) for step in range(count))
    return math.fsum(math.cos(order * angle - x * math.sin(angle)) for angle in angles) / count


def bessel_y(order: int, x: float) -> float:
    """The function of the second kind; minus infinity at zero, a NaN below."""
    if math.isnan(x) or x < 0:
        return math.nan
    if x == 0:
        return -math.inf
    if order < 0:
        return bessel_y(-order, x) if order % 2 == 0 else -bessel_y(-order, x)
    if x > _FAR:
        return 0.0 if math.isinf(x) else _far(order, x, math.sin)
    sign = 1.0 if order % 2 == 0 else -1.0
    far = math.asinh(750 / x)

    def decaying(t: float) -> float:
        height = x * math.sinh(t)
        low = sign * math.exp(-order * t - height)
        return low + (math.exp(order * t - height) if order * t - height < 700 else math.inf)

    panels = 1 + math.ceil((x + order) / 8)
    wave = math.fsum(
        _integral(
            lambda t: math.sin(x * math.sin(t) - order * t),
            math.pi * panel / panels,
            math.pi * (panel + 1) / panels,
        )
        for panel in range(panels)
    )
    return (wave - _integral(decaying, 0.0, far)) / math.pi


def _far(order: int, x: float, wave: Callable[[float], float]) -> float:
    phase = abs(x) - order * math.pi / 2 - math.pi / 4
    sign = -1 if x < 0 and order % 2 else 1
    return sign * math.sqrt(2 / (math.pi * abs(x))) * wave(phase)


def _integral(function: Callable[[float], float], low: float, high: float) -> float:
    """The tanh-sinh rule."""
    middle, half = (low + high) / 2, (high - low) / 2
    steps = int(_REACH / _STEP)
    terms = []
    for step in range(-steps, steps + 1):
        u = step * _STEP
        bent = math.pi / 2 * math.sinh(u)
        weight = math.pi / 2 * math.cosh(u) / math.cosh(bent) ** 2
        terms.append(weight * function(middle + half * math.tanh(bent)))
    return half * _STEP * math.fsum(terms)
