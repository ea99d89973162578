"""Cases from the field: what went wrong in public for users of such tools, as tests of the right answer.

Each test bears the id of its case (`@case("B06")`); `table` maps every id to its tests, or to what it
waits for.
"""
