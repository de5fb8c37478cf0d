#include "study/domains/model.h"

#include "analysis/domains/files.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How a file is named as seen from a folder: both as paths from the root, without links. "../" goes up from the folder
 * to what they share; where that is the root alone, the file's own path is the plainer name. */
static cardo_status name_from(const char *folder, const char *file, char **out, cardo_error *error)
{
    size_t shared = 0, up = 0;
    for (size_t k = 0; folder[k] == file[k] || (!folder[k] && file[k] == '/'); ++k) {
        if (file[k] == '/')
            shared = k + 1;
        if (!folder[k])
            break;
    }
    if (shared <= 1)
        return cardo_copy_string(out, file, error);
    for (const char *at = strlen(folder) < shared ? "" : folder + shared - 1; *at;) {
        ++up;
        at += 1 + strcspn(at + 1, "/");
    }
    const size_t n = 3 * up + strlen(file + shared) + 1;
    cardo_status status = cardo_allocate((void **)out, n, 1, error);
    for (size_t k = 0; status == CARDO_OK && k < up; ++k)
        strcat(*out, "../");
    if (status == CARDO_OK)
        strcat(*out, file + shared);
    return status;
}

/* A file as the model's folder sees it; as it is given where one of them cannot be looked up. */
static cardo_status seen_from(const cardo_writer *writer, const char *file, char **out,
                              cardo_error *error)
{
    char *folder = realpath(writer->place ? writer->place : ".", NULL),
         *whole = realpath(file, NULL);
    cardo_status status = folder && whole ? name_from(folder, whole, out, error)
                                          : cardo_copy_string(out, file, error);
    free(folder);
    free(whole);
    return status;
}

static cardo_status print(const cardo_domain_model *m, const char *ending, cardo_print_file what,
                          const cardo_domain_files *files, cardo_error *error)
{
    char name[300];
    snprintf(name, sizeof name, "%.280s%s", m->options->name, ending);
    return cardo_writer_print(m->options->writer, name, what, files, error);
}

static const char *path_of(const cardo_domain_model *m, int k)
{
    return k == 0 && m->settled ? m->settled : m->inputs->two->structure[k].path;
}

/* Scripts are run wherever their user stands, so that they name what lies elsewhere from the root. */
static cardo_status print_scripts(const cardo_domain_model *m, cardo_domain_files files,
                                  cardo_error *error)
{
    cardo_status status;
    char *whole[2] = {NULL, NULL};
    for (int k = 0; k < m->inputs->two->nstructure; ++k)
        if (strncmp(files.source[k].file, "../", 3) == 0) {
            whole[k] = realpath(path_of(m, k), NULL);
            files.source[k].file = whole[k] ? whole[k] : files.source[k].file;
        }
    status = print(m, ".pml", cardo_domain_pymol_print, &files, error);
    if (status == CARDO_OK)
        status = print(m, ".cxc", cardo_domain_chimerax_print, &files, error);
    free(whole[0]);
    free(whole[1]);
    return status;
}

static cardo_status print_all(const cardo_domain_model *m, const cardo_domain_files *files,
                              cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(print(m, ".domains.xml", cardo_domain_annotation_print, files, error));
    CARDO_TRY(print(m, ".xml", cardo_domain_model_print, files, error));
    status = print_scripts(m, *files, error);
done:
    return status;
}

/* Structure k of the pair, of the file that is seen as such; made: that was written with its chains chosen already. */
static cardo_domain_source source_of(const cardo_domain_model *m, int k, const char *id,
                                     const char *file, bool made)
{
    const cardo_structure_definition *d = &m->inputs->definition[m->inputs->pair[k]];
    return (cardo_domain_source){
        .id = id, .file = file, .chains = made ? NULL : d->chains, .model = made ? 0 : d->model};
}

/* What motions begin in where the model has a geometry of its own, so that its coordinates mean what they did before. *seen is the caller's. */
static cardo_status name_begin(const cardo_domain_model *m, cardo_domain_source *from, char **seen,
                               cardo_error *error)
{
    const cardo_model *two = m->inputs->two;
    const char *id = "deposited";
    for (int k = 0; k < two->nstructure; ++k)
        if (strcmp(two->structure[k].id, id) == 0)
            id = "deposited.first";
    const cardo_status status = seen_from(m->options->writer, two->structure[0].path, seen, error);
    *from = source_of(m, 0, id, *seen, m->reference->prepared);
    return status;
}

/* Fills the sources; seen[k] is the caller's. */
static cardo_status name_sources(const cardo_domain_model *m, cardo_domain_files *files,
                                 char *seen[2], cardo_error *error)
{
    const cardo_model *two = m->inputs->two;
    cardo_status status = CARDO_OK;
    for (int k = 0; k < two->nstructure && status == CARDO_OK; ++k) {
        const bool made = k == 0 && (m->reference->prepared || m->settled);
        status = seen_from(m->options->writer, path_of(m, k), &seen[k], error);
        files->source[k] = source_of(m, k, two->structure[k].id, seen[k], made);
        files->source[k].identity = k ? m->inputs->identity : 0;
        files->source[k].note = k                       ? m->tried
                                : m->settled_note       ? m->settled_note
                                : m->reference->note[0] ? m->reference->note
                                                        : NULL;
    }
    return status;
}

cardo_status cardo_domain_model_write(const cardo_domain_model *m, cardo_error *error)
{
    const cardo_domain_inputs *inputs = m->inputs;
    const cardo_structure *reference = inputs->two->structure[0].structure;
    char name[640], annotation[300], *seen[2] = {NULL, NULL}, *begin = NULL;
    cardo_domain_source from;
    snprintf(name, sizeof name,
             m->strands     ? "%.300s, domains by predicted errors"
             : m->predicted ? "%.300s, predicted hinges"
                            : "%.300s to %.300s",
             inputs->definition[inputs->pair[0]].id, inputs->definition[inputs->pair[1]].id);
    snprintf(annotation, sizeof annotation, "%.280s.domains.xml", m->options->name);
    cardo_domain_files files = {.name = name,
                                .start = m->start,
                                .reference = reference,
                                .motions = m->motions,
                                .annotation = annotation,
                                .nligand = m->kept ? m->kept->n : 0,
                                .ligand = m->kept ? m->kept->ligand : NULL,
                                .forcefield = m->options->forcefield ? m->options->forcefield
                                              : m->kept && m->kept->forcefield
                                                  ? m->kept->forcefield
                                                  : cardo_usual_forcefield(reference),
                                .coarse = m->reference->coarse,
                                .predicted = m->predicted,
                                .strands = m->strands,
                                .joint = m->joint,
                                .lead = m->lead,
                                .welded = m->options->how.base == 1,
                                .giving = m->giving,
                                .settled = m->settled != NULL || m->strands,
                                .nstand = m->nstand,
                                .stand = m->stand,
                                .turning = m->turning,
                                .nled = m->led ? m->led->n : 0,
                                .led = m->led ? m->led->led : NULL};
    cardo_status status = name_sources(m, &files, seen, error);
    if (status == CARDO_OK && m->settled) {
        status = name_begin(m, &from, &begin, error);
        files.from = &from;
    }
    if (status == CARDO_OK)
        status = print_all(m, &files, error);
    cardo_free(begin);
    cardo_free(seen[0]);
    cardo_free(seen[1]);
    return status;
}
