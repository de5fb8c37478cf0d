/* A locale in which numbers have a decimal comma, made by localedef from a source of our own: no machine need have one. */
#ifndef CARDO_TESTS_SUPPORT_LOCALE_H
#define CARDO_TESTS_SUPPORT_LOCALE_H

#include "support/support.h"

/* For test_with(): localedef is there. */
extern const support_need support_localedef;

/* Makes it in the scratch folder, where the environment variable LOCPATH then points, and returns its name. 1,5 is one and
 * a half in it, 1.000 a thousand, and I and i are no pair of letters (as in Turkish). */
const char *support_comma_locale(void);

/* The whole process takes that locale on, as by setlocale(LC_ALL, "") in a user's country; leave goes back to "C". */
void support_enter_comma_locale(void);
void support_leave_comma_locale(void);

#endif
