#include "experiment/saxs/scatterers.h"

#include "base/memory.h"
#include "base/units.h"
#include "experiment/saxs/form_factors.h"
#include "experiment/saxs/hydrogens.h"

#include <math.h>
#include <string.h>

/* nm^3 of solvent that an atom displaces; elements that are not listed take a sphere of 0.17 nm. */
static double displaced_volume(int element)
{
    static const struct {
        int element;
        double volume;
    } known[] = {{1, 0.00515},  {6, 0.01644},  {7, 0.00249},  {8, 0.00913},  {12, 0.01716},
                 {15, 0.00573}, {16, 0.01986}, {20, 0.03189}, {25, 0.00920}, {26, 0.00799},
                 {29, 0.00878}, {30, 0.00985}, {34, 0.02873}};
    for (size_t k = 0; k < sizeof known / sizeof *known; ++k)
        if (known[k].element == element)
            return known[k].volume;
    return 0.02058;
}

static int find_kind(cardo_scatterers *s, int element, int hydrogens)
{
    for (int k = 0; k < s->nkind; ++k)
        if (s->kinds[k].element == element && s->kinds[k].hydrogens == hydrogens)
            return k;
    if (s->nkind == CARDO_MOST_SCATTERER_KINDS)
        return -1;
    s->kinds[s->nkind] = (cardo_scatterer_kind){
        element, hydrogens, displaced_volume(element) + hydrogens * displaced_volume(1)};
    return s->nkind++;
}

static bool has_hydrogens(const cardo_structure *structure)
{
    for (int i = 0; i < structure->natom; ++i)
        if (structure->element[i] == 1 &&
            !cardo_residue_is_water(structure->residue_name[structure->atom_residue[i]].text))
            return true;
    return false;
}

/* Sulfurs of a bridge have no hydrogen. */
static bool is_bridged(const cardo_structure *structure, int residue)
{
    for (int b = 0; b < structure->nbridge; ++b)
        if (structure->bridge[b].residue[0] == residue ||
            structure->bridge[b].residue[1] == residue)
            return true;
    return false;
}

static int count_hydrogens(cardo_scatterers *s, const cardo_structure *structure, int atom)
{
    const int residue = structure->atom_residue[atom];
    if (s->explicit_hydrogens)
        return 0;
    const int n =
        cardo_hydrogens_of(structure->residue_name[residue].text, structure->atom_name[atom].text);
    if (n < 0 && s->guessed++ == 0)
        cardo_residue_label(structure, residue, s->example);
    if (n > 0 && structure->element[atom] == 16 && is_bridged(structure, residue))
        return 0;
    return n < 0 ? 0 : n;
}

static void add(cardo_scatterers *s, const cardo_structure *structure, int atom)
{
    const int element = structure->element[atom];
    const char *residue = structure->residue_name[structure->atom_residue[atom]].text;
    int kind = -1;
    if (!cardo_residue_is_water(residue) && element > 0)
        kind = find_kind(s, element, count_hydrogens(s, structure, atom));
    if (kind < 0 || !cardo_form_factor_known(element)) {
        ++s->left_out;
        return;
    }
    s->kind[s->n] = kind;
    s->atom[s->n] = atom;
    s->mean_volume += s->kinds[kind].volume;
    s->electrons += element + s->kinds[kind].hydrogens;
    ++s->n;
}

cardo_status cardo_scatterers_make(const cardo_structure *structure, cardo_scatterers *out,
                                   cardo_error *error)
{
    cardo_status status;
    const int n = structure->natom;
    out->explicit_hydrogens = has_hydrogens(structure);
    CARDO_TRY(CARDO_ALLOCATE(&out->position, 3 * (size_t)n, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->kind, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->atom, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->exposure, n, error));
    for (int i = 0; i < n; ++i)
        add(out, structure, i);
    if (out->n == 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s has no atoms that scatter: it holds water alone, or atoms without "
                          "an element",
                          structure->source);
    out->mean_volume /= out->n;
    cardo_scatterers_move(out, structure->position);
done:
    return status;
}

void cardo_scatterers_clear(cardo_scatterers *s)
{
    cardo_free(s->position);
    cardo_free(s->kind);
    cardo_free(s->atom);
    cardo_free(s->exposure);
    *s = (cardo_scatterers){0};
}

void cardo_scatterers_move(cardo_scatterers *s, const double *positions)
{
    for (int i = 0; i < s->n; ++i)
        memcpy(s->position + 3 * i, positions + 3 * (size_t)s->atom[i], 3 * sizeof *positions);
}

/* Sums for the radius of gyration. */
typedef struct moments {
    double weight, sum[3], square;
} moments;

static void add_moments(const cardo_scatterers *s, int i, const double x[3], moments *m)
{
    const cardo_scatterer_kind *kind = &s->kinds[s->kind[i]];
    const double w = kind->element + kind->hydrogens - CARDO_BULK_DENSITY * kind->volume;
    m->weight += w;
    for (int d = 0; d < 3; ++d) {
        m->sum[d] += w * x[d];
        m->square += w * x[d] * x[d];
    }
}

static double gyration_of(const moments *m)
{
    double square = m->square;
    for (int d = 0; d < 3; ++d)
        square -= m->sum[d] * m->sum[d] / m->weight;
    return sqrt(fmax(square / m->weight, 0));
}

double cardo_scatterers_gyration(const cardo_scatterers *s)
{
    moments m = {0};
    for (int i = 0; i < s->n; ++i)
        add_moments(s, i, s->position + 3 * i, &m);
    return gyration_of(&m);
}

double cardo_scatterers_gyration_posed(const cardo_scatterers *s, const int *body,
                                       const double *pose)
{
    moments m = {0};
    for (int i = 0; i < s->n; ++i) {
        const double *X = pose + 12 * body[i], *x = s->position + 3 * i;
        double y[3];
        for (int d = 0; d < 3; ++d)
            y[d] = X[9 + d] + X[3 * d] * x[0] + X[3 * d + 1] * x[1] + X[3 * d + 2] * x[2];
        add_moments(s, i, y, &m);
    }
    return gyration_of(&m);
}

double cardo_scatterers_reach(const cardo_scatterers *s)
{
    /* Half a golden spiral: no direction is further than 0.22 from one of these, whose cosine is 0.976. */
    enum { DIRECTIONS = 100 };
    const double golden = CARDO_PI * (3 - sqrt(5.0));
    double widest = 0;
    for (int k = 0; k < DIRECTIONS; ++k) {
        const double z = (k + 0.5) / DIRECTIONS, rho = sqrt(1 - z * z),
                     e[3] = {rho * cos(golden * k), rho * sin(golden * k), z};
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = 0; i < s->n; ++i) {
            const double *x = s->position + 3 * i, along = e[0] * x[0] + e[1] * x[1] + e[2] * x[2];
            low = fmin(low, along);
            high = fmax(high, along);
        }
        widest = fmax(widest, high - low);
    }
    return widest / 0.975;
}

double cardo_scatterers_diameter(const cardo_scatterers *s)
{
    double largest = 0;
    for (int i = 0; i < s->n; ++i)
        for (int j = i + 1; j < s->n; ++j) {
            double square = 0;
            for (int d = 0; d < 3; ++d) {
                const double x = s->position[3 * i + d] - s->position[3 * j + d];
                square += x * x;
            }
            largest = fmax(largest, square);
        }
    return sqrt(largest);
}
