"""What can hinder a picture."""

from __future__ import annotations

from workload_map.errors import WorkloadMapError


class PictureError(WorkloadMapError):
    """The picture cannot be made on this machine."""

    code = "picture"
