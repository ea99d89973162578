"""A picture as one HTML page: the drawing, and below it all pods in a tree that folds and can be searched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from workload_map.engine.view import Component, Instance, Pod, Workload
from workload_map.render import amounts, pods
from workload_map.render.picture.blocks import Limits, counts
from workload_map.render.picture.svg import svg
from workload_map.render.text import printable

_STYLE = """
:root{color-scheme:light dark}
body{font:14px system-ui,sans-serif;margin:24px;max-width:1200px}
svg{display:block;max-width:100%;height:auto}
input{font:inherit;padding:6px 10px;width:min(28em,90%);margin:16px 0}
details{margin:2px 0 2px 1em}
summary{cursor:pointer;padding:2px}
table{border-collapse:collapse;margin:4px 0 8px 1.4em}
td,th{padding:2px 12px 2px 0;text-align:left;font-weight:normal}
th{opacity:.7}
.trouble{font-weight:600}
.count{opacity:.75}
[hidden]{display:none}
"""
# A row stays when it or the title of a level above has the words; a level stays while something in it does.
_SCRIPT = """
const box = document.getElementById("search"), none = document.getElementById("none");
box.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const has = (text) => words.every((word) => text.toLowerCase().includes(word));
  const visit = (level, above) => {
    const path = above + " " + level.firstElementChild.textContent;
    let kept = has(path);
    for (const child of level.children) {
      if (child.tagName === "DETAILS") kept = visit(child, path) || kept;
      if (child.tagName !== "TABLE") continue;
      for (const row of child.tBodies[0].rows) {
        row.hidden = !has(path + " " + row.textContent);
        kept = kept || !row.hidden;
      }
    }
    level.hidden = !kept;
    if (words.length && kept) level.open = true;
    return kept;
  };
  let any = false;
  for (const level of document.querySelectorAll("main > details")) any = visit(level, "") || any;
  none.hidden = any;
});
"""


def html(view: Workload, limits: Limits) -> str:
    """One page that needs nothing else: no other file, no network.

    Args:
        view: The workload.
        limits: How much of it is drawn; the tree below the drawing has all pods.
    """
    return "\n".join(_page(view, limits)) + "\n"


def _page(view: Workload, limits: Limits) -> Iterator[str]:
    title = _safe(f"{view.kind} {view.name}")
    policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield '<meta name="viewport" content="width=device-width">'
    yield f"<title>{title}</title><style>{_STYLE}</style></head><body>"
    yield svg(view, limits)
    yield '<input id="search" type="search" placeholder="Search pods, roles, nodes" aria-label="Search">'
    yield '<p id="none" hidden>Nothing matches.</p><main>'
    tree = _Tree(limits.pods)
    for component in view.components:
        yield from tree.component(component)
    if view.unattributed:
        yield from tree.level("(no component)", "", len(view.unattributed), _table(view.unattributed))
    yield f"</main><script>{_SCRIPT}</script></body></html>"


class _Tree:
    """The levels of the tree.

    Args:
        most: One with more pods of its own begins folded; 0: none does.
    """

    def __init__(self, most: int) -> None:
        self._most = most

    def component(self, component: Component) -> Iterator[str]:
        own = sum(pod.instance is None for pod in component.members or ())
        yield from self.level(component.name, _counts(component), own, self._inside(component))

    def level(self, name: str, counted: str, own: int, inside: Iterator[str]) -> Iterator[str]:
        is_open = "" if self._most and own > self._most else " open"
        yield f'<details{is_open}><summary>{_safe(name)} <span class="count">{counted}</span></summary>'
        yield from inside
        yield "</details>"

    def _inside(self, component: Component) -> Iterator[str]:
        members = component.members or ()
        for instance in component.instances:
            if instance.id is None:
                yield from self._instance(instance, members)
                continue
            own = len(pods.of(instance, members))
            yield from self.level(instance.id, _counts(instance), own, self._instance(instance, members))
        yield from _table(pods.strays(component))
        for child in component.components:
            yield from self.component(child)

    def _instance(self, instance: Instance, members: Sequence[Pod]) -> Iterator[str]:
        yield from _table(pods.of(instance, members))
        for child in instance.components:
            yield from self.component(child)


def _table(members: Sequence[Pod]) -> Iterator[str]:
    if not members:
        return
    grouped = any(pod.replica_group for pod in members)
    heads = ["pod", "status", "GPU", *(["replica"] if grouped else []), "node"]
    yield f"<table><thead><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr></thead><tbody>"
    shown, _ = pods.folded(members, 0)
    for pod in shown:
        cells = [pod.name, pods.status(pod), amounts.count(pod.requests.accelerators())]
        cells += [pod.replica_group or ""] if grouped else []
        cells.append(pod.node or "")
        trouble = ' class="trouble"' if pods.troubled(pod) else ""
        yield f"<tr{trouble}>{''.join(f'<td>{_safe(cell)}</td>' for cell in cells)}</tr>"
    yield "</tbody></table>"


def _counts(part: Component | Instance) -> str:
    return counts(part.observed, amounts.count(part.pods), amounts.count(part.gpus))


def _safe(text: str) -> str:
    return escape(printable(text))
