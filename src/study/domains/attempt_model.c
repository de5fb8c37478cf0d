#include "study/domains/attempt_model.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/vec.h"
#include "structure/pdb/pdb.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A flexible model's first trials only look for its ends, in this part of the iterations; both ends together take this many times as
 * many of all atoms. */
enum { SHORTER_AT_FIRST = 3, LONGER_FOR_ENDS = 2, MOST_CYCLES = 5 };

/* nm: atoms come to within some thousandths where strands can follow. */
static const double farthest = 0.02;

/* As the model's file names it: with what is kept as its last residues. */
static const cardo_structure *first_structure(const cardo_domain_model *model)
{
    return model->kept && model->kept->whole ? model->kept->whole
                                             : model->inputs->two->structure[0].structure;
}

static void tell_given_up(const cardo_domain_attempt *t, const char *why)
{
    cardo_tell(t->listener, CARDO_SAID_NOTE, "domains", "one geometry is given up: %s", why);
}

cardo_status cardo_attempt_run(const cardo_domain_attempt *t, bool shorter, bool cold,
                               const cardo_motion_trial *before, cardo_motion_trial *trial,
                               cardo_error *error)
{
    const cardo_domains_choices *how = &t->model.options->how;
    const cardo_trial_options options = {
        .minimize = t->model.giving != NULL,
        .iterations = shorter ? 1 + how->iterations / SHORTER_AT_FIRST : how->iterations,
        .heat = before || cold ? 0 : how->heat,
        .rounds = t->rounds,
        .end = before ? before->end : NULL,
        .cycles = shorter ? 0 : MOST_CYCLES,
        .cycle_iterations = how->cycle_iterations,
        .geometry = t->settled ? &t->geometry : NULL,
        .farthest = t->farthest,
        .led = &t->led,
        .against = t->against,
        .most_strain = how->hold,
        .motion = t->motion};
    const cardo_status status =
        cardo_motion_trial_run(t->path, &options, t->listener, trial, error);
    if (status == CARDO_OK)
        cardo_motion_trial_tell(trial, t->listener);
    return status;
}

cardo_status cardo_attempt_judge(cardo_domain_attempt *t, cardo_motion_trial *trial,
                                 cardo_error *error)
{
    const double begun = cardo_clock();
    const cardo_status status = cardo_motion_trial_judge(t->path, t->model.options->how.reference,
                                                         t->listener, trial, error);
    t->reference += cardo_clock() - begun;
    if (status == CARDO_OK && t->model.options->how.reference > 0)
        cardo_motion_trial_tell(trial, t->listener);
    return status;
}

cardo_status cardo_attempt_run_if_it_stands(const cardo_domain_attempt *t, bool shorter, bool cold,
                                            const cardo_motion_trial *before,
                                            cardo_motion_trial *trial, bool *begun,
                                            cardo_error *error)
{
    cardo_error found = {0};
    const cardo_status status = cardo_attempt_run(t, shorter, cold, before, trial, &found);
    *begun = status == CARDO_OK;
    if (status == CARDO_OK || cardo_is_of_the_place(status)) {
        if (status != CARDO_OK) {
            cardo_motion_trial_clear(trial);
            tell_given_up(t, found.message);
        }
        return CARDO_OK;
    }
    if (error)
        *error = found;
    return status;
}

void cardo_attempt_choose_turning(cardo_domain_attempt *t, double least)
{
    for (int r = 0; r < t->nresidue; ++r) {
        t->turning[r] = t->motion[r] >= least && t->motion[r] >= 0 && !t->giving[r];
    }
}

cardo_status cardo_attempt_gather(const cardo_motion_trial *trial, int every, double **coordinates,
                                  cardo_error *error)
{
    const size_t nq = (size_t)(trial->ncolumn - CARDO_TRIAL_BEFORE_TERMS - trial->nterm);
    const cardo_status status = CARDO_ALLOCATE(coordinates, CARDO_TRIAL_PLACES * nq + 1, error);
    double *to = *coordinates;
    for (int k = 0; k < CARDO_TRIAL_PLACES && status == CARDO_OK; k += every, to += nq)
        memcpy(to, cardo_motion_trial_coordinates(trial, k), nq * sizeof *to);
    return status;
}

/* Every so many places count in a geometry: both ends; or all of which all atoms are known; or, where torsions are led, each, as these do not find their own way between two. */
static int places_apart(const cardo_domain_attempt *t, bool judged)
{
    return !judged ? CARDO_TRIAL_PLACES - 1 : t->led.n > 0 ? 1 : CARDO_TRIAL_REFERENCE_EVERY;
}

/* Puts what judged places have in the place of a trial's own to coordinates at every so many places: those between change by the mean of what both neighbours
 * change by. */
