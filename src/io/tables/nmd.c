#include "io/tables/nmd.h"

#include "base/number.h"
#include "base/output.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>

static void write_atoms(FILE *f, const cardo_structure *s, int natom, const int *atom,
                        const double *position)
{
    fprintf(f, "atomnames");
    for (int i = 0; i < natom; ++i)
        fprintf(f, " %s", s->atom_name[atom[i]].text);
    fprintf(f, "\nresnames");
    for (int i = 0; i < natom; ++i)
        fprintf(f, " %s", s->residue_name[s->atom_residue[atom[i]]].text);
    fprintf(f, "\nresids");
    for (int i = 0; i < natom; ++i)
        fprintf(f, " %d", s->residue_number[s->atom_residue[atom[i]]]);
    fprintf(f, "\nchainids");
    for (int i = 0; i < natom; ++i) {
        const char *id = s->chain_id[s->residue_chain[s->atom_residue[atom[i]]]].text;
        fprintf(f, " %s", id[0] ? id : "A");
    }
    fprintf(f, "\nbfactors");
    for (int i = 0; i < natom; ++i)
        cardo_print(f, " %.2f", (double)s->b_factor[atom[i]]);
    fprintf(f, "\ncoordinates");
    for (int k = 0; k < 3 * natom; ++k)
        cardo_print(f, " %.3f", position[k] / CARDO_ANGSTROM);
    fprintf(f, "\n");
}

static void write_mode(FILE *f, int natom, int number, double scale, const double *displacement)
{
    double square = 0;
    for (int k = 0; k < 3 * natom; ++k)
        square += displacement[k] * displacement[k];
    double unit = square > 0 ? 1 / sqrt(square) : 0;
    cardo_print(f, "mode %d %.4f", number, scale);
    for (int k = 0; k < 3 * natom; ++k)
        cardo_print(f, " %.5f", unit * displacement[k]);
    fprintf(f, "\n");
}

cardo_status cardo_nmd_write(const char *path, const char *title, const cardo_structure *structure,
                             int natom, const int *atom, const double *position, int nmode,
                             const int *numbers, const double *scale, const double *displacement,
                             cardo_error *error)
{
    cardo_output output = {0};
    cardo_status status = cardo_output_open(&output, path, error);
    if (status != CARDO_OK)
        return status;
    fprintf(output.stream, "name %s\n", title);
    write_atoms(output.stream, structure, natom, atom, position);
    for (int m = 0; m < nmode; ++m)
        write_mode(output.stream, natom, numbers[m], scale[m],
                   displacement + 3 * (size_t)natom * (size_t)m);
    return cardo_output_commit(&output, error);
}
