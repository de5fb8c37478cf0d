#include "cli/session_report.h"

#include "base/memory.h"
#include "base/number.h"
#include "io/results/result_printer.h"
#include "study/session/forces.h"
#include "study/session/judge.h"
#include "study/session/result.h"

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

cardo_json *cardo_judgement_json(const cardo_session *session)
{
    cardo_result *result;
    cardo_json *json = NULL;
    if (cardo_result_create(&result, NULL) != CARDO_OK)
        return NULL;
    cardo_judgement_fill(session, result);
    const cardo_result *judged = cardo_result_find(result, "forces_judged");
    if (judged && cardo_result_status(result, NULL) == CARDO_OK)
        json = cardo_result_to_json(judged);
    cardo_result_destroy(result);
    return json;
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
