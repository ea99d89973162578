"""What each field of a definition means, in a sentence or two: for the CRD, the JSON Schema, the docs."""

from __future__ import annotations

from workload_map.definition import schema

# For each class what it is, and what its fields mean.
DESCRIPTIONS: dict[type, tuple[str, dict[str, str]]] = {
    schema.Definition: (
        "Describes one kind of workload: its components, where their pod specs, counts and status "
        "lie, and how pods find their place in it. Every path is a jq expression.",
        {
            "apiVersion": "Always run.ai/v1alpha1.",
            "kind": "Always Karta.",
            "metadata": "The name of the definition; labels and annotations are free.",
            "spec": "What the definition says.",
            "status": "Written by a controller, where one runs.",
        },
    ),
    schema.Metadata: (
        "The object's metadata.",
        {
            "name": "The name of the definition.",
            "labels": "Free labels.",
            "annotations": "Free annotations.",
        },
    ),
    schema.DefinitionSpec: (
        "What the definition says.",
        {
            "structureDefinition": "The components of the workload.",
            "optimizationInstructions": "Hints for schedulers.",
        },
    ),
    schema.StructureDefinition: (
        "The components of the workload, as a tree.",
        {
            "rootComponent": "The workload object itself. It has a complete kind, a status, and no owner.",
            "childComponents": "The roles below it, each with a name of its own and the name of its parent.",
            "additionalChildKinds": "Kinds that stand between the root and its pods, or that it "
            "creates besides.",
            "references": "Other objects that paths on the workload may read, each as a variable.",
        },
    ),
    schema.Component: (
        "A role of the workload.",
        {
            "name": "Its name, unique in the definition.",
            "kind": "The kind of the objects that stand for it; absent for a level that is only logical.",
            "ownerRef": "The name of its parent component.",
            "specDefinition": "Where its pod spec lies; absent for a level without pods of its own.",
            "scaleDefinition": "Where its counts lie; absent: there is one.",
            "statusDefinition": "How its status becomes a phase; required on the root. Paths run "
            "on the workload.",
            "suspendDefinition": "The writes that suspend and resume it.",
            "instanceIdPath": "On the workload: one id for each instance, where specs lie in a list or map.",
            "podSelector": "How pods find their place in it.",
            "presentPath": "On the workload: true where the role exists although the object holds "
            "no pod spec of it.",
            "parentInstancePath": "On the workload: the id of the parent's instance that an "
            "instance belongs to.",
            "objectPath": "On the workload: whole manifests inside the object, each resolved by "
            "the definition of its own kind.",
        },
    ),
    schema.GroupVersionKind: (
        "A Kubernetes kind.",
        {
            "group": "The API group; empty for the core group.",
            "version": "The version of the group.",
            "kind": "The kind, in the spelling of manifests.",
            "versions": "Further versions of the kind that the definition fits as well.",
        },
    ),
    schema.SpecDefinition: (
        "Where a pod spec lies: exactly one of a pod template, a pod spec, or fragments.",
        {
            "podTemplateSpecPath": "On the workload: a whole pod template.",
            "podSpecPath": "On the workload: a pod spec without metadata.",
            "metadataPath": "On the workload: the metadata of pods beside podSpecPath.",
            "fragmentedPodSpecDefinition": "Where the pieces of the pod spec lie, where there is "
            "no whole one.",
            "injectedContainersPath": "On the workload: containers that the operator adds to the pods.",
            "injectedInitContainersPath": "On the workload: init containers that the operator adds to the "
            "pods, behind those of the pod spec.",
            "incompleteWhen": "On the workload: true where what the pods need is decided "
            "elsewhere, so that it is unknown.",
            "accelerators": "Accelerators in a notation of the framework's own.",
        },
    ),
    schema.Accelerator: (
        "An accelerator in the framework's own notation.",
        {"path": "On the workload: how many a pod needs.", "resource": "The resource name to count them as."},
    ),
    schema.FragmentedPodSpec: (
        "Where the pieces of a pod spec lie. All paths run on the workload.",
        {
            "schedulerNamePath": "The scheduler's name.",
            "labelsPath": "The labels of pods.",
            "annotationsPath": "The annotations of pods.",
            "resourcesPath": "The resource requirements of the main container.",
            "resourceClaimsPath": "The resource claims of pods.",
            "podAffinityPath": "The affinity of pods to pods.",
            "nodeAffinityPath": "The affinity of pods to nodes.",
            "containersPath": "The list of containers.",
            "containerPath": "The one container.",
            "priorityClassNamePath": "The name of the priority class.",
            "imagePath": "The image of the main container.",
            "nodeSelectorPath": "The node selector.",
            "tolerationsPath": "The tolerations.",
            "initContainersPath": "The list of init containers.",
            "envPath": "The environment of the main container.",
            "resourceNamesPath": "The names of the resources that pods need, where the object "
            "tells only these.",
        },
    ),
    schema.ScaleDefinition: (
        "Where counts lie. All paths run on the workload and give numbers, or strings that hold "
        "whole numbers.",
        {
            "replicasPath": "The desired number of replicas.",
            "minReplicasPath": "The lowest number that an autoscaler may choose.",
            "maxReplicasPath": "The highest number that an autoscaler may choose.",
            "defaults": "What the controller takes where the object says nothing.",
            "podsPerReplicaPath": "How many pods make one replica; absent: one.",
            "perParent": "Whether counts are for each replica of the parent; absent: for the whole workload.",
            "keepsWithinBounds": "Whether the controller brings the desired number between the bounds, of "
            "which the lower one wins; absent: it takes the number as it is.",
            "suspendedPath": "True where this instance alone is suspended, so that it counts nothing.",
        },
    ),
    schema.ScaleDefaults: (
        "What the controller takes where the object says nothing.",
        {
            "replicas": "For an absent number of replicas.",
            "minReplicas": "For an absent minimum.",
            "maxReplicas": "For an absent maximum.",
        },
    ),
    schema.StatusDefinition: (
        "How the framework's status becomes one of the phases.",
        {
            "phaseDefinition": "Where a phase string lies, for matchers by phase.",
            "conditionsDefinition": "Where the conditions lie, for matchers by conditions.",
            "statusMappings": "The matchers of each phase.",
            "messagePath": "On the workload: what to show beside the phase.",
            "restartsPath": "On the workload: how often it was restarted.",
        },
    ),
    schema.PhaseDefinition: ("Where a phase string lies.", {"path": "On the workload: the phase string."}),
    schema.ConditionsDefinition: (
        "Where the conditions lie and what their fields are called.",
        {
            "path": "On the workload: the list of conditions.",
            "typeFieldName": "The field that holds a condition's type.",
            "statusFieldName": "The field that holds its status.",
            "messageFieldName": "The field that holds its message.",
            "reasonFieldName": "The field that holds its reason.",
        },
    ),
    schema.StatusMappings: (
        "The matchers of each phase; one that holds is enough.",
        {
            "initializing": "It has not got what it asks for yet.",
            "running": "Something of it is ready, and nothing that it needs is known to be missing.",
            "completed": "It ended well.",
            "failed": "It ended badly, or nothing of it serves and its controller has given up.",
            "degraded": "It works with less than it asks for.",
            "suspended": "It is suspended, and its pods are gone.",
            "suspending": "It is asked to suspend, and pods are still there.",
            "resuming": "It is asked to run again, and its status still says suspended.",
        },
    ),
    schema.StatusMatcher: (
        "What must hold: all parts that are set, and at least one is.",
        {
            "byPhase": "The phase string equals this.",
            "byConditions": "All of these conditions are there.",
            "byExpression": "An expression gives this result.",
        },
    ),
    schema.ConditionMatcher: (
        "A condition with the given values; what is absent here is not looked at.",
        {"type": "Its type.", "status": "Its status.", "reason": "Its reason."},
    ),
    schema.ExpressionMatcher: (
        "An expression and what it has to give.",
        {
            "expression": "On the workload; its first result counts.",
            "expectedResult": "The result as text, such as true or Running.",
        },
    ),
    schema.SuspendDefinition: (
        "The writes that suspend and resume the workload, in order.",
        {"suspendActions": "The writes that suspend it.", "resumeActions": "The writes that resume it."},
    ),
    schema.SuspendAction: (
        "A write.",
        {
            "path": "On the workload: where to write.",
            "value": 'What to write, as JSON text, such as true, 0 or "Halted" with its quotes.',
        },
    ),
    schema.PodSelector: (
        "How a pod finds its component, instance and replica. All paths run on a pod.",
        {
            "componentTypeSelector": "Which pods bear the role.",
            "componentInstanceSelector": "Which instance a pod belongs to.",
            "replicaSelector": "Which replica a pod belongs to; components below take it over.",
            "ownership": "`label` for operators whose pods, or what stands above them, have no controller.",
            "workloadPath": "The name of the workload that a pod belongs to, with ownership: label.",
            "parentInstancePath": "The id of the parent's instance that a pod belongs to.",
        },
    ),
    schema.ComponentTypeSelector: (
        "Which pods bear the role: all parts that are set must hold.",
        {
            "keyPath": "On a pod: it gives something, or what value says.",
            "value": "What keyPath must give.",
            "matchLabels": "Labels that a pod must have with these values.",
        },
    ),
    schema.ComponentInstanceSelector: (
        "Which instance a pod belongs to.",
        {"idPath": "On a pod: the id of its instance."},
    ),
    schema.ReplicaSelector: (
        "Which replica a pod belongs to.",
        {
            "keyPath": "On a pod: the key of its replica; where pods may have none, nothing at all and not "
            "null, as by `// empty`.",
        },
    ),
    schema.Reference: (
        "Another object, or several, that paths on the workload may read.",
        {
            "name": "The variable that holds it.",
            "gvk": "Its kind.",
            "namespaceExpression": "On the workload: its namespace; absent: that of the workload.",
            "lookup": "One object by its name; the variable is the object, or null.",
            "list": "All objects with these labels; the variable is a list.",
        },
    ),
    schema.ReferenceLookup: (
        "One object by its name.",
        {"nameExpression": "On the workload: the name."},
    ),
    schema.ReferenceList: (
        "All objects with certain labels.",
        {
            "matchLabels": "Labels with their values; with a dot in front an expression on the workload.",
            "matchExpressions": "Requirements on labels.",
        },
    ),
    schema.MatchExpression: (
        "A requirement on a label.",
        {
            "key": "The label.",
            "operator": "How it relates to the values.",
            "values": "The values; one with a dot in front is an expression on the workload.",
        },
    ),
    schema.OptimizationInstructions: (
        "Hints for schedulers.",
        {"gangScheduling": "Which pods must be placed together."},
    ),
    schema.GangScheduling: (
        "Which pods must be placed together.",
        {
            "podGroups": "The older form: groups by keys of pods.",
            "podGroup": "The newer form: one group for the workload, with a sub-group for each component.",
            "groups": "Groups as trees; they win over the other forms.",
        },
    ),
    schema.PodGroup: (
        "A group of pods.",
        {"name": "Its name.", "members": "The components whose pods belong to it."},
    ),
    schema.PodGroupMember: (
        "A component of a group.",
        {
            "componentName": "The component.",
            "groupByKeyPaths": "On a pod: pods with the same keys make one group.",
            "filters": "On a pod: all must be true for it to count.",
        },
    ),
    schema.SinglePodGroup: (
        "The one group of a workload.",
        {
            "name": "Its name.",
            "subGroups": "A sub-group for each component.",
            "topology": "Where the pods of the group should be placed together.",
        },
    ),
    schema.SubGroup: (
        "The pods of a component.",
        {"componentName": "The component.", "topology": "Where they should be placed together."},
    ),
    schema.Topology: (
        "Where pods should be placed together.",
        {
            "topologyName": "The topology.",
            "preferredTopologyLevel": "The level within which they should be.",
            "requiredTopologyLevel": "The level within which they must be.",
        },
    ),
    schema.Group: (
        "A group, and groups in it.",
        {
            "name": "Its name.",
            "componentName": "The component whose pods it holds; absent for a group of groups.",
            "per": "For what there is one: the workload, each instance, or each replica.",
            "minimumPath": "On the workload: how many of it must be placed together.",
            "minimum": "How many of it must be placed together, as a number.",
            "elastic": "Whether more than the minimum may come later.",
            "subGroups": "The groups in it, to a depth of five.",
            "topology": "Where its pods should be placed together.",
        },
    ),
}
