/* AMBER's files: the terms as a topology, the frames as restarts, and a run for sander or pmemd in the solvent of the terms. */
#include "study/handoff/job.h"

#include "base/number.h"
#include "forces/terms/prmtop.h"
#include "structure/amber/amber.h"

#include <stdio.h>
#include <string.h>

/* AMBER's number of a generalized Born model. */
typedef struct solvent_number {
    const char *model;
    int igb;
} solvent_number;

static const solvent_number numbers[] = {{"hct", 1}, {"obc1", 2}, {"obc2", 5},
                                         {"gbn", 7}, {"gbn2", 8}, {NULL, 0}};

/* Of no solvent: igb=6 is a molecule in vacuum, for sander and pmemd; what either makes of igb=0 depends on more. */
static const int vacuum = 6;

static int solvent_of(const cardo_terms *terms)
{
    for (int k = 0; terms->has_gb && numbers[k].model; ++k)
        if (strcmp(numbers[k].model, cardo_gb_model_of(terms)->name) == 0)
            return numbers[k].igb;
    return vacuum;
}

/* mol/L of salt that has this kappa (1/nm) in AMBER: 0.73 sqrt(0.10806 saltcon) in 1/A, at 298.15 K in water. */
static double salt_of(double kappa)
{
    const double root = kappa / (10 * 0.73);
    return root * root / 0.10806;
}

static cardo_status print_topology(const void *self, FILE *stream, cardo_error *error)
{
    const cardo_handoff *h = self;
    return cardo_prmtop_print(h->session->terms, h->session->model->structure[0].structure, stream,
                              error);
}

static cardo_status print_run(const void *self, FILE *stream, cardo_error *error)
{
    const cardo_terms *t = ((const cardo_handoff *)self)->session->terms;
    (void)error;
    cardo_print(stream,
                "1 ps of all atoms at 300 K, without a cutoff and without constraints\n"
                " &cntrl\n"
                "  imin=0, irest=0, ntx=1, nstlim=1000, dt=0.001,\n"
                "  ntt=3, gamma_ln=1.0, temp0=300.0, tempi=300.0, ig=1,\n"
                "  ntc=1, ntf=1, ntb=0, cut=9999.0, rgbmax=9999.0,\n"
                "  ntpr=100, ntwx=100, ntwr=1000,\n"
                "  igb=%d,",
                solvent_of(t));
    if (t->has_gb)
        cardo_print(stream, " gbsa=0, saltcon=%.9g, extdiel=%.6g, intdiel=%.6g,", salt_of(t->kappa),
                    t->solvent_dielectric, t->solute_dielectric);
    fputs("\n /\n", stream);
    return CARDO_OK;
}

typedef struct restart {
    const char *name;
    int natom;
    const double *positions;
} restart;

static cardo_status print_restart(const void *self, FILE *stream, cardo_error *error)
{
    const restart *r = self;
    (void)error;
    cardo_amber_restart_print(r->name, r->natom, r->positions, stream);
    return CARDO_OK;
}

cardo_status cardo_handoff_amber_look(cardo_handoff *handoff, cardo_error *error)
{
    const cardo_status status =
        cardo_prmtop_can_hold(handoff->session->terms, &handoff->not_for_amber);
    if (status == CARDO_OK)
        handoff->not_for_amber.message[0] = '\0';
    if (status == CARDO_OK || status == CARDO_ERROR_UNSUPPORTED)
        return CARDO_OK;
    if (error)
        *error = handoff->not_for_amber;
    return status;
}

cardo_status cardo_handoff_amber_frame(const cardo_handoff *handoff, const char *stem,
                                       const double *positions, cardo_error *error)
{
    char name[64];
    const restart r = {
        .name = stem, .natom = handoff->session->terms->natom, .positions = positions};
    if (handoff->not_for_amber.message[0])
        return CARDO_OK;
    cardo_format(name, sizeof name, "%s.rst7", stem);
    return cardo_writer_print(handoff->writer, name, print_restart, &r, error);
}

cardo_status cardo_handoff_amber(const cardo_handoff *handoff, cardo_result *programs,
                                 cardo_error *error)
{
    cardo_status status;
    if (handoff->not_for_amber.message[0]) {
        cardo_handoff_tell(programs, "AMBER", NULL, handoff->not_for_amber.message);
        return CARDO_OK;
    }
    CARDO_TRY(
        cardo_writer_print(handoff->writer, "topology.prmtop", print_topology, handoff, error));
    CARDO_TRY(cardo_writer_print(handoff->writer, "dynamics.mdin", print_run, handoff, error));
    cardo_handoff_tell(programs, "AMBER",
                       "sander -O -i dynamics.mdin -p topology.prmtop -c frame-01.rst7",
                       handoff->session->terms->has_gb
                           ? "all terms and the implicit solvent but for its surface term, which "
                             "AMBER does not have; sander has not been run by us"
                           : "all terms; sander has not been run by us");
done:
    return status;
}
