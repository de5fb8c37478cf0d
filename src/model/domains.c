#include "model/domains.h"

#include "base/memory.h"
#include "structure/atoms/selection.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

char *cardo_place_text(cardo_place place, char text[CARDO_PLACE_SIZE])
{
    if (!place.file || !place.file[0])
        snprintf(text, CARDO_PLACE_SIZE, "the command line");
    else if (place.line > 0)
        snprintf(text, CARDO_PLACE_SIZE, "%s:%d", place.file, place.line);
    else
        snprintf(text, CARDO_PLACE_SIZE, "%s", place.file);
    return text;
}

/* Does this item of a selection begin with a residue number, so that it lacks a chain? */
static bool lacks_chain(const char *item, size_t length)
{
    bool number = isdigit((unsigned char)item[0]) ||
                  (item[0] == '-' && length > 1 && isdigit((unsigned char)item[1]));
    return number && !memchr(item, ':', length);
}

/* "1-89,B:3" with chain "A" becomes "A:1-89,B:3". The caller owns *out. */
static cardo_status add_chain(const char *residues, const char *chain, char **out,
                              cardo_error *error)
{
    const char *separators = ", \t\r\n";
    size_t items = 1;
    for (const char *c = residues; *c; ++c)
        items += strchr(separators, *c) != NULL;
    size_t size = strlen(residues) + items * (strlen(chain) + 1) + 1;
    cardo_status status = CARDO_ALLOCATE(out, size, error);
    if (status != CARDO_OK)
        return status;
    char *to = *out;
    for (const char *item = residues; *item;) {
        size_t length = strcspn(item, separators);
        if (lacks_chain(item, length))
            to += sprintf(to, "%s:", chain);
        length += item[length] != '\0';
        memcpy(to, item, length);
        to += length;
        item += length;
    }
    *to = '\0';
    return CARDO_OK;
}

cardo_status cardo_domain_select(const cardo_structure *structure, const char *residues,
                                 const char *chain, bool strict, bool *mask, cardo_error *error)
{
    char *text = NULL;
    cardo_status status = CARDO_OK;
    if (chain)
        status = add_chain(residues, chain, &text, error);
    if (status == CARDO_OK)
        status = cardo_select_residues(structure, chain ? text : residues, strict, mask, error);
    cardo_free(text);
    return status;
}

/* "in A:85-92, which 'stationary' (lao.xml:3) has already". */
static cardo_status fail_overlap(const cardo_structure *structure, cardo_place place,
                                 const char *what, const bool *shared, const char *other,
                                 cardo_place other_place, cardo_error *error)
{
    char *residues = NULL, here[CARDO_PLACE_SIZE], there[CARDO_PLACE_SIZE];
    cardo_status status = cardo_selection_text(structure, shared, &residues, error);
    if (status == CARDO_OK)
        status =
            CARDO_FAIL(error, CARDO_ERROR_INPUT,
                       "%s: %s overlaps %s (%s) in residues %s; take them out of one of the two",
                       cardo_place_text(place, here), what, other,
                       cardo_place_text(other_place, there), residues);
    cardo_free(residues);
    return status;
}

static cardo_status check_names(int ndomain, const cardo_domain_definition *domain,
                                cardo_error *error)
{
    char here[CARDO_PLACE_SIZE], there[CARDO_PLACE_SIZE];
    for (int i = 0; i < ndomain; ++i)
        for (int j = 0; j < i; ++j)
            if (strcmp(domain[i].name, domain[j].name) == 0)
                return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                  "%s: domain '%s' is there already (%s); give it another name",
                                  cardo_place_text(domain[i].place, here), domain[i].name,
                                  cardo_place_text(domain[j].place, there));
    return CARDO_OK;
}

/* Gives the residues of mask to owner `mine`. Returns the first owner found there, or -1; shared
 * then marks what both have. */
static int claim(int nresidue, const bool *mask, int mine, int *owner, bool *shared)
{
    int other = -1;
    for (int r = 0; r < nresidue; ++r) {
        shared[r] = false;
        if (!mask[r])
            continue;
        if (owner[r] >= 0 && other < 0)
            other = owner[r];
        shared[r] = owner[r] >= 0 && owner[r] == other;
        if (owner[r] < 0)
            owner[r] = mine;
    }
    return other;
}

