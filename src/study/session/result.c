#include "study/session/result.h"

#include "multibody/tree/coordinate_names.h"
#include "study/session/energies.h"
#include "study/session/forces.h"
#include "study/session/judge.h"

/* Of more forces than this the worst one alone is listed. */
enum { MOST_LISTED = 64 };

static void add_judged(cardo_result *into, const char *name, const cardo_judged *of, int n)
{
    static const cardo_quantity rigid = {"rigid", .meaning = "as provider rigid has it"},
                                judge = {"judge", .meaning = "as the judge has it"},
                                bound = {"bound", .meaning = "how far they may differ"};
    cardo_result *table = cardo_result_table(into, name, "number");
    for (int k = 0; k < n; ++k) {
        cardo_result_row(table);
        cardo_result_text(table, &(cardo_quantity){"name"}, of[k].name);
        cardo_result_number(table, &rigid, of[k].rigid);
        cardo_result_number(table, &judge, of[k].judge);
        cardo_result_number(table, &bound, of[k].bound);
    }
}

void cardo_judgement_fill(const cardo_session *session, cardo_result *into)
{
    const cardo_judgement *j = session->judgement;
    char text[CARDO_JUDGEMENT_TEXT];
    if (!j)
        return;
    cardo_result *judged = cardo_result_group(into, "forces_judged");
    cardo_result_remark(judged, "verdict", CARDO_RESULT_VERDICT,
                        cardo_judgement_text(session, text), NULL);
    cardo_result_text(judged, &(cardo_quantity){"against"}, j->against);
    if (j->passed_over[0]) {
        cardo_result_text(judged, &(cardo_quantity){"passed_over"}, j->passed_over);
        return;
    }
    cardo_result_text(judged, &(cardo_quantity){"worst"}, j->worst->name);
    cardo_result_number(judged, &(cardo_quantity){"share_of_bound"}, j->share);
    cardo_result_integer(judged, &(cardo_quantity){"numbers"}, j->nterm + j->nforce);
    add_judged(judged, "energies_kJ_per_mol", j->term, j->nterm);
    if (j->nforce <= MOST_LISTED)
        add_judged(judged, "forces", j->force, j->nforce);
}

static void add_strained(const cardo_session *session, const cardo_strain *strain,
                         cardo_strain_place place, const char *name, cardo_result *into)
{
    static const cardo_quantity energy = {"energy_kJ_per_mol", "energy", "kJ/mol", ".4g"};
    cardo_result *table = cardo_result_table(into, name, "term");
    for (int k = 0; k < strain->nlisted[place]; ++k) {
        const cardo_strained *term = &strain->listed[place][k];
        char text[CARDO_STRAINED_TEXT];
        if (!cardo_strained_counts(term, place))
            continue;
        cardo_result_row(table);
        cardo_result_text(table, &(cardo_quantity){"term"},
                          cardo_strained_text(session, term, text));
        cardo_result_text(table, &(cardo_quantity){"kind"}, cardo_strain_kind_names[term->kind]);
        cardo_result_number(table, &energy, term->energy);
    }
}

void cardo_strain_fill(const cardo_session *session, const cardo_strain *strain, cardo_result *into)
{
    cardo_result *one = cardo_result_group(into, "strain");
    cardo_result_text(one, &(cardo_quantity){"verdict"},
                      cardo_strain_verdict_word(cardo_strain_judge(strain)));
    cardo_result *means = cardo_result_group(one, "mean_energy_kT");
    for (int kind = 0; kind < CARDO_STRAIN_CONTACT; ++kind)
        cardo_result_number(means, &(cardo_quantity){cardo_strain_kind_names[kind], .unit = "kT"},
                            cardo_strain_mean(strain, (cardo_strain_kind)kind));
    add_strained(session, strain, CARDO_STRAIN_BETWEEN, "between_bodies", one);
    add_strained(session, strain, CARDO_STRAIN_INSIDE, "inside_bodies", one);
}

static void add_terms(const cardo_energies *energies, cardo_result *into)
{
    static const cardo_quantity terms = {"energies_kJ_per_mol", "energy", "kJ/mol", "16.4f"};
    cardo_result *array;
    double *energy =
        cardo_result_doubles(into, &terms, 1, &(cardo_axis){"term", energies->nterm}, &array);
    for (int k = 0; energy && k < energies->nterm; ++k) {
        energy[k] = energies->energy[k];
        cardo_result_label(array, 0, k, energies->term[k]);
    }
}

static void add_forces(const cardo_session *session, const cardo_energies *energies,
                       cardo_result *into)
{
    static const cardo_quantity forces = {"generalized_forces", "generalized force",
                                          .style = "16.4f",
                                          .meaning = "kJ/mol per unit of the speed"};
    cardo_result *array;
    char name[CARDO_COORDINATE_NAME];
    double *force =
        cardo_result_doubles(into, &forces, 1, &(cardo_axis){"speed", energies->nu}, &array);
    for (int k = 0; force && k < energies->nu; ++k) {
        force[k] = energies->force[k];
        cardo_result_label(array, 0, k, cardo_mobility_name(session->system, k, name));
        if (cardo_session_is_torsion(session, k))
            cardo_result_hide(array, k);
    }
}

void cardo_session_fill_salt(const cardo_session *session, cardo_result *into)
{
    if (session->kappa == 0)
        return;
    if (session->model->forcefield.ionic_strength > 0)
        cardo_result_number(into, &(cardo_quantity){"ionic_strength_mol_per_L", .unit = "mol/L"},
                            session->model->forcefield.ionic_strength);
    cardo_result_number(into, &(cardo_quantity){"kappa_per_nm", .unit = "1/nm"}, session->kappa);
}

cardo_status cardo_energies_fill(cardo_session *session, cardo_result *into, cardo_error *error)
{
    static const cardo_quantity potential = {"potential_kJ_per_mol", "potential", "kJ/mol",
                                             "16.4f"};
    cardo_energies energies = {0};
    char text[CARDO_ENGINE_TEXT];
    cardo_status status = cardo_session_energies(session, &energies, error);
    if (status == CARDO_OK) {
        cardo_result_text(into, &(cardo_quantity){"platform"}, cardo_session_platform(session));
        cardo_result_text(into, &(cardo_quantity){"engine"}, cardo_session_engine(session, text));
        cardo_session_fill_salt(session, into);
        add_terms(&energies, into);
        if (energies.note)
            cardo_result_remark(into, "cost_warning", CARDO_RESULT_NOTE, energies.note, NULL);
        cardo_result_number(into, &potential, energies.potential);
        add_forces(session, &energies, into);
        status = cardo_result_status(into, error);
    }
    cardo_energies_clear(&energies);
    return status;
}
