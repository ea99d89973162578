"""Text of YAML or JSON into plain objects, safely: documents, and where in the file their keys stand.

This package knows files and text. It does not know Kubernetes, definitions or paths, and opens no files.

The values are plain Python objects (dict, list, str, int, float, bool, None). They are those that `kubectl`
makes of the same text, since one manifest should not mean two things: YAML 1.1 booleans (`yes`, `off`),
octal `012`, no dates and no base 60, keys as strings. Unlike there, integers of any size are exact and
duplicate keys are errors.
"""

from workload_map.documents.document import Document, DocumentError, Position
from workload_map.documents.reading import read

__all__ = ["Document", "DocumentError", "Position", "read"]
