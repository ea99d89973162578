"""Views to text: tables, the tree of one workload, JSON and YAML, and the schemas of machine output.

Here live layout, colour, ages, and the escaping of what a terminal would obey. Not here: what is true of a
workload (`engine`), and what was asked for (`cli`). Nothing here reads files or the clock.
"""
