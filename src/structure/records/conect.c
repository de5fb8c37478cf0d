#include "structure/records/conect.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double longest_to_metal = 0.35; /* nm */

typedef struct serial_place {
    int serial, atom;
} serial_place;

/* Two atoms, the lower index first. */
typedef struct pair {
    int atom[2];
    bool told; /* by a LINK or SSBOND record */
} pair;

typedef struct filler {
    cardo_structure *out;
    serial_place *place; /* sorted by serial (natom) */
    pair *pair;
    int npair;
} filler;

static int compare_integers(int one, int other)
{
    return (one > other) - (one < other);
}

static int compare_places(const void *a, const void *b)
{
    const serial_place *one = a, *other = b;
    int order = compare_integers(one->serial, other->serial);
    return order ? order : compare_integers(one->atom, other->atom);
}

/* Of equal pairs the one that is told comes first. */
static int compare_pairs(const void *a, const void *b)
{
    const pair *one = a, *other = b;
    for (int k = 0; k < 2; ++k)
        if (one->atom[k] != other->atom[k])
            return compare_integers(one->atom[k], other->atom[k]);
    return (int)other->told - (int)one->told;
}

enum { NO_ATOM = -1, SEVERAL_ATOMS = -2 };

static int atom_of_serial(const filler *f, int serial)
{
    int low = 0, high = f->out->natom;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (f->place[middle].serial < serial)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == f->out->natom || f->place[low].serial != serial)
        return NO_ATOM;
    bool repeats = low + 1 < f->out->natom && f->place[low + 1].serial == serial;
    return repeats ? SEVERAL_ATOMS : f->place[low].atom;
}

static void add_pair(filler *f, int one, int other, bool told)
{
    if (one >= 0 && other >= 0 && one != other)
        f->pair[f->npair++] = (pair){{one < other ? one : other, one < other ? other : one}, told};
}

/* Every pair that any record names, in order. */
static cardo_status collect(const cardo_records *records, filler *f, cardo_error *error)
{
    cardo_structure *s = f->out;
    cardo_status status = CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&f->place, s->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->pair, s->nlink + s->nbridge + records->nconect, error));
    for (int i = 0; i < s->natom; ++i)
        f->place[i] = (serial_place){s->serial[i], i};
    qsort(f->place, (size_t)s->natom, sizeof *f->place, compare_places);
    for (int k = 0; k < s->nlink; ++k)
        add_pair(f, s->link[k].atom[0], s->link[k].atom[1], true);
    for (int k = 0; k < s->nbridge; ++k)
        add_pair(f, cardo_structure_find_atom(s, s->bridge[k].residue[0], "SG"),
                 cardo_structure_find_atom(s, s->bridge[k].residue[1], "SG"), true);
    for (int k = 0; k < records->nconect; ++k) {
        int one = atom_of_serial(f, records->conect[k].serial[0]),
            other = atom_of_serial(f, records->conect[k].serial[1]);
        s->nunclear_conect += one == SEVERAL_ATOMS || other == SEVERAL_ATOMS;
        add_pair(f, one, other, false);
    }
    if (f->npair > 0)
        qsort(f->pair, (size_t)f->npair, sizeof *f->pair, compare_pairs);
done:
    return status;
}

static bool is_called(const cardo_structure *s, int atom, const char *name)
{
    return strcmp(s->atom_name[atom].text, name) == 0;
}

static bool is_disulfide(const cardo_structure *s, const int atom[2])
{
    for (int k = 0; k < 2; ++k)
        if (!is_called(s, atom[k], "SG") ||
            strncmp(s->residue_name[s->atom_residue[atom[k]]].text, "CY", 2) != 0)
            return false;
    return true;
}

