#include "cli/session_report.h"

#include "base/memory.h"
#include "base/number.h"
#include "multibody/tree/coordinate_names.h"
#include "study/energies.h"
#include "study/judge.h"
#include "study/session_forces.h"

#include <stdio.h>

void cardo_print_size(const cardo_session *session)
{
    const cardo_model *model = session->model;
    printf("%s: %d atoms in %d bodies, %d degrees of freedom\n", model->name,
           cardo_system_nstation(session->system), model->nbody, cardo_system_nu(session->system));
    for (int k = 0; k < model->nstructure; ++k)
        if (model->structure[k].note)
            printf("NOTE: %s: %s\n", model->structure[k].id, model->structure[k].note);
}

void cardo_print_choice(const cardo_session *session)
{
    char text[CARDO_CHOICE_TEXT];
    if (cardo_session_choice(session, text)[0])
        printf("%s\n", text);
}

void cardo_judgement_print(const cardo_session *session)
{
    char text[CARDO_JUDGEMENT_TEXT];
    if (cardo_judgement_text(session, text)[0])
        printf("%s\n", text);
}

/* Of more forces than this the worst one alone goes into run.json. */
enum { MOST_LISTED = 64 };

static cardo_json *list_json(const cardo_judged *of, int n)
{
    cardo_json *list = cardo_json_array();
    for (int k = 0; k < n; ++k) {
        cardo_json *one = cardo_json_object();
        cardo_json_string(one, "name", of[k].name);
        cardo_json_number(one, "rigid", of[k].rigid);
        cardo_json_number(one, "judge", of[k].judge);
        cardo_json_number(one, "bound", of[k].bound);
        cardo_json_put(list, NULL, one);
    }
    return list;
}

cardo_json *cardo_judgement_json(const cardo_session *session)
{
    const cardo_judgement *j = session->judgement;
    if (!j)
        return NULL;
    cardo_json *json = cardo_json_object();
    cardo_json_string(json, "against", j->against);
    if (j->passed_over[0]) {
        cardo_json_string(json, "passed_over", j->passed_over);
        return json;
    }
    cardo_json_string(json, "worst", j->worst->name);
    cardo_json_number(json, "share_of_bound", j->share);
    cardo_json_integer(json, "numbers", j->nterm + j->nforce);
    cardo_json_put(json, "energies_kJ_per_mol", list_json(j->term, j->nterm));
    if (j->nforce <= MOST_LISTED)
        cardo_json_put(json, "forces", list_json(j->force, j->nforce));
    return json;
}

static cardo_json *terms_json(const cardo_session *session, const cardo_strain *strain,
                              cardo_strain_place place)
{
    cardo_json *terms = cardo_json_array();
    for (int k = 0; k < strain->nlisted[place]; ++k) {
        const cardo_strained *term = &strain->listed[place][k];
        char text[CARDO_STRAINED_TEXT];
        if (!cardo_strained_counts(term, place))
            continue;
        cardo_json *one = cardo_json_object();
        cardo_json_string(one, "term", cardo_strained_text(session, term, text));
        cardo_json_string(one, "kind", cardo_strain_kind_names[term->kind]);
        cardo_json_number(one, "energy_kJ_per_mol", term->energy);
        cardo_json_put(terms, NULL, one);
    }
    return terms;
}

void cardo_strain_json(const cardo_session *session, const cardo_strain *strain, cardo_json *json)
{
    cardo_json *one = cardo_json_object(), *means = cardo_json_object();
    cardo_json_string(one, "verdict", cardo_strain_verdict_word(cardo_strain_judge(strain)));
    for (int kind = 0; kind < CARDO_STRAIN_CONTACT; ++kind)
        cardo_json_number(means, cardo_strain_kind_names[kind],
                          cardo_strain_mean(strain, (cardo_strain_kind)kind));
    cardo_json_put(one, "mean_energy_kT", means);
    cardo_json_put(one, "between_bodies", terms_json(session, strain, CARDO_STRAIN_BETWEEN));
    cardo_json_put(one, "inside_bodies", terms_json(session, strain, CARDO_STRAIN_INSIDE));
    cardo_json_put(json, "strain", one);
}

cardo_status cardo_strain_print_course(const cardo_session *session, cardo_error *error)
{
    char text[CARDO_STRAIN_TEXT];
    cardo_strain_course *course;
    cardo_status status = CARDO_ALLOCATE(&course, 1, error);
    if (status == CARDO_OK)
        status = cardo_strain_along(session, course, error);
    if (status == CARDO_OK && course->n)
        printf("\nStrain along the paths\n%s", cardo_strain_course_words(session, course, text));
    cardo_free(course);
    return status;
}

void cardo_hinge_load_columns(const cardo_hinge_loads *loads, cardo_column *columns)
{
    for (int k = 0; k < CARDO_LOADS_PER_HINGE * loads->count; ++k) {
        cardo_hinge_load_name(loads, k, columns[k].name);
        columns[k].unit = cardo_hinge_load_unit(k);
        columns[k].digits = 8;
    }
}

cardo_status cardo_energies_print(cardo_session *session, cardo_error *error)
{
    cardo_energies energies = {0};
    char text[CARDO_ENGINE_TEXT], name[CARDO_COORDINATE_NAME];
    cardo_status status = cardo_session_energies(session, &energies, error);
    if (status == CARDO_OK) {
        for (int k = 0; k < energies.nterm; ++k)
            cardo_print(stdout, "  %-24s %16.4f kJ/mol\n", energies.term[k], energies.energy[k]);
        cardo_print(stdout, "  %-24s %16.4f kJ/mol   (%s)\n", "potential", energies.potential,
                    cardo_session_engine(session, text));
        if (energies.note)
            printf("  note: %s\n", energies.note);
        printf("  generalized forces\n");
        for (int k = 0; k < energies.nu; ++k)
            if (!cardo_session_is_torsion(session, k)) /* too many to read; --json has them */
                cardo_print(stdout, "    %-22s %16.4f\n",
                            cardo_mobility_name(session->system, k, name), energies.force[k]);
    }
    cardo_energies_clear(&energies);
    return status;
}

cardo_status cardo_energies_json(cardo_session *session, cardo_json *json, cardo_error *error)
{
    cardo_energies energies = {0};
    char name[CARDO_COORDINATE_NAME];
    cardo_status status = cardo_session_energies(session, &energies, error);
    if (status == CARDO_OK) {
        cardo_json *terms = cardo_json_object(), *forces = cardo_json_object();
        cardo_json_string(json, "platform", cardo_session_platform(session));
        for (int k = 0; k < energies.nterm; ++k)
            cardo_json_number(terms, energies.term[k], energies.energy[k]);
        cardo_json_put(json, "energies_kJ_per_mol", terms);
        if (energies.note)
            cardo_json_string(json, "cost_warning", energies.note);
        cardo_json_number(json, "potential_kJ_per_mol", energies.potential);
        for (int k = 0; k < energies.nu; ++k)
            cardo_json_number(forces, cardo_mobility_name(session->system, k, name),
                              energies.force[k]);
        cardo_json_put(json, "generalized_forces", forces);
    }
    cardo_energies_clear(&energies);
    return status;
}
