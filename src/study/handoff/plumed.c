#include "study/handoff/job.h"

#include "base/letters.h"
#include "base/number.h"

#include <stdio.h>

static const char *const point_names[CARDO_HINGE_POINTS] = {"beside", "axis1", "axis2", "moving"};

/* PLUMED's labels are words. */
static void label_of(const char *name, char label[CARDO_FIELD_STRING_SIZE])
{
    int n = 0;
    for (; *name && n < CARDO_FIELD_STRING_SIZE - 1; ++name)
        label[n++] = cardo_is_letter(*name) || (*name >= '0' && *name <= '9') ? *name : '_';
    label[n] = '\0';
}

/* PLUMED counts atoms from 1. */
static void print_point(const cardo_hinge_angle *hinge, int k, const char *label, FILE *stream)
{
    fprintf(stream, "%s_%s: CENTER NOPBC ...\n  ATOMS=", label, point_names[k]);
    for (int i = 0; i < hinge->n[k]; ++i)
        fprintf(stream, "%s%d", i ? "," : "", hinge->atom[k][i] + 1);
    fputs("\n  WEIGHTS=", stream);
    for (int i = 0; i < hinge->n[k]; ++i)
        cardo_print(stream, "%s%.12g", i ? "," : "", hinge->weight[k][i]);
    fputs("\n...\n", stream);
}

static cardo_status print(const void *self, FILE *stream, cardo_error *error)
{
    const cardo_handoff *h = self;
    char label[CARDO_FIELD_STRING_SIZE];
    (void)error;
    cardo_print(
        stream,
        "# q of a hinge: 1/2 and the torsion of four weighted centroids of C-alpha atoms, over "
        "the angle from q = 0 to q = 1.\n"
        "# Atoms count as in the frames; in a system with water they must stand first.\n"
        "WHOLEMOLECULES ENTITY0=1-%d\n",
        h->session->terms->natom);
    for (int k = 0; k < h->nhinge; ++k) {
        label_of(h->hinge[k].name, label);
        fputc('\n', stream);
        for (int p = 0; p < CARDO_HINGE_POINTS; ++p)
            print_point(&h->hinge[k], p, label, stream);
        fprintf(stream, "%s_angle: TORSION NOPBC ATOMS=%s_beside,%s_axis1,%s_axis2,%s_moving\n",
                label, label, label, label, label);
        cardo_print(stream, "q_%s: CUSTOM ARG=%s_angle FUNC=0.5+x/%.15g PERIODIC=NO\n", label,
                    label, h->hinge[k].angle);
        cardo_print(stream, "# RESTRAINT ARG=q_%s AT=0.5 KAPPA=5000\n", label);
    }
    fputs("\nPRINT STRIDE=100 FILE=COLVAR ARG=", stream);
    for (int k = 0; k < h->nhinge; ++k) {
        label_of(h->hinge[k].name, label);
        fprintf(stream, "%sq_%s", k ? "," : "", label);
    }
    fputc('\n', stream);
    return CARDO_OK;
}

cardo_status cardo_handoff_plumed(const cardo_handoff *handoff, cardo_result *programs,
                                  cardo_error *error)
{
    if (handoff->nhinge == 0) {
        cardo_handoff_tell(programs, "PLUMED", NULL, "no hinge of the model turns about one axis");
        return CARDO_OK;
    }
    cardo_handoff_tell(
        programs, "PLUMED", "plumed.dat",
        "q of each hinge, for any program that PLUMED is part of; it has not been run "
        "by us");
    return cardo_writer_print(handoff->writer, "plumed.dat", print, handoff, error);
}
