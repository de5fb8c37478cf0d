#include "structure/amber/amber.h"

#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "structure/atoms/allocate.h"
#include "structure/records/records.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static cardo_status check_counts(const cardo_prmtop_file *file, int natom, int nresidue,
                                 cardo_error *error)
{
    if (natom > 0 && nresidue > 0)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: POINTERS gives %d atoms in %d residues",
                      file->path, natom, nresidue);
}

/* Elements by atomic number where the file has them, else by mass. */
static cardo_status read_elements(const cardo_prmtop_file *file, cardo_structure *s,
                                  cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int *number = NULL;
    double *mass = NULL;
    if (cardo_prmtop_section_find(file, "ATOMIC_NUMBER"))
        CARDO_TRY(cardo_prmtop_integers(file, "ATOMIC_NUMBER", s->natom, &number, error));
    else
        CARDO_TRY(cardo_prmtop_numbers(file, "MASS", s->natom, &mass, error));
    for (int i = 0; i < s->natom; ++i) {
        int best = 0;
        for (int z = 1; mass && z < 119; ++z)
            if (fabs(cardo_element_mass(z) - mass[i]) <
                fabs((best ? cardo_element_mass(best) : 0) - mass[i]))
                best = z;
        if (number && number[i] > 0 && number[i] < 119)
            best = number[i];
        s->element[i] = (unsigned char)best;
    }
done:
    cardo_free(number);
    cardo_free(mass);
    return status;
}

static cardo_status number_residues(const cardo_prmtop_file *file, cardo_structure *s,
                                    const int *first, cardo_error *error)
{
    int n = s->nresidue;
    for (int k = 0; k < n; ++k) {
        int end = k + 1 < n ? first[k + 1] - 1 : s->natom;
        if (first[k] < 1 || first[k] > s->natom || end < first[k] || (k == 0 && first[k] != 1))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: residue %d starts at atom %d of %d",
                              file->path, k + 1, first[k], s->natom);
        s->residue_first[k] = first[k] - 1;
        s->residue_number[k] = k + 1;
        for (int i = first[k] - 1; i < end; ++i)
            s->atom_residue[i] = k;
    }
    s->residue_first[n] = s->natom;
    s->chain_first[1] = n;
    memcpy(s->chain_id[0].text, "A", 2);
    for (int i = 0; i < s->natom; ++i)
        s->serial[i] = i + 1;
    return CARDO_OK;
}

cardo_status cardo_prmtop_structure(const cardo_prmtop_file *file, cardo_structure **out,
                                    cardo_error *error)
{
    enum { NATOM = 0, NRES = 11 };
    cardo_status status = CARDO_OK;
    cardo_structure *s = NULL;
    cardo_name *atoms = NULL, *residues = NULL;
    int *first = NULL, *pointer = NULL;
    *out = NULL;
    CARDO_TRY(cardo_prmtop_integers(file, "POINTERS", NRES + 1, &pointer, error));
    int natom = pointer[NATOM], nresidue = pointer[NRES];
    CARDO_TRY(check_counts(file, natom, nresidue, error));
    CARDO_TRY(cardo_prmtop_names(file, "ATOM_NAME", natom, &atoms, error));
    CARDO_TRY(cardo_prmtop_names(file, "RESIDUE_LABEL", nresidue, &residues, error));
    CARDO_TRY(cardo_prmtop_integers(file, "RESIDUE_POINTER", nresidue, &first, error));
    CARDO_TRY(cardo_structure_allocate(file->path, natom, nresidue, 1, 0, &s, error));
    memcpy(s->atom_name, atoms, (size_t)natom * sizeof *atoms);
    memcpy(s->residue_name, residues, (size_t)nresidue * sizeof *residues);
    CARDO_TRY(number_residues(file, s, first, error));
    CARDO_TRY(read_elements(file, s, error));
    for (int i = 0; i < natom; ++i)
        s->occupancy[i] = 1;
    s->model = s->nmodel = 1;
    s->nrecord = natom;
    *out = s;
    s = NULL;
done:
    cardo_structure_destroy(s);
    cardo_free(atoms);
    cardo_free(residues);
    cardo_free(first);
    cardo_free(pointer);
    return status;
}

bool cardo_is_prmtop(const char *path)
{
    return cardo_file_begins(path, "%VERSION") || cardo_file_begins(path, "%FLAG");
}

/* The file beside a topology that probably has its coordinates. */
static cardo_status find_coordinates(const char *path, char **out, cardo_error *error)
{
    static const char *const endings[] = {".rst7", ".inpcrd", ".ncrst", ".rst", ".crd"};
    enum { LONGEST_ENDING = 8 };
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path);
    cardo_status status = cardo_allocate((void **)out, stem + LONGEST_ENDING, 1, error);
    if (status != CARDO_OK)
        return status;
    for (size_t k = 0; k < sizeof endings / sizeof *endings; ++k) {
        snprintf(*out, stem + LONGEST_ENDING, "%.*s%s", (int)stem, path, endings[k]);
        if (cardo_file_exists(*out))
            return CARDO_OK;
    }
    cardo_free(*out);
    *out = NULL;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s: is an AMBER topology, without coordinates: name their file "
                      "(coordinates=\"x.rst7\" in a model file), or put it beside the topology "
                      "under the same name, ending in .rst7, .inpcrd, .ncrst, .rst or .crd",
                      path);
}

cardo_status cardo_amber_structure_read(const char *path, const char *coordinates,
                                        cardo_structure **out, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_prmtop_file file = {.path = path};
    cardo_structure *s = NULL;
    char *beside = NULL;
    *out = NULL;
    CARDO_TRY(cardo_prmtop_file_read(path, &file, error));
    CARDO_TRY(cardo_prmtop_structure(&file, &s, error));
    if (!coordinates)
        CARDO_TRY(find_coordinates(path, &beside, error));
    CARDO_TRY(cardo_amber_coordinates_read(coordinates ? coordinates : beside, s->natom,
                                           s->position, error));
    *out = s;
    s = NULL;
done:
    cardo_prmtop_file_clear(&file);
    cardo_structure_destroy(s);
    cardo_free(beside);
    return status;
}
