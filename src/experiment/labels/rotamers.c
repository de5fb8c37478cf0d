#include "experiment/labels/rotamers.h"

#include "base/memory.h"
#include "cardo/structure.h"
#include "structure/atoms/structure.h"

#include <stdbool.h>
#include <string.h>

/* Of the sum of two radii, the least distance: softer than contact, as side chains give way a little. */
static const double softness = 0.75;

static int find_atom(const cardo_structure *s, const char *name)
{
    for (int i = 0; i < s->natom; ++i)
        if (strcmp(s->atom_name[i].text, name) == 0)
            return i;
    return -1;
}

static bool clashes(const cardo_structure *s, cardo_transform X, const cardo_obstacles *obstacles)
{
    static const char *const kept[] = {"N", "CA", "C", "O", "OXT", "CB"};
    for (int i = 0; i < s->natom; ++i) {
        bool side = s->element[i] != 1;
        for (size_t k = 0; k < sizeof kept / sizeof *kept; ++k)
            side &= strcmp(s->atom_name[i].text, kept[k]) != 0;
        if (!side)
            continue;
        const cardo_vec3 p = xform_point(X, v3_load(s->position + 3 * (size_t)i));
        for (int j = 0; j < obstacles->n; ++j) {
            const cardo_vec3 d = v3_sub(v3_load(obstacles->position + 3 * (size_t)j), p);
            const double least =
                softness * (cardo_bondi_radius(s->element[i]) + obstacles->radius[j]);
            if (v3_dot(d, d) < least * least)
                return true;
        }
    }
    return false;
}

static cardo_status take(const cardo_structure *s, const char *path, int model, const char *spin,
                         const double backbone[9], const cardo_obstacles *obstacles,
                         cardo_label_cloud *cloud, cardo_error *error)
{
    const char *const names[4] = {"N", "CA", "C", spin};
    double from[9];
    cardo_transform X;
    int at = -1;
    for (int k = 0; k < 4; ++k) {
        at = find_atom(s, names[k]);
        if (at < 0)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s: rotamer %d has no atom %s: each is to have N, CA, C and %s",
                              path, model, names[k], spin);
        if (k < 3)
            memcpy(from + 3 * k, s->position + 3 * (size_t)at, 3 * sizeof *from);
    }
    const cardo_status status = cardo_superpose(3, from, backbone, NULL, &X, NULL, error);
    if (status != CARDO_OK || clashes(s, X, obstacles))
        return status;
    v3_store(cloud->position + 3 * (size_t)cloud->n,
             xform_point(X, v3_load(s->position + 3 * (size_t)at)));
    cloud->share[cloud->n] = s->occupancy[at] > 0 ? (double)s->occupancy[at] : 1;
    cloud->room[cloud->n++] = 1;
    return CARDO_OK;
}

cardo_status cardo_rotamers_place(const char *path, const char *spin, const double backbone[9],
                                  const cardo_obstacles *obstacles, cardo_label_cloud *cloud,
                                  cardo_error *error)
{
    cardo_status status;
    cardo_structure *s = NULL;
    CARDO_TRY(cardo_structure_read(path, 0, &s, error));
    const int nmodel = s->nmodel > 1 ? s->nmodel : 1;
    CARDO_TRY(CARDO_ALLOCATE(&cloud->position, 3 * (size_t)nmodel, error));
    CARDO_TRY(CARDO_ALLOCATE(&cloud->room, nmodel, error));
    CARDO_TRY(CARDO_ALLOCATE(&cloud->share, nmodel, error));
    for (int model = 1; model <= nmodel; ++model) {
        if (nmodel > 1) {
            cardo_structure_destroy(s);
            s = NULL;
            CARDO_TRY(cardo_structure_read(path, model, &s, error));
        }
        CARDO_TRY(take(s, path, model, spin, backbone, obstacles, cloud, error));
    }
done:
    cardo_structure_destroy(s);
    return status;
}
