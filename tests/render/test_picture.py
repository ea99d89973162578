"""Pictures: what is on them, where it stands, and that no name breaks out of any form."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.render.views import amounts, component, instance, jobset, observed, pod, totals, workload
from workload_map.engine.view import Pod, Problem, ReplicaGroup, UnattributedPod, Workload
from workload_map.render.picture import PictureError
from workload_map.render.picture.blocks import Block, Limits, Mark, State, blocks
from workload_map.render.picture.graphs import dot, mermaid
from workload_map.render.picture.html import html
from workload_map.render.picture.layout import LINE_HEIGHT, PAD, Box, lay_out, text_width
from workload_map.render.picture.png import png
from workload_map.render.picture.svg import svg
from workload_map.render.text import width

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</script><script>alert(1)</script>\"'\\`#;]]>&lt;--\x1b[31m\n\u202e{{x}}"


def _crowd(count: int, *, wanted: int | None = None) -> Workload:
    """One role: every tenth pod crashes, every tenth waits for a node, the others are ready."""
    members = tuple(_one(number) for number in range(count))
    asked = count if wanted is None else wanted
    seen = observed(pods=count, ready=sum(one.ready for one in members), nodes=("n1",))
    role = component(
        "worker",
        pods=asked,
        observed=seen,
        members=members,
        instances=(instance(replicas=asked, pods=asked, observed=seen),),
    )
    return workload(components=(role,), totals=totals(pods=asked), observed=seen)


def _one(number: int) -> Pod:
    match number % 10:
        case 3:
            return pod(f"w-{number}", ready=False, reason="CrashLoopBackOff")
        case 7:
            return pod(f"w-{number}", ready=False, phase="Pending", reason="Pending", node=None)
    return pod(f"w-{number}")


def _states(block: Block) -> Counter[State]:
    drawn = Counter(mark.state for mark in block.marks)
    drawn.update(dict(block.hidden))
    for inner in block.blocks:
        drawn.update(_states(inner))
    return drawn


def _marks(block: Block) -> Iterator[Mark]:
    yield from block.marks
    for inner in block.blocks:
        yield from _marks(inner)


def test_a_role_is_a_box_with_its_counts_nodes_and_pods() -> None:
    (job,) = blocks(jobset(), Limits()).blocks
    leader, worker = job.blocks
    assert (leader.title, leader.counts, leader.where()) == ("leader", "1/1 ready, 4 GPU", "gpu-a1")
    assert (worker.title, worker.counts, worker.where()) == ("worker", "1/2 ready, 8 GPU", "gpu-a2, gpu-b1")
    assert [mark.state for mark in worker.marks] == [State.READY, State.BROKEN]
    assert (
        worker.marks[1].text == "train-worker-1-0-c, Running (CrashLoopBackOff, 7 restarts), on gpu-b1, 4 GPU"
    )


@pytest.mark.parametrize(
    ("given_pod", "state"),
    [
        (pod("p"), State.READY),
        (pod("p", ready=False, phase="Succeeded", reason="Completed"), State.DONE),
        (pod("p", ready=False, phase="Failed", reason="Error"), State.BROKEN),
        (pod("p", ready=False, phase="Failed", reason=None), State.BROKEN),
        (pod("p", ready=False, reason="CrashLoopBackOff"), State.BROKEN),
        (pod("p", ready=False, phase="Pending", reason="ImagePullBackOff"), State.BROKEN),
        (pod("p", ready=False, phase="Pending", reason="Init:Error"), State.BROKEN),
        (pod("p", ready=False, phase="Pending", reason="Init:0/2"), State.WAITING),
        (pod("p", ready=False, phase="Pending", reason="ContainerCreating"), State.WAITING),
        (pod("p", ready=False, phase="Pending", reason="SchedulingGated", node=None), State.WAITING),
        (pod("p", ready=False, phase=None, reason=None, node=None), State.WAITING),
        (pod("p", ready=False, reason="Running"), State.STARTING),
        (pod("p", reason="Terminating", deleted_at="2025-06-01T12:00:00Z"), State.LEAVING),
    ],
)
def test_each_pod_has_one_state(given_pod: Pod, state: State) -> None:
    role = component("c", members=(given_pod,), observed=observed(pods=1), instances=(instance(),))
    drawn = blocks(workload(components=(role,), observed=observed(pods=1)), Limits())
    assert [mark.state for mark in _marks(drawn)] == [state]


@given(st.integers(0, 200), st.integers(0, 200), st.integers(0, 70))
def test_each_pod_and_each_that_is_missing_is_drawn_or_counted_once(
    there: int, wanted: int, most: int
) -> None:
    drawn = blocks(_crowd(there, wanted=wanted), Limits(pods=most))
    expected = Counter(
        {3: State.BROKEN, 7: State.WAITING}.get(number % 10, State.READY) for number in range(there)
    )
    expected[State.MISSING] = max(wanted - there, 0)
    assert +_states(drawn) == +expected
    assert len(list(_marks(drawn))) <= (most or there + wanted)


def test_trouble_is_drawn_first_where_not_all_pods_are() -> None:
    (role,) = blocks(_crowd(3000), Limits(pods=60)).blocks
    assert [mark.state for mark in role.marks] == [State.BROKEN] * 60
    assert role.hidden == ((State.BROKEN, 240), (State.WAITING, 300), (State.READY, 2400))


def test_what_fails_is_drawn_before_what_waits() -> None:
    members = (
        *(pod(f"a{number}", ready=False, phase="Pending", reason="Pending") for number in range(50)),
        *(pod(f"b{number}") for number in range(50)),
        *(pod(f"c{number}", ready=False, reason="CrashLoopBackOff") for number in range(2)),
        pod("d", ready=False, phase="Failed", reason="Error"),
    )
    role = component("c", members=members, instances=(instance(pods=103, replicas=103),))
    (box,) = blocks(workload(components=(role,)), Limits(pods=5)).blocks
    assert [mark.text.partition(",")[0] for mark in box.marks] == ["c0", "c1", "d", "a0", "a1"]


def test_a_manifest_shows_what_is_wanted() -> None:
    role = component("worker", pods=3, gpus=6, instances=(instance(replicas=3, pods=3, gpus=6),))
    (box,) = blocks(workload(components=(role,), observed=None, phase=None), Limits()).blocks
    assert box.counts == "3 pods, 6 GPU"
    assert [mark.state for mark in box.marks] == [State.UNKNOWN] * 3


def test_an_unknown_count_is_no_zero() -> None:
    role = component("w", pods=None, gpus=None, instances=(instance(replicas=None, pods=None, gpus=None),))
    (box,) = blocks(workload(components=(role,), observed=None), Limits()).blocks
    assert box.counts == "? pods, ? GPU"
    assert box.marks == ()


def test_of_billions_that_are_not_there_most_are_only_counted() -> None:
    (box,) = blocks(_crowd(3, wanted=2_000_000_000), Limits(pods=0)).blocks
    assert _states(box) == {State.READY: 3, State.MISSING: 1_999_999_997}
    assert len(box.marks) < 10_000


def test_replicas_of_several_pods_are_boxes() -> None:
    members = tuple(pod(f"g-{key}-{index}", replica_group=str(key)) for key in (0, 1) for index in (0, 1))
    groups = tuple(ReplicaGroup(key=key, observed=observed(pods=2, ready=2)) for key in ("0", "1"))
    seen = observed(pods=4, ready=4)
    group = instance(replicas=2, pods_per_replica=3, pods=6, observed=seen, replica_groups=groups)
    role = component("group", pods=6, members=members, observed=seen, instances=(group,))
    (box,) = blocks(workload(components=(role,), observed=seen), Limits()).blocks
    assert [(inner.title, inner.counts) for inner in box.blocks] == [("0", "2/3 ready"), ("1", "2/3 ready")]
    assert _states(box) == {State.READY: 4, State.MISSING: 2}


def _grouped(pods: list[int]) -> dict[str, object]:
    """Replica groups with so many pods each, what is observed of them, and the pods."""
    groups = tuple(
        ReplicaGroup(key=str(key), observed=observed(pods=count, ready=count))
        for key, count in enumerate(pods)
    )
    return {"replica_groups": groups, "observed": observed(pods=sum(pods), ready=sum(pods))}


def _members(pods: list[int]) -> tuple[Pod, ...]:
    return tuple(
        pod(f"w-{key}-{index}", replica_group=str(key))
        for key, count in enumerate(pods)
        for index in range(count)
    )


@pytest.mark.parametrize(
    ("pods", "counts", "missing"), [([2, 2], ["2/2 ready"] * 2, 0), ([2, 1], ["2/2 ready", "1/2 ready"], 1)]
)
def test_replicas_of_a_level_above_share_the_pods_of_a_role(
    pods: list[int], counts: list[str], missing: int
) -> None:
    role = instance(replicas=4, pods_per_replica=1, pods=4, **_grouped(pods))
    worker = component("worker", replicas=4, pods=4, members=_members(pods), instances=(role,))
    level = instance(replicas=2, pods_per_replica=None, pods=4, **_grouped(pods))
    group = component(
        "group", replicas=2, pods_per_replica=None, pods=4, instances=(level,), components=(worker,)
    )
    (box,) = blocks(workload(components=(group,), observed=observed(pods=sum(pods))), Limits()).blocks
    (drawn,) = box.blocks
    assert [inner.counts for inner in drawn.blocks] == counts
    assert _states(box)[State.MISSING] == missing


def test_what_groups_other_than_replicas_lack_is_not_told_of_each() -> None:
    revisions = [2, 1]
    role = instance(replicas=4, pods_per_replica=1, pods=4, **_grouped(revisions))
    service = component("service", replicas=4, pods=4, members=_members(revisions), instances=(role,))
    (box,) = blocks(workload(components=(service,), observed=observed(pods=3)), Limits()).blocks
    assert [inner.counts for inner in box.blocks] == ["2/? ready", "1/? ready"]
    assert _states(box) == {State.READY: 3, State.MISSING: 1}


def test_pods_that_no_component_takes_are_shown() -> None:
    stray = UnattributedPod(unattributed_because="no selector", **msgspec.structs.asdict(pod("stray")))
    (box,) = blocks(workload(unattributed=(stray,)), Limits()).blocks
    assert (box.title, box.counts, len(box.marks)) == ("(no component)", "1 pod", 1)


def test_many_instances_are_cut_and_those_with_trouble_stay() -> None:
    members = tuple(pod(f"p{number}", instance=f"i{number}", ready=number != 99) for number in range(100))
    each = tuple(instance(id=f"i{number}") for number in range(100))
    role = component("r", members=members, instances=each)
    (box,) = blocks(workload(components=(role,)), Limits(blocks=5)).blocks
    assert len(box.blocks) == 5
    assert box.left_out == 95
    assert box.blocks[0].title == "i99"


def test_depth_says_how_much_it_leaves_out() -> None:
    root = blocks(jobset(), Limits(depth=1))
    (job,) = root.blocks
    assert (job.blocks, job.left_out) == ((), 2)
    assert "2 more not drawn" in svg(jobset(), Limits(depth=1))


# Where things stand.

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=60)
TREES = st.recursive(
    st.builds(
        Block,
        title=NAMES,
        note=NAMES,
        counts=NAMES,
        nodes=st.lists(NAMES, max_size=6).map(tuple),
        marks=st.integers(0, 70).map(lambda count: (Mark(State.READY),) * count),
    ),
    lambda inner: st.builds(
        Block, title=NAMES, note=NAMES, counts=NAMES, blocks=st.lists(inner, max_size=5).map(tuple)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize("name", ["\u200b" * 50, "n" * 10**6, "a,b," * 20, "漢" * 30])
@pytest.mark.parametrize("others", [(), ("b", "c")])
def test_the_name_of_a_node_that_does_not_fit_is_cut_and_the_others_are_counted(
    name: str, others: tuple[str, ...]
) -> None:
    role = Block(title="role", note="", counts="", nodes=(name, *others))
    box = lay_out(Block(title="workload", note="", counts="", blocks=(role,)))
    (where,) = [line for line in box.boxes[0].lines if line.kind == "where"]
    assert width(where.text) <= 40
    assert where.text.startswith("on ")
    assert where.text.endswith("…, +2" if others else "…")


@given(TREES)
def test_boxes_hold_what_is_in_them_and_do_not_overlap(root: Block) -> None:
    _check(lay_out(root))


def _check(box: Box) -> None:
    right, bottom = box.x + box.width, box.y + box.height
    for line in box.lines:
        assert box.x + PAD + text_width(line.text, 11) <= right
    for _, x, y in box.marks:
        assert box.x < x < right - PAD
        assert box.y < y < bottom - PAD
    for number, inner in enumerate(box.boxes):
        assert box.x < inner.x
        assert inner.x + inner.width < right
        assert box.y < inner.y
        assert inner.y + inner.height < bottom
        for other in box.boxes[number + 1 :]:
            beside = inner.x + inner.width < other.x or other.x + other.width < inner.x
            assert beside or inner.y + inner.height < other.y
        _check(inner)


# No name breaks out.


def _hostile() -> Workload:
    named = pod(HOSTILE, instance=HOSTILE, node=HOSTILE, reason=HOSTILE, replica_group=HOSTILE)
    seen = observed(pods=1, ready=1, nodes=(HOSTILE,))
    role = component(HOSTILE, kind=HOSTILE, phase=HOSTILE, members=(named,), observed=seen)
    role = msgspec.structs.replace(role, instances=(instance(id=HOSTILE, observed=seen),))
    return workload(HOSTILE, kind=HOSTILE, namespace=HOSTILE, phase=HOSTILE, components=(role,))


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_svg_is_xml_and_shows_each_name_as_text(theme: str) -> None:
    root = ElementTree.fromstring(svg(_hostile(), Limits(), theme))  # noqa: S314 - our own
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg",
        "title",
        "style",
        "rect",
        "text",
        "tspan",
        "g",
        "path",
    }
    tips = [element.text or "" for element in root.iter(f"{SVG}title")]
    assert any(tip.startswith("</script><script>alert(1)</script>") for tip in tips)


def test_svg_is_dark_only_where_its_surroundings_are() -> None:
    assert "prefers-color-scheme" in svg(jobset(), Limits(), "auto")
    assert "prefers-color-scheme" not in svg(jobset(), Limits(), "light")
    assert "#0f141b" not in svg(jobset(), Limits(), "light")
    assert "#0f141b" in svg(jobset(), Limits(), "dark")


class _Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not any(name.startswith("on") or name in ("href", "src") for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_html_has_one_script_of_its_own_and_names_are_text() -> None:
    page = _Page(html(_hostile(), Limits()))
    assert page.tags.count("script") == 1
    assert any("<script>alert(1)</script>" in text for text in page.texts)


def test_html_lists_every_pod_that_the_drawing_folds() -> None:
    page = _Page(html(_crowd(300), Limits(pods=10)))
    assert {f"w-{number}" for number in range(300)} <= set(page.texts)


def test_mermaid_keeps_names_in_their_labels() -> None:
    text = mermaid(_hostile(), Limits())
    for line in text.splitlines()[1:-2]:
        if "-->" in line:
            assert re.fullmatch(r"  n\d+ --> n\d+", line)
            continue
        label = re.fullmatch(r'  n\d+\["(.*)"\](:::\w+)?', line)
        assert label, line
        assert not re.search(r'["<>`\[\]{}|]', label[1].replace("<br/>", ""))


def test_dot_keeps_names_in_their_labels() -> None:
    for line in dot(_hostile(), Limits()).splitlines()[2:-1]:
        assert re.fullmatch(r'  n\d+ (\[label="([^"\\]|\\.)*"\]|-> n\d+);', line), line


def test_graphs_count_pods_by_state() -> None:
    text = mermaid(jobset(), Limits())
    assert 'n3["worker<br/>1/2 ready, 8 GPU<br/>1 failing, 1 ready<br/>on gpu-a2, gpu-b1"]:::failing' in text
    assert "  n1 --> n3" in text
    assert r'n3 [label="worker\n1/2 ready, 8 GPU\n1 failing, 1 ready\non gpu-a2, gpu-b1"];' in dot(
        jobset(), Limits()
    )


def png_or_skip(drawing: str) -> bytes:
    try:
        return png(drawing)
    except PictureError as error:
        pytest.skip(error.message)


def test_png_is_twice_the_size_of_the_drawing() -> None:
    drawing = svg(jobset(), Limits(), "light")
    picture = png_or_skip(drawing)
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    size = re.search(r'viewBox="0 0 (\d+) (\d+)"', drawing)
    assert size
    wide, high = int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])
    assert (wide, high) == (2 * int(size[1]), 2 * int(size[2]))


def test_gpus_of_a_pod_are_in_its_tip() -> None:
    role = component("c", members=(pod("p", requests=amounts(gpu="2")),), observed=observed(pods=1))
    (mark,) = _marks(blocks(workload(components=(role,)), Limits()))
    assert mark.text == "p, Running, on node-1, 2 GPU"


# From the `hmtx` table of DejaVu Sans Bold, the widest font that a picture names, in parts of the font size.
_ADVANCES = {
    letter: advance
    for letters, advance in (
        *(
            ("m", 1.042),
            ("w", 0.924),
            ("bdgpq", 0.716),
            ("hnu", 0.712),
            ("0", 0.696),
            ("o", 0.687),
            ("e", 0.678),
        ),
        *(("a", 0.675), ("k", 0.665), ("vy", 0.652), ("x", 0.645), ("s", 0.595), ("c", 0.593), ("z", 0.582)),
        *(("r", 0.493), ("t", 0.478), ("f", 0.435), ("-", 0.415), (".", 0.38), ("ijl", 0.343)),
    )
    for letter in letters
}


@given(st.text(alphabet=sorted(_ADVANCES), min_size=1, max_size=40))
@example("production-recommender-embeddings")
@example("mmwmwmm-warmup-mmm")
def test_the_phase_stands_behind_the_name_in_the_widest_font(name: str) -> None:
    picture = svg(workload(name=name, phase="Running"), Limits())
    pill = re.search(r'<rect class="f-green" x="([0-9.]+)" y="13"', picture)
    assert pill is not None
    assert float(pill[1]) >= PAD + 20 * sum(_ADVANCES[letter] for letter in name)


def test_pods_that_could_not_be_looked_at_are_not_drawn_as_missing() -> None:
    role = component("worker", pods=3, gpus=6, instances=(instance(replicas=3, pods=3, gpus=6),))
    unseen = workload(components=(role,), observed=None)
    assert "<br/>3 wanted, not known if there" in mermaid(unseen, Limits())
    (box,) = blocks(unseen, Limits(pods=1)).blocks
    assert _states(box) == {State.UNKNOWN: 3}


def _many_roles(count: int) -> Workload:
    """A component of so many instances, each on nodes of its own."""
    instances = tuple(
        instance(id=f"i{number}", observed=observed(pods=1, nodes=tuple(f"n{one}" for one in range(number))))
        for number in range(count)
    )
    members = tuple(pod(f"p{number}", instance=f"i{number}") for number in range(count))
    return workload(components=(component("roles", instances=instances, members=members),))


def test_boxes_without_others_in_them_stand_in_columns() -> None:
    (role,) = lay_out(blocks(_many_roles(24), Limits())).boxes
    assert len({box.width for box in role.boxes}) == 1
    assert 1 < len({box.x for box in role.boxes}) < 12
    assert len({box.y for box in role.boxes}) > 1


def test_nodes_are_told_in_the_order_of_their_numbers() -> None:
    seen = observed(pods=3, ready=3, nodes=("node-10", "node-9", "node-100"))
    (box,) = blocks(workload(components=(component("c", observed=seen),)), Limits()).blocks
    assert box.where() == "node-9, node-10, node-100"


@pytest.mark.parametrize(("count", "direction"), [(6, "TD"), (7, "LR")])
def test_a_broad_graph_goes_from_left_to_right(count: int, direction: str) -> None:
    view = _many_roles(count)
    assert mermaid(view, Limits()).startswith(f"flowchart {direction}\n")
    assert ("rankdir=LR" in dot(view, Limits())) is (direction == "LR")


def test_a_graph_says_once_that_all_pods_are_ready() -> None:
    seen = observed(pods=1, ready=1)
    role = component("c", observed=seen, members=(pod("p"),), instances=(instance(observed=seen),))
    assert 'n1["c<br/>1/1 ready"]' in mermaid(workload(components=(role,), observed=seen), Limits())


def test_html_begins_with_large_levels_folded() -> None:
    assert html(_crowd(10), Limits(pods=10)).count("<details open>") == 1
    assert html(_crowd(11), Limits(pods=10)).count("<details>") == 1
    assert html(_crowd(11), Limits(pods=0)).count("<details open>") == 1


@pytest.mark.parametrize(
    ("nodes", "text"),
    [
        (["gpu-1", "gpu-2", "gpu-3"], "on gpu-1, gpu-2, gpu-3"),
        ([f"gpu-{number}" for number in range(1, 17)], "on gpu-1, gpu-2, gpu-3, +13"),
        ([f"gpu-node-of-rack-{number}" for number in range(1, 17)], "on gpu-node-of-rack-1, +15"),
        (
            [f"ip-10-0-0-{number}.zone.internal" for number in range(1, 17)],
            "on ip-10-0-0-1.zone.internal, +15",
        ),
        (["n" * 60, "o"], f"on {'n' * 32}…, +1"),
        (["n" * 60], f"on {'n' * 36}…"),
    ],
)
def test_names_of_nodes_are_whole_or_counted(nodes: list[str], text: str) -> None:
    seen = observed(pods=16, ready=16, nodes=tuple(nodes))
    (box,) = lay_out(blocks(workload(components=(component("c", observed=seen),)), Limits())).boxes
    assert [line.text for line in box.lines if line.kind == "where"] == [text]


def test_what_the_pods_contradict_is_marked_and_told_in_words() -> None:
    words = "it says Running, but 0 of 1 pods are ready"
    problem = Problem(code="not-enough-ready", location=None, message=words)
    view = workload(stale=True, disagreements=(problem,))
    picture = svg(view, Limits(), "light")
    shown = [text.text for text in ElementTree.fromstring(picture).iter(f"{SVG}text")]  # noqa: S314 - our own
    assert {"Running*!", words, "the status is older than the object's last change"} <= set(shown)
    # Nothing looks as if all were well.
    assert 'class="f-green" x=' not in picture
    assert f"<br/>Running*!<br/>the status is older than the object's last change<br/>{words}" in mermaid(
        view, Limits()
    )
    assert f"Running*!\\nthe status is older than the object's last change\\n{words}" in dot(view, Limits())
    assert ">Running<" in svg(workload(), Limits())


def test_words_in_the_header_have_room_of_their_own() -> None:
    problem = Problem(code="not-enough-ready", location=None, message="it says Running")
    role = component("c")
    plain, told = (
        lay_out(blocks(workload(components=(role,), disagreements=said), Limits()))
        for said in ((), (problem,))
    )
    assert told.boxes[0].y == plain.boxes[0].y + LINE_HEIGHT


def test_a_box_of_one_pod_is_no_tower_beside_one_of_thousands() -> None:
    many = component("many", members=tuple(pod(f"m{number}") for number in range(2699)))
    one = component("one", members=(pod("o"),))
    big, small = lay_out(blocks(workload(components=(many, one)), Limits(pods=0))).boxes
    assert len(big.marks) == 2699
    assert big.height < 1.5 * big.width
    assert small.height < big.height / 2
