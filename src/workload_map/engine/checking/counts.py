"""Pods: how many there should be and are, and which have no place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from workload_map.engine.checking.rows import Row, Verdict
from workload_map.engine.checking.settling import Reasons, pods_in, why_out_of_sight
from workload_map.engine.objects import Object, controller, kind_of, metadata, text_of
from workload_map.engine.plan import ComponentPlan, Plan
from workload_map.engine.structure import ComponentDraft
from workload_map.engine.view import Component, Instance, Pod, Workload

_ENDED = ("Succeeded", "Failed")
_JOB = ("batch", "Job")


def not_compared(view: Workload) -> Row:
    """The one row of a workload whose pods are not known."""
    why = why_out_of_sight(view) or "they were not looked at"
    wanted = view.totals.pods
    return Row(
        check="pods",
        subject=None,
        expected=None if wanted is None else str(wanted),
        found=None,
        verdict="open",
        message=f"nothing is compared, its pods are not known: {why}",
    )


class _Wanted(NamedTuple):
    """How many pods there should be.

    Attributes:
        pods: What is asked for; None: not known.
        least: The lower bound; None: not known.
        most: The upper bound; None: not known.
        is_scaled: Whether something else may decide between the bounds, whatever is asked for.
    """

    pods: int | None
    least: int | None
    most: int | None
    is_scaled: bool

    def scaled_to(self, count: int) -> str | None:
        """Why there may be so many, where something else may decide; None where that is no reason."""
        least = self.least or 0
        if not self.is_scaled or count < least or (self.most is not None and count > self.most):
            return None
        bounds = f"from {least} up" if self.most is None else f"between {least} and {self.most}"
        return f"which may be since it may be scaled {bounds}"


class _There(NamedTuple):
    """The pods that are there.

    Attributes:
        live: Those that have not ended and are not on their way out.
        done: Those that have done their work.
        leaving: Those that have not ended and are on their way out.
        may_be_of_rounds: Whether those that are done may have been there before others: Jobs may make new
            ones for what is still to complete, and what is known of them does not tell whether they do.
    """

    live: int
    done: int
    leaving: int
    may_be_of_rounds: bool

    def why_fewer(self, wanted: int) -> str | None:
        """Why there may be fewer: others may be made once those that leave are gone (StatefulSets, Jobs)."""
        lacks = self.live + self.done < wanted <= self.live + self.done + self.leaving
        return f"which may pass once {self.leaving} on their way out are gone" if lacks else None

    @property
    def text(self) -> str:
        return f"{self.live}, {self.done} done" if self.done else f"{self.live}"


class Counter:
    """Compares counts of pods of one workload.

    Args:
        view: The workload.
        why: Why there may be other pods than it asks for.
        pods: Its pods as they are.
        plan: Its definition.
    """

    def __init__(self, view: Workload, why: Reasons, pods: Sequence[Object], plan: Plan) -> None:
        self._view = view
        self._why = why
        self._plan = plan
        self._of_jobs = {text_of(metadata(pod).get("name")) for pod in pods if _is_of_job(pod)}

    def total(self, both: Sequence[tuple[ComponentDraft, Component]]) -> Row:
        """The pods that owner references lead to, whatever selectors say, against the total."""
        view, totals = self._view, self._view.totals
        is_scaled = any(
            self._is_scaled(draft.plan, one) for draft, component in both for one in component.instances
        )
        wanted = _Wanted(totals.pods, totals.at_min.pods, totals.at_max.pods, is_scaled)
        return self._row(None, wanted, pods_in(view), "by owner references")

    def instances(self, draft: ComponentDraft, component: Component) -> Iterator[Row]:
        """The pods of each instance that bears pods, as the selectors find them."""
        for built, instance in zip(draft.instances, component.instances, strict=True):
            if built.spec is None:
                continue
            pods = [pod for pod in component.members or () if pod.instance == instance.id]
            wanted = _own(instance, is_scaled=self._is_scaled(draft.plan, instance))
            yield self._row(subject_of(component, instance), wanted, pods, "by its selector")

    def _is_scaled(self, plan: ComponentPlan, instance: Instance) -> bool:
        """Whether something else may decide how many there are.

        An upper bound is that of an autoscaler, which may act on what stands between. Not where the
        controller brings the number between the bounds, since there an autoscaler writes it (KubeRay); but in
        a manifest within nobody does: it is written into the object that was made of it.
        """
        is_within = plan not in self._plan.components
        keeps_to_number = plan.scale is not None and plan.scale.keeps_within_bounds and not is_within
        return not keeps_to_number and instance.max is not None and instance.min != instance.max

    def _row(self, subject: str | None, wanted: _Wanted, pods: Sequence[Pod], how: str) -> Row:
        going_on = [pod for pod in pods if pod.phase not in _ENDED]
        there = _There(
            live=sum(pod.deleted_at is None for pod in going_on),
            leaving=sum(pod.deleted_at is not None for pod in going_on),
            done=sum(pod.phase == "Succeeded" for pod in pods),
            may_be_of_rounds=any(pod.name in self._of_jobs for pod in pods),
        )
        verdict, message = self._judge(wanted, there)
        return Row(
            check="pods",
            subject=subject,
            expected=None if wanted.pods is None else str(wanted.pods),
            found=there.text,
            verdict=verdict,
            message=f"{how}: {message}",
        )

    def _judge(self, wanted: _Wanted, there: _There) -> tuple[Verdict, str]:
        all_told = there.live + there.done
        if wanted.pods == all_told:
            return "agrees", "as many as it says"
        if self._view.phase == "Suspended" and not there.live:
            return "open", "none runs, since it is suspended"
        if wanted.pods is None:
            return self._judge_by_bounds(wanted, there)
        if all_told < wanted.pods:
            reason = wanted.scaled_to(all_told) or self._why.fewer or there.why_fewer(wanted.pods)
            return settled(reason, "fewer than it says")
        if there.live > wanted.pods:
            return settled(wanted.scaled_to(there.live) or self._why.more, "more than it says")
        rounds = "which may have been there before others" if there.may_be_of_rounds else None
        reason = wanted.scaled_to(wanted.pods) or rounds or self._why.more
        return settled(reason, "more than it says, with those that are done")

    def _judge_by_bounds(self, wanted: _Wanted, there: _There) -> tuple[Verdict, str]:
        least, most = wanted.least, wanted.most
        if least is not None and there.live + there.done < least:
            reason = self._why.fewer or there.why_fewer(least)
            return settled(reason, f"fewer than the {least} that it says at least")
        if most is not None and there.live > most:
            return settled(self._why.more, f"more than the {most} that it says at most")
        if least is None or most is None:
            return "open", "the definition cannot tell how many"
        if there.live + there.done > most:
            return "open", f"with those that are done more than the {most} that it says at most"
        return "agrees", f"between {least} and {most}, as it says"


def subject_of(component: Component, instance: Instance) -> str:
    """How rows call an instance."""
    return component.name if instance.id is None else f"{component.name} {instance.id}"


def _own(instance: Instance, *, is_scaled: bool) -> _Wanted:
    """The pods that an instance asks for itself."""
    each = instance.pods_per_replica
    counts = (instance.replicas, instance.min, instance.max)
    wanted, low, high = (None if count is None or each is None else count * each for count in counts)
    least, most = (wanted if low is None else low), (wanted if high is None else high)
    return _Wanted(wanted, least, most, is_scaled)


def _is_of_job(pod: Object) -> bool:
    owner = controller(pod) or {}
    return kind_of(str(owner.get("apiVersion")), str(owner.get("kind"))) == _JOB


def settled(reason: str | None, message: str) -> tuple[Verdict, str]:
    """What a difference means: one, or where a reason for it is known, none yet."""
    return ("differs", message) if reason is None else ("open", f"{message}, {reason}")


def find_places(view: Workload, both: Sequence[tuple[ComponentDraft, Component]]) -> Iterator[Row]:
    """Each pod that no component takes, or whose instance cannot be told."""
    strays = [(pod.name, pod.unattributed_because) for pod in view.unattributed or ()]
    for _, component in both:
        ids = {instance.id for instance in component.instances}
        for pod in component.members or ():
            if pod.instance not in ids:
                strays.append((pod.name, f"it is of {component.name}, and of none of its instances"))
    for name, why in strays:
        yield Row(
            check="place", subject=f"pod {name}", expected=None, found=None, verdict="differs", message=why
        )
    if not strays and not pods_in(view):
        message = "there are no pods to look at"
        yield Row(check="place", subject=None, expected=None, found=None, verdict="open", message=message)
    elif not strays:
        message = "each pod has its place"
        yield Row(check="place", subject=None, expected=None, found=None, verdict="agrees", message=message)
