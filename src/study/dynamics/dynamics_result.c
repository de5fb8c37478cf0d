/* What a run of dynamics is told by. */
#include "base/units.h"
#include "dynamics/tables/table_provider.h"
#include "multibody/tree/coordinate_names.h"
#include "structure/pdb/pdb.h"
#include "study/dynamics/dynamics.h"

#include <math.h>

static const cardo_quantity low = {"low"}, high = {"high"}, mean = {"mean"};

/* The body that a coordinate is the first of, or NULL. */
static const cardo_model_body *body_of(const cardo_dynamics *self, int coordinate)
{
    const cardo_model *model = self->session->model;
    for (int b = 0; b < model->nbody; ++b) {
        cardo_body_info info;
        cardo_system_body(self->session->system, b + 1, &info);
        if (info.q_first == coordinate && info.nq > 0)
            return &model->body[b];
    }
    return NULL;
}

/* Degrees by which a unit of a body's first coordinate turns it, where it runs along one screw; else 0. */
static double path_turn(const cardo_model_body *body)
{
    const cardo_path *path = body && body->fit ? body->parameters : NULL;
    return path && path->kind == CARDO_PATH_SCREW ? body->fit->angle / CARDO_DEGREE : 0;
}

static void add_coordinate(const cardo_dynamics *self, int k, const cardo_model_body *body,
                           cardo_result *table)
{
    char name[CARDO_COORDINATE_NAME];
    const cardo_tally *t = &self->tally;
    const double turn = path_turn(body);
    cardo_result_row(table);
    cardo_result_text(table, &(cardo_quantity){"coordinate"},
                      cardo_coordinate_name(self->session->system, self->tallied[k], name));
    cardo_result_number(table, &mean, t->sum[k] / t->count);
    cardo_result_number(table, &low, t->low[k]);
    cardo_result_number(table, &high, t->high[k]);
    if (!(turn > 0))
        return;
    cardo_result_number(table, &(cardo_quantity){"low_degrees"}, turn * t->low[k]);
    cardo_result_number(table, &(cardo_quantity){"high_degrees"}, turn * t->high[k]);
    cardo_result_number(table, &(cardo_quantity){"degrees_per_unit"}, turn);
}

/* Of torsions, which may be many, the range of all. */
static void fill_coordinates(const cardo_dynamics *self, cardo_result *into)
{
    double least = HUGE_VAL, most = -HUGE_VAL;
    int ntorsion = 0;
    cardo_result *table = cardo_result_table(into, "coordinates", "coordinate");
    for (int k = 0; k < self->ntallied; ++k) {
        const cardo_model_body *body = body_of(self, self->tallied[k]);
        if (!body || !body->torsion) {
            add_coordinate(self, k, body, table);
            continue;
        }
        ++ntorsion;
        least = fmin(least, self->tally.low[k]);
        most = fmax(most, self->tally.high[k]);
    }
    if (!ntorsion)
        return;
    cardo_result *torsions = cardo_result_group(into, "torsions");
    cardo_result_integer(torsions, &(cardo_quantity){"count"}, ntorsion);
    cardo_result_number(torsions, &low, least);
    cardo_result_number(torsions, &high, most);
}

/* Of all steps that the run has, or, where a checkpoint of an older version did not keep what came before, of those
 * that were counted. Nothing of none. */
static void fill_tally(const cardo_dynamics *self, long long steps, cardo_result *into)
{
    const cardo_tally *t = &self->tally;
    if (!(t->count > 0))
        return;
    if (t->count != (double)steps)
        cardo_result_integer(into, &(cardo_quantity){"counted_steps"}, (long long)t->count);
    fill_coordinates(self, into);
    cardo_result_number(into, &(cardo_quantity){"temperature_K", "temperature", "K"},
                        t->temperature / t->count);
    cardo_result_integer(into, &(cardo_quantity){"thermal_degrees_of_freedom"},
                         cardo_simulation_degrees(self->simulation));
    cardo_result *potential = cardo_result_group(into, "potential_kJ_per_mol");
    cardo_result_number(potential, &low, t->lowest_potential);
    cardo_result_number(potential, &high, t->highest_potential);
    cardo_result_number(into,
                        &(cardo_quantity){"conserved_change_kJ_per_mol",
                                          "change of the conserved energy", "kJ/mol"},
                        t->last_conserved - t->first_conserved);
}

static void fill_end(const cardo_dynamics *self, const char *outcome, const cardo_frame *frame,
                     cardo_result *into)
{
    const long long now = frame->step - self->first;
    const double ps = (double)now * self->options->simulation.timestep;
    cardo_result_text(into, &(cardo_quantity){"ending"},
                      self->end == CARDO_END_INTERRUPTED ? "interrupted"
                      : self->end == CARDO_END_EVENT     ? "ended by an event"
                      : self->end == CARDO_END_FAILED    ? "stopped"
                      : outcome                          ? outcome
                                                         : "done");
    cardo_result_truth(into, &(cardo_quantity){"interrupted"}, self->end == CARDO_END_INTERRUPTED);
    cardo_result_integer(into, &(cardo_quantity){"steps_done"}, frame->step);
    const bool unphysical = cardo_system_mass_matrix(self->session->system) != NULL;
    cardo_result_number(into,
                        &(cardo_quantity){"time_ps", unphysical ? "unphysical time" : "time", "ps"},
                        frame->time);
    if (cardo_writer_goes_on(self->options->writer))
        cardo_result_integer(into, &(cardo_quantity){"steps_now"}, now);
    cardo_result_number(into, &(cardo_quantity){"elapsed_s", "elapsed time", "s"}, self->seconds);
    if (!unphysical)
        cardo_result_number(into, &(cardo_quantity){"ns_per_day", "speed", "ns/day"},
                            self->seconds > 0 ? ps * 1e-3 / self->seconds * 86400.0 : 0.0);
    cardo_result_number(into, &(cardo_quantity){"ms_per_step", "time of a step", "ms"},
                        now > 0 ? 1e3 * self->seconds / (double)now : 0.0);
}

void cardo_dynamics_fill(const cardo_dynamics *self, const char *outcome, cardo_result *into)
{
    cardo_frame frame;
    char report[256];
    cardo_simulation_frame(self->simulation, &frame);
    fill_end(self, outcome, &frame, into);
    fill_tally(self, frame.step, into);
    if (self->errors)
        cardo_result_number(into, &(cardo_quantity){"constraint_error", .style = ".2g"},
                            self->constraint_error);
    if (self->session->table)
        cardo_result_integer(into, &(cardo_quantity){"forces_outside_table"},
                             cardo_table_provider_outside(self->session->table));
    if (cardo_simulation_get_options(self->simulation)->branch_points == CARDO_BRANCHES_PASS &&
        frame.branch_points >= 0)
        cardo_result_integer(
            into, &(cardo_quantity){"branch_points", "branch points of constraints passed"},
            frame.branch_points);
    if (cardo_simulation_report(self->simulation, report, sizeof report))
        cardo_result_text(into, &(cardo_quantity){"integrator_report"}, report);
    const cardo_structure *structure = self->session->model->structure[0].structure;
    if (self->options->writer) /* where the trajectory's atoms have their names */
        cardo_result_text(into, &(cardo_quantity){"topology"},
                          cardo_pdb_holds(structure, NULL) ? "topology.pdb" : "topology.cif");
}
