#include "structure/guess.h"

#include "structure/structure.h"

#include <ctype.h>
#include <string.h>

static int first_letter_element(const char *name)
{
    while (*name && !isalpha((unsigned char)*name))
        ++name;
    char symbol[2] = {*name, '\0'};
    return cardo_element_number(symbol);
}

/* Elements whose symbol may start a four-letter atom name of a ligand. Not those such as Ca, Cd, Hg
 * or Ho, which far more often mean a carbon or hydrogen with a remoteness letter. */
static bool starts_long_name(const char *symbol)
{
    static const char *const symbols[] = {"CL", "BR", "FE", "ZN", "MG", "MN", "SE", NULL};
    for (int i = 0; symbols[i]; ++i)
        if (strcmp(symbol, symbols[i]) == 0)
            return true;
    return false;
}

static bool is_standard(const char *residue)
{
    return cardo_residue_is_amino(residue) || cardo_residue_is_nucleic(residue) ||
           cardo_residue_is_water(residue);
}

int cardo_element_guess(const char *name, bool left_justified, const char *residue)
{
    if (is_standard(residue) || !isalpha((unsigned char)name[0]))
        return first_letter_element(name);
    char symbol[3] = {
        (char)toupper((unsigned char)name[0]),
        isalpha((unsigned char)name[1]) ? (char)toupper((unsigned char)name[1]) : '\0', '\0'};
    bool whole = strlen(name) == strlen(symbol);
    bool two = symbol[1] && cardo_element_number(symbol) > 0;
    bool ion = whole && strncasecmp(name, residue, strlen(symbol)) == 0;
    if (two && (ion || (left_justified && (strlen(name) < 4 || starts_long_name(symbol)))))
        return cardo_element_number(symbol);
    return first_letter_element(name);
}
