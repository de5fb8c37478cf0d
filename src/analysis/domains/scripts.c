#include "analysis/domains/files.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"

#include <stdio.h>
#include <string.h>

static const double angstroms = 1 / CARDO_ANGSTROM; /* in a nm */

/* Colours that the colour-blind can tell apart (Okabe & Ito 2008), as red, green, blue. */
static const double colours[][3] = {
    {0.00, 0.45, 0.70}, {0.90, 0.62, 0.00}, {0.00, 0.62, 0.45}, {0.80, 0.47, 0.65},
    {0.34, 0.71, 0.91}, {0.84, 0.37, 0.00}, {0.94, 0.89, 0.26},
};
enum { NCOLOUR = sizeof colours / sizeof *colours };
static const double bending_colour[3] = {0.95, 0.95, 0.95};
static const double arrow_colour[3] = {0.85, 0.10, 0.10};

static const double *colour_of(int p)
{
    return colours[p % NCOLOUR];
}

/* An axis as an arrow through the middle between the domains. */
typedef struct arrow {
    cardo_vec3 from, neck, to; /* angstrom */
} arrow;

static arrow arrow_of(const cardo_path_fit *fit)
{
    cardo_vec3 middle = v3_scale(angstroms, fit->point);
    return (arrow){v3_add_scaled(middle, -20, fit->axis), v3_add_scaled(middle, 16, fit->axis),
                   v3_add_scaled(middle, 20, fit->axis)};
}

/* The runs of residues of one chain that belong to a domain, or that bend (p < 0). */
typedef void print_run(FILE *out, const cardo_structure *s, int first, int last, int count);

static bool belongs(const cardo_domain_motions *m, int r, int p)
{
    return p < 0 ? m->bending[r] : m->domain[r] == p && !m->bending[r];
}

static int print_runs(FILE *out, const cardo_domain_files *files, int p, print_run *print)
{
    const cardo_structure *s = files->reference;
    int count = 0;
    for (int first = 0, last; first < s->nresidue; first = last + 1) {
        last = first;
        if (!belongs(files->motions, first, p))
            continue;
        while (last + 1 < s->nresidue && belongs(files->motions, last + 1, p) &&
               s->residue_chain[last + 1] == s->residue_chain[first])
            ++last;
        print(out, s, first, last, count++);
    }
    return count;
}

static const char *chain_of(const cardo_structure *s, int r)
{
    return s->chain_id[s->residue_chain[r]].text;
}

/* Negative numbers carry a backslash in PyMOL. */
static void print_number(FILE *out, const cardo_structure *s, int r, const char *minus)
{
    int number = s->residue_number[r];
    if (number < 0)
        fprintf(out, "%s%d", minus, -number);
    else
        fprintf(out, "%d", number);
    if (s->insertion[r])
        fputc(s->insertion[r], out);
}

static void print_pymol_run(FILE *out, const cardo_structure *s, int first, int last, int count)
{
    const char *chain = chain_of(s, first);
    fprintf(out, "%s(chain %s and resi ", count ? " or " : "", chain[0] ? chain : "''");
    print_number(out, s, first, "\\-");
    fputc('-', out);
    print_number(out, s, last, "\\-");
    fputc(')', out);
}

static void print_pymol_colour(FILE *out, const cardo_domain_files *files, int p, const char *name,
                               const double colour[3])
{
    cardo_print(out, "set_color %s_colour, [%.2f, %.2f, %.2f]\nselect %s, %s and (", name,
                colour[0], colour[1], colour[2], name, files->source[0].id);
    if (print_runs(out, files, p, print_pymol_run) == 0)
        fputs("none", out);
    fprintf(out, ")\ncolor %s_colour, %s\n", name, name);
}

static void print_vector(FILE *out, cardo_vec3 v, const char *separator)
{
    cardo_print(out, "%.3f%s%.3f%s%.3f", v.x, separator, v.y, separator, v.z);
}

static void print_pymol_arrow(FILE *out, const cardo_path_fit *fit, const char *name)
{
    arrow a = arrow_of(fit);
    const double *c = arrow_colour;
    fprintf(out, "python\nfrom pymol import cmd\nfrom pymol.cgo import CYLINDER, CONE\n"
                 "cmd.load_cgo([CYLINDER, ");
    print_vector(out, a.from, ", ");
    fputs(", ", out);
    print_vector(out, a.neck, ", ");
    cardo_print(out, ", 0.5, %.2f, %.2f, %.2f, %.2f, %.2f, %.2f, CONE, ", c[0], c[1], c[2], c[0],
                c[1], c[2]);
    print_vector(out, a.neck, ", ");
    fputs(", ", out);
    print_vector(out, a.to, ", ");
    cardo_print(
        out, ", 1.4, 0.0, %.2f, %.2f, %.2f, %.2f, %.2f, %.2f, 1.0, 0.0], '%s_axis')\npython end\n",
        c[0], c[1], c[2], c[0], c[1], c[2], name);
}

/* What superposes the second structure on the first: the fit of the root domain. */
static const cardo_transform *superposition(const cardo_domain_files *files)
{
    for (int k = 0; k < files->motions->nhinge; ++k)
        if (files->motions->hinge[k].parent == 0 && files->motions->hinge[k].fit)
            return &files->motions->hinge[k].fit->fit[1];
    return NULL;
}

