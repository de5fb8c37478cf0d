#include "study/session/energies.h"

#include "base/memory.h"

#include <string.h>

/* What to know about the solvent before a long run, or NULL. */
static const char *cost_note(const cardo_session *session)
{
    const cardo_terms *terms = session->terms;
    if (!terms || !terms->has_gb || session->parts)
        return NULL;
    if (cardo_gb_model_of(terms)->is_native)
        return terms->kappa > 0
                   ? "OpenMM evaluates salt from expressions, which costs several times "
                     "what obc2 without salt does; provider rigid knows both"
                   : NULL;
    return "this solvent is evaluated from expressions and costs several times what obc2 does, "
           "which OpenMM has compiled";
}

cardo_status cardo_session_energies(cardo_session *session, cardo_energies *self,
                                    cardo_error *error)
{
    cardo_status status;
    cardo_evaluator *evaluator = session->evaluator;
    cardo_evaluator_want_terms(evaluator, true);
    CARDO_TRY(cardo_evaluate(evaluator, session->state, error));
    self->nterm = cardo_evaluator_nterm(evaluator);
    self->nu = cardo_system_nu(session->system);
    CARDO_TRY(CARDO_ALLOCATE(&self->term, self->nterm + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->energy, self->nterm + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->force, self->nu + 1, error));
    CARDO_TRY(cardo_evaluator_generalized_forces(evaluator, session->state, self->force, error));
    for (int k = 0; k < self->nterm; ++k) {
        self->term[k] = cardo_evaluator_term_name(evaluator, k);
        self->energy[k] = cardo_evaluator_terms(evaluator)[k];
    }
    self->potential = cardo_evaluator_energy(evaluator);
    self->note = cost_note(session);
done:
    return status;
}

void cardo_energies_clear(cardo_energies *self)
{
    cardo_free(self->term);
    cardo_free(self->energy);
    cardo_free(self->force);
    *self = (cardo_energies){0};
}

bool cardo_session_is_torsion(const cardo_session *session, int mobility)
{
    for (int b = 1; b < cardo_system_nbody(session->system); ++b) {
        cardo_body_info info;
        cardo_system_body(session->system, b, &info);
        if (mobility >= info.u_first && mobility < info.u_first + info.nu)
            return session->model->body[b - 1].piece;
    }
    return false;
}
