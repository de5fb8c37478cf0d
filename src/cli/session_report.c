#include "cli/session_report.h"

#include "base/memory.h"

#include <stdio.h>

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
