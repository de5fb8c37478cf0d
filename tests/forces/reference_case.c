#include "reference_case.h"

#include "base/memory.h"
#include "base/text.h"
#include "structure/pdb/pdb.h"
#include "support/support.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FILES = 8, NPY_HEADER = 128 };

/* OpenMM's files that this source tree has under another name. */
static const char *const own_files[][2] = {
    {"amber14/protein.ff14SB.xml", "forcefields/ff14SB.xml"},
    {"amber99sb.xml", "forcefields/ff99SB.xml"},
    {"amber99_obc.xml", "forcefields/ff99SB_obc.xml"},
    {"implicit/hct.xml", "forcefields/implicit/hct.xml"},
    {"implicit/obc1.xml", "forcefields/implicit/obc1.xml"},
    {"implicit/obc2.xml", "forcefields/implicit/obc2.xml"},
    {"implicit/gbn.xml", "forcefields/implicit/gbn.xml"},
    {"implicit/gbn2.xml", "forcefields/implicit/gbn2.xml"},
};

cardo_status reference_numbers(const char *path, int count, double **out, cardo_error *error)
{
    char *bytes = NULL;
    size_t length, size = (size_t)count * sizeof(double);
    cardo_status status = CARDO_OK;
    *out = NULL;
    CARDO_TRY(cardo_read_file(path, 0, &bytes, &length, error));
    if (length != NPY_HEADER + size) {
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: %zu bytes where %d numbers need %zu",
                            path, length, count, NPY_HEADER + size);
        goto done;
    }
    CARDO_TRY(CARDO_ALLOCATE(out, count, error));
    memcpy(*out, bytes + NPY_HEADER, size);
done:
    cardo_free(bytes);
    return status;
}

static cardo_status read_positions(const char *path, reference_folder *folder, cardo_error *error)
{
    char file[4096];
    int count = 3 * folder->structure->natom;
    snprintf(file, sizeof file, "%s/positions.npy", path);
    if (access(file, R_OK) == 0)
        return reference_numbers(file, count, &folder->position, error);
    cardo_status status = CARDO_ALLOCATE(&folder->position, count, error);
    if (status == CARDO_OK)
        memcpy(folder->position, folder->structure->position, (size_t)count * sizeof(double));
    return status;
}

cardo_status reference_folder_read(const char *path, reference_folder *folder, cardo_error *error)
{
    char file[4096];
    json_error_t problem;
    const char *residues = support_source("topologies/residues.xml");
    cardo_status status = CARDO_OK;
    *folder = (reference_folder){0};
    snprintf(folder->path, sizeof folder->path, "%s", path);
    snprintf(file, sizeof file, "%s/reference.json", path);
    folder->json = json_load_file(file, 0, &problem);
    if (!folder->json)
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: %s", file, problem.text);
    const char *pdb = json_string_value(json_object_get(folder->json, "pdb"));
    snprintf(file, sizeof file, "%s/%s", path, pdb ? pdb : "?");
    CARDO_TRY(cardo_structure_read(file, 0, &folder->structure, error));
    CARDO_TRY(cardo_normalise_names(folder->structure, residues, error));
    CARDO_TRY(cardo_bonds_find(folder->structure, residues, &folder->bonds, error));
    CARDO_TRY(read_positions(path, folder, error));
done:
    if (status != CARDO_OK)
        reference_folder_clear(folder);
    return status;
}

void reference_folder_clear(reference_folder *folder)
{
    json_decref(folder->json);
    cardo_structure_destroy(folder->structure);
    cardo_bonds_destroy(folder->bonds);
    cardo_free(folder->position);
    *folder = (reference_folder){0};
}

const char *reference_openmm_data(void)
{
    static char found[4096];
    const char *set = getenv("CARDO_OPENMM_DATA");
    if (set)
        return set;
    glob_t matches = {0};
    if (!found[0] &&
        glob("/usr/lib/python3*/dist-packages/openmm/app/data", 0, NULL, &matches) == 0)
        snprintf(found, sizeof found, "%s", matches.gl_pathv[0]);
    globfree(&matches);
    return found[0] ? found : NULL;
}

static bool have_reference_files(void)
{
    return support_have_shared() && reference_openmm_data();
}

const support_need reference_files = {
    have_reference_files, "the reference folder (CARDO_SHARED) and OpenMM's force-field "
                          "files (CARDO_OPENMM_DATA)"};

/* The path of a file that a case names; false when it is not installed. */
static bool resolve(const char *name, char path[4096])
{
    for (size_t k = 0; k < sizeof own_files / sizeof *own_files; ++k)
        if (strcmp(own_files[k][0], name) == 0) {
            snprintf(path, 4096, "%s", support_source(own_files[k][1]));
            return true;
        }
    const char *data = reference_openmm_data();
    snprintf(path, 4096, "%s/%s", data ? data : "", name);
    return data && access(path, R_OK) == 0;
}

/* Cases of the compiled OBC2 name it instead of a file. */
static bool is_native_obc2(const char *name)
{
    return strncmp(name, "GBSAOBCForce(mbondi2", strlen("GBSAOBCForce(mbondi2")) == 0;
}

const char *reference_case_unsupported(const json_t *item)
{
    static char why[4096 + 64];
    const json_t *files = json_object_get(item, "files"), *file;
    const char *failure = json_string_value(json_object_get(item, "error"));
    char path[4096];
    size_t k;
    if (failure) {
        snprintf(why, sizeof why, "OpenMM fails too: %.200s", failure);
        return why;
    }
    json_array_foreach(files, k, file)
    {
        const char *name = json_string_value(file);
        if (!is_native_obc2(name) && !resolve(name, path)) {
            snprintf(why, sizeof why, "%.200s is not installed (set CARDO_OPENMM_DATA)", name);
            return why;
        }
    }
    return NULL;
}

cardo_status reference_case_terms(const reference_folder *folder, const json_t *item,
                                  cardo_terms **out, cardo_error *error)
{
    char path[MAX_FILES][4096];
    const char *paths[MAX_FILES];
    int npath = 0;
    bool native = false;
    cardo_forcefield *forcefield = NULL;
    cardo_status status = CARDO_OK;
    const json_t *files = json_object_get(item, "files"), *file;
    size_t k;
    *out = NULL;
    json_array_foreach(files, k, file)
    {
        native = native || is_native_obc2(json_string_value(file));
        if (is_native_obc2(json_string_value(file)) || npath == MAX_FILES)
            continue;
        resolve(json_string_value(file), path[npath]);
        paths[npath] = path[npath];
        ++npath;
    }
    CARDO_TRY(cardo_forcefield_read(npath, paths, &forcefield, error));
    if (native)
        CARDO_TRY(cardo_forcefield_use_solvent(forcefield, "obc2", error));
    CARDO_TRY(cardo_forcefield_assign(forcefield, folder->structure, folder->bonds, out, error));
    (*out)->kappa = json_number_value(json_object_get(item, "kappa_per_nm"));
done:
    cardo_forcefield_destroy(forcefield);
    return status;
}
