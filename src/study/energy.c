/* Energies by term and generalized forces, where the session's state stands. */
#include "study/session/judge.h"
#include "study/session/result.h"
#include "study/session/strain.h"
#include "study/session/study.h"

static cardo_status run(cardo_session *session, const void *options, cardo_result *into,
                        cardo_error *error)
{
    (void)options;
    cardo_status status;
    CARDO_TRY(cardo_strain_tell(session, "this configuration", false, error));
    CARDO_TRY(cardo_judge(session, error));
    cardo_result_text(into, &(cardo_quantity){"model"}, session->model->name);
    cardo_judgement_fill(session, into);
    status = cardo_energies_fill(session, into, error);
done:
    return status;
}

const cardo_study cardo_study_energy = {
    .name = "energy",
    .doc = "energies by term and generalized forces, of one configuration",
    .needs = CARDO_STUDY_NEEDS_FORCES,
    .run = run,
};
