#include "study/session/assembly.h"

#include "base/memory.h"
#include "cardo/manifold.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double angstroms = 10;

bool cardo_session_is_constrained(const cardo_session *self)
{
    cardo_constraint_counts counts;
    cardo_system_constraint_counts(self->system, &counts);
    return counts.nconstraint > 0;
}

cardo_status cardo_session_close_loops(const cardo_session *self, const bool *held,
                                       cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const int nq = cardo_system_nq(self->system);
    cardo_assembly_options options = {.size = sizeof options};
    double *weights = NULL;
    if (cardo_session_is_constrained(self)) {
        CARDO_TRY(CARDO_ALLOCATE(&weights, nq, error));
        for (int k = 0; k < nq; ++k)
            weights[k] = held && held[k] ? INFINITY : 1;
        options.weights = weights;
        CARDO_TRY(cardo_assemble_q(self->system, self->state, &options, NULL, error));
    }
    status = cardo_realize(self->system, self->state, CARDO_STAGE_POSITION, error);
done:
    cardo_free(weights);
    return status;
}

/* The largest error of positions where the state stands, and its row's name. */
static cardo_status find_violation(const cardo_session *self, cardo_assembled *assembled,
                                   cardo_error *error)
{
    cardo_constraint_counts counts;
    double *errors = NULL;
    int worst = -1;
    cardo_system_constraint_counts(self->system, &counts);
    cardo_status status = CARDO_ALLOCATE(&errors, counts.nposition, error);
    if (status == CARDO_OK)
        status = cardo_constraint_position_errors(self->system, self->state, errors, error);
    assembled->violation = 0;
    assembled->worst[0] = '\0';
    for (int k = 0; status == CARDO_OK && k < counts.nposition; ++k)
        if (!(fabs(errors[k]) <= assembled->violation)) {
            assembled->violation = fabs(errors[k]);
            worst = k;
        }
    if (worst >= 0)
        cardo_constraint_row_name(self->system, worst, assembled->worst);
    cardo_free(errors);
    return status;
}

/* Root of the mean squared distance that atoms have moved. */
static double moved(const double *before, const double *after, int natom)
{
    double sum = 0;
    for (size_t k = 0; k < 3 * (size_t)natom; ++k)
        sum += (after[k] - before[k]) * (after[k] - before[k]);
    return natom > 0 ? sqrt(sum / natom) : 0;
}

/* Moves the state, and says how far. */
static cardo_status move(cardo_session *self, cardo_error *error)
{
    cardo_status status;
    const int natom = cardo_system_nstation(self->system);
    double *before = NULL, *after = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&before, 3 * natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&after, 3 * natom, error));
    CARDO_TRY(cardo_station_positions(self->system, self->state, before, error));
    status = cardo_session_close_loops(self, self->held, error);
    if (status != CARDO_OK) {
        cardo_error_prefix(error, "%s: the constraints cannot be met near where the model stands: ",
                           self->model->path);
        goto done;
    }
    CARDO_TRY(cardo_station_positions(self->system, self->state, after, error));
    self->assembled.moved = moved(before, after, natom);
done:
    cardo_free(before);
    cardo_free(after);
    return status;
}

cardo_status cardo_session_assemble(cardo_session *self, cardo_error *error)
{
    cardo_status status;
    self->assembled = (cardo_assembled){.freedoms = cardo_system_nu(self->system)};
    CARDO_TRY(cardo_realize(self->system, self->state, CARDO_STAGE_POSITION, error));
    if (!cardo_session_is_constrained(self))
        return CARDO_OK;
    CARDO_TRY(find_violation(self, &self->assembled, error));
    CARDO_TRY(move(self, error));
    CARDO_TRY(cardo_realize(self->system, self->state, CARDO_STAGE_DYNAMICS, error));
    status = cardo_degrees_of_freedom(self->system, self->state, &self->assembled.freedoms, error);
done:
    return status;
}

