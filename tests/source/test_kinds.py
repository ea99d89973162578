"""What a TYPE means without an API server."""

from __future__ import annotations

import pytest

from workload_map.definition import NoDefinitionError
from workload_map.definition.kind_names import KindNames
from workload_map.source import (
    EVERYTHING,
    AmbiguousError,
    GroupKind,
    KindTable,
    Target,
    TargetError,
    Wanted,
    parse,
)


def _names(group: str, version: str, kind: str, *short: str) -> KindNames:
    singular = kind.lower()
    return KindNames(
        group=group, version=version, kind=kind, plural=f"{singular}s", singular=singular, short_names=short
    )


JOBSET = GroupKind("jobset.x-k8s.io", "JobSet")
DEPLOYMENT = GroupKind("apps", "Deployment")
POD = GroupKind("", "Pod")
CORE_SERVICE = GroupKind("", "Service")
KNATIVE_SERVICE = GroupKind("serving.knative.dev", "Service")
VOLCANO_JOB = GroupKind("batch.volcano.sh", "Job")
JOB = GroupKind("batch", "Job")

TABLE = KindTable(
    [
        _names("jobset.x-k8s.io", "v1alpha2", "JobSet", "js"),
        _names("apps", "v1", "Deployment", "deploy"),
        _names("", "v1", "Pod", "po"),
        _names("", "v1", "Service", "svc"),
        _names("serving.knative.dev", "v1", "Service", "kservice", "ksvc"),
        _names("batch", "v1", "Job"),
        _names("batch.volcano.sh", "v1alpha1", "Job", "vcjob", "vj"),
        _names("acme.io", "v1", "Trainer", "job", "tr"),
        _names("acme.io", "v2", "Trainer", "job", "tr"),
    ]
)


@pytest.mark.parametrize(
    ("token", "target"),
    [
        ("jobset", Target(JOBSET)),
        ("jobsets", Target(JOBSET)),
        ("JobSets", Target(JOBSET)),
        ("js", Target(JOBSET)),
        ("jobset.jobset.x-k8s.io", Target(JOBSET)),
        ("JOBSETS.jobset.x-k8s.io", Target(JOBSET)),
        ("jobsets.v1alpha2.jobset.x-k8s.io", Target(JOBSET, "v1alpha2")),
        ("js.jobset.x-k8s.io", Target(JOBSET)),
        ("deploy", Target(DEPLOYMENT)),
        ("deployments.v1.apps", Target(DEPLOYMENT, "v1")),
        ("pods", Target(POD)),
        ("pod.v1", Target(POD, "v1")),
        ("pod.v1.", Target(POD, "v1")),
        ("pod.", Target(POD)),
        ("svc", Target(CORE_SERVICE)),
        ("ksvc", Target(KNATIVE_SERVICE)),
        ("service.serving.knative.dev", Target(KNATIVE_SERVICE)),
        ("services.v1", Target(CORE_SERVICE, "v1")),
        ("job.batch", Target(JOB)),
        ("vj", Target(VOLCANO_JOB)),
        ("trainer", Target(GroupKind("acme.io", "Trainer"))),
        ("trainers.v2.acme.io", Target(GroupKind("acme.io", "Trainer"), "v2")),
    ],
)
def test_a_type_is_any_name_of_a_kind(token: str, target: Target) -> None:
    assert TABLE.resolve(token) == target


@pytest.mark.parametrize(
    ("token", "forms"),
    [
        ("service", {"services.v1", "services.serving.knative.dev"}),
        ("Services", {"services.v1", "services.serving.knative.dev"}),
        # The short name `job` of a third kind does not count where it is a full name.
        ("job", {"jobs.batch", "jobs.batch.volcano.sh"}),
    ],
)
def test_an_ambiguous_type_is_refused_with_forms_that_work(token: str, forms: set[str]) -> None:
    with pytest.raises(AmbiguousError, match="fits several kinds") as caught:
        TABLE.resolve(token)
    hint = caught.value.hint or ""
    listed = hint.removeprefix("say which: ").split()
    assert set(listed) == forms
    assert len({TABLE.resolve(form).kind for form in listed}) == len(forms)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("token", "hint"),
    [
        ("jobsett", "did you mean jobset?"),
        ("deploymnt.apps", "did you mean deployment?"),
        ("zzzzzz", None),
    ],
)
def test_an_unknown_type_names_the_nearest(token: str, hint: str | None) -> None:
    with pytest.raises(NoDefinitionError, match=token) as caught:
        TABLE.resolve(token)
    assert caught.value.hint == hint
    assert caught.value.exit_code == 4


