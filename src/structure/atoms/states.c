/* Protonation states of residues, by their hydrogens. */
#include "base/memory.h"
#include "structure/atoms/residue.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool has(const cardo_structure *s, int r, const char *atom)
{
    return cardo_structure_find_atom(s, r, atom) >= 0;
}

/* Is another sulfur where the other end of a disulfide would be? */
static bool is_bridged(const cardo_structure *s, int r)
{
    const double longest = 0.3; /* nm */
    const int sulfur = cardo_structure_find_atom(s, r, "SG");
    for (int i = 0; sulfur >= 0 && i < s->natom; ++i) {
        const double *a = s->position + 3 * (size_t)i, *b = s->position + 3 * (size_t)sulfur;
        if (i != sulfur && s->element[i] == s->element[sulfur] &&
            hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]) < longest)
            return true;
    }
    return false;
}

const char *cardo_residue_unusual_state(const cardo_structure *s, int r)
{
    const char *name = s->residue_name[r].text;
    if (strcmp(name, "HIS") == 0)
        return has(s, r, "HD1") && has(s, r, "HE2") ? "HIP" : NULL;
    if (strcmp(name, "ASP") == 0)
        return has(s, r, "HD2") || has(s, r, "HD1") ? "ASH" : NULL;
    if (strcmp(name, "GLU") == 0)
        return has(s, r, "HE2") || has(s, r, "HE1") ? "GLH" : NULL;
    if (strcmp(name, "LYS") == 0)
        return has(s, r, "HZ1") + has(s, r, "HZ2") + has(s, r, "HZ3") == 2 ? "LYN" : NULL;
    if (strcmp(name, "CYS") == 0)
        return has(s, r, "HB2") && !has(s, r, "HG") && !is_bridged(s, r) ? "CYM" : NULL;
    return NULL;
}

cardo_status cardo_unusual_states_text(const cardo_structure *s, char **text, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int length = 0, capacity = 0;
    char label[40];
    *text = NULL;
    for (int r = 0; r < s->nresidue; ++r) {
        const char *state = cardo_residue_unusual_state(s, r);
        if (!state)
            continue;
        cardo_residue_label(s, r, label);
        CARDO_TRY(CARDO_RESERVE(text, &capacity, length + 64, error));
        length += snprintf(*text + length, 64, "%s%s %s", length > 0 ? ", " : "", label, state);
    }
done:
    if (status != CARDO_OK) {
        cardo_free(*text);
        *text = NULL;
    }
    return status;
}
