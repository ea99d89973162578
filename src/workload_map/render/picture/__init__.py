"""A workload as a picture: SVG, PNG, one HTML page, and the text of Mermaid and Graphviz.

`blocks` says what is on a picture, the same for every form; `layout` where it stands; the others write it.
Not here: tables and trees for terminals (`render`).
"""

from workload_map.render.picture.errors import PictureError

__all__ = ["PictureError"]
