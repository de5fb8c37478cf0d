#include "base/memory.h"
#include "forces/coarse/coarse.h"

#include <stdio.h>

typedef struct coarse_provider {
    cardo_force_provider base; /* first: the two are cast into each other */
    const cardo_coarse_energy *energy;
    cardo_coarse_work work;
    int *body;       /* of the system, by site (nsite)                */
    double *station; /* of the sites in their bodies, nm (nsite x 3)  */
    char doc[96];
} coarse_provider;

static void place(coarse_provider *p, const cardo_transform *X_GB)
{
    double *x = p->work.position;
    const int stride = p->work.stride;
    for (int i = 0; i < p->energy->sites.nsite; ++i) {
        cardo_vec3 r = xform_point(X_GB[p->body[i]], v3_load(p->station + 3 * i));
        x[i] = r.x;
        x[stride + i] = r.y;
        x[2 * stride + i] = r.z;
    }
}

static cardo_status check_places(const coarse_provider *p, cardo_error *error)
{
    const double *x = p->work.position;
    const int stride = p->work.stride;
    for (int i = 0; i < p->energy->sites.nsite; ++i)
        if (0 * (x[i] + x[stride + i] + x[2 * stride + i]) != 0)
            return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL, "the pose of body %d is not finite",
                              p->body[i]);
    return CARDO_OK;
}

static void add_body_forces(const coarse_provider *p, cardo_force_evaluation *evaluation)
{
    const double *x = p->work.position, *f = p->work.force;
    const int stride = p->work.stride;
    for (int i = 0; i < p->energy->sites.nsite; ++i) {
        cardo_spatial *to = &evaluation->body_forces[p->body[i]];
        cardo_vec3 force = v3(f[i], f[stride + i], f[2 * stride + i]);
        cardo_vec3 arm =
            v3_sub(v3(x[i], x[stride + i], x[2 * stride + i]), evaluation->X_GB[p->body[i]].p);
        to->linear = v3_add(to->linear, force);
        to->angular = v3_add(to->angular, v3_cross(arm, force));
    }
}

static cardo_status compute(cardo_force_provider *self, cardo_force_evaluation *evaluation,
                            cardo_error *error)
{
    coarse_provider *p = (coarse_provider *)self;
    place(p, evaluation->X_GB);
    cardo_status status = check_places(p, error);
    if (status == CARDO_OK)
        status = cardo_coarse_evaluate(p->energy, &p->work, error);
    if (status != CARDO_OK)
        return status;
    add_body_forces(p, evaluation);
    evaluation->energy = p->work.energy;
    evaluation->station_forces = NULL;
    for (int t = 0; evaluation->term_energies && t < p->base.nterm; ++t)
        evaluation->term_energies[t] = p->work.term[t];
    return CARDO_OK;
}

static void destroy(cardo_force_provider *self)
{
    coarse_provider *p = (coarse_provider *)self;
    cardo_coarse_work_clear(&p->work);
    cardo_free(p->body);
    cardo_free(p->station);
    cardo_free(p);
}

cardo_status cardo_coarse_provider_create(const cardo_coarse_energy *energy, int nbody,
                                          const int *body_of_atom, const double *stations,
                                          cardo_force_provider **out, cardo_error *error)
{
    cardo_status status;
    coarse_provider *p = NULL;
    const cardo_coarse_sites *sites = &energy->sites;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&p, 1, error));
    p->energy = energy;
    p->base = (cardo_force_provider){
        .name = "coarse",
        .doc = p->doc,
        .traits = CARDO_FORCE_WANTS_POSES | CARDO_FORCE_DETERMINISTIC | CARDO_FORCE_INVARIANT,
        .nterm = energy->nterm,
        .term_names = energy->term_name,
        .compute = compute,
        .destroy = destroy,
    };
    snprintf(p->doc, sizeof p->doc, "%d sites, pairs between bodies, double precision",
             sites->nsite);
    CARDO_TRY(cardo_coarse_work_create(energy, &p->work, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->body, sites->nsite, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->station, 3 * (size_t)sites->nsite, error));
    for (int i = 0; i < sites->nsite; ++i) {
        p->body[i] = body_of_atom[sites->atom[i]];
        v3_store(p->station + 3 * i, v3_load(stations + 3 * (size_t)sites->atom[i]));
        if (p->body[i] < 0 || p->body[i] >= nbody) {
            status = CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "atom %d is in body %d of %d",
                                sites->atom[i], p->body[i], nbody);
            goto done;
        }
    }
    *out = &p->base;
    p = NULL;
done:
    if (p)
        destroy(&p->base);
    return status;
}
