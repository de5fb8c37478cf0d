#include "base/memory.h"
#include "forces/openmm/guard.h"
#include "forces/openmm/internal.h"

#include <stdlib.h>

typedef struct serialization {
    cardo_openmm_provider *provider;
    char *text; /* malloc's */
} serialization;

static cardo_status serialize(void *arg, cardo_error *error)
{
    serialization *job = arg;
    job->text = OpenMM_XmlSerializer_serializeSystem(job->provider->engine.system);
    return job->text ? CARDO_OK : CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for a System");
}

cardo_status cardo_openmm_system_text(const cardo_terms *terms, const double *positions, char **out,
                                      cardo_error *error)
{
    cardo_status status;
    serialization job = {0};
    const cardo_openmm_options options = {.platform = "Reference", .method = CARDO_NO_CUTOFF};
    *out = NULL;
    CARDO_TRY(
        cardo_openmm_provider_begin(terms, NULL, positions, false, &options, &job.provider, error));
    CARDO_TRY(cardo_openmm_guard_alone(serialize, &job, error));
    status = cardo_copy_string(out, job.text, error);
done:
    free(job.text);
    if (job.provider)
        job.provider->base.destroy(&job.provider->base);
    return status;
}
