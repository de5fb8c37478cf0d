#include "forces/terms/check.h"

static cardo_status check_index(int atom, int natom, const char *what, int number,
                                cardo_error *error)
{
    if (atom >= 0 && atom < natom)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "%s %d names atom %d of %d", what, number, atom,
                      natom);
}

static cardo_status check_atoms(int count, const int *atom, int natom, const char *what, int number,
                                cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < count && status == CARDO_OK; k++)
        status = check_index(atom[k], natom, what, number, error);
    return status;
}

static cardo_status check_map(const cardo_terms *terms, int map, int number, cardo_error *error)
{
    if (map >= 0 && map < terms->nmap)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "cmap %d names map %d of %d", number, map,
                      terms->nmap);
}

/* OpenMM checks indices too, but only after their bodies have been looked up. */
cardo_status cardo_terms_check(const cardo_terms *terms, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int n = terms->natom;
    for (int i = 0; i < terms->nbond; i++) {
        const cardo_bond_term t = cardo_terms_bond(terms, i);
        CARDO_TRY(check_atoms(2, (int[2]){t.a, t.b}, n, "bond", i, error));
    }
    for (int i = 0; i < terms->nangle; i++) {
        const cardo_angle_term t = cardo_terms_angle(terms, i);
        CARDO_TRY(check_atoms(3, (int[3]){t.a, t.b, t.c}, n, "angle", i, error));
    }
    for (int i = 0; i < terms->ntorsion; i++) {
        const cardo_torsion_term t = cardo_terms_torsion(terms, i);
        CARDO_TRY(check_atoms(4, (int[4]){t.a, t.b, t.c, t.d}, n, "torsion", i, error));
    }
    for (int i = 0; i < terms->nharmonic_torsion; i++) {
        const cardo_harmonic_torsion_term t = cardo_terms_harmonic_torsion(terms, i);
        CARDO_TRY(check_atoms(4, (int[4]){t.a, t.b, t.c, t.d}, n, "improper", i, error));
    }
    for (int i = 0; i < terms->nrb_torsion; i++) {
        const cardo_rb_torsion_term t = cardo_terms_rb_torsion(terms, i);
        CARDO_TRY(check_atoms(4, (int[4]){t.a, t.b, t.c, t.d}, n, "torsion", i, error));
    }
    for (int i = 0; i < terms->ncmap; i++) {
        const cardo_cmap_term t = cardo_terms_cmap(terms, i);
        CARDO_TRY(check_atoms(5, t.atom, n, "cmap", i, error));
        CARDO_TRY(check_map(terms, t.map, i, error));
    }
    for (int i = 0; i < terms->nexception; i++) {
        const cardo_exception_term t = cardo_terms_exception(terms, i);
        CARDO_TRY(check_atoms(2, (int[2]){t.a, t.b}, n, "exception", i, error));
    }
done:
    return status;
}