def test_what_cannot_be_shown_is_not_suggested() -> None:
    names = [
        _names("", "v1", "Pod"),
        _names("", "v1", "PodTemplate"),
        _names("", "v1", "Service"),
        _names("serving.knative.dev", "v1", "Service"),
        _names("", "v1", "Event"),
        _names("events.k8s.io", "v1", "Event"),
    ]
    table = KindTable(names, shown={POD, KNATIVE_SERVICE})
    for token, hint in (("podtemplat", None), ("podd", "did you mean pod?"), ("event", None)):
        with pytest.raises(NoDefinitionError, match=token) as caught:
            table.resolve(token)
        assert caught.value.hint == hint
    with pytest.raises(AmbiguousError) as ambiguous:
        table.resolve("service")
    assert ambiguous.value.hint == "say which: services.serving.knative.dev"
    assert list(table.tokens()) == ["pod", "services.serving.knative.dev"]
    # It can be named all the same: that nothing covers it is told where it is looked for.
    assert table.resolve("podtemplate") == Target(GroupKind("", "PodTemplate"))


@pytest.mark.parametrize("token", ["jobset.other.io", "jobsets.v9.jobset.x-k8s.io", "pod.v2", "jobset."])
def test_a_qualifier_that_does_not_fit_is_unknown(token: str) -> None:
    with pytest.raises(NoDefinitionError):
        TABLE.resolve(token)


def test_every_completion_resolves_to_a_kind_of_its_own() -> None:
    tokens = list(TABLE.tokens())
    assert len({TABLE.resolve(token).kind for token in tokens}) == len(tokens) == 8


def test_kinds_of_several_groups_are_shared() -> None:
    assert TABLE.shared_kinds() == {"Service", "Job"}


@pytest.mark.parametrize(
    ("kind", "plural"), [("Trainer", "trainers"), ("Bus", "buses"), ("Policy", "policies")]
)
def test_names_are_guessed_as_kubernetes_does(kind: str, plural: str) -> None:
    names = KindNames.guessed("acme.io", "v1", kind)
    assert (names.plural, names.singular) == (plural, kind.lower())


JS, DEPLOY = Target(JOBSET), Target(DEPLOYMENT)


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["all"], EVERYTHING),
        (["ALL"], EVERYTHING),
        (["jobset"], Wanted((JS,))),
        (["jobset,deploy"], Wanted((JS, DEPLOY))),
        (["jobset,jobsets"], Wanted((JS,))),
        (["jobset", "train"], Wanted((JS,), ((JS, "train"),))),
        (["jobset", "b", "a", "b"], Wanted((JS,), ((JS, "b"), (JS, "a")))),
        (["jobset/train"], Wanted((JS,), ((JS, "train"),))),
        (["deploy/web", "js/train"], Wanted((DEPLOY, JS), ((DEPLOY, "web"), (JS, "train")))),
    ],
)
def test_arguments_say_what_is_wanted(arguments: list[str], wanted: Wanted) -> None:
    assert parse(arguments, TABLE) == wanted


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no TYPE"),
        ([""], "TYPE is empty"),
        (["jobset,"], "TYPE is empty"),
        (["/train"], "TYPE is empty"),
        (["jobset/"], "NAME of 'jobset' is empty"),
        (["jobset", ""], "NAME of 'jobset' is empty"),
        (["jobset/a/b"], "has a slash"),
        (["jobset", "a/b"], "has no slash"),
        (["jobset/a", "b"], "has no slash"),
        (["jobset,deploy", "a"], "several types take no NAME"),
        (["all", "a"], "`all` takes no NAME"),
        (["all/a"], "`all` takes no NAME"),
        (["all,jobset"], "`all` stands alone"),
    ],
)
def test_arguments_that_do_not_fit_together_are_refused(arguments: list[str], message: str) -> None:
    with pytest.raises(TargetError, match=message) as caught:
        parse(arguments, TABLE)
    assert caught.value.exit_code == 2


def _job_kinds(*known: GroupKind) -> KindTable:
    names = [_names("batch.volcano.sh", "v1alpha1", "Job"), _names("batch", "v1", "Job")]
    return KindTable(names, known)


def test_what_only_might_be_there_makes_no_name_ambiguous() -> None:
    assert _job_kinds(JOB).resolve("job") == Target(JOB)
    assert _job_kinds(VOLCANO_JOB).resolve("jobs") == Target(VOLCANO_JOB)
    assert _job_kinds(JOB).shared_kinds() == frozenset()
    with pytest.raises(AmbiguousError):
        _job_kinds(JOB, VOLCANO_JOB).resolve("job")


def test_where_none_of_a_name_is_there_it_is_the_one_that_every_cluster_has() -> None:
    assert _job_kinds().resolve("job") == Target(JOB)
    assert _job_kinds().resolve("job.batch.volcano.sh") == Target(VOLCANO_JOB)
    assert list(_job_kinds().tokens()) == ["jobs.batch.volcano.sh", "job"]
