"""A picture as PNG, drawn from its SVG by resvg (the extra `png`)."""

from __future__ import annotations

import shlex
import sys

from workload_map.render.picture.errors import PictureError
from workload_map.render.picture.svg import FONT

_SCALE = 2  # sharp on the screens that people have
_PROBE = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">{}</svg>'


def png(svg: str) -> bytes:
    """The bytes of a PNG file.

    Args:
        svg: The picture, in a theme of its own (`light` or `dark`): there are no surroundings to follow.

    Raises:
        PictureError: resvg is not installed, or there is no font on this machine to write with.
    """
    try:
        import resvg_py  # noqa: PLC0415 - an extra, and for nothing else
    except ImportError:
        raise PictureError(
            "PNG needs the package resvg_py",
            # Into the environment of this very program: a clone, a virtual environment, or that of pipx.
            hint=f"`{shlex.quote(sys.executable)} -m pip install 'resvg_py<1'` adds it; or take -o svg",
        ) from None
    # Without any font resvg leaves out all text and says nothing.
    text = f'<text x="2" y="15" font-family="{FONT}">Text</text>'
    if resvg_py.svg_to_bytes(_PROBE.format(text)) == resvg_py.svg_to_bytes(_PROBE.format("")):
        raise PictureError(
            "there is no font on this machine to write with",
            hint="install one, as the package fonts-dejavu-core; or take -o svg",
        )
    return bytes(resvg_py.svg_to_bytes(svg, zoom=_SCALE))
