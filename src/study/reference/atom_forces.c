#include "study/reference/atom_forces.h"

#include "base/memory.h"
#include "base/vec.h"

#include <string.h>

cardo_status cardo_atom_forces_open(cardo_force_provider *provider, int natom,
                                    cardo_atom_forces *forces, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    *forces = (cardo_atom_forces){.provider = provider, .natom = natom};
    if (!(provider->traits & CARDO_FORCE_WANTS_POSES))
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&forces->pose, natom + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&forces->force, natom + 1, error));
    for (int i = 0; i <= natom; ++i)
        forces->pose[i].R = m33_identity();
done:
    return status;
}

void cardo_atom_forces_clear(cardo_atom_forces *forces)
{
    cardo_free(forces->pose);
    cardo_free(forces->force);
    *forces = (cardo_atom_forces){0};
}

static void place_atoms(const cardo_atom_forces *f, const double *positions)
{
    memset(f->force, 0, ((size_t)f->natom + 1) * sizeof *f->force);
    for (int i = 0; i < f->natom; ++i)
        f->pose[i + 1].p = v3_load(positions + 3 * (size_t)i);
}

cardo_status cardo_atom_forces_compute(const cardo_atom_forces *forces, const double *positions,
                                       double *terms, double *gradient, double *energy,
                                       cardo_error *error)
{
    cardo_force_provider *provider = forces->provider;
    const size_t natom = (size_t)forces->natom;
    cardo_force_evaluation evaluation = {
        .nstation = forces->natom, .station_positions = positions, .term_energies = terms};
    if (forces->pose) {
        place_atoms(forces, positions);
        evaluation.nbody = forces->natom + 1;
        evaluation.X_GB = forces->pose;
        evaluation.body_forces = forces->force;
    } else if (provider->position_buffer) {
        memcpy(provider->position_buffer, positions, 3 * natom * sizeof *positions);
        evaluation.station_positions = provider->position_buffer;
    }
    cardo_status status = provider->compute(provider, &evaluation, error);
    if (status != CARDO_OK)
        return status;
    *energy = evaluation.energy;
    for (size_t i = 0; i < natom && gradient; ++i)
        v3_store(gradient + 3 * i,
                 v3_scale(-1, forces->pose ? forces->force[i + 1].linear
                                           : v3_load(evaluation.station_forces + 3 * i)));
    return CARDO_OK;
}
