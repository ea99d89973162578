"""Recorded lives: what a workload, its pods and the objects between looked like, state by state.

    make record                                     # every scenario, on one cluster
    make record SCENARIO="job/normal jobset/scale"  # these

A *scenario* is a file `tests/cluster/scenarios/KIND/NAME.yaml`; its *life* is written to
`tests/lives/KIND/NAME.json`, and `tests.lives` reads it back. A scenario says:

    about: A Job of two pods that is suspended and goes on.   # one sentence
    operators: [jobset]          # names of `recipes.OPERATORS`; none if left out
    between: [batch/v1/Job]      # kinds whose objects are recorded too, `apiVersion/Kind`: owners between the
                                 # object and its pods, and whatever else tells of it; all of the namespace,
                                 # or of the cluster where the kind has no namespaces
    stands_in: ...               # a sentence: what plays a part of which the real one can't run; if any does
    alone: true                  # nothing else runs meanwhile: it disturbs or is disturbed (nodes, queues)
    nodes: [small-1]             # nodes that it adds, labelled `scenario: KIND-NAME`; then it must be alone
    manifest:                    # objects, applied in order; the LAST is the one whose life this is
    - {apiVersion: batch/v1, kind: Job, ...}
    steps:                       # one after another
    - wait: .object.status.active == 2
    - patch: {spec: {suspend: true}}
    ...

Expressions are those of `workload_map.path`. They see the newest state, the very value that a frame of the
life holds: `{object, pods: {NAME: pod}, related: {"KIND/NAME": object}}`; a workload that is itself a pod is
`object` alone. The steps:

- `wait: EXPRESSION` until it gives neither null nor false; an error of it counts as not yet
- `patch: MERGE-PATCH` the object, or what `of: EXPRESSION` gives: `of: .pods[]`
- `annotate: {outcome: fail, after: 0s}`, with the names of `stages` without their prefix; the object, or `of`
- `delete: EXPRESSION`, such as `.object` or `first(.pods[])`; with `propagation: Foreground` if that matters
- `apply: OBJECT`, one more
- `settle: SECONDS` until nothing changed for so long

Each takes `seconds`, how long it may take (60). Steer pods by annotations in the manifest where that will do:
what is fixed beforehand varies least from run to run.

A life begins when the object is there and ends with the last step, or when the object is gone. Its frames are
all changes of everything recorded, in the order of the server's versions; `stable` says what is made the same
in each run. A change that shows in nothing but what was made stable is no frame.
"""
