#include "study/session/energy_columns.h"

#include <math.h>

void cardo_add_potential(double potential, cardo_result *table)
{
    static const cardo_quantity what = {"potential_kJ_per_mol", "potential", "kJ/mol",
                                        .stored = ".12g"};
    cardo_result_number(table, &what, potential);
}

void cardo_add_terms(const cardo_session *session, bool there, cardo_result *table)
{
    const cardo_evaluator *evaluator = session->evaluator;
    for (int k = 0; k < cardo_evaluator_nterm(evaluator); ++k)
        cardo_result_number(table,
                            &(cardo_quantity){cardo_evaluator_term_name(evaluator, k),
                                              .unit = "kJ/mol", .stored = ".12g"},
                            there ? cardo_evaluator_terms(evaluator)[k] : (double)NAN);
}
