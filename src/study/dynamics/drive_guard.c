#include "study/dynamics/drive_guard.h"

#include "multibody/tree/coordinate_names.h"

#include <math.h>

static double highest_energy(const cardo_strain *strain)
{
    return strain->nlisted[CARDO_STRAIN_BETWEEN] ? strain->listed[CARDO_STRAIN_BETWEEN][0].energy
                                                 : 0;
}

static void keep_impossible(cardo_drive_guard *self, const cardo_strain *strain, double q)
{
    if (!self->impossible) {
        self->first = *strain;
        self->first_q = q;
    }
    if (!self->impossible || highest_energy(strain) > highest_energy(&self->worst)) {
        self->worst = *strain;
        self->worst_q = q;
    }
    self->impossible = true;
}

/* Comes after the recorder, so that the row of such a step is there to look at. */
static cardo_status guard_step(void *user, const cardo_frame *frame, cardo_error *error)
{
    cardo_drive_guard *self = user;
    const cardo_dynamics *d = self->dynamics;
    cardo_strain strain;
    char name[CARDO_COORDINATE_NAME], text[CARDO_STRAIN_TEXT];
    const bool row = frame->step % d->options->files.report_interval == 0 ||
                     frame->step == d->options->simulation.steps;
    self->lowest_potential = fmin(self->lowest_potential, frame->potential);
    if (!row && frame->potential < self->lowest_potential + cardo_strain_clash())
        return CARDO_OK;
    cardo_status status = cardo_strain_view_look(&self->view, frame->state, &strain, error);
    if (status != CARDO_OK || cardo_strain_judge(&strain) != CARDO_STRAIN_IMPOSSIBLE)
        return status;
    const double q = cardo_state_q(frame->state)[self->q];
    keep_impossible(self, &strain, q);
    if (d->options->strain.strain == CARDO_STRAIN_WARNED)
        return CARDO_OK;
    return CARDO_FAIL(
        error, CARDO_ERROR_NUMERICAL,
        "at %s = %.6g (step %lld, %g ps) the motion is impossible: %s. The files are kept up to "
        "there. Drive less far, let side chains and strands give way (<flexible>), or cut the "
        "domains elsewhere; drive.strain=warn goes on all the same",
        cardo_coordinate_name(d->session->system, self->q, name), q, frame->step, frame->time,
        cardo_strain_worst_text(d->session, &strain, text));
}

cardo_status cardo_drive_guard_open(cardo_drive_guard *self, const cardo_dynamics *dynamics, int q,
                                    cardo_error *error)
{
    self->dynamics = dynamics;
    self->q = q;
    self->lowest_potential = HUGE_VAL;
    self->observer = (cardo_observer){.user = self, .interval = 1, .observe = guard_step};
    return cardo_strain_view_open(dynamics->session, &self->view, error);
}

void cardo_drive_guard_fill(const cardo_drive_guard *self, cardo_result *into)
{
    char text[CARDO_STRAIN_TEXT];
    const cardo_session *session = self->dynamics->session;
    if (!self->impossible)
        return;
    cardo_result *group = cardo_result_group(into, "impossible");
    cardo_result_number(group, &(cardo_quantity){"first_at", .style = ".6g"}, self->first_q);
    cardo_result_remark(group, "first", CARDO_RESULT_WARNING,
                        cardo_strain_worst_text(session, &self->first, text), NULL);
    if (!(highest_energy(&self->worst) > highest_energy(&self->first)))
        return;
    cardo_result_number(group, &(cardo_quantity){"worst_at", .style = ".6g"}, self->worst_q);
    cardo_result_remark(group, "worst", CARDO_RESULT_WARNING,
                        cardo_strain_worst_text(session, &self->worst, text), NULL);
}

void cardo_drive_guard_clear(cardo_drive_guard *self)
{
    cardo_strain_view_clear(&self->view);
}