static void put(const cardo_motion_trial *trial, const double *judged, int every, size_t nq,
                double *coordinates)
{
    for (int k = 0; k < CARDO_TRIAL_PLACES; k += every, coordinates += nq) {
        const cardo_judged_sides sides = cardo_judged_sides_of(k);
        for (int side = 0; side < 2; ++side) {
            const int place = side ? sides.after : sides.before;
            const double share = side ? sides.share : 1 - sides.share;
            const double *was = cardo_motion_trial_coordinates(trial, place),
                         *is = judged + (size_t)(place / CARDO_TRIAL_REFERENCE_EVERY) * nq;
            for (size_t i = 0; i < nq; ++i)
                coordinates[i] += share * (is[i] - was[i]);
        }
    }
}

/* Of a trial's places. at: coordinates of those that are judged in the place of the trial's own, or NULL. */
static cardo_status find_geometry(cardo_domain_attempt *t, const cardo_motion_trial *trial,
                                  bool judged, const double *at, cardo_error *error)
{
    cardo_status status;
    cardo_session *session = NULL;
    bool *turning = NULL;
    double *coordinates = NULL, least[CARDO_TRIAL_PLACES];
    const int every = places_apart(t, judged);
    cardo_shared_places places = {.least = judged ? least : NULL};
    cardo_shared_geometry_clear(&t->geometry);
    CARDO_TRY(CARDO_ALLOCATE(&turning, t->nresidue, error));
    for (int r = 0; r < t->nresidue; ++r)
        turning[r] = t->turning[r] || t->giving[r];
    for (int k = 0; k < CARDO_TRIAL_PLACES; k += every)
        least[places.nplace++] = cardo_motion_trial_all_atoms(trial, k);
    CARDO_TRY(cardo_attempt_gather(trial, every, &coordinates, error));
    places.coordinates = coordinates;
    CARDO_TRY(cardo_motion_trial_open(t->path, true, t->listener, &session, error));
    if (at)
        put(trial, at, every, (size_t)cardo_system_nq(session->system), coordinates);
    status = cardo_shared_geometry_find(session, &places, turning,
                                        LONGER_FOR_ENDS * t->model.options->how.iterations,
                                        &t->geometry, error);
    if (status == CARDO_OK && judged) {
        cardo_led_torsions_measure(session, places.nplace, every, t->geometry.positions, &t->led);
        cardo_tell(t->listener, CARDO_SAID_NOTE, "domains",
                   "one geometry for %d places: strained by %.0f kJ/mol, with %.0f left where it "
                   "is not quite "
                   "the same at all",
                   places.nplace, t->geometry.strain, t->geometry.springs);
    }
done:
    cardo_free(turning);
    cardo_free(coordinates);
    cardo_session_close(session);
    return status;
}

cardo_status cardo_attempt_write_model(const cardo_domain_attempt *t, const char *start,
                                       const char *tried, cardo_error *error)
{
    cardo_domain_model model = t->model;
    if (t->settled) {
        model.turning = t->turning;
        model.settled = t->settled;
        model.nstand = t->geometry.nstand;
        model.stand = t->geometry.stand;
        model.settled_note = t->note;
    }
    model.giving = t->model.giving ? t->giving : NULL;
    model.led = &t->led;
    model.start = start;
    model.tried = tried;
    return cardo_domain_model_write(&model, error);
}

/* How far the geometry's heavy atoms are from where the first structure has them, rms, nm. */
static double moved_from(const cardo_structure *s, const double *positions)
{
    double sum = 0;
    int n = 0;
    for (size_t i = 0; i < (size_t)s->natom; ++i)
        if (s->element[i] != 1) {
            const cardo_vec3 d = v3_sub(v3_load(positions + 3 * i), v3_load(s->position + 3 * i));
            sum += v3_dot(d, d);
            ++n;
        }
    return n > 0 ? sqrt(sum / n) : 0;
}

cardo_status cardo_attempt_write_geometry(cardo_domain_attempt *t, cardo_error *error)
{
    char name[300];
    cardo_status status;
    const cardo_structure *s = first_structure(&t->model);
    snprintf(name, sizeof name, "%.250s_settled.%s", t->model.options->name,
             cardo_pdb_holds(s, NULL) ? "pdb" : "cif");
    CARDO_TRY(
        cardo_writer_structure(t->model.options->writer, name, s, t->geometry.positions, error));
    cardo_free(t->settled);
    t->settled = NULL;
    CARDO_TRY(cardo_domain_place(t->model.options->writer, name, &t->settled, error));
    t->moved = moved_from(s, t->geometry.positions);
    cardo_format(t->note, sizeof t->note,
                 "atoms moved by %.2f A (rms, heavy ones; domains against each other, too) to "
                 "where they are at rest at both ends of the motion",
                 10 * t->moved);
done:
    return status;
}

cardo_status cardo_attempt_write_settled(cardo_domain_attempt *t, cardo_error *error)
{
    const cardo_status status = cardo_attempt_write_geometry(t, error);
    return status == CARDO_OK ? cardo_attempt_write_model(t, NULL, NULL, error) : status;
}

cardo_status cardo_attempt_write_unsettled(cardo_domain_attempt *t, cardo_error *error)
{
    cardo_free(t->settled);
    t->settled = NULL;
    return cardo_attempt_write_model(t, NULL, NULL, error);
}

