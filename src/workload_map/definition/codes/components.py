"""Codes of components: their names, owners and kinds, where their pods come from and how many there are.

How a pod finds its component is in `selectors`, what an expression says in `expressions`.
"""

from __future__ import annotations

from workload_map.definition.codes.code import Code

TABLE = (
    # Structure
    Code(
        "definition-unnamed",
        "error",
        "`metadata.name` is absent or empty.",
        "Definitions are listed and asked for by name.",
        "set metadata.name",
    ),
    Code(
        "component-unnamed",
        "error",
        "A component's name is empty.",
        "Owners, groups and outputs name components.",
        "name it after its role, such as worker",
    ),
    Code(
        "component-duplicate",
        "error",
        "Two components have the same name.",
        "Whoever names it could mean either.",
        "give each component a name of its own",
    ),
    Code(
        "root-kind-incomplete",
        "error",
        "The root has no version or no kind.",
        "No object can be recognized as this workload.",
        "set group, version and kind as objects of this kind have them",
    ),
    Code(
        "group-empty",
        "error",
        "A kind without group is none of the core kinds.",
        "Only core kinds such as Pod have no group, so that no object matches.",
        "set the group: what stands before the slash of its apiVersion",
    ),
    Code(
        "root-with-owner",
        "error",
        "The root component names an owner.",
        "The root is the workload object; nothing stands above it.",
        "remove it",
    ),
    Code(
        "owner-missing",
        "error",
        "A child component names no owner.",
        "It has no place in the tree.",
        "name its parent in ownerRef",
    ),
    Code(
        "owner-unknown",
        "error",
        "A child's owner is not a component of the definition.",
        "It has no place in the tree.",
        "name the root or another child component",
    ),
    Code(
        "owner-cycle",
        "error",
        "Components own each other in a circle.",
        "None of them hangs on the root.",
        "let one of them be owned by the root",
    ),
    # Kinds
    Code(
        "kind-incomplete",
        "error",
        "A kind other than the root's has no version or no kind.",
        "No object can be recognized as one of it.",
        "set version and kind, or leave the kind out",
    ),
    Code(
        "kind-repeated",
        "error",
        "A kind is listed twice in `additionalChildKinds`.",
        "An API server refuses the definition; one of the two was probably meant to be another kind.",
        "remove one of the two",
    ),
    Code(
        "kind-not-portable",
        "warning",
        "Two kinds in `additionalChildKinds` have the same name in different groups or versions.",
        "The API server keys this list by `kind` alone and refuses the second one.",
        "keep one of them if other readers are to take the definition",
    ),
    Code(
        "versions-misplaced",
        "error",
        "`versions` stands on a kind that is not the root's.",
        "Only the root's kind decides which objects a definition covers.",
        "remove it",
    ),
    Code(
        "version-repeated",
        "warning",
        "`versions` of the root lists a version again.",
        "Probably another version was meant.",
        "remove it",
    ),
    Code(
        "not-for-root",
        "error",
        "The root has a field that only children can have.",
        "The root is the object itself: it has no parent and lies in no other object.",
        "remove it, or put it on a child component",
    ),
    Code(
        "per-parent-on-root",
        "error",
        "The root counts per parent.",
        "It has no parent to be multiplied with.",
        "remove it",
    ),
    Code(
        "group-not-portable",
        "warning",
        "The root is a core kind other than Pod.",
        "Other readers of definitions take an empty group for Pod alone.",
        "nothing is to be done unless other readers are to take the definition",
    ),
    # Pods and their number
    Code(
        "pod-spec-ambiguous",
        "error",
        "More than one of the three shapes of a pod spec is set.",
        "It would be chance which of them is read.",
        "keep one of them",
    ),
    Code(
        "pod-spec-missing",
        "error",
        "A `specDefinition` has none of the three shapes, and the component no `presentPath`.",
        "The component can never be there.",
        "set podTemplateSpecPath, podSpecPath or fragmentedPodSpecDefinition",
    ),
    Code(
        "metadata-without-pod-spec",
        "warning",
        "`metadataPath` stands without `podSpecPath`.",
        "It is not read: a template has its own metadata, and fragments have their own paths.",
        "remove it, or set podSpecPath",
    ),
    Code(
        "fragments-empty",
        "error",
        "A fragmented pod spec names no fragment.",
        "Nothing of the pod is known, and nothing can be changed.",
        "set the path of at least one piece, such as containersPath",
    ),
    Code(
        "containers-ambiguous",
        "error",
        "`containerPath` and `containersPath` are both set.",
        "What the pod needs would be counted once or twice, by chance.",
        "keep the one that the object has",
    ),
    Code(
        "resource-unnamed",
        "error",
        "An accelerator has no resource name.",
        "Its count cannot be added to anything.",
        "set the resource as pods ask for it, such as nvidia.com/gpu",
    ),
    Code(
        "object-with-pod-spec",
        "error",
        "A component has both an `objectPath` and a `specDefinition`.",
        "Its pods would be counted twice: here, and by the definitions of the objects inside.",
        "remove one of the two",
    ),
    Code(
        "scale-empty",
        "warning",
        "A `scaleDefinition` is empty.",
        "The count is unknown, where without it it would be one.",
        "remove it, or name a path",
    ),
    Code(
        "pods-without-pod-spec",
        "warning",
        "`podsPerReplicaPath` stands on a component without pods of its own.",
        "It is not read: only components with pods have pods to count.",
        "remove it, or set specDefinition",
    ),
    Code(
        "default-out-of-range",
        "error",
        "A default count is negative or above 2147483647.",
        "No controller has such a default.",
        "set what the controller takes for an absent count",
    ),
    Code(
        "default-without-path",
        "warning",
        "A count has a default but no path.",
        "Whatever the object says, the default is shown.",
        "name the path as well, so that the object's own count is read",
    ),
    Code(
        "default-bounds-crossed",
        "error",
        "The default minimum is above the default maximum.",
        "No count lies between them.",
        "set what the controller takes for absent bounds",
    ),
)
