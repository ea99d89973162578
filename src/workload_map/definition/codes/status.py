"""Codes of how a status becomes a phase, and of suspending and resuming."""

from __future__ import annotations

from workload_map.definition.codes.code import Code

TABLE = (
    # Status
    Code(
        "status-missing",
        "error",
        "The root has no `statusDefinition`.",
        "Its phase is always Undefined.",
        "set statusDefinition",
    ),
    Code(
        "mappings-empty",
        "warning",
        "A `statusDefinition` maps nothing to any phase.",
        "The phase is always Undefined.",
        "set matchers for at least one phase",
    ),
    Code(
        "matcher-empty",
        "error",
        "A matcher asks for nothing.",
        "It matches every object.",
        "set byPhase, byConditions or byExpression, or remove the matcher",
    ),
    Code(
        "matcher-constant",
        "error",
        "The expression of a matcher reads nothing of the object.",
        "It matches every object, or none.",
        "read a field of the object, or remove the matcher",
    ),
    Code(
        "phase-not-extracted",
        "error",
        "A matcher compares the phase, and no `phaseDefinition` says where it is.",
        "It never matches.",
        "set phaseDefinition.path",
    ),
    Code(
        "conditions-not-extracted",
        "error",
        "A matcher asks for conditions, and no `conditionsDefinition` says where they are.",
        "It never matches.",
        "set conditionsDefinition.path",
    ),
    Code(
        "condition-field-not-extracted",
        "error",
        "A matcher asks for a field of a condition whose name is set to nothing.",
        "It never matches.",
        "name the field in conditionsDefinition, or do not ask for it",
    ),
    Code(
        "result-unreachable",
        "error",
        "A matcher, or a type selector, expects what its expression can never give.",
        "It never matches.",
        "expect what the expression gives; of matchers, what is no text is written as JSON, such as `true`",
    ),
    Code(
        "condition-status-unusual",
        "warning",
        "A matcher asks a condition for a status other than True, False and Unknown.",
        "Conditions of Kubernetes have one of these, so that it probably never matches.",
        "write True, False or Unknown, with a capital",
    ),
    Code(
        "matcher-contradiction",
        "error",
        "A matcher asks one condition for two values at once.",
        "It never matches.",
        "make two matchers of it, one for each value",
    ),
    Code(
        "condition-repeated",
        "warning",
        "A matcher asks for one condition twice.",
        "One of the two was probably meant to be another condition.",
        "ask for it once, with all that it must say",
    ),
    Code(
        "matcher-unreachable",
        "warning",
        "A matcher stands behind a more general one of the same phase.",
        "It is never reached, and its reason never shown.",
        "put it first, or remove it",
    ),
    Code(
        "matchers-identical",
        "warning",
        "Matchers of two phases ask for the same.",
        "Both phases match, and the one that comes later is never shown.",
        "make the two exclude each other",
    ),
    Code(
        "matcher-shadowed",
        "warning",
        "Whatever a matcher matches, one of a phase that comes first matches too.",
        "Its phase is never shown because of it.",
        "make the two exclude each other",
    ),
    # Suspending
    Code(
        "actions-empty",
        "error",
        "`suspendActions` or `resumeActions` is empty.",
        "What was suspended could not be resumed, or the other way round.",
        "add the action that undoes what the other list does",
    ),
    Code(
        "value-not-json",
        "error",
        "The value of an action is not JSON text.",
        "It cannot be written.",
        "write JSON: a string with its quotes",
    ),
)