/* Rows of a transform, angstrom. */
static void print_matrix(FILE *out, const cardo_transform *X, const char *separator)
{
    const double t[3] = {angstroms * X->p.x, angstroms * X->p.y, angstroms * X->p.z};
    for (int i = 0; i < 3; ++i)
        cardo_print(out, "%s%.9f%s%.9f%s%.9f%s%.6f", i ? separator : "", X->R.m[i][0], separator,
                    X->R.m[i][1], separator, X->R.m[i][2], separator, t[i]);
}

static void print_pymol(FILE *out, const cardo_domain_files *files)
{
    const cardo_domain_motions *m = files->motions;
    const cardo_transform *X = superposition(files);
    char name[32];
    fputs("# Rigid domains and hinge axes: run in PyMOL with @ and this file's name\n", out);
    fprintf(out, "load %s, %s\n", files->source[0].file, files->source[0].id);
    if (!files->predicted)
        fprintf(out, "load %s, %s\n", files->source[1].file, files->source[1].id);
    if (!files->predicted && X) {
        fprintf(out, "alter_state 0, %s, (x, y, z) = (", files->source[1].id);
        const double t[3] = {angstroms * X->p.x, angstroms * X->p.y, angstroms * X->p.z};
        for (int i = 0; i < 3; ++i)
            cardo_print(out, "%s%.9f * x + %.9f * y + %.9f * z + %.6f", i ? ", " : "", X->R.m[i][0],
                        X->R.m[i][1], X->R.m[i][2], t[i]);
        fputs(")\n", out);
    }
    fputs("hide everything\nshow cartoon\nset cartoon_trace_atoms, 1\ncolor grey70\n", out);
    for (int p = 0; p < m->ndomain; ++p)
        print_pymol_colour(out, files, p, cardo_domain_name(p, name), colour_of(p));
    print_pymol_colour(out, files, -1, "bending", bending_colour);
    for (int k = 0; k < m->nhinge && !files->strands; ++k)
        print_pymol_arrow(out, m->hinge[k].fit, cardo_domain_name(m->hinge[k].child, name));
    if (!files->predicted)
        fprintf(out, "set cartoon_transparency, 0.6, %s\n", files->source[1].id);
    fputs("deselect\norient\n", out);
}

static void print_chimerax_run(FILE *out, const cardo_structure *s, int first, int last, int count)
{
    const char *chain = chain_of(s, first);
    fprintf(out, "%s#1", count ? " " : "");
    if (chain[0])
        fprintf(out, "/%s", chain);
    fputc(':', out);
    print_number(out, s, first, "-");
    fputc('-', out);
    print_number(out, s, last, "-");
}

static void print_chimerax_colour(FILE *out, const cardo_domain_files *files, int p,
                                  const double colour[3])
{
    fputs("color ", out);
    if (print_runs(out, files, p, print_chimerax_run) == 0)
        fputs("#99", out);
    cardo_print(out, " rgb(%.0f,%.0f,%.0f)\n", 255 * colour[0], 255 * colour[1], 255 * colour[2]);
}

static void print_chimerax_part(FILE *out, const char *shape, cardo_vec3 from, cardo_vec3 to,
                                const char *size, const char *name)
{
    fprintf(out, "shape %s fromPoint ", shape);
    print_vector(out, from, ",");
    fputs(" toPoint ", out);
    print_vector(out, to, ",");
    cardo_print(out, " radius %s color rgb(%.0f,%.0f,%.0f) name %s_axis\n", size,
                255 * arrow_colour[0], 255 * arrow_colour[1], 255 * arrow_colour[2], name);
}

static void print_chimerax(FILE *out, const cardo_domain_files *files)
{
    const cardo_domain_motions *m = files->motions;
    const cardo_transform *X = superposition(files);
    char name[32];
    fputs("# Rigid domains and hinge axes: open this file in ChimeraX\n", out);
    fprintf(out, "open \"%s\" id 1 name %s\n", files->source[0].file, files->source[0].id);
    if (!files->predicted)
        fprintf(out, "open \"%s\" id 2 name %s\n", files->source[1].file, files->source[1].id);
    fputs("hide atoms\nshow cartoons\ncolor gray\n", out);
    if (!files->predicted && X) {
        fputs("view matrix models #2,", out);
        print_matrix(out, X, ",");
        fputc('\n', out);
    }
    for (int p = 0; p < m->ndomain; ++p)
        print_chimerax_colour(out, files, p, colour_of(p));
    print_chimerax_colour(out, files, -1, bending_colour);
    for (int k = 0; k < m->nhinge && !files->strands; ++k) {
        arrow a = arrow_of(m->hinge[k].fit);
        cardo_domain_name(m->hinge[k].child, name);
        print_chimerax_part(out, "cylinder", a.from, a.neck, "0.5", name);
        print_chimerax_part(out, "cone", a.neck, a.to, "1.4", name);
    }
    if (!files->predicted)
        fputs("transparency #2 60 target c\n", out);
    fputs("view\n", out);
}

cardo_status cardo_domain_pymol_print(const void *files, FILE *stream, cardo_error *error)
{
    (void)error;
    print_pymol(stream, files);
    return CARDO_OK;
}

cardo_status cardo_domain_chimerax_print(const void *files, FILE *stream, cardo_error *error)
{
    (void)error;
    print_chimerax(stream, files);
    return CARDO_OK;
}
