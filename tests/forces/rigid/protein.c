#include "protein.h"

#include "base/memory.h"
#include "forces/ffxml/forcefield.h"
#include "structure/pdb/pdb.h"
#include "support/support.h"
#include "topology/bonds.h"

#include <string.h>

static int number_of(const cardo_structure *structure, int atom)
{
    return structure->residue_number[structure->atom_residue[atom]];
}

int rigid_lao(const cardo_structure *structure, int atom)
{
    int n = number_of(structure, atom);
    return n >= 92 && n <= 191 ? 2 : 1;
}

int rigid_adenylate_kinase(const cardo_structure *structure, int atom)
{
    int n = number_of(structure, atom);
    return n >= 30 && n <= 59 ? 2 : n >= 122 && n <= 159 ? 3 : 1;
}

int rigid_light_chain(const cardo_structure *structure, int atom)
{
    return number_of(structure, atom) <= 110 ? 1 : 2;
}

static bool has_side_chain(const cardo_structure *structure, int residue)
{
    static const char *const without[] = {"GLY", "ALA", "PRO", "CYX", "CYS"};
    for (size_t k = 0; k < sizeof without / sizeof *without; ++k)
        if (strcmp(structure->residue_name[residue].text, without[k]) == 0)
            return false;
    return true;
}

static bool is_backbone(const char *name)
{
    static const char *const names[] = {"N",  "H",  "H1", "H2", "H3",  "CA",
                                        "HA", "CB", "C",  "O",  "OXT", NULL};
    for (int k = 0; names[k]; ++k)
        if (strcmp(name, names[k]) == 0)
            return true;
    return false;
}

/* The first hundred side chains that reach beyond C-beta as bodies from 3 on, and the rest as given. */
static int side_chain_or(const cardo_structure *structure, int atom, rigid_partition rest)
{
    enum { SIDE_CHAINS = 100 };
    int residue = structure->atom_residue[atom], before = 0;
    for (int k = 0; k < residue; ++k)
        before += has_side_chain(structure, k);
    if (before >= SIDE_CHAINS || !has_side_chain(structure, residue) ||
        is_backbone(structure->atom_name[atom].text))
        return rest(structure, atom);
    return 3 + before;
}

int rigid_lao_side_chains(const cardo_structure *structure, int atom)
{
    return side_chain_or(structure, atom, rigid_lao);
}

int rigid_light_chain_side_chains(const cardo_structure *structure, int atom)
{
    return side_chain_or(structure, atom, rigid_light_chain);
}

/* How far an atom is from the backbone: 0 up to C-beta, 1 for gamma, 2 for delta and beyond. */
static int remoteness(const char *name)
{
    while (*name >= '0' && *name <= '9')
        ++name;
    if (name[0] && name[1] == 'G')
        return 1;
    return name[0] && strchr("DEZH", name[1]) && name[1] ? 2 : 0;
}

/* The piece of a residue that an atom turns with: the peptide group before C-alpha, C-alpha with C-beta, C=O, or a
 * part of the side chain. */
static int piece_of(const char *name)
{
    enum { AMIDE, ALPHA, CARBONYL, GAMMA };
    if (strcmp(name, "N") == 0 || strcmp(name, "H") == 0)
        return AMIDE;
    if (strcmp(name, "C") == 0 || strcmp(name, "O") == 0)
        return CARBONYL;
    return remoteness(name) == 0 ? ALPHA : GAMMA + remoteness(name) - 1;
}

static bool is_within(int number, const int (*ranges)[2], int n)
{
    for (int k = 0; k < n; ++k)
        if (number >= ranges[k][0] && number <= ranges[k][1])
            return true;
    return false;
}

int rigid_lao_flexible(const cardo_structure *structure, int atom)
{
    static const int strands[][2] = {{12, 18},   {88, 93},   {141, 144},
                                     {160, 169}, {190, 195}, {229, 233}};
    enum { STRANDS = sizeof strands / sizeof *strands, PIECES = 5 };
    const char *name = structure->atom_name[atom].text;
    const int piece = piece_of(name), residue = structure->atom_residue[atom];
    if (is_within(number_of(structure, atom), strands, STRANDS))
        return 3 + PIECES * residue + piece;
    /* About as many side chains as those within 0.6 nm of the other domain. */
    const bool turns = residue % 4 == 0 && has_side_chain(structure, residue) && piece > 2;
    return turns ? 3 + PIECES * residue + piece : rigid_lao(structure, atom);
}

int rigid_single_atoms(const cardo_structure *structure, int atom)
{
    (void)structure;
    return 1 + atom;
}

