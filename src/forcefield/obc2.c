/* OBC2 (Onufriev, Bashford & Case, Proteins 55, 383, 2004) with the mbondi2 radii that its
 * parameters were made for, and the screening factors of Hawkins, Cramer & Truhlar (1996) as AMBER
 * uses them. */
#include "forcefield/section.h"

enum { HYDROGEN = 1, NITROGEN = 7 };

static const double solvent_dielectric = 78.5;

/* Radius (nm) and screening factor of an element; the row of element 0 is for all others. */
typedef struct element_row {
    int element;
    double radius, scale;
} element_row;

static const element_row rows[] = {
    {1, 0.12, 0.85},  {6, 0.17, 0.72},   {7, 0.155, 0.79}, {8, 0.15, 0.85},  {9, 0.15, 0.88},
    {14, 0.21, 0.80}, {15, 0.185, 0.86}, {16, 0.18, 0.96}, {17, 0.17, 0.80}, {0, 0.15, 0.80},
};

static const double hydrogen_on_nitrogen_radius = 0.13;

static const element_row *row_of(int element)
{
    const element_row *row = rows;
    while (row->element != 0 && row->element != element)
        ++row;
    return row;
}

static bool is_bonded_to_nitrogen(const cardo_assignment *assignment, int atom)
{
    for (int k = 0; k < cardo_degree(assignment->bonds, atom); ++k)
        if (assignment->structure->element[cardo_neighbour(assignment->bonds, atom, k)] == NITROGEN)
            return true;
    return false;
}

cardo_status cardo_obc2_assign(cardo_assignment *assignment, cardo_error *error)
{
    cardo_terms *terms = assignment->terms;
    cardo_status status = cardo_gb_allocate(terms, solvent_dielectric, error);
    if (status != CARDO_OK)
        return status;
    for (int i = 0; i < terms->natom; ++i) {
        int element = assignment->structure->element[i];
        const element_row *row = row_of(element);
        terms->gb_scale[i] = row->scale;
        terms->gb_radius[i] = element == HYDROGEN && is_bonded_to_nitrogen(assignment, i)
                                  ? hydrogen_on_nitrogen_radius
                                  : row->radius;
    }
    return CARDO_OK;
}
