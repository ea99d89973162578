"""From the resolved tree to Python functions.

The generated source holds only shapes that are written here: no text of an expression becomes part of it.
Names are numbered, constants are numbered globals, and the helpers of `runtime` and `library` are the only
functions.

What does not live here: what names mean (`resolver`), what operators do (`runtime`), builtins (`library`).
"""
