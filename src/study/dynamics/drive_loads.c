#include "study/dynamics/drive_loads.h"

#include "base/memory.h"
#include "multibody/tree/coordinate_names.h"
#include "multibody/tree/motion.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <stdio.h>

enum { WORDS = 2, PER_HINGE = CARDO_LOADS_PER_HINGE }; /* motive force and work, then the loads */

/* 1 kJ/mol/nm in pN. */
static const double piconewton = 1.66053906717;

static void keep_most(cardo_most_load *most, double torque, double force)
{
    most->torque = fmax(most->torque, torque);
    most->force = fmax(most->force, force);
}

static cardo_status measure(void *user, const cardo_frame *frame, double *values,
                            cardo_error *error)
{
    cardo_drive_loads *self = user;
    cardo_status status;
    CARDO_TRY(cardo_motive_forces(frame->system, frame->state, self->motive, error));
    CARDO_TRY(cardo_hinge_loads_moving(&self->loads, frame->state, values + WORDS, error));
    values[0] = 0;
    for (int i = 0; i < self->driven->n; ++i)
        values[0] += self->motive[self->driven->coordinate[i].u];
    values[1] = frame->work;
    self->range[0] = fmin(self->range[0], values[0]);
    self->range[1] = fmax(self->range[1], values[0]);
    for (int h = 0; h < self->loads.count; ++h) {
        const double *load = values + WORDS + PER_HINGE * h;
        keep_most(&self->hinges[h], v3_norm(v3_load(load)), v3_norm(v3_load(load + 3)));
    }
done:
    return status;
}

/* The first of a hinge's has a key: the others follow. */
static cardo_column load_column(const cardo_hinge_loads *loads, int k)
{
    char name[CARDO_LOAD_NAME];
    cardo_body_info info;
    cardo_column column =
        cardo_column_of(cardo_hinge_load_name(loads, k, name), cardo_hinge_load_unit(k), 8);
    if (k % PER_HINGE != 0)
        return column;
    cardo_system_body(loads->system, loads->body[k / PER_HINGE], &info);
    column.key = "load";
    snprintf(column.of, sizeof column.of, "%.95s", info.name);
    return column;
}

cardo_status cardo_drive_loads_open(cardo_drive_loads *self, const cardo_session *session,
                                    const cardo_driven_bodies *driven, cardo_error *error)
{
    cardo_status status;
    char name[96], speed[96];
    const cardo_system *system = session->system;
    self->session = session;
    self->driven = driven;
    CARDO_TRY(CARDO_ALLOCATE(&self->motive, cardo_system_nu(system), error));
    CARDO_TRY(cardo_hinge_loads_open(system, &self->loads, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->hinges, self->loads.count, error));
    const int n = WORDS + PER_HINGE * self->loads.count;
    CARDO_TRY(CARDO_ALLOCATE(&self->columns, n, error));
    snprintf(name, sizeof name, "motive force %.48s",
             driven->n > 1 ? "of all"
                           : cardo_mobility_name(system, driven->coordinate[0].u, speed));
    self->columns[0] = cardo_column_known("motive force", name, "kJ/mol per unit", 10);
    self->columns[1] = cardo_column_known("work", "work", "kJ/mol", 12);
    for (int k = 0; k < PER_HINGE * self->loads.count; ++k)
        self->columns[WORDS + k] = load_column(&self->loads, k);
    self->more = (cardo_recorder_columns){
        .count = n, .columns = self->columns, .measure = measure, .user = self};
    self->range[0] = HUGE_VAL;
    self->range[1] = -HUGE_VAL;
done:
    return status;
}

static void add_load(cardo_result *table, const char *name, const cardo_most_load *load)
{
    static const cardo_quantity torque = {"torque_kJ_per_mol", "torque", "kJ/mol", ".4g"},
                                force = {"force_kJ_per_mol_nm", "force", "kJ/mol/nm", ".4g"},
                                newtons = {"force_pN", "force", "pN", ".3g"};
    cardo_result_row(table);
    cardo_result_text(table, &(cardo_quantity){"hinge"}, name);
    cardo_result_number(table, &torque, load->torque);
    cardo_result_number(table, &force, load->force);
    cardo_result_number(table, &newtons, load->force * piconewton);
}

void cardo_drive_loads_fill(const cardo_drive_loads *self, cardo_result *into)
{
    cardo_most_load most = {0};
    int ntorsion = 0;
    char name[48];
    cardo_result *motive = cardo_result_group(into, "motive_force");
    cardo_result_number(motive, &(cardo_quantity){"low", .style = ".4g"}, self->range[0]);
    cardo_result_number(motive, &(cardo_quantity){"high", .style = ".4g"}, self->range[1]);
    cardo_result *table = cardo_result_table(into, "loads", "hinge");
    for (int h = 0; h < self->loads.count; ++h) {
        const cardo_most_load *load = &self->hinges[h];
        const cardo_model_body *body = &self->session->model->body[self->loads.body[h] - 1];
        if (!body->torsion) {
            add_load(table, body->name, load);
            continue;
        }
        ++ntorsion;
        keep_most(&most, load->torque, load->force);
    }
    snprintf(name, sizeof name, "of any of %d torsion%s", ntorsion, ntorsion == 1 ? "" : "s");
    if (ntorsion)
        add_load(table, name, &most);
}

void cardo_drive_loads_clear(cardo_drive_loads *self)
{
    cardo_free(self->columns);
    cardo_free(self->hinges);
    cardo_free(self->motive);
    cardo_hinge_loads_clear(&self->loads);
}
