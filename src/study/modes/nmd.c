#include "study/modes/nmd.h"

#include "base/number.h"
#include "base/units.h"

#include <math.h>

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

cardo_status cardo_nmd_print(const void *nmd, FILE *stream, cardo_error *error)
{
    const cardo_nmd *self = nmd;
    (void)error;
    fprintf(stream, "name %s\n", self->title);
    write_atoms(stream, self->structure, self->natom, self->atom, self->position);
    for (int m = 0; m < self->nmode; ++m)
        write_mode(stream, self->natom, self->number[m], self->scale[m],
                   self->displacement + 3 * (size_t)self->natom * (size_t)m);
    return CARDO_OK;
}
