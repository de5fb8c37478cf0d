#include "forces/openmm/guard.h"
#include "forces/openmm/internal.h"

/* A cutoff that stands for all pairs is never smaller, and always larger than the molecule. nm */
static const double smallest_all_pairs_cutoff = 50.0;

/* Sum of q_i q_j over the pairs that are no exceptions: the energy by which a reaction field of
 * dielectric 1 at cutoff rc lies too low is the Coulomb constant times this, over rc, because every
 * such pair is shifted by q_i q_j/rc and, with every atom inside the cutoff, none is left out. */
static double charge_pairs(const OpenMM_NonbondedForce *force)
{
    double sum = 0.0, squares = 0.0, excepted = 0.0, q, other, sigma, epsilon;
    for (int i = 0; i < OpenMM_NonbondedForce_getNumParticles(force); i++) {
        OpenMM_NonbondedForce_getParticleParameters(force, i, &q, &sigma, &epsilon);
        sum += q;
        squares += q * q;
    }
    for (int i = 0; i < OpenMM_NonbondedForce_getNumExceptions(force); i++) {
        int a, b;
        double product;
        OpenMM_NonbondedForce_getExceptionParameters(force, i, &a, &b, &product, &sigma, &epsilon);
        OpenMM_NonbondedForce_getParticleParameters(force, a, &q, &sigma, &epsilon);
        OpenMM_NonbondedForce_getParticleParameters(force, b, &other, &sigma, &epsilon);
        excepted += q * other;
    }
    return 0.5 * (sum * sum - squares) - excepted;
}

static void use_cutoff(OpenMM_NonbondedForce *force, double cutoff, double dielectric)
{
    OpenMM_NonbondedForce_setNonbondedMethod(force, OpenMM_NonbondedForce_CutoffNonPeriodic);
    OpenMM_NonbondedForce_setCutoffDistance(force, cutoff);
    OpenMM_NonbondedForce_setReactionFieldDielectric(force, dielectric);
    OpenMM_NonbondedForce_setUseSwitchingFunction(force, OpenMM_False);
}

double cardo_openmm_reaction_field(const cardo_openmm_options *options, bool has_gb)
{
    if (options->reaction_field > 0)
        return options->reaction_field;
    return has_gb ? 1.0 : 78.3;
}

void cardo_openmm_apply_method(cardo_openmm_provider *p, OpenMM_NonbondedForce *force, int t,
                               bool has_gb)
{
    if (p->options.method == CARDO_CUTOFF) {
        use_cutoff(force, p->options.cutoff, cardo_openmm_reaction_field(&p->options, has_gb));
        p->has_pair_list = true;
    } else if (p->options.method == CARDO_ALL_PAIRS &&
               OpenMM_NonbondedForce_getNumParticleParameterOffsets(force) == 0 &&
               OpenMM_NonbondedForce_getNumExceptionParameterOffsets(force) == 0) {
        p->pairs[p->npair++] = (cardo_openmm_pair_force){force, t, charge_pairs(force)};
    }
}

void cardo_openmm_set_all_pairs(cardo_openmm_provider *p, bool by_cutoff)
{
    if (p->npair == 0)
        by_cutoff = false;
    if (!by_cutoff)
        p->all_pairs_cutoff = 0.0;
    else if (p->all_pairs_cutoff < smallest_all_pairs_cutoff)
        p->all_pairs_cutoff = smallest_all_pairs_cutoff;
    for (int i = 0; i < p->npair; i++) {
        OpenMM_NonbondedForce *force = p->pairs[i].force;
        if (by_cutoff)
            use_cutoff(force, p->all_pairs_cutoff, 1.0);
        else
            OpenMM_NonbondedForce_setNonbondedMethod(force, OpenMM_NonbondedForce_NoCutoff);
    }
}

static cardo_status grow_all_pairs_cutoff(void *arg, cardo_error *error)
{
    (void)error;
    cardo_openmm_provider *p = arg;
    for (int i = 0; i < p->npair; i++)
        OpenMM_NonbondedForce_setCutoffDistance(p->pairs[i].force, p->all_pairs_cutoff);
    OpenMM_Context_reinitialize(p->engine.context, OpenMM_False);
    return CARDO_OK;
}

cardo_status cardo_openmm_keep_all_pairs(cardo_openmm_provider *p, double extent,
                                         cardo_error *error)
{
    if (p->all_pairs_cutoff == 0.0 || extent <= p->all_pairs_cutoff)
        return CARDO_OK;
    p->all_pairs_cutoff = 4.0 * extent;
    return cardo_openmm_guard_alone(grow_all_pairs_cutoff, p, error);
}
