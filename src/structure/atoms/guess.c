#include "structure/atoms/guess.h"

#include "base/letters.h"
#include "structure/atoms/structure.h"

#include <string.h>

static int first_letter_element(const char *name)
{
    while (*name && !cardo_is_letter(*name))
        ++name;
    char symbol[2] = {*name, '\0'};
    return cardo_element_number(symbol);
}

/* Two-letter symbols that a ligand's atom name starts with only for that element, wherever it
 * stands. Not such as Ca, Cd, Hg or Ho, which far more often mean a carbon or hydrogen with a
 * remoteness letter. */
static bool is_unmistakable(const char *symbol)
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
    if (is_standard(residue) || !cardo_is_letter(name[0]))
        return first_letter_element(name);
    char symbol[3] = {cardo_upper(name[0]), cardo_is_letter(name[1]) ? cardo_upper(name[1]) : '\0',
                      '\0'};
    int two = symbol[1] ? cardo_element_number(symbol) : 0;
    int one = first_letter_element(name);
    /* An ion is named after its element, and so is its residue. */
    bool ion = cardo_same_letters(symbol, residue);
    bool aligned = left_justified && strlen(name) < 4;
    return two > 0 && (ion || aligned || is_unmistakable(symbol) || one == 0) ? two : one;
}
