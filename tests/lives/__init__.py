"""Recorded lives: what real controllers made of a workload, state by state, and what is right in each.

`KIND/NAME.json` is a life that `make record` wrote: `base` is the first state, and each of `patches` leads to
the next one by a JSON merge patch (RFC 7386). A state is `{object, pods: {NAME: pod}, related: {"KIND/NAME":
object}}`. `KIND/NAME.phases.yaml` beside it is written by hand, from how the kind behaves.
"""