cardo_status cardo_attempt_settle_with(cardo_domain_attempt *t, const cardo_motion_trial *trial,
                                       bool judged, const double *at, bool *done,
                                       cardo_error *error)
{
    cardo_error found = {0};
    t->led_in_vain = false;
    const cardo_status status = find_geometry(t, trial, judged, at, &found);
    *done = status == CARDO_OK && t->geometry.natom == first_structure(&t->model)->natom;
    if (*done)
        return cardo_attempt_write_settled(t, error);
    if (status == CARDO_OK || cardo_is_of_the_place(status) || status == CARDO_ERROR_UNSUPPORTED) {
        if (status != CARDO_OK)
            tell_given_up(t, found.message);
        return CARDO_OK;
    }
    if (error)
        *error = found;
    return status;
}

int cardo_attempt_count_broken(const cardo_motion_trial *trial)
{
    int n = 0;
    for (int k = 0; k < CARDO_TRIAL_PLACES; ++k)
        n += trial->place[k].nbroken[0] > 0 || trial->place[k].nbroken[1] > 0;
    return n;
}

cardo_status cardo_attempt_choice_keep(const cardo_domain_attempt *t, cardo_attempt_choice *out,
                                       cardo_error *error)
{
    const size_t size = (size_t)t->nresidue * sizeof(bool);
    cardo_status status;
    *out = (cardo_attempt_choice){0};
    CARDO_TRY(CARDO_ALLOCATE(&out->giving, t->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->turning, t->nresidue, error));
    memcpy(out->giving, t->giving, size);
    memcpy(out->turning, t->turning, size);
    status = cardo_led_torsions_copy(&t->led, &out->led, error);
done:
    return status;
}

void cardo_attempt_choice_restore(cardo_domain_attempt *t, cardo_attempt_choice *kept)
{
    const size_t size = (size_t)t->nresidue * sizeof(bool);
    memcpy(t->giving, kept->giving, size);
    memcpy(t->turning, kept->turning, size);
    cardo_led_torsions_clear(&t->led);
    t->led = kept->led;
    kept->led = (cardo_led_torsions){0};
}

void cardo_attempt_choice_clear(cardo_attempt_choice *kept)
{
    cardo_led_torsions_clear(&kept->led);
    cardo_free(kept->giving);
    cardo_free(kept->turning);
    *kept = (cardo_attempt_choice){0};
}

cardo_status cardo_attempt_standing_keep(const cardo_domain_attempt *t, cardo_attempt_standing *out,
                                         cardo_error *error)
{
    cardo_status status;
    *out = (cardo_attempt_standing){0};
    CARDO_TRY(cardo_shared_geometry_copy(&t->geometry, &out->geometry, error));
    status = cardo_attempt_choice_keep(t, &out->choice, error);
done:
    return status;
}

cardo_status cardo_attempt_take_back(cardo_domain_attempt *t, cardo_attempt_standing *kept,
                                     cardo_error *error)
{
    t->led_in_vain = false;
    cardo_shared_geometry_clear(&t->geometry);
    t->geometry = kept->geometry;
    kept->geometry = (cardo_shared_geometry){0};
    cardo_attempt_choice_restore(t, &kept->choice);
    return cardo_domain_attempt_write(t, NULL, NULL, error);
}

void cardo_attempt_standing_clear(cardo_attempt_standing *kept)
{
    cardo_shared_geometry_clear(&kept->geometry);
    cardo_attempt_choice_clear(&kept->choice);
}

cardo_status cardo_domain_attempt_begin(const cardo_domain_model *model, const char *path,
                                        int rounds, const cardo_listener *listener,
                                        cardo_domain_attempt *out, cardo_error *error)
{
    cardo_status status;
    *out = (cardo_domain_attempt){.model = *model,
                                  .path = path,
                                  .listener = listener,
                                  .rounds = rounds,
                                  .farthest = farthest,
                                  .nresidue = first_structure(model)->nresidue};
    CARDO_TRY(CARDO_ALLOCATE(&out->motion, out->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->turning, out->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->giving, out->nresidue, error));
    if (model->giving)
        memcpy(out->giving, model->giving,
               (size_t)model->inputs->two->structure[0].structure->nresidue * sizeof *out->giving);
done:
    return status;
}

void cardo_domain_attempt_clear(cardo_domain_attempt *attempt)
{
    cardo_free(attempt->motion);
    cardo_free(attempt->turning);
    cardo_free(attempt->giving);
    cardo_free(attempt->settled);
    cardo_led_torsions_clear(&attempt->led);
    cardo_shared_geometry_clear(&attempt->geometry);
    *attempt = (cardo_domain_attempt){0};
}

cardo_status cardo_domain_attempt_write(cardo_domain_attempt *attempt, const char *start,
                                        const char *tried, cardo_error *error)
{
    const bool known = attempt->settled && attempt->geometry.natom > 0;
    const cardo_status status = known ? cardo_attempt_write_geometry(attempt, error) : CARDO_OK;
    return status == CARDO_OK ? cardo_attempt_write_model(attempt, start, tried, error) : status;
}
