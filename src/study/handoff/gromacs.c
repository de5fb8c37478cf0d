/* A GROMACS topology of the terms: one molecule of all atoms, every term spelt out. GROMACS has no implicit solvent since 2019: what is
 * written is the molecule as it is put into water. */
#include "study/handoff/job.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* nm, between the molecule and its box. */
static const double margin = 1.2;

typedef struct topology {
    const cardo_handoff *handoff;
    const cardo_terms *terms;
    const cardo_structure *structure;
    int *type; /* of Lennard-Jones parameters (natom): the first atom that has them */
} topology;

static double degrees(double radian)
{
    return radian * 180 / CARDO_PI;
}

static const char *why_not(const cardo_terms *t)
{
    return t->ncmap > 0 ? "the force field has CMAP terms, which are not written"
           : t->nharmonic_torsion > 0
               ? "the force field has harmonic impropers without a wrap, which "
                 "are not written"
           : t->nspecial_pair > 0 ? "pairs of atoms have Lennard-Jones rules of their own (NBFIX), "
                                    "which are not written"
           : !t->has_nonbonded    ? "there are no nonbonded terms"
                                  : NULL;
}

static void find_types(topology *top)
{
    const cardo_terms *t = top->terms;
    for (int i = 0; i < t->natom; ++i) {
        int first = 0;
        while (cardo_terms_sigma(t, first) < cardo_terms_sigma(t, i) ||
               cardo_terms_sigma(t, first) > cardo_terms_sigma(t, i) ||
               cardo_terms_epsilon(t, first) < cardo_terms_epsilon(t, i) ||
               cardo_terms_epsilon(t, first) > cardo_terms_epsilon(t, i))
            ++first;
        top->type[i] = first;
    }
}

static void print_types(const topology *top, FILE *stream)
{
    const cardo_terms *t = top->terms;
    fputs("[ defaults ]\n; nbfunc comb-rule gen-pairs fudgeLJ fudgeQQ\n1 2 no 1 1\n\n"
          "[ atomtypes ]\n; name at.num mass charge ptype sigma epsilon\n",
          stream);
    for (int i = 0; i < t->natom; ++i)
        if (top->type[i] == i)
            cardo_print(stream, "t%d %d %.6g 0 A %.12g %.12g\n", i + 1, top->structure->element[i],
                        cardo_terms_mass(t, i), cardo_terms_sigma(t, i), cardo_terms_epsilon(t, i));
}

static void print_atoms(const topology *top, FILE *stream)
{
    const cardo_terms *t = top->terms;
    const cardo_structure *s = top->structure;
    fputs("\n[ moleculetype ]\nmolecule 3\n\n[ atoms ]\n; nr type resnr residue atom cgnr charge "
          "mass\n",
          stream);
    for (int i = 0; i < t->natom; ++i) {
        const int r = s->atom_residue[i];
        const char insertion[2] = {s->insertion[r], '\0'};
        cardo_print(stream, "%d t%d %d%s %s %s %d %.9g %.9g\n", i + 1, top->type[i] + 1,
                    s->residue_number[r], insertion, cardo_structure_residue_name(s, r),
                    cardo_structure_atom_name(s, i), i + 1, cardo_terms_charge(t, i),
                    cardo_terms_mass(t, i));
    }
}

static void print_bonded(const topology *top, FILE *stream)
{
    const cardo_terms *t = top->terms;
    fputs("\n[ bonds ]\n", stream);
    for (int k = 0; k < t->nbond; ++k) {
        const cardo_bond_term b = cardo_terms_bond(t, k);
        cardo_print(stream, "%d %d 1 %.12g %.12g\n", b.a + 1, b.b + 1, b.length, b.k);
    }
    fputs("\n[ angles ]\n", stream);
    for (int k = 0; k < t->nangle; ++k) {
        const cardo_angle_term a = cardo_terms_angle(t, k);
        cardo_print(stream, "%d %d %d 1 %.12g %.12g\n", a.a + 1, a.b + 1, a.c + 1, degrees(a.angle),
                    a.k);
    }
    fputs("\n[ dihedrals ]\n", stream);
    for (int k = 0; k < t->ntorsion; ++k) {
        const cardo_torsion_term d = cardo_terms_torsion(t, k);
        cardo_print(stream, "%d %d %d %d 9 %.12g %.12g %d\n", d.a + 1, d.b + 1, d.c + 1, d.d + 1,
                    degrees(d.phase), d.k, d.periodicity);
    }
    for (int k = 0; k < t->nrb_torsion; ++k) {
        const cardo_rb_torsion_term d = cardo_terms_rb_torsion(t, k);
        fprintf(stream, "%d %d %d %d 3", d.a + 1, d.b + 1, d.c + 1, d.d + 1);
        for (int c = 0; c < 6; ++c)
            cardo_print(stream, " %.12g", d.coefficient[c]);
        fputc('\n', stream);
    }
}