void cardo_session_tell_assembly(const cardo_session *self)
{
    const cardo_assembled *a = &self->assembled;
    if (a->moved > 0)
        cardo_tell(&self->listener, CARDO_SAID_NOTE, "constraints",
                   "constraints: the start was off by %.3g (%s); atoms moved by %.3g A (rms) to "
                   "meet them",
                   a->violation, a->worst, angstroms * a->moved);
}

static void add_constraint(const cardo_session *self, int k, cardo_result *table)
{
    cardo_constraint_info info;
    if (cardo_system_constraint(self->system, k, &info, NULL) != CARDO_OK)
        return;
    cardo_result_row(table);
    if (info.name)
        cardo_result_text(table, &(cardo_quantity){"name"}, info.name);
    cardo_result_text(table, &(cardo_quantity){"kind"}, cardo_constraint_name(info.constraint));
    const bool on = cardo_state_has_constraint(self->state, k);
    cardo_result_integer(table, &(cardo_quantity){"rows"},
                         info.nposition + info.nvelocity + info.nacceleration);
    cardo_result_text(table, &(cardo_quantity){"of"},
                      info.nposition > 0   ? "positions"
                      : info.nvelocity > 0 ? "velocities"
                                           : "accelerations");
    cardo_result_truth(table, &(cardo_quantity){"on"}, on);
    if (!on)
        cardo_result_text(table, &(cardo_quantity){"switched"}, "switched off");
}

static cardo_status add_redundant(const cardo_session *self, int nrow, cardo_result *group,
                                  cardo_error *error)
{
    char name[CARDO_CONSTRAINT_ROW_NAME];
    int *redundant = NULL, rank = 0;
    cardo_status status = CARDO_ALLOCATE(&redundant, nrow, error);
    if (status == CARDO_OK)
        status = cardo_constraint_rank(self->system, self->state, &rank, redundant, error);
    if (status == CARDO_OK) {
        cardo_result_integer(group, &(cardo_quantity){"rank"}, rank);
        cardo_result *table = cardo_result_table(group, "redundant_rows", "row");
        for (int k = 0; k < nrow; ++k) {
            if (!redundant[k])
                continue;
            cardo_result_row(table);
            cardo_result_text(table, &(cardo_quantity){"row"},
                              cardo_constraint_row_name(self->system, k, name));
        }
    }
    cardo_free(redundant);
    return status;
}

cardo_status cardo_constraints_fill(cardo_session *self, cardo_result *into, cardo_error *error)
{
    static const cardo_quantity moved = {"moved_A", "moved", "A", ".3g",
                                         .meaning = "rms of atoms, to meet the constraints"},
                                violation = {"violation_at_start", "violation", "", ".3g",
                                             .meaning =
                                                 "largest error before assembly, nm or radian"};
    const cardo_assembled *a = &self->assembled;
    cardo_constraint_counts counts;
    cardo_system_constraint_counts(self->system, &counts);
    if (counts.nconstraint == 0)
        return CARDO_OK;
    cardo_result *group = cardo_result_group(into, "constraints");
    cardo_result *table = cardo_result_table(group, "each", "constraint");
    for (int k = 0; k < counts.nconstraint; ++k)
        add_constraint(self, k, table);
    cardo_result_integer(group, &(cardo_quantity){"rows"}, counts.nrow);
    cardo_status status = cardo_realize(self->system, self->state, CARDO_STAGE_DYNAMICS, error);
    if (status == CARDO_OK)
        status = add_redundant(self, counts.nrow, group, error);
    cardo_result_integer(group, &(cardo_quantity){"degrees_of_freedom"}, a->freedoms);
    cardo_result_number(group, &violation, a->violation);
    if (a->violation > 0)
        cardo_result_text(group, &(cardo_quantity){"worst_row"}, a->worst);
    cardo_result_number(group, &moved, angstroms * a->moved);
    return status;
}
