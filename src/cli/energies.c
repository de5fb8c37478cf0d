#include "cli/energies.h"

#include "base/memory.h"
#include "base/number.h"
#include "forces/openmm/openmm.h"

#include <stdio.h>

static cardo_status evaluate(cardo_setup *setup, double **generalized, cardo_error *error)
{
    cardo_status status = CARDO_ALLOCATE(generalized, cardo_system_nu(setup->system) + 1, error);
    if (status != CARDO_OK)
        return status;
    cardo_evaluator_want_terms(setup->evaluator, true);
    status = cardo_evaluate(setup->evaluator, setup->state, error);
    if (status == CARDO_OK)
        status =
            cardo_evaluator_generalized_forces(setup->evaluator, setup->state, *generalized, error);
    return status;
}

/* Forces on torsions are too many to read; --json has them. */
static bool is_torsion(const cardo_setup *setup, int mobility)
{
    for (int b = 1; b < cardo_system_nbody(setup->system); ++b) {
        cardo_body_info info;
        cardo_system_body(setup->system, b, &info);
        if (mobility >= info.u_first && mobility < info.u_first + info.nu)
            return setup->model->body[b - 1].piece;
    }
    return false;
}

/* What to know about the solvent before a long run, or NULL. */
static const char *cost_warning(const cardo_setup *setup)
{
    const cardo_terms *terms = setup->terms;
    if (!terms || !terms->has_gb || !terms->gb_model || terms->gb_model->is_native)
        return NULL;
    return "this solvent is evaluated from expressions and costs several times what obc2 does, "
           "which "
           "OpenMM has compiled";
}

cardo_status cardo_energies_print(cardo_setup *setup, cardo_error *error)
{
    double *generalized = NULL;
    cardo_status status = evaluate(setup, &generalized, error);
    const cardo_evaluator *evaluator = setup->evaluator;
    char engine[64];
    if (status == CARDO_OK) {
        for (int k = 0; k < cardo_evaluator_nterm(evaluator); ++k)
            cardo_print(stdout, "  %-24s %16.4f kJ/mol\n", cardo_evaluator_term_name(evaluator, k),
                        cardo_evaluator_terms(evaluator)[k]);
        cardo_print(stdout, "  %-24s %16.4f kJ/mol   (%s)\n", "potential",
                    cardo_evaluator_energy(evaluator), cardo_setup_engine(setup, engine));
        if (cost_warning(setup))
            printf("  note: %s\n", cost_warning(setup));
        printf("  generalized forces\n");
        for (int k = 0; k < cardo_system_nu(setup->system); ++k) {
            char name[96];
            if (is_torsion(setup, k))
                continue;
            cardo_print(stdout, "    %-22s %16.4f\n",
                        cardo_setup_mobility_name(setup->system, k, name), generalized[k]);
        }
    }
    cardo_free(generalized);
    return status;
}

cardo_status cardo_energies_json(cardo_setup *setup, cardo_json *json, cardo_error *error)
{
    double *generalized = NULL;
    cardo_status status = evaluate(setup, &generalized, error);
    const cardo_evaluator *evaluator = setup->evaluator;
    if (status == CARDO_OK) {
        cardo_json *terms = cardo_json_object(), *forces = cardo_json_object();
        cardo_json_string(json, "platform", cardo_setup_platform(setup));
        for (int k = 0; k < cardo_evaluator_nterm(evaluator); ++k)
            cardo_json_number(terms, cardo_evaluator_term_name(evaluator, k),
                              cardo_evaluator_terms(evaluator)[k]);
        cardo_json_put(json, "energies_kJ_per_mol", terms);
        if (cost_warning(setup))
            cardo_json_string(json, "cost_warning", cost_warning(setup));
        cardo_json_number(json, "potential_kJ_per_mol", cardo_evaluator_energy(evaluator));
        for (int k = 0; k < cardo_system_nu(setup->system); ++k) {
            char name[96];
            cardo_json_number(forces, cardo_setup_mobility_name(setup->system, k, name),
                              generalized[k]);
        }
        cardo_json_put(json, "generalized_forces", forces);
    }
    cardo_free(generalized);
    return status;
}
