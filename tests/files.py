"""Files for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml


def write_file(folder: Path, name: str, content: Any) -> str:
    """Write text, bytes, or one or more documents as YAML; gives the path."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif isinstance(content, str):
        path.write_text(content)
    else:
        path.write_text(yaml.safe_dump_all(content if isinstance(content, list) else [content]))
    return str(path)
