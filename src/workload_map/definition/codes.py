"""The table of findings: what each code means and why it matters. The docs and the tests are made from it."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Code(NamedTuple):
    """A kind of finding.

    Attributes:
        code: The word that stands in findings.
        severity: `error` or `warning`.
        meaning: When it is found, one sentence.
        why: What goes wrong otherwise, one sentence.
    """

    code: str
    severity: Literal["error", "warning"]
    meaning: str
    why: str


_TABLE = (
    # Files and documents
    Code(
        "unreadable-file",
        "error",
        "A file or directory cannot be read.",
        "Its definitions are missing.",
    ),
    Code(
        "unreadable-document",
        "error",
        "A document is neither valid YAML nor valid JSON, or is refused (duplicate keys, alias bombs).",
        "Its definition is missing; the other documents of the file are read.",
    ),
    Code(
        "no-definitions",
        "warning",
        "A path that was given holds no definition.",
        "It is probably the wrong path.",
    ),
    Code(
        "not-a-definition",
        "error",
        "A document is not a `Karta` of `run.ai/v1alpha1`.",
        "It cannot be read as a definition.",
    ),
    # Shape
    Code(
        "unknown-field",
        "error",
        "A field is not part of the schema.",
        "A misspelt field would be ignored, and the definition would say less than its author believes.",
    ),
    Code(
        "wrong-type",
        "error",
        "A field holds a value of another type than the schema asks for.",
        "The field cannot be read.",
    ),
    Code(
        "missing-field",
        "error",
        "A required field is absent.",
        "What it belongs to means nothing without it.",
    ),
    Code(
        "too-deep",
        "error",
        "Groups are nested deeper than any scheduler can follow.",
        "Reading them would exhaust whoever walks them.",
    ),
    Code(
        "too-large",
        "error",
        "A list has more than 64 entries, a name more than 253 characters, or another text too many.",
        "Definitions come from strangers, and an API server refuses more too.",
    ),
    # Structure
    Code(
        "definition-unnamed",
        "error",
        "`metadata.name` is absent or empty.",
        "Definitions are listed and asked for by name.",
    ),
    Code(
        "component-unnamed",
        "error",
        "A component's name is empty.",
        "Owners, groups and outputs name components.",
    ),
    Code(
        "component-duplicate",
        "error",
        "Two components have the same name.",
        "Whoever names it could mean either.",
    ),
    Code(
        "root-kind-incomplete",
        "error",
        "The root has no version or no kind.",
        "No object can be recognized as this workload.",
    ),
    Code(
        "group-empty",
        "error",
        "A kind without group is none of the core kinds.",
        "Only core kinds such as Pod have no group, so that no object matches.",
    ),
    Code(
        "root-with-owner",
        "error",
        "The root component names an owner.",
        "The root is the workload object; nothing stands above it.",
    ),
    Code(
        "owner-missing",
        "error",
        "A child component names no owner.",
        "It has no place in the tree.",
    ),
    Code(
        "owner-unknown",
        "error",
        "A child's owner is not a component of the definition.",
        "It has no place in the tree.",
    ),
    Code(
        "owner-cycle",
        "error",
        "Components own each other in a circle.",
        "None of them hangs on the root.",
    ),
    # Kinds
    Code(
        "kind-incomplete",
        "error",
        "A kind other than the root's has no version or no kind.",
        "No object can be recognized as one of it.",
    ),
    Code(
        "kind-repeated",
        "warning",
        "A kind is listed twice in `additionalChildKinds`.",
        "One of the two was probably meant to be another kind.",
    ),
    Code(
        "kind-not-portable",
        "warning",
        "Two kinds in `additionalChildKinds` have the same name in different groups or versions.",
        "The API server keys this list by `kind` alone and refuses the second one.",
    ),
    Code(
        "versions-misplaced",
        "error",
        "`versions` stands on a kind that is not the root's.",
        "Only the root's kind decides which objects a definition covers.",
    ),
    Code(
        "version-repeated",
        "warning",
        "`versions` of the root lists its own version again.",
        "Probably another version was meant.",
    ),
    Code(
        "not-for-root",
        "error",
        "The root has a field that only children can have.",
        "The root is the object itself: it has no parent and lies in no other object.",
    ),
    Code(
        "per-parent-on-root",
        "error",
        "The root counts per parent.",
        "It has no parent to be multiplied with.",
    ),
    Code(
        "group-not-portable",
        "warning",
        "The root is a core kind other than Pod.",
        "Other readers of definitions take an empty group for Pod alone.",
    ),
    # Pods and their number
    Code(
        "pod-spec-ambiguous",
        "error",
        "More than one of the three shapes of a pod spec is set.",
        "It would be chance which of them is read.",
    ),
    Code(
        "pod-spec-missing",
        "error",
        "A `specDefinition` has none of the three shapes, and the component no `presentPath`.",
        "The component can never be there.",
    ),
    Code(
        "metadata-without-pod-spec",
        "warning",
        "`metadataPath` stands without `podSpecPath`.",
        "It is not read: a template has its own metadata, and fragments have their own paths.",
    ),
    Code(
        "fragments-empty",
        "error",
        "A fragmented pod spec names no fragment.",
        "Nothing of the pod is known, and nothing can be changed.",
    ),
    Code(
        "containers-ambiguous",
        "error",
        "`containerPath` and `containersPath` are both set.",
        "What the pod needs would be counted once or twice, by chance.",
    ),
    Code(
        "resource-unnamed",
        "error",
        "An accelerator has no resource name.",
        "Its count cannot be added to anything.",
    ),
    Code(
        "object-with-pod-spec",
        "error",
        "A component has both an `objectPath` and a `specDefinition`.",
        "Its pods would be counted twice: here, and by the definitions of the objects inside.",
    ),
    Code(
        "scale-empty",
        "warning",
        "A `scaleDefinition` is empty.",
        "The count is unknown, where without it it would be one.",
    ),
    Code(
        "pods-without-pod-spec",
        "warning",
        "`podsPerReplicaPath` stands on a component without pods of its own.",
        "It is not read: only components with pods have pods to count.",
    ),
    Code(
        "default-out-of-range",
        "error",
        "A default count is negative or above 2147483647.",
        "No controller has such a default.",
    ),
    Code(
        "default-without-path",
        "warning",
        "A count has a default but no path.",
        "Whatever the object says, the default is shown.",
    ),
    Code(
        "default-bounds-crossed",
        "error",
        "The default minimum is above the default maximum.",
        "No count lies between them.",
    ),
    # Selectors
    Code("selector-empty", "warning", "A `podSelector` is empty.", "It says nothing."),
    Code(
        "type-selector-empty",
        "error",
        "A `componentTypeSelector` has neither `keyPath` nor `matchLabels`.",
        "It would take every pod, or none.",
    ),
    Code(
        "value-without-key",
        "error",
        "A `componentTypeSelector` has a `value` without a `keyPath`.",
        "There is nothing to compare it with.",
    ),
    Code(
        "type-selector-missing",
        "error",
        "Several components bear pods, and more than one of them has no type selector.",
        "Their pods cannot be told from each other.",
    ),
    Code(
        "selector-not-portable",
        "warning",
        "Of several components that bear pods, one has no type selector.",
        "Here it takes the pods that no other one selects; other readers give it none.",
    ),
    Code(
        "selectors-overlap",
        "warning",
        "A component's type selector takes only pods that an earlier component takes too.",
        "The earlier component gets all of them, the later one none.",
    ),
    Code(
        "ids-without-selector",
        "error",
        "A component has an `instanceIdPath`, and pods are not told by instance.",
        "All its pods land in no instance.",
    ),
    Code(
        "selector-without-ids",
        "error",
        "A component tells pods by instance and has no `instanceIdPath`.",
        "The ids of the pods have nothing to be compared with.",
    ),
    Code(
        "ownership-incomplete",
        "error",
        "`ownership: label` and `workloadPath` do not stand together.",
        "The pods of the operator are not found.",
    ),
    Code(
        "value-unknown",
        "error",
        "A field holds a word that it does not know.",
        "What it asks for is not done.",
    ),
    # Status
    Code(
        "status-missing",
        "error",
        "The root has no `statusDefinition`.",
        "Its phase is always Undefined.",
    ),
    Code(
        "mappings-empty",
        "warning",
        "A `statusDefinition` maps nothing to any phase.",
        "The phase is always Undefined.",
    ),
    Code(
        "matcher-empty",
        "error",
        "A matcher asks for nothing.",
        "It matches every object.",
    ),
    Code(
        "phase-not-extracted",
        "error",
        "A matcher compares the phase, and no `phaseDefinition` says where it is.",
        "It never matches.",
    ),
    Code(
        "conditions-not-extracted",
        "error",
        "A matcher asks for conditions, and no `conditionsDefinition` says where they are.",
        "It never matches.",
    ),
    Code(
        "condition-field-not-extracted",
        "error",
        "A matcher asks for a field of a condition whose name is set to nothing.",
        "It never matches.",
    ),
    Code(
        "matcher-contradiction",
        "error",
        "A matcher asks one condition for two values at once.",
        "It never matches.",
    ),
    Code(
        "matcher-unreachable",
        "warning",
        "A matcher stands behind a more general one of the same phase.",
        "It is never reached, and its reason never shown.",
    ),
    Code(
        "matchers-identical",
        "warning",
        "Matchers of two phases ask for the same.",
        "Both phases match, and the one that comes later is never shown.",
    ),
    Code(
        "matcher-shadowed",
        "warning",
        "Whatever a matcher matches, one of a phase that comes first matches too.",
        "Its phase is never shown because of it.",
    ),
    # Suspending
    Code(
        "actions-empty",
        "error",
        "`suspendActions` or `resumeActions` is empty.",
        "What was suspended could not be resumed, or the other way round.",
    ),
    Code(
        "value-not-json",
        "error",
        "The value of an action is not JSON text.",
        "It cannot be written.",
    ),
    # Gangs
    Code(
        "gang-forms",
        "warning",
        "`podGroups` and `podGroup` are both set.",
        "Which one a scheduler follows depends on its version.",
    ),
    Code(
        "gang-empty",
        "warning",
        "A group has nothing in it.",
        "It holds no pod.",
    ),
    Code("group-unnamed", "error", "A group has no name.", "What is made from it is named after it."),
    Code("group-duplicate", "error", "Two groups have the same name.", "What is made from them collides."),
    Code(
        "gang-component-unknown",
        "error",
        "A group names a component that is not there.",
        "Its pods are not grouped.",
    ),
    Code(
        "minimum-invalid",
        "error",
        "A group's minimum is negative, or given twice.",
        "A scheduler would wait for a wrong number of pods.",
    ),
    Code(
        "topology-incomplete",
        "warning",
        "A topology has no name, or asks for no level.",
        "Schedulers leave it out of account or refuse it.",
    ),
    Code(
        "topology-not-portable",
        "warning",
        "A topology asks for one of the two levels only.",
        "The base schema requires a preferred and a required level, and an API server with it refuses this.",
    ),
    # References
    Code(
        "reference-name",
        "error",
        "A reference's name cannot be a variable's, or is used twice.",
        "Paths could not name the object.",
    ),
    Code(
        "reference-form",
        "error",
        "A reference does not say, in exactly one way, which objects it means.",
        "Nothing can be looked up.",
    ),
    Code(
        "reference-unused",
        "warning",
        "No path reads a reference.",
        "Objects are fetched for nothing; or a path has its name misspelt.",
    ),
    # Expressions
    Code(
        "expression-invalid",
        "error",
        "An expression cannot be compiled, or uses what is refused: environment, inputs, modules, clock.",
        "What it is for stays unknown.",
    ),
    Code(
        "expression-not-portable",
        "warning",
        "An expression uses what other readers of definitions forbid.",
        "The definition is refused there.",
    ),
    Code(
        "several-outputs",
        "warning",
        "An expression may give several outputs where one is needed.",
        "Only one of them is taken, or none.",
    ),
    Code(
        "not-joinable",
        "warning",
        "A path goes through another list than the ids of its component.",
        "Its outputs cannot be assigned to instances by where they lie.",
    ),
    Code(
        "not-writable",
        "warning",
        "A path through which edits are made only computes its value.",
        "The value is shown, and every change of it refused.",
    ),
    Code(
        "action-not-writable",
        "error",
        "The path of a suspend or resume action cannot be written through.",
        "The workload can be neither suspended nor resumed.",
    ),
    Code(
        "default-hides-false",
        "warning",
        "An expression says `// true`.",
        "`//` takes its right side for false as well as for null: an explicit false becomes true.",
    ),
    Code(
        "default-for-all",
        "warning",
        "A default by `//` stands behind an iteration.",
        "It is one default for the whole stream, taken only if no entry has a value: not one for each entry.",
    ),
    Code(
        "fires-without-status",
        "warning",
        "A status expression holds for an object whose status was not written yet.",
        "A workload that was just created is shown as running, completed, degraded or failed.",
    ),
    # Against CustomResourceDefinitions
    Code(
        "no-crds",
        "warning",
        "A path that was given holds no CustomResourceDefinition.",
        "It is probably the wrong path.",
    ),
    Code(
        "crd-missing",
        "warning",
        "The root's kind is in none of the CustomResourceDefinitions.",
        "Its paths were not checked against anything.",
    ),
    Code(
        "version-not-served",
        "error",
        "The CustomResourceDefinition of a kind does not serve the version.",
        "No object of this version can be read.",
    ),
    Code(
        "field-unknown",
        "error",
        "A path reads a field that no version of the kind has.",
        "It never gives anything: what the schema does not know, the API server drops.",
    ),
    Code(
        "field-type",
        "error",
        "A path reads a field of a type that it can do nothing with.",
        "It fails on every object, or what it gives is of no use.",
    ),
    # Against real objects
    Code(
        "component-silent",
        "warning",
        "A component is in none of the objects.",
        "It is wrong, or nobody has made use of it yet; nothing shows that it is right.",
    ),
    Code(
        "path-silent",
        "warning",
        "A path gives nothing on any object, or pod, that could have it; one that asks is never true.",
        "It may be misspelt: what it stands for is then absent in every view.",
    ),
    Code(
        "matcher-silent",
        "warning",
        "A matcher of a phase matches none of the objects.",
        "It may ask for what the framework never says; nothing shows that the phase is recognized.",
    ),
    Code(
        "selector-silent",
        "warning",
        "A `componentTypeSelector` takes no pod of the objects that have the component.",
        "Its pods are in no component, or in the wrong one.",
    ),
    # Between definitions
    Code(
        "definition-collision",
        "warning",
        "Several definitions of one layer cover the same kind.",
        "None of them is taken, since which one would depend on their order.",
    ),
)

CODES = {code.code: code for code in _TABLE}
