"""Every field case: the tests that judge it, and what the rest of it waits for, in words.

A test is named by its module in this folder and its function.
"""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """One case.

    Attributes:
        tests: The tests that judge it, or the part of it that can be judged.
        waits_for: What the rest waits for; empty where nothing is left.
    """

    tests: tuple[str, ...] = ()
    waits_for: tuple[str, ...] = ()


def _row(*tests: str, waits_for: tuple[str, ...] | str = ()) -> Row:
    return Row(tests, (waits_for,) if isinstance(waits_for, str) else waits_for)


EDITS = "edits"
GANGS = "gangs"

CASES: dict[str, Row] = {
    "B01": _row(waits_for=EDITS),
    "B02": _row(waits_for=EDITS),
    "B03": _row("test_counts.test_a_graph_is_whole_without_any_of_what_an_edit_could_set", waits_for=EDITS),
    "B04": _row(
        "test_paths.test_whether_a_path_can_be_written_is_known_before_it_runs",
        "test_validation.test_a_count_that_cannot_be_written_is_told",
        waits_for=EDITS,
    ),
    "B06": _row(
        "test_counts.test_a_missing_count_takes_the_default_and_the_others_keep_their_own",
        "test_counts.test_a_default_behind_the_whole_stream_never_gives_a_count_to_the_wrong_instance",
        "test_validation.test_a_default_behind_a_stream_is_doubted_and_one_for_each_entry_is_not",
    ),
    "B07": _row("test_counts.test_a_ray_group_has_zero_replicas_by_default_and_keeps_within_its_bounds"),
    "B08": _row(
        "test_phases.test_a_set_of_which_nothing_is_ready_is_initializing_and_its_pods_say_how_far_it_is",
        "test_phases.test_a_set_of_which_something_is_ready_or_done_is_running",
    ),
    "B09": _row("test_phases.test_a_job_has_ended_from_the_first_of_two_steps"),
    "B11": _row(
        "test_phases.test_a_set_that_comes_down_is_still_converging",
        "test_phases.test_a_status_of_an_older_spec_keeps_its_phase_and_is_stale",
    ),
    "B12": _row(
        "test_phases.test_a_set_that_only_progresses_is_initializing",
        "test_phases.test_a_set_that_says_available_is_running_though_a_counter_lags",
        "test_validation.test_a_matcher_on_what_nobody_extracts_is_an_error",
    ),
    "B13": _row(
        "test_pods.test_a_set_that_says_available_while_its_workers_wait_is_shown_with_its_pods",
        "test_command_line.test_a_row_whose_pods_say_otherwise_is_marked",
        waits_for=GANGS,
    ),
    "B14": _row("test_phases_of_other_kinds.test_an_empty_status_string_says_nothing"),
    "B16": _row(
        "test_phases.test_the_state_of_a_ray_cluster_decides_where_no_conditions_are_written",
        "test_phases.test_conditions_of_a_ray_cluster_decide_where_they_are_written",
        "test_phases_of_other_kinds.test_a_status_of_two_strings_needs_no_conditions",
    ),
    "B17": _row(
        "test_counts.test_bounds_in_the_annotations_of_a_service_are_numbers",
        "test_counts.test_pods_of_a_service_are_grouped_by_their_revision",
        waits_for=EDITS,
    ),
    "B18": _row("test_counts.test_nodes_of_a_replica_are_its_pods_and_no_replicas", waits_for=GANGS),
    "B19": _row(
        "test_counts.test_levels_are_multiplied_once_however_the_definition_counts",
        "test_counts.test_three_groups_of_four_are_one_leader_and_three_workers_each",
        waits_for=GANGS,
    ),
    "B21": _row("test_phases.test_a_job_between_a_pod_and_its_successor_is_only_initializing"),
    "B22": _row(
        "test_phases.test_nothing_reported_is_a_beginning_and_never_undefined",
        "test_phases_of_other_kinds.test_what_no_matcher_knows_is_undefined_alone",
    ),
    "B23": _row("test_phases_of_other_kinds.test_a_condition_has_three_values_and_may_be_absent"),
    "B24": _row(
        "test_resources.test_an_init_container_peaks_on_top_of_the_sidecars_before_it",
        "test_resources.test_an_init_container_below_the_containers_changes_nothing",
    ),
    "B26": _row("test_pods.test_pods_of_the_root_and_of_its_children_are_counted_once"),
    "B27": _row(
        "test_command_line.test_a_definition_of_the_cluster_replaces_the_built_in_one",
        "test_command_line.test_two_definitions_of_the_cluster_for_one_kind_are_listed_and_refused",
        "test_command_line.test_what_does_not_give_its_definitions_leaves_the_built_in_ones",
    ),
    "B28": _row(
        "test_command_line.test_definitions_without_a_root_kind_are_refused_one_by_one",
        "test_validation.test_a_root_without_a_kind_is_refused",
    ),
    "B29": _row(
        "test_command_line.test_a_word_for_several_kinds_is_refused_with_the_words_that_work",
        "test_command_line.test_two_definitions_of_the_cluster_for_one_kind_are_listed_and_refused",
        "test_command_line.test_a_phase_filter_looks_at_the_phase_that_is_shown",
        "test_resources.test_a_master_with_one_gpu_and_four_workers_with_eight_have_thirty_three",
    ),
    "B31": _row("test_phases.test_a_job_asked_to_suspend_is_suspending_until_its_pods_are_gone"),
    "B32": _row(
        "test_counts.test_a_cap_on_parallel_steps_is_no_count",
        "test_validation.test_a_path_without_its_leading_dot_is_an_error_and_no_empty_result",
    ),
    "B33": _row(waits_for=GANGS),
    "B34": _row(
        "test_paths.test_a_field_of_an_absent_object_is_null",
        "test_paths.test_the_length_of_an_absent_list_is_zero",
        "test_paths.test_a_value_of_the_wrong_type_is_an_error_that_says_where_and_what",
        "test_paths.test_an_absent_field_is_no_problem_and_a_wrong_type_names_component_path_and_type",
    ),
    "B36": _row(
        "test_phases.test_a_set_that_only_progresses_is_initializing",
        "test_validation.test_two_phases_with_the_same_matcher_are_doubted",
    ),
    "B37": _row(
        "test_counts.test_no_parent_replicas_are_no_pods",
        "test_counts.test_a_minimum_of_zero_is_zero_and_a_missing_one_is_the_count",
    ),
    "B38": _row("test_command_line.test_what_may_not_be_read_is_one_line_each_and_never_none"),
    "B39": _row(
        "test_command_line.test_findings_are_lines_with_their_places",
        "test_command_line.test_an_unknown_output_is_a_wrong_call_and_prints_nothing",
    ),
    "B41": _row(
        "test_paths.test_what_reaches_outside_the_object_does_not_compile",
        "test_validation.test_a_definition_that_looks_beyond_the_object_is_refused",
    ),
    "B43": _row(
        "test_counts.test_an_elastic_job_that_can_run_with_five_of_nine_pods_says_so", waits_for=GANGS
    ),
    "B45": _row("test_counts.test_a_job_without_workers_has_a_master_alone", waits_for=GANGS),
    "B47": _row("test_resources.test_each_ray_group_has_its_own_minimum_and_its_own_need", waits_for=GANGS),
    "B49": _row(
        "test_counts.test_a_suspended_ray_group_counts_nothing_and_is_marked",
        "test_counts.test_the_minimum_of_a_cluster_leaves_its_suspended_group_out",
        "test_validation.test_a_field_that_the_kind_does_not_have_is_an_error_with_the_nearest_one",
        waits_for=GANGS,
    ),
    "B51": _row("test_counts.test_a_ray_cluster_without_workers_is_its_head", waits_for=GANGS),
    "B53": _row("test_counts.test_a_job_of_four_is_one_workload_of_four_pods", waits_for=GANGS),
    "B55": _row(
        "test_counts.test_a_replicated_job_makes_no_more_pods_than_it_has_completions", waits_for=GANGS
    ),
    "B57": _row(
        "test_pods.test_the_highest_known_owner_is_the_workload",
        "test_pods.test_a_definition_of_the_owner_above_takes_over",
        waits_for=GANGS,
    ),
    "B59": _row(waits_for=GANGS),
    "B61": _row(waits_for=GANGS),
    "B63": _row(
        "test_resources.test_devices_of_a_claim_are_no_whole_gpus_of_each_pod_and_stay_unknown",
        "test_resources.test_a_shared_claim_counts_once_and_one_from_a_template_once_a_pod",
    ),
    "B65": _row("test_counts.test_nodes_of_a_replica_are_its_pods_and_no_replicas", waits_for=GANGS),
    "B67": _row("test_counts.test_a_suspended_ray_group_counts_nothing_and_is_marked"),
    "B69": _row("test_pods.test_the_head_of_a_ray_cluster_is_no_worker"),
    "B71": _row(
        "test_resources.test_a_count_below_the_minimum_is_raised_and_limits_count_where_requests_are_absent"
    ),
    "B73": _row(
        "test_resources.test_the_container_that_the_autoscaler_adds_is_counted",
        "test_resources.test_without_the_autoscaler_nothing_is_added",
    ),
    "B75": _row("test_counts.test_each_ray_group_has_its_own_count"),
    "B77": _row(
        "test_pods.test_a_job_on_an_existing_cluster_has_no_pods_of_that_cluster",
        "test_pods.test_both_clusters_of_an_upgrade_are_in_the_tree",
        waits_for=EDITS,
    ),
    "B79": _row(
        "test_phases.test_a_set_within_its_restarts_has_not_failed_and_says_which_restart_it_is",
        "test_phases.test_a_set_has_failed_when_its_last_condition_says_so",
    ),
    "B81": _row("test_pods.test_groups_beyond_the_wanted_ones_are_seen_and_not_wanted"),
    "B83": _row(
        "test_phases.test_a_set_suspended_from_the_start_is_suspended",
        "test_phases.test_a_train_job_suspended_from_the_start_is_suspended",
    ),
    "B85": _row("test_counts.test_a_launcher_that_is_also_a_node_is_counted_once"),
    "B87": _row("test_counts.test_each_role_has_the_default_of_its_own_controller", waits_for=GANGS),
    "B89": _row("test_phases_of_other_kinds.test_a_failed_counter_is_history"),
    "B91": _row(
        "test_pods.test_each_version_of_a_kind_finds_its_pods_by_its_own_labels",
        "test_pods.test_the_spelling_of_a_role_is_compared_exactly",
    ),
    "B93": _row("test_counts.test_zero_means_what_the_mode_of_the_service_makes_of_it"),
    "B95": _row("test_phases_of_other_kinds.test_a_condition_that_lags_behind_the_pods_is_shown_beside_them"),
    "B97": _row("test_phases_of_other_kinds.test_a_service_that_says_ready_while_a_pod_crashes_shows_both"),
    "B99": _row(
        "test_counts.test_a_clique_that_says_nothing_is_one_pod_and_needs_it",
        "test_phases_of_other_kinds.test_a_breach_that_never_cleared_is_shown_beside_the_ready_pods",
        "test_phases_of_other_kinds.test_zero_asked_for_is_no_breach",
        waits_for=GANGS,
    ),
    "B101": _row(
        "test_counts.test_the_size_of_a_service_is_its_pipeline_and_its_count_the_autoscalers",
        "test_counts.test_a_service_put_to_zero_is_suspended_and_not_failed",
        "test_counts.test_several_nodes_that_scale_by_themselves_are_no_number",
    ),
    "B103": _row(
        "test_phases.test_what_is_suspended_is_suspended",
        "test_phases.test_how_the_last_run_ended_does_not_show_on_a_suspended_cron_job",
    ),
    "B105": _row(
        "test_phases.test_a_status_of_an_older_spec_keeps_its_phase_and_is_stale",
        "test_phases.test_a_status_without_a_generation_is_trusted",
        "test_phases.test_a_generation_within_a_condition_judges_that_condition_alone",
    ),
    "B107": _row("test_counts.test_a_computed_count_is_each_roles_own"),
    "B109": _row(
        "test_phases.test_a_ray_cluster_whose_head_alone_is_ready_is_not_running",
        "test_phases.test_a_ray_cluster_that_lost_its_workers_is_degraded",
        "test_phases.test_kinds_without_a_ready_condition_have_a_phase_too",
    ),
    "B111": _row(
        "test_phases_of_other_kinds.test_a_job_that_says_running_while_its_pod_waits_is_flagged",
        "test_phases_of_other_kinds.test_a_job_whose_tasks_are_zero_does_not_run_whatever_it_says",
        waits_for=GANGS,
    ),
    "B113": _row(
        "test_phases_of_other_kinds.test_a_suspended_condition_that_was_left_over_decides_nothing",
        "test_phases_of_other_kinds.test_an_older_version_says_its_wish_in_another_field",
        waits_for=EDITS,
    ),
    "B115": _row(
        "test_paths.test_the_alternative_is_taken_for_false_and_null_and_not_for_zero",
        "test_validation.test_a_default_of_true_is_doubted",
    ),
    "B117": _row(
        "test_paths.test_objects_iterate_in_the_order_of_their_keys",
        "test_paths.test_instances_out_of_a_map_keep_what_is_theirs_in_any_order",
    ),
    "B119": _row(
        "test_paths.test_null_sorts_before_numbers_and_nothing_is_vacuously_all",
        "test_paths.test_arithmetic_and_iteration_of_nothing_fail",
        "test_phases.test_comparing_with_a_status_that_is_not_there_says_nothing",
        "test_validation.test_a_comparison_that_holds_without_a_status_is_doubted",
    ),
    "B121": _row(waits_for=EDITS),
    "B123": _row(
        "test_pods.test_three_pods_of_a_service_are_three_whatever_admits_them",
        waits_for="reading Kueue's own Workload objects",
    ),
}