/* Pairs of their own take charges and parameters as they are (function 2); all exceptions are exclusions besides. */
static void print_pairs(const topology *top, FILE *stream)
{
    const cardo_terms *t = top->terms;
    fputs("\n[ pairs ]\n", stream);
    for (int k = 0; k < t->nexception; ++k) {
        const cardo_exception_term x = cardo_terms_exception(t, k);
        if (fabs(x.charge_product) > 0 || x.epsilon > 0)
            cardo_print(stream, "%d %d 2 1 %.12g 1 %.12g %.12g\n", x.a + 1, x.b + 1,
                        x.charge_product, x.sigma, x.epsilon);
    }
    fputs("\n[ exclusions ]\n", stream);
    for (int k = 0; k < t->nexception; ++k) {
        const cardo_exception_term x = cardo_terms_exception(t, k);
        fprintf(stream, "%d %d\n", x.a + 1, x.b + 1);
    }
}

static cardo_status print_topology(const void *self, FILE *stream, cardo_error *error)
{
    const topology *top = self;
    (void)error;
    fputs("; A molecule without solvent, of the terms of its force field. Put it into water before "
          "it "
          "runs: the implicit solvent of\n; the frames has no counterpart in GROMACS.\n",
          stream);
    print_types(top, stream);
    print_atoms(top, stream);
    print_bonded(top, stream);
    print_pairs(top, stream);
    fputs("\n[ system ]\nmolecule\n\n[ molecules ]\nmolecule 1\n", stream);
    return CARDO_OK;
}

/* The first frame, in a box. */
static cardo_status print_coordinates(const void *self, FILE *stream, cardo_error *error)
{
    const topology *top = self;
    const cardo_structure *s = top->structure;
    const double *p = top->handoff->first;
    double low[3], high[3];
    (void)error;
    memcpy(low, p, sizeof low);
    memcpy(high, p, sizeof high);
    for (int i = 0; i < 3 * s->natom; ++i) {
        low[i % 3] = fmin(low[i % 3], p[i]);
        high[i % 3] = fmax(high[i % 3], p[i]);
    }
    fprintf(stream, "first frame\n%d\n", s->natom);
    for (int i = 0; i < s->natom; ++i) {
        const int r = s->atom_residue[i];
        cardo_print(stream, "%5d%-5.5s%5.5s%5d%8.3f%8.3f%8.3f\n", s->residue_number[r] % 100000,
                    cardo_structure_residue_name(s, r), cardo_structure_atom_name(s, i),
                    (i + 1) % 100000, p[3 * i] - low[0] + margin, p[3 * i + 1] - low[1] + margin,
                    p[3 * i + 2] - low[2] + margin);
    }
    cardo_print(stream, "%.5f %.5f %.5f\n", high[0] - low[0] + 2 * margin,
                high[1] - low[1] + 2 * margin, high[2] - low[2] + 2 * margin);
    return CARDO_OK;
}

static cardo_status print_run(const void *self, FILE *stream, cardo_error *error)
{
    (void)self, (void)error;
    fputs(
        "; a minimization, to see that topology and coordinates belong together\nintegrator = "
        "steep\nnsteps = 100\ncutoff-scheme = Verlet\ncoulombtype = cut-off\nrcoulomb = 1.0\nrvdw "
        "= 1.0\npbc = xyz\n",
        stream);
    return CARDO_OK;
}

cardo_status cardo_handoff_gromacs(const cardo_handoff *handoff, cardo_result *programs,
                                   cardo_error *error)
{
    cardo_status status;
    topology top = {.handoff = handoff,
                    .terms = handoff->session->terms,
                    .structure = handoff->session->model->structure[0].structure};
    const char *reason = why_not(top.terms);
    if (reason) {
        cardo_handoff_tell(programs, "GROMACS", NULL, reason);
        return CARDO_OK;
    }
    CARDO_TRY(CARDO_ALLOCATE(&top.type, top.terms->natom, error));
    find_types(&top);
    CARDO_TRY(cardo_writer_print(handoff->writer, "topol.top", print_topology, &top, error));
    CARDO_TRY(cardo_writer_print(handoff->writer, "conf.gro", print_coordinates, &top, error));
    CARDO_TRY(cardo_writer_print(handoff->writer, "minimize.mdp", print_run, NULL, error));
    cardo_handoff_tell(programs, "GROMACS", "gmx grompp -f minimize.mdp -c conf.gro -p topol.top",
                       top.terms->has_gb
                           ? "without the implicit solvent, which GROMACS does not have: "
                             "for water; q through PLUMED"
                           : "q through PLUMED");
done:
    cardo_free(top.type);
    return status;
}
