#include "analysis/domains/prediction.h"

#include "analysis/domains/elastic_network.h"
#include "base/memory.h"

#include <stddef.h>
#include <string.h>

enum { MODES = 6 };
static const double AMPLITUDE = 0.1; /* nm */

/* What the network is made of. */
typedef struct network_points {
    int n;
    int *residue, *chain; /* (n)     */
    double *position;     /* (n x 3) */
} network_points;

static cardo_status collect(const cardo_structure *s, network_points *p, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&p->residue, s->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->chain, s->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->position, 3 * (size_t)s->nresidue, error));
    for (int r = 0; r < s->nresidue; ++r) {
        int atom = cardo_structure_find_atom(s, r, "CA");
        if (atom < 0)
            continue;
        p->residue[p->n] = r;
        p->chain[p->n] = s->residue_chain[r];
        memcpy(p->position + 3 * (size_t)p->n++, s->position + 3 * (size_t)atom,
               3 * sizeof *p->position);
    }
done:
    return status;
}

static void release(network_points *p)
{
    cardo_free(p->residue);
    cardo_free(p->chain);
    cardo_free(p->position);
}

/* Every atom of a residue moves with its C-alpha. */
static void displace(const cardo_structure *s, const network_points *p, const double *mode,
                     cardo_structure *displaced)
{
    for (int k = 0; k < p->n; ++k) {
        cardo_vec3 d = v3_scale(AMPLITUDE, v3_load(mode + 3 * (size_t)k));
        for (int i = s->residue_first[p->residue[k]]; i < s->residue_first[p->residue[k] + 1]; ++i)
            v3_store(displaced->position + 3 * (size_t)i,
                     v3_add(v3_load(s->position + 3 * (size_t)i), d));
    }
}

static cardo_status copy_structure(const cardo_structure *s, cardo_domain_prediction *prediction,
                                   cardo_error *error)
{
    cardo_status status = CARDO_OK;
    bool *keep = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&keep, s->natom, error));
    memset(keep, true, (size_t)s->natom * sizeof *keep);
    CARDO_TRY(cardo_structure_subset(s, keep, &prediction->displaced, error));
    CARDO_TRY(CARDO_ALLOCATE(&prediction->match, s->nresidue, error));
    for (int r = 0; r < s->nresidue; ++r)
        prediction->match[r] = r;
done:
    cardo_free(keep);
    return status;
}

static cardo_status predict(const cardo_structure *s, const network_points *p, double cutoff,
                            const cardo_domain_options *options,
                            cardo_domain_prediction *prediction, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    double *modes = NULL, stiffness[MODES];
    CARDO_TRY(CARDO_ALLOCATE(&modes, (size_t)MODES * 3 * (size_t)p->n, error));
    CARDO_TRY(
        cardo_elastic_modes(p->n, p->position, p->chain, cutoff, MODES, stiffness, modes, error));
    for (int tried = 0; tried <= MODES; ++tried) {
        int m = tried < MODES ? tried : 0;
        cardo_domain_motions_destroy(prediction->motions);
        displace(s, p, modes + (size_t)m * 3 * (size_t)p->n, prediction->displaced);
        CARDO_TRY(cardo_domain_motions_find(s, prediction->displaced, prediction->match, options,
                                            &prediction->motions, error));
        prediction->motions->predicted = true;
        prediction->mode = m + 1;
        prediction->stiffness = stiffness[m] / stiffness[0];
        if (prediction->motions->ndomain > 1)
            break;
    }
done:
    cardo_free(modes);
    return status;
}

cardo_status cardo_domains_predict(const cardo_structure *structure, double cutoff,
                                   const cardo_domain_options *options,
                                   cardo_domain_prediction **out, cardo_error *error)
{
    network_points points = {0};
    cardo_domain_prediction *prediction = NULL;
    cardo_status status;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&prediction, 1, error));
    CARDO_TRY(copy_structure(structure, prediction, error));
    CARDO_TRY(collect(structure, &points, error));
    CARDO_TRY(predict(structure, &points, cutoff, options, prediction, error));
    *out = prediction;
    prediction = NULL;
done:
    release(&points);
    cardo_domain_prediction_destroy(prediction);
    return status;
}

void cardo_domain_prediction_destroy(cardo_domain_prediction *prediction)
{
    if (!prediction)
        return;
    cardo_structure_destroy(prediction->displaced);
    cardo_free(prediction->match);
    cardo_domain_motions_destroy(prediction->motions);
    cardo_free(prediction);
}
