#include "study/handoff/job.h"

#include "base/memory.h"
#include "base/number.h"
#include "forces/openmm/openmm.h"

#include <stdio.h>
#include <string.h>

extern const unsigned char cardo_file_run_openmm_py[];
extern const size_t cardo_file_run_openmm_py_size;

static cardo_status print_script(const void *self, FILE *stream, cardo_error *error)
{
    (void)self, (void)error;
    fwrite(cardo_file_run_openmm_py, 1, cardo_file_run_openmm_py_size, stream);
    return CARDO_OK;
}

static cardo_status print_text(const void *self, FILE *stream, cardo_error *error)
{
    (void)error;
    fputs(self, stream);
    return CARDO_OK;
}

static void print_group(const cardo_hinge_angle *hinge, int k, FILE *stream)
{
    fputs("    {\"atoms\": [", stream);
    for (int i = 0; i < hinge->n[k]; ++i)
        fprintf(stream, "%s%d", i ? ", " : "", hinge->atom[k][i]);
    fputs("],\n     \"weights\": [", stream);
    for (int i = 0; i < hinge->n[k]; ++i)
        cardo_print(stream, "%s%.17g", i ? ", " : "", hinge->weight[k][i]);
    fprintf(stream, "]}%s\n", k + 1 < CARDO_HINGE_POINTS ? "," : "");
}

/* Names of bodies are words of the model file: quotes and backslashes are escaped all the same. */
static void print_name(FILE *stream, const char *name)
{
    for (; *name; ++name) {
        if (*name == '"' || *name == '\\')
            fputc('\\', stream);
        fputc((unsigned char)*name < ' ' ? ' ' : *name, stream);
    }
}

/* Atoms count from 0, as in OpenMM. */
static cardo_status print_hinges(const void *self, FILE *stream, cardo_error *error)
{
    const cardo_handoff *h = self;
    (void)error;
    fputs(
        "{\"what\": \"q = 1/2 + torsion/angle of four centroids of atoms with these weights; atoms "
        "count from 0\",\n \"hinges\": [",
        stream);
    for (int k = 0; k < h->nhinge; ++k) {
        fprintf(stream, "%s\n  {\"name\": \"", k ? "," : "");
        print_name(stream, h->hinge[k].name);
        cardo_print(stream, "\", \"angle\": %.17g, \"groups\": [\n", h->hinge[k].angle);
        for (int p = 0; p < CARDO_HINGE_POINTS; ++p)
            print_group(&h->hinge[k], p, stream);
        fputs("  ]}", stream);
    }
    fputs("\n]}\n", stream);
    return CARDO_OK;
}

cardo_status cardo_handoff_openmm(const cardo_handoff *handoff, cardo_result *programs,
                                  cardo_error *error)
{
    cardo_status status;
    char *text = NULL;
    CARDO_TRY(cardo_openmm_system_text(handoff->session->terms, handoff->first, &text, error));
    CARDO_TRY(cardo_writer_print(handoff->writer, "system.xml", print_text, text, error));
    CARDO_TRY(cardo_writer_print(handoff->writer, "hinges.json", print_hinges, handoff, error));
    CARDO_TRY(cardo_writer_print(handoff->writer, "run_openmm.py", print_script, NULL, error));
    cardo_handoff_tell(programs, "OpenMM", "python3 run_openmm.py frame-01.pdb",
                       "all terms and the implicit solvent, over all pairs; q by "
                       "CustomCentroidBondForce, held where asked");
done:
    cardo_free(text);
    return status;
}
