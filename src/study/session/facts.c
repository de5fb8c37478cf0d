#include "study/session/facts.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "multibody/manifold/description.h"
#include "study/session/forces.h"
#include "study/session/result.h"

#include <stdio.h>
#include <string.h>

static void add_text(cardo_result *into, const char *name, const char *text)
{
    if (text)
        cardo_result_text(into, &(cardo_quantity){name}, text);
}

static void add_hash(cardo_result *into, const char *name, unsigned long long hash)
{
    char text[32];
    snprintf(text, sizeof text, "%016llx", hash);
    add_text(into, name, text);
}

static void add_model_hashes(const cardo_session *session, cardo_result *into)
{
    char *text = NULL, *bytes = NULL;
    size_t length;
    if (cardo_model_description(session->system, session->provider, &text, NULL) == CARDO_OK)
        add_hash(into, "model_hash", cardo_hash(text, strlen(text), 0));
    if (session->model->path &&
        cardo_read_file(session->model->path, 0, &bytes, &length, NULL) == CARDO_OK)
        add_hash(into, "model_file_hash", cardo_hash(bytes, length, 0));
    cardo_free(text);
    cardo_free(bytes);
}

/* The files that the force field is made of, the curve that pulls, and a hash of the bytes of all. */
static void add_files(const cardo_model_forcefield *f, cardo_result *into)
{
    unsigned long long sum = 0;
    cardo_result *files = cardo_result_list(into, "files");
    for (int k = 0; k <= f->nfile + 1; ++k) {
        const char *path = k < f->nfile ? f->file[k] : k == f->nfile ? f->system : f->curve;
        char *bytes = NULL;
        size_t length;
        if (!path)
            continue;
        add_text(files, "file", path);
        if (cardo_read_file(path, 0, &bytes, &length, NULL) == CARDO_OK)
            sum = cardo_hash(bytes, length, sum);
        else /* an energy that is built in */
            sum = cardo_hash(path, strlen(path), sum);
        cardo_free(bytes);
    }
    add_hash(into, "files_hash", sum);
}

static void add_forcefield(const cardo_model_forcefield *f, cardo_result *into)
{
    char tolerance[32];
    add_files(f, into);
    cardo_format(tolerance, sizeof tolerance, "%.17g", f->tolerance);
    add_text(into, "parameters", f->parameters);
    add_text(into, "tolerance", tolerance);
    add_text(into, "properties", f->properties);
}

/* Of the last structure that has one. */
static void add_note(const cardo_model *model, cardo_result *into)
{
    const char *note = NULL;
    for (int k = 0; k < model->nstructure; ++k)
        note = model->structure[k].note ? model->structure[k].note : note;
    add_text(into, "note", note);
}

void cardo_session_facts(const cardo_session *session, cardo_result *into)
{
    char *openmm = NULL;
    if (cardo_platforms_describe(&openmm, NULL) == CARDO_OK)
        add_text(into, "openmm", openmm);
    cardo_free(openmm);
    if (session->provider) {
        add_text(into, "platform", cardo_session_platform(session));
        cardo_judgement_fill(session, into);
        add_forcefield(&session->model->forcefield, cardo_result_group(into, "forcefield"));
    }
    add_text(into, "model", session->model->path);
    add_note(session->model, into);
    add_model_hashes(session, into);
    cardo_result_vector(into, &(cardo_quantity){"start"}, cardo_system_nq(session->system),
                        cardo_state_q(session->state));
}

/* What holds free ligands, but where: the frames of the bodies that they are on tell that. */
static void describe_wells(const cardo_model *model, char *text, size_t size)
{
    for (int k = 0; k < model->nligand; ++k) {
        const cardo_model_ligand *ligand = &model->ligand[k];
        const cardo_flat_bottom *w = &ligand->well;
        if (ligand->is_held)
            cardo_append(text, size,
                         "restraint of %s: %d, %.9g %.9g %.9g about %.9g %.9g %.9g, %.9g\n",
                         ligand->name, (int)w->shape, w->extent[0], w->extent[1], w->extent[2],
                         w->frame1.p.x, w->frame1.p.y, w->frame1.p.z, w->stiffness);
    }
}

static void describe_pull(const cardo_model_forcefield *f, char *text, size_t size)
{
    if (f->curve)
        cardo_append(text, size, "saxs %.17g c1 %.17g c2 %.17g q %.17g %.17g background %d\n",
                     f->curve_weight, f->curve_c1, f->curve_c2, f->curve_low, f->curve_high,
                     f->curve_background);
}

cardo_status cardo_describe_forces(const cardo_session *session, char **text, cardo_error *error)
{
    const cardo_model_forcefield *f = &session->model->forcefield;
    size_t n = 2048 + 256 * (size_t)session->model->nligand;
    char salt[64] = "";
    if (session->kappa > 0)
        cardo_format(salt, sizeof salt, "kappa %.17g\n", session->kappa);
    cardo_status status = cardo_allocate((void **)text, n, 1, error);
    if (status == CARDO_OK) {
        cardo_format(*text, n,
                     "platform %s\nsolvent %s\nmethod %s\ncutoff %.17g\ntable %s\n"
                     "table-error %.17g\ntable-relative %.17g\n%s%s%s%s%s",
                     cardo_session_platform(session), f->solvent[0] ? f->solvent : "none",
                     f->method, f->cutoff, f->table[0] ? f->table : "none", f->table_error,
                     f->table_relative, salt, f->parameters[0] ? "parameters " : "", f->parameters,
                     f->parameters[0] ? "\n" : "", session->coarse ? session->coarse->summary : "");
        describe_wells(session->model, *text, n);
        describe_pull(f, *text, n);
    }
    return status;
}
