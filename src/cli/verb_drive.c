/* cardo drive: a coordinate of a model led along a course of its own, and what that takes. */
#include "cli/dynamics_report.h"
#include "cli/frame/opening.h"
#include "cli/frame/start.h"
#include "cli/frame/study_verb.h"
#include <cardo/result_text.h>

#include <limits.h>
#include <stdio.h>

static void say(const cardo_command *command, const cardo_result *result)
{
    cardo_dynamics_say(command, result);
    cardo_result_say(stdout, result,
                     "columns of trajectory.csv besides: motive force, work, and the load of each "
                     "hinge on its parent, in the hinge's frame F\n"
                     "  course         {driven/coordinate} at {course/at} after {time_ps} of "
                     "{course/length_ps} ps{course/whole?|: not to its end}\n"
                     "[  IMPOSSIBLE     no molecule moves like this. From {driven/coordinate} = "
                     "{impossible/first_at} on: {impossible/first}\n][                 worst at "
                     "{driven/coordinate} = {impossible/worst_at}: {impossible/worst}\n]  work     "
                     "      {work_kJ_per_mol} kJ/mol since the start\n"
                     "  motive force   from {motive_force/low} to {motive_force/high} kJ/mol per "
                     "unit of the coordinate\n");
    cardo_result_say_rows(stdout, cardo_result_find(result, "loads"),
                          "  load {hinge:-9s} at most {torque_kJ_per_mol} kJ/mol of torque and "
                          "{force_kJ_per_mol_nm} kJ/mol/nm ({force_pN} pN) of force\n",
                          LLONG_MAX);
}

static const cardo_option options[] = {
    CARDO_DYNAMICS_OPTIONS(".driven"),
    {0},
};

static const cardo_study_file files[] = {
    CARDO_DYNAMICS_FILES("drive", "drive.png"),
    {NULL, NULL},
};

static const cardo_study_verb of_study = {
    .study = "drive",
    .suffix = ".driven",
    .opening = CARDO_DYNAMICS_OPENING
    "driven: {driven/coordinate}[ with {driven/with}] from {driven/from} to {driven/to}, "
    "{driven/passes} pass{driven/passes#es} of {driven/pass_ps} ps{driven/quasi_static?, without "
    "dynamics}; "
    "{driven/degrees_of_freedom_left} degrees of freedom are left\n",
    .say = say,
    .files = files,
    .judge = cardo_dynamics_judge,
};

const cardo_verb cardo_verb_drive = {
    .name = "drive",
    .synopsis = "MODEL.xml [options]",
    .summary = "lead a coordinate along a course and read off force, work and the load on hinges",
    .description =
        "Runs the model's <drive> study: a body's coordinate, or those of all bodies that have a "
        "path, follow a given course q(t), all others move by the integrator (integrator=\"...\", "
        "as in simulate) or stand at the minimum of the energy (mode=\"quasi-static\"). The table "
        "gets, besides what simulate writes, the "
        "motive force that the course takes, the work done since the start, and the torque and "
        "force with which each hinge bears on its parent, at the hinge and in its frame. Without a "
        "thermostat the conserved energy is the total less the work. A course on which atoms clash "
        "or bonds between bodies tear ends there, with exit status 3 and the files so far; with "
        "strain=warn it goes on to its end, with the same exit status.",
    .options = options,
    .tables = "drive",
    .study = &of_study,
    .run = cardo_study_verb_run,
};
