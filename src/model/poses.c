#include "model/poses.h"
#include "base/memory.h"
#include "multibody/mobilizers/descriptor.h"

#include <string.h>

enum { CACHE_ON_STACK = 64 };

cardo_status cardo_model_path_pose(const cardo_model_body *body, const double *q,
                                   cardo_transform *X_FM, cardo_error *error)
{
    cardo_joint joint;
    cardo_spatial H[CARDO_MOBILIZER_MAX_U];
    double stack[CACHE_ON_STACK], *cache = stack, *heap = NULL;
    cardo_status status =
        cardo_joint_compile(body->mobilizer, body->parameters, false, &joint, error);
    if (status != CARDO_OK)
        return status;
    if (joint.ncache > CACHE_ON_STACK) {
        status = CARDO_ALLOCATE(&heap, joint.ncache, error);
        cache = heap;
    }
    if (status == CARDO_OK)
        joint.mobilizer->position(&joint, q, cache, X_FM, H);
    cardo_free(heap);
    cardo_joint_release(&joint);
    return status;
}

/* From where the reference has the body to fraction s of its path's length, what is beside it as it is. */
static cardo_status path_motion(const cardo_model_body *body, double s, cardo_transform *X,
                                cardo_error *error)
{
    double q[CARDO_MOBILIZER_MAX_Q] = {0};
    if (body->stands)
        memcpy(q, body->stands->q, sizeof q);
    q[0] = s * (body->fit->nstructure - 1);
    const cardo_status status = cardo_model_path_pose(body, q, X, error);
    if (status == CARDO_OK && body->stands)
        *X = xform_mul(*X, xform_inverse(body->stands->X_FM));
    return status;
}

cardo_status cardo_model_poses(const cardo_model *model, double s, bool guided, cardo_transform *X,
                               cardo_error *error)
{
    for (int b = 0; b < model->nbody; ++b) {
        const cardo_model_body *body = &model->body[b];
        X[b] = body->parent < 0 ? xform_identity() : X[body->parent];
        if (guided && body->guide)
            X[b] = xform_mul(X[b], cardo_path_fit_screw(body->guide, s));
        if (!body->fit)
            continue;
        cardo_transform X_FM;
        cardo_status status = path_motion(body, s, &X_FM, error);
        if (status != CARDO_OK)
            return status;
        cardo_transform X_GM = xform_mul(body->X_GF, X_FM);
        X[b] = xform_mul(X[b], xform_mul(X_GM, xform_inverse(body->X_GF)));
    }
    return CARDO_OK;
}

static cardo_vec3 atom_at(const cardo_structure *structure, int atom, cardo_transform X)
{
    return xform_point(X, v3_load(structure->position + 3 * atom));
}

cardo_status cardo_model_cut_lengths(const cardo_model *model, int nfraction,
                                     const double *fractions, double *lengths, cardo_error *error)
{
    const cardo_structure *reference = model->structure[0].structure;
    cardo_transform *X;
    cardo_status status = CARDO_ALLOCATE(&X, model->nbody, error);
    for (int f = 0; status == CARDO_OK && f < nfraction; ++f) {
        status = cardo_model_poses(model, fractions[f], false, X, error);
        for (int c = 0; status == CARDO_OK && c < model->ncut; ++c) {
            const cardo_model_cut *cut = &model->cut[c];
            lengths[c * nfraction + f] =
                v3_norm(v3_sub(atom_at(reference, cut->atom[1], X[cut->body[1]]),
                               atom_at(reference, cut->atom[0], X[cut->body[0]])));
        }
    }
    cardo_free(X);
    return status;
}
