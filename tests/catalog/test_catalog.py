"""The catalog as a whole: what it covers, how its kinds are called, and that its index is fresh."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.catalog.kinds import COMPUTED_COUNTS, EXPLAINED, KINDS, NEWER_FIELDS, NO_SCHEMA
from workload_map import path
from workload_map.catalog import Catalog, index
from workload_map.catalog.building import FOLDER, build
from workload_map.catalog.cases import Case, files, read_case, unexpected, view
from workload_map.catalog.coverage import coverage
from workload_map.catalog.index import IndexedKind
from workload_map.definition import Definition, DefinitionError, NoDefinitionError
from workload_map.definition.crd_schemas import CrdSchemas
from workload_map.definition.validation import validate
from workload_map.documents import Document, read

CRDS = Path(__file__).parents[2].parent / "shared" / "crds"
OF_KUBERNETES = {"", "apps", "batch"}
FOLDERS = sorted(file.parent for file in FOLDER.glob("*/definition.yaml"))


def document_of(folder: Path) -> Document:
    (found,) = read((folder / "definition.yaml").read_bytes(), str(folder), positions=True)
    assert isinstance(found, Document)
    return found


def name_of(folder: Path) -> str:
    name = document_of(folder).value["metadata"]["name"]
    assert isinstance(name, str)
    return name


def references_of(definition: Definition) -> tuple[str, ...]:
    return tuple(one.name for one in definition.spec.structure_definition.references)


def cases_of(folder: Path) -> list[Case]:
    return [read_case(file) for file in files(folder / "cases")]


def test_it_covers_these_kinds_and_no_other() -> None:
    catalog = Catalog.builtin()
    assert {key: catalog.find(*key).name for key in KINDS} == {
        key: name for key, (name, _, _) in KINDS.items()
    }
    assert len(catalog.entries()) == len(FOLDERS) == len({name for name, _, _ in KINDS.values()})
    assert catalog.collisions == []


def test_kinds_are_called_as_kubectl_calls_them() -> None:
    told = {
        (f"{one.group}/{one.version}".lstrip("/"), one.kind): (one.plural, one.short_names)
        for one in Catalog.builtin().kind_names
    }
    assert told == {key: (plural, short) for key, (_, plural, short) in KINDS.items()}
    assert all(one.singular == one.kind.lower() and one.namespaced for one in Catalog.builtin().kind_names)


def test_the_index_is_fresh() -> None:
    assert index.FILE.read_bytes() == build(), "run `python -m workload_map.catalog`"


def test_kinds_are_known_without_reading_a_definition_or_any_yaml() -> None:
    code = (
        "import sys; from workload_map.catalog import Catalog, index\n"
        "catalog = Catalog.builtin(); assert catalog.covers('batch/v1', 'Job') and catalog.kind_names\n"
        "assert index.definition.cache_info().currsize == 0\n"
        "assert catalog.find('batch/v1', 'Job').definition.name == 'batch-job-v1'\n"
        "assert index.definition.cache_info().currsize == 1\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_definition_is_valid_without_any_finding_that_it_does_not_explain(folder: Path) -> None:
    found = {f"{one.code}: {one.location}" for one in validate(document_of(folder))}
    assert found == EXPLAINED.get(name_of(folder), set())


def test_only_counts_that_nobody_sets_cannot_be_written() -> None:
    computed = {
        (entry.name, component.name)
        for entry in Catalog.builtin().entries()
        for component in entry.definition.components
        if component.scale_definition and component.scale_definition.replicas_path
        if not path.check(
            component.scale_definition.replicas_path, variables=references_of(entry.definition)
        ).writable
    }
    assert computed == COMPUTED_COUNTS


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_one_case_expects_the_whole_view(folder: Path) -> None:
    catalog = Catalog.builtin()
    whole = []
    for case in cases_of(folder):
        if not list(unexpected(case.expect, view(case, catalog))):
            whole.append(case.name)
    assert whole


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_cases_reach_everything_in_a_definition(folder: Path) -> None:
    catalog = Catalog.builtin()
    definition = catalog.named(name_of(folder)).definition
    assert coverage(definition, cases_of(folder), catalog).unreached == ()


def test_definitions_of_files_lie_over_the_built_in_ones(tmp_path: Path) -> None:
    text = (FOLDER / "job" / "definition.yaml").read_text()
    (tmp_path / "mine.yaml").write_text(text.replace("name: batch-job-v1", "name: mine"))
    catalog = Catalog.load([tmp_path])
    assert catalog.find("batch/v1", "Job").name == "mine"
    assert catalog.find("batch/v1", "Job").origin == "file"
    assert catalog.find("batch/v1", "CronJob").origin == "builtin"


def test_a_file_that_cannot_be_used_is_an_error_with_all_its_findings(tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    text = (FOLDER / "job" / "definition.yaml").read_text()
    file.write_text(text.replace("replicasPath:", "replicaPath:").replace("resumeActions:", "resumeAction:"))
    with pytest.raises(DefinitionError) as caught:
        Catalog.load([file])
    assert {finding.location for finding in caught.value.findings} >= {
        "spec.structureDefinition.rootComponent.scaleDefinition.replicaPath",
        "spec.structureDefinition.rootComponent.suspendDefinition.resumeAction",
    }


def test_a_kind_that_is_not_covered() -> None:
    with pytest.raises(NoDefinitionError):
        Catalog.builtin().find("batch/v1", "Jobs")


def test_what_no_case_reaches_is_listed() -> None:
    catalog = Catalog.builtin()
    definition = catalog.find("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet").definition
    created = [case for case in cases_of(FOLDER / "leaderworkerset") if case.name == "created"]
    root = "spec.structureDefinition.rootComponent.statusDefinition"
    children = "spec.structureDefinition.childComponents"
    found = coverage(definition, created, catalog)
    group = "spec.optimizationInstructions.gangScheduling.groups[0]"
    assert [(one.what, one.location) for one in found.unreached] == [
        ("path", f"{group}.minimumPath"),
        ("path", f"{group}.subGroups[1].minimumPath"),
        ("path", f"{children}[0].podSelector.replicaSelector.keyPath"),
        ("path", f"{children}[0].scaleDefinition.replicasPath"),
        ("selector", f"{children}[1].podSelector.componentTypeSelector"),
        ("path", f"{children}[1].scaleDefinition.replicasPath"),
        ("component", f"{children}[2]"),
        ("selector", f"{children}[2].podSelector.componentTypeSelector"),
        ("path", f"{children}[2].scaleDefinition.replicasPath"),
        ("path", f"{children}[2].specDefinition.podTemplateSpecPath"),
        ("path", f"{root}.conditionsDefinition.path"),
        ("matcher", f"{root}.statusMappings.degraded[0]"),
        ("matcher", f"{root}.statusMappings.degraded[1]"),
        ("matcher", f"{root}.statusMappings.initializing[0]"),
        ("matcher", f"{root}.statusMappings.running[0]"),
        ("matcher", f"{root}.statusMappings.running[1]"),
        ("matcher", f"{root}.statusMappings.suspended[0]"),
        ("matcher", f"{root}.statusMappings.suspending[0]"),
    ]
    # 4 components, 8 matchers, 2 selectors, and 9 paths.
    assert found.parts == 23


@pytest.mark.skipif(not CRDS.is_dir(), reason="the frameworks' schemas are not beside the checkout")
@pytest.mark.parametrize(
    "kind",
    [one for one in index.kinds() if not {one.group, one.definition} & (OF_KUBERNETES | NO_SCHEMA)],
    ids=lambda one: one.definition,
)
def test_every_field_that_is_read_exists_in_the_schema_of_the_framework(kind: IndexedKind) -> None:
    (folder,) = [one for one in FOLDERS if name_of(one) == kind.definition]
    schemas, unread = CrdSchemas.load([CRDS / f"{kind.plural}.{kind.group}.yaml"])
    assert unread == []
    findings = validate(document_of(folder), schemas)
    newer = NEWER_FIELDS.get(kind.definition, set())
    assert {one.message.split()[0] for one in findings if one.code == "field-unknown"} == newer
    found = {f"{one.code}: {one.location}" for one in findings if one.code != "field-unknown"}
    assert found == EXPLAINED.get(kind.definition, set())
