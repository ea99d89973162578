#!/bin/sh
# The main job on the shipped dump: all workloads of a cluster, then one of them as a tree.
# Give BIN to say where `wmap` is; without it, the one on the PATH is taken.
set -eu
cd "$(dirname "$0")/.."
PATH="${BIN:+$(cd "$BIN" && pwd):}$PATH"

show() {
    printf '$ %s\n' "$*"
    "$@"
    printf '\n'
}

show wmap get all --from examples/dump.yaml
show wmap describe jobset/train --from examples/dump.yaml -n research