/* Is this the bond of one residue of a polymer to the next? */
static bool is_of_chain(const cardo_structure *s, const int atom[2])
{
    int one = s->atom_residue[atom[0]], other = s->atom_residue[atom[1]];
    return other == one + 1 && s->residue_chain[one] == s->residue_chain[other] &&
           !s->hetero[one] && !s->hetero[other] &&
           ((is_called(s, atom[0], "C") && is_called(s, atom[1], "N")) ||
            (is_called(s, atom[0], "O3'") && is_called(s, atom[1], "P")));
}

static double distance_between(const cardo_structure *s, const int atom[2])
{
    return v3_norm(v3_sub(v3_load(s->position + 3 * (size_t)atom[0]),
                          v3_load(s->position + 3 * (size_t)atom[1])));
}

static bool is_near(const cardo_structure *s, const int atom[2])
{
    const unsigned char element[2] = {s->element[atom[0]], s->element[atom[1]]};
    double d = distance_between(s, atom);
    if (is_disulfide(s, atom))
        return d <= CARDO_LONGEST_RECORDED_DISULFIDE;
    if (cardo_element_is_metal(element[0]) || cardo_element_is_metal(element[1]))
        return d <= longest_to_metal;
    double longest = cardo_element_longest_bond(element[0], element[1]);
    return longest > 0 && d <= longest;
}

static void take(cardo_structure *s, const int atom[2])
{
    if (!is_near(s, atom)) {
        if (s->nfar_conect++ == 0)
            memcpy(s->far_conect, atom, sizeof s->far_conect);
    } else if (is_disulfide(s, atom)) {
        s->bridge[s->nbridge++] =
            (cardo_bridge){{s->atom_residue[atom[0]], s->atom_residue[atom[1]]}};
    } else {
        s->link[s->nlink++] = (cardo_link){{atom[0], atom[1]}};
    }
}

cardo_status cardo_conect_fill(const cardo_records *records, cardo_structure *out,
                               cardo_error *error)
{
    filler f = {.out = out};
    cardo_status status = CARDO_OK;
    int links = out->nlink, bridges = out->nbridge;
    if (records->nconect == 0)
        return CARDO_OK;
    CARDO_TRY(collect(records, &f, error));
    CARDO_TRY(CARDO_RESERVE(&out->link, &links, out->nlink + f.npair, error));
    CARDO_TRY(CARDO_RESERVE(&out->bridge, &bridges, out->nbridge + f.npair, error));
    for (int k = 0; k < f.npair; ++k) {
        const int *atom = f.pair[k].atom;
        bool again = k > 0 && memcmp(atom, f.pair[k - 1].atom, sizeof f.pair->atom) == 0;
        if (!again && !f.pair[k].told && out->atom_residue[atom[0]] != out->atom_residue[atom[1]] &&
            !is_of_chain(out, atom))
            take(out, atom);
    }
done:
    cardo_free(f.place);
    cardo_free(f.pair);
    return status;
}

bool cardo_conect_far_words(const cardo_structure *structure, char *text, size_t size)
{
    const cardo_structure *s = structure;
    char one[40], other[40];
    if (s->nfar_conect == 0)
        return false;
    cardo_format(
        text, size,
        "CONECT records join %d pair%s of atoms that are too far apart for a bond, such as %s "
        "of %s and %s of %s at %.2f A: left out",
        s->nfar_conect, s->nfar_conect > 1 ? "s" : "", s->atom_name[s->far_conect[0]].text,
        cardo_residue_label(s, s->atom_residue[s->far_conect[0]], one),
        s->atom_name[s->far_conect[1]].text,
        cardo_residue_label(s, s->atom_residue[s->far_conect[1]], other),
        distance_between(s, s->far_conect) / CARDO_ANGSTROM);
    return true;
}

bool cardo_conect_unclear_words(const cardo_structure *structure, char *text, size_t size)
{
    if (structure->nunclear_conect == 0)
        return false;
    snprintf(text, size,
             "CONECT records name serial numbers that several atoms have in %d place%s: left out",
             structure->nunclear_conect, structure->nunclear_conect > 1 ? "s" : "");
    return true;
}
