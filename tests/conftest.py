"""Tests that take more than seven seconds each are run by `make test-long`, the others by `make test`."""

import pytest

LONG = {
    "tests/benchmarks/test_gradients.py::test_every_result_along_one_direction[carried along]",
    "tests/cells/test_materials.py::test_exponents_where_materials_meet[5.0]",
    "tests/cells/test_plates.py::test_a_bracket_with_a_fillet_is_in_equilibrium",
    "tests/cells/test_where.py::test_a_bar_bends_between_short_supports",
    "tests/choose/test_bandwidth.py::test_four_coordinates_want_a_narrow_band",
    "tests/cli/test_wording.py::test_what_a_tolerance_did_not_reach_is_in_the_json_too",
    "tests/docs/test_pages.py::test_the_code_of_a_page_runs[elasticity]",
    "tests/docs/test_pages.py::test_the_code_of_a_page_runs[electromagnetics]",
    "tests/docs/test_pages.py::test_the_code_of_a_page_runs[gradients]",
    "tests/docs/test_pages.py::test_the_code_of_a_page_runs[heat-and-flow]",
    "tests/docs/test_pages.py::test_the_code_of_a_page_runs[surfaces]",
    "tests/doors/test_tolerance.py::test_out_of_reach_is_said_and_the_estimate_is_not_too_small[an inner layer]",
    "tests/drawings/test_readers.py::test_five_thousand_rectangles_are_read_side_by_side_as_holes_and_across_each_other",
    "tests/eigen/test_eigenpairs.py::test_a_cube_has_its_triple_values",
    "tests/eigen/test_eigenpairs.py::test_eigenvalues_in_a_condition",
    "tests/files/test_design.py::test_optimise_finds_the_disk",
    "tests/files/test_results.py::test_the_command_prints_them_and_has_them_in_json",
    "tests/gradient/test_corners.py::test_sizes_of_domains_with_corners_follow_the_law_of_scales[notch]",
    "tests/gradient/test_corners.py::test_the_eigenvalue_of_an_L_by_its_size",
    "tests/gradient/test_eigenvalue.py::test_materials_and_a_current_that_is_not_self_adjoint",
    "tests/gradient/test_fields.py::test_a_function_of_a_nonlinear_problem_against_differences[coefficient]",
    "tests/gradient/test_fields.py::test_results_over_a_part_that_moves_itself_and_over_its_neighbours",
    "tests/gradient/test_fields.py::test_the_flux_through_a_side_of_a_square_that_moves_outwards",
    "tests/gradient/test_gradient.py::test_every_result_by_every_parameter_is_that_of_differences[ring]",
    "tests/physics/test_physics.py::test_the_cutoffs_of_a_waveguide",
    "tests/pieces/test_layers.py::test_convection_with_little_diffusion",
    "tests/pieces/test_layers.py::test_reaction_with_little_diffusion",
    "tests/robust/test_windows.py::test_the_commands_speak_on_a_console_of_256_characters",
    "tests/solution/test_results_in_pieces.py::test_the_largest_value_of_a_piece_may_be_on_its_edge",
    "tests/studio/test_browser.py::test_every_ready_problem_opens",
    "tests/surfaces/test_surfaces.py::test_the_eigenvalues_of_the_sphere_are_those_of_the_harmonics",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid in LONG:
            item.add_marker(pytest.mark.long)
