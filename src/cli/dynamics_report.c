#include "cli/dynamics_report.h"

#include <cardo/result_text.h>

#include <limits.h>
#include <stdio.h>

static bool is_interrupted(const cardo_result *result)
{
    return cardo_result_as_truths(cardo_result_find(result, "interrupted"))[0];
}

static long long whole(const cardo_result *result, const char *name)
{
    const cardo_result *found = cardo_result_find(result, name);
    return found ? cardo_result_as_integers(found)[0] : -1;
}

void cardo_dynamics_say(const cardo_command *command, const cardo_result *result)
{
    (void)command;
    const bool idle = whole(result, "steps_now") == 0 && !is_interrupted(result);
    cardo_result_say(
        stdout, result,
        idle ? "nothing was left to do: the run has its {steps_done} steps ({time_ps} ps); "
               "--continue --steps N goes on to N\n"
             : "{ending} after {steps_done} steps ({time_ps} ps[, {time_is}])[, {steps_now} of "
               "them now]: "
               "{elapsed_s:.1f} s, [{ns_per_day:.3g} ns/day, ]{ms_per_step:.3g} ms a step\n");
    cardo_result_say(
        stdout, result,
        "[  of the last {counted_steps} steps, as the checkpoint had nothing of those before:\n]");
    cardo_result_say_rows(
        stdout, cardo_result_find(result, "coordinates"),
        "  {coordinate:-14s} mean {mean:8.4f}, from {low:8.4f} to {high:8.4f}[ ({low_degrees:.1f} "
        "to {high_degrees:.1f} degrees of {degrees_per_unit:.1f})]\n",
        LLONG_MAX);
    cardo_result_say(
        stdout, result,
        "[  {torsions/count} torsion{torsions/count#s} from {torsions/low:.2f} to "
        "{torsions/high:.2f} rad off the first structure's; each is in "
        "trajectory.csv\n][  temperature    mean {temperature_K:8.1f} K over "
        "{thermal_degrees_of_freedom} degrees of freedom\n][  potential      from "
        "{potential_kJ_per_mol/low:.2f} to {potential_kJ_per_mol/high:.2f} kJ/mol\n][ "
        " conserved      changed by {conserved_change_kJ_per_mol:+.4g} kJ/mol\n][  "
        "constraints    kept to {constraint_error:.2g} (nm, rad)\n][  branch points  "
        "{branch_points} "
        "passed, at each of which constraints left several ways to go\n][  force table    "
        "{forces_outside_table} forces lay outside its range and were "
        "evaluated in full\n][  {integrator:-14s} {integrator_report}\n]");
}

cardo_status cardo_dynamics_judge(const cardo_result *result, cardo_error *error)
{
    return is_interrupted(result)
               ? CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED,
                            "interrupted at step %lld; a checkpoint is written, --continue goes on",
                            whole(result, "steps_done"))
               : CARDO_OK;
}