static void assign(rigid_protein *protein, const char *solvent)
{
    cardo_error error = {0};
    cardo_bonds *bonds = NULL;
    cardo_forcefield *forcefield = NULL;
    const char *residues = support_source("topologies/residues.xml");
    const char *file = support_source("forcefields/ff14SB.xml");
    assert_ok(cardo_normalise_names(protein->structure, residues, &error), &error);
    assert_ok(cardo_bonds_find(protein->structure, residues, &bonds, &error), &error);
    assert_ok(cardo_forcefield_read(1, &file, &forcefield, &error), &error);
    if (solvent)
        assert_ok(cardo_forcefield_use_solvent(forcefield, solvent, &error), &error);
    assert_ok(
        cardo_forcefield_assign(forcefield, protein->structure, bonds, &protein->terms, &error),
        &error);
    cardo_forcefield_destroy(forcefield);
    cardo_bonds_destroy(bonds);
}

static void cut(rigid_protein *protein, rigid_partition partition)
{
    const cardo_structure *structure = protein->structure;
    cardo_error error = {0};
    int *count = NULL;
    assert_ok(CARDO_ALLOCATE(&protein->body, structure->natom, &error), &error);
    for (int i = 0; i < structure->natom; ++i) {
        protein->body[i] = partition(structure, i);
        if (protein->body[i] >= protein->nbody)
            protein->nbody = protein->body[i] + 1;
    }
    assert_ok(CARDO_ALLOCATE(&protein->home, protein->nbody, &error), &error);
    assert_ok(CARDO_ALLOCATE(&protein->station, 3 * structure->natom, &error), &error);
    assert_ok(CARDO_ALLOCATE(&protein->position, 3 * structure->natom, &error), &error);
    assert_ok(CARDO_ALLOCATE(&count, protein->nbody, &error), &error);
    for (int b = 0; b < protein->nbody; ++b)
        protein->home[b] = xform_identity();
    for (int i = 0; i < structure->natom; ++i) {
        int b = protein->body[i];
        cardo_vec3 x = v3_load(structure->position + 3 * i), *p = &protein->home[b].p;
        *p = v3_add_scaled(*p, 1.0 / ++count[b], v3_sub(x, *p));
    }
    for (int i = 0; i < structure->natom; ++i)
        v3_store(protein->station + 3 * i,
                 v3_sub(v3_load(structure->position + 3 * i), protein->home[protein->body[i]].p));
    cardo_free(count);
}

void rigid_protein_read(const char *path, const char *solvent, rigid_partition partition,
                        rigid_protein *protein)
{
    cardo_error error = {0};
    *protein = (rigid_protein){0};
    assert_ok(cardo_structure_read(path, 0, &protein->structure, &error), &error);
    assign(protein, solvent);
    cut(protein, partition);
}

void rigid_protein_clear(rigid_protein *protein)
{
    cardo_structure_destroy(protein->structure);
    cardo_terms_destroy(protein->terms);
    cardo_free(protein->body);
    cardo_free(protein->station);
    cardo_free(protein->home);
    cardo_free(protein->position);
}

static cardo_vec3 random_vector(uint64_t *seed)
{
    double x = support_random(seed), y = support_random(seed), z = support_random(seed);
    return v3(x, y, z);
}

void rigid_random_poses(const rigid_protein *protein, double angle, double distance, uint64_t *seed,
                        cardo_transform *X_GB)
{
    X_GB[0] = xform_identity();
    for (int b = 1; b < protein->nbody; ++b) {
        cardo_vec3 axis = v3_unit(random_vector(seed));
        X_GB[b].R = m33_mul(m33_rotation(axis, angle * support_random(seed)), protein->home[b].R);
        X_GB[b].p = v3_add_scaled(protein->home[b].p, distance, random_vector(seed));
    }
}

cardo_status rigid_forces_of_atoms(const rigid_protein *protein, cardo_force_provider *provider,
                                   const cardo_transform *X_GB, double *energy, double *terms,
                                   cardo_spatial *forces, cardo_error *error)
{
    const int natom = protein->terms->natom;
    double *x = protein->position;
    for (int i = 0; i < natom; ++i)
        v3_store(x + 3 * i, xform_point(X_GB[protein->body[i]], v3_load(protein->station + 3 * i)));
    cardo_force_evaluation evaluation = {
        .nstation = natom, .station_positions = x, .term_energies = terms};
    cardo_status status = provider->compute(provider, &evaluation, error);
    if (status != CARDO_OK)
        return status;
    *energy = evaluation.energy;
    memset(forces, 0, sizeof *forces * (size_t)protein->nbody);
    for (int i = 0; i < natom; ++i) {
        int b = protein->body[i];
        cardo_vec3 f = v3_load(evaluation.station_forces + 3 * i);
        cardo_vec3 arm = v3_sub(v3_load(x + 3 * i), X_GB[b].p);
        forces[b].linear = v3_add(forces[b].linear, f);
        forces[b].angular = v3_add(forces[b].angular, v3_cross(arm, f));
    }
    return CARDO_OK;
}