static cardo_status prefix_place(cardo_status status, cardo_place place, const char *what,
                                 const char *name, cardo_error *error)
{
    char here[CARDO_PLACE_SIZE];
    if (status != CARDO_OK)
        cardo_error_prefix(error, "%s: %s%s%s: ", cardo_place_text(place, here), what,
                           name[0] ? " " : "", name);
    return status;
}

cardo_status cardo_domains_assign(const cardo_structure *structure, int ndomain,
                                  const cardo_domain_definition *domain, int *owner,
                                  cardo_error *error)
{
    cardo_status status;
    bool *mask = NULL, *shared = NULL;
    CARDO_TRY(check_names(ndomain, domain, error));
    CARDO_TRY(CARDO_ALLOCATE(&mask, structure->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&shared, structure->nresidue, error));
    for (int r = 0; r < structure->nresidue; ++r)
        owner[r] = -1;
    for (int k = 0; k < ndomain; ++k) {
        const cardo_domain_definition *d = &domain[k];
        status = cardo_domain_select(structure, d->residues, d->chain, true, mask, error);
        CARDO_TRY(prefix_place(status, d->place, "domain", d->name, error));
        int other = claim(structure->nresidue, mask, k, owner, shared);
        if (other >= 0) {
            char what[160], with[160];
            snprintf(what, sizeof what, "domain %s", d->name);
            snprintf(with, sizeof with, "domain %s", domain[other].name);
            status =
                fail_overlap(structure, d->place, what, shared, with, domain[other].place, error);
            goto done;
        }
    }
done:
    cardo_free(mask);
    cardo_free(shared);
    return status;
}

/* Hinge residues that are in a domain as well. */
static cardo_status check_hinge_in_domain(const cardo_structure *structure,
                                          const cardo_hinge_definition *hinge, const bool *mask,
                                          const cardo_domain_definition *domain,
                                          const int *domain_owner, bool *shared, cardo_error *error)
{
    int other = -1;
    for (int r = 0; r < structure->nresidue; ++r) {
        shared[r] = false;
        if (!mask[r] || domain_owner[r] < 0)
            continue;
        if (other < 0)
            other = domain_owner[r];
        shared[r] = domain_owner[r] == other;
    }
    if (other < 0)
        return CARDO_OK;
    char with[160];
    snprintf(with, sizeof with, "domain %s", domain[other].name);
    return fail_overlap(structure, hinge->place, "the hinge", shared, with, domain[other].place,
                        error);
}

cardo_status cardo_hinges_assign(const cardo_structure *structure, int nhinge,
                                 const cardo_hinge_definition *hinge,
                                 const cardo_domain_definition *domain, const int *domain_owner,
                                 int *owner, cardo_error *error)
{
    cardo_status status;
    bool *mask = NULL, *shared = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&mask, structure->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&shared, structure->nresidue, error));
    for (int r = 0; r < structure->nresidue; ++r)
        owner[r] = -1;
    for (int k = 0; k < nhinge; ++k) {
        const cardo_hinge_definition *h = &hinge[k];
        status = cardo_domain_select(structure, h->residues, h->chain, true, mask, error);
        CARDO_TRY(prefix_place(status, h->place, "hinge", "", error));
        CARDO_TRY(check_hinge_in_domain(structure, h, mask, domain, domain_owner, shared, error));
        int other = claim(structure->nresidue, mask, k, owner, shared);
        if (other >= 0) {
            status = fail_overlap(structure, h->place, "the hinge", shared, "another hinge",
                                  hinge[other].place, error);
            goto done;
        }
    }
done:
    cardo_free(mask);
    cardo_free(shared);
    return status;
}

bool cardo_residues_adjacent(const cardo_structure *structure, int r)
{
    return r >= 0 && r + 1 < structure->nresidue &&
           structure->residue_chain[r] == structure->residue_chain[r + 1];
}

bool cardo_strand_next(const cardo_structure *structure, const int *hinge_owner, int from,
                       cardo_strand *strand)
{
    int r = from;
    while (r < structure->nresidue && hinge_owner[r] < 0)
        ++r;
    if (r >= structure->nresidue)
        return false;
    *strand = (cardo_strand){.hinge = hinge_owner[r], .first = r, .last = r};
    while (cardo_residues_adjacent(structure, strand->last) &&
           hinge_owner[strand->last + 1] == strand->hinge)
        ++strand->last;
    strand->left = cardo_residues_adjacent(structure, r - 1) ? r - 1 : -1;
    strand->right = cardo_residues_adjacent(structure, strand->last) ? strand->last + 1 : -1;
    return true;
}
