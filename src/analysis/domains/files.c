#include "analysis/domains/files.h"

#include "analysis/domains/copies.h"
#include "base/memory.h"
#include "base/number.h"
#include "structure/atoms/selection.h"

#include <stdio.h>
#include <string.h>

/* Text as an attribute's value, or inside a comment (where two hyphens may not stand together). */
static void print_xml(FILE *out, const char *text, bool comment)
{
    for (const char *c = text; *c; ++c)
        switch (*c) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        case '-':
            fputs(comment && c[1] == '-' ? "- " : "-", out);
            break;
        default:
            fputc(*c, out);
        }
}

static void print_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    print_xml(out, value, false);
    fputc('"', out);
}

static void print_head(FILE *out, const cardo_domain_files *files)
{
    char verdict[CARDO_VERDICT_SIZE];
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- Made by Cardo from ", out);
    print_xml(out, files->source[0].file, true);
    if (!files->predicted) {
        fputs(" and ", out);
        print_xml(out, files->source[1].file, true);
    }
    if (files->strands) {
        fprintf(out, ": %d domains by predicted errors, on linkers that turn -->\n",
                files->motions->ndomain);
        return;
    }
    fputs(files->predicted ? ": a prediction from elastic-network modes:\n     " : ":\n     ", out);
    cardo_domain_verdict(files->motions, files->reference, verdict);
    print_xml(out, verdict, true);
    fputs(" -->\n", out);
}

static cardo_status print_residues(FILE *out, const cardo_domain_files *files, const bool *mask,
                                   cardo_error *error)
{
    char *text = NULL;
    cardo_status status = cardo_selection_text(files->reference, mask, &text, error);
    if (status == CARDO_OK)
        print_attribute(out, "residues", text);
    cardo_free(text);
    return status;
}

static cardo_status print_annotation(FILE *out, const cardo_domain_files *files, bool *mask,
                                     cardo_error *error)
{
    const cardo_domain_motions *m = files->motions;
    int n = files->reference->nresidue;
    cardo_status status = CARDO_OK;
    char name[32];
    print_head(out, files);
    fputs("<annotation", out);
    print_attribute(out, "name", files->name);
    print_attribute(out, "source",
                    files->strands     ? "Cardo, by predicted errors of one structure"
                    : files->predicted ? "Cardo, predicted from one structure"
                                       : "Cardo, from two structures");
    fputs(">\n", out);
    for (int p = 0; p < m->ndomain && status == CARDO_OK; ++p) {
        fprintf(out, "  <domain name=\"%s\"", cardo_domain_name(p, name));
        cardo_domain_mask(m, n, p, mask);
        status = print_residues(out, files, mask, error);
        fputs("/>\n", out);
    }
    for (int k = 0; k < m->nstrand && status == CARDO_OK; ++k) {
        for (int r = 0; r < n; ++r)
            mask[r] = r >= m->strand[k].first && r <= m->strand[k].last;
        fputs("  <hinge", out);
        status = print_residues(out, files, mask, error);
        fputs("/>\n", out);
    }
    fputs("</annotation>\n", out);
    return status;
}

cardo_status cardo_domain_annotation_print(const void *self, FILE *stream, cardo_error *error)
{
    const cardo_domain_files *files = self;
    bool *mask;
    cardo_status status = CARDO_ALLOCATE(&mask, files->reference->nresidue, error);
    if (status == CARDO_OK)
        status = print_annotation(stream, files, mask, error);
    cardo_free(mask);
    return status;
}

static void print_source(FILE *out, const cardo_domain_source *source)
{
    fputs("    <structure", out);
    print_attribute(out, "id", source->id);
    print_attribute(out, "file", source->file);
    if (source->chains)
        print_attribute(out, "chains", source->chains);
    if (source->model)
        fprintf(out, " model=\"%d\"", source->model);
    if (source->identity > 0)
        cardo_print(out, " identity=\"%g\"", source->identity);
    if (source->note)
        print_attribute(out, "note", source->note);
    fputs("/>\n", out);
}

const char *const cardo_domain_joints[] = {"path", "hinge", "pin", "ball", "free", NULL};

static bool is_joint(const cardo_domain_files *files, const char *joint)
{
    const char *usual = files->predicted ? "pin" : "path";
    return strcmp(files->joint ? files->joint : usual, joint) == 0;
}

/* Where the first structure has the body. */
static void print_stand(FILE *out, const cardo_domain_files *files, const char *body)
{
    for (int k = 0; k < files->nstand; ++k) {
        const cardo_domain_stand *stand = &files->stand[k];
        if (strcmp(stand->body, body) != 0)
            continue;
        fputs(" at=\"", out);
        for (int j = 0; j < stand->nq; ++j)
            cardo_print(out, "%s%.9g", j > 0 ? " " : "", stand->q[j]);
        fputc('"', out);
    }
}

static void print_path(FILE *out, const cardo_domain_files *files, const char *body)
{
    fprintf(out, "      <path structures=\"%s %s\"", files->source[0].id, files->source[1].id);
    if (files->from) {
        print_attribute(out, "from", files->from->id);
        print_stand(out, files, body);
    }
    fprintf(out, " interpolation=\"screw\"%s/>\n",
            is_joint(files, "hinge") ? " extra=\"twist bend\""
            : files->giving          ? " extra=\"twist bend stretch shear slide\""
                                     : "");
}

static void print_joint(FILE *out, const cardo_domain_files *files, const cardo_domain_hinge *hinge)
{
    const cardo_path_fit *fit = hinge->fit;
    char child[32];
    if (files->strands) {
        fputs(hinge->nstrand > 0 ? "      <strand/>\n" : "      <free/>\n", out);
        return;
    }
    const cardo_vec3 point = fit->point, axis = fit->axis;
    if (is_joint(files, "pin"))
        cardo_print(out, "      <pin point=\"%.5f %.5f %.5f\" axis=\"%.6f %.6f %.6f\"/>\n", point.x,
                    point.y, point.z, axis.x, axis.y, axis.z);
    else if (is_joint(files, "ball"))
        cardo_print(out, "      <ball point=\"%.5f %.5f %.5f\"/>\n", point.x, point.y, point.z);
    else if (is_joint(files, "free"))
        fputs("      <free/>\n", out);
    else
        print_path(out, files, cardo_domain_name(hinge->child, child));
}

static void print_bodies(FILE *out, const cardo_domain_files *files)
{
    const cardo_domain_motions *m = files->motions;
    char child[32], parent[32];
    const char *conformer = files->giving && !files->settled ? " conformer=\"best\"" : "";
    fprintf(out, "    <body name=\"%s\" domains=\"%s\" base=\"%s\"%s/>\n",
            cardo_domain_name(0, child), child, files->welded ? "welded" : "free", conformer);
    for (int k = 0; k < m->nhinge; ++k) {
        const cardo_domain_hinge *hinge = &m->hinge[k];
        fprintf(out, "    <body name=\"%s\" domains=\"%s\" parent=\"%s\"%s>\n",
                cardo_domain_name(hinge->child, child), child,
                cardo_domain_name(hinge->parent, parent), conformer);
        print_joint(out, files, hinge);
        fputs("    </body>\n", out);
    }
}

/* Along the first hinge, where it has a coordinate of its own. */
static void print_scan(FILE *out, const cardo_domain_files *files)
{
    char name[32];
    const bool pin = is_joint(files, "pin");
    if (files->motions->nhinge == 0 || is_joint(files, "ball") || is_joint(files, "free"))
        return;
    fprintf(out,
            "  <!-- sample: the energy along a hinge, in seconds and without dynamics. "
            "coordinate "
            "is the body that turns,\n"
            "       from and to are the range: %s. method=\"umbrella\" makes a free energy\n"
            "       of it with dynamics; choose a range without clashes for that (worst contact in "
            "scan.csv). -->\n"
            "  <sample method=\"scan\" coordinate=\"%s%s\" from=\"%s\" to=\"%s\"/>\n",
            pin ? "radians from the structure as it is" : "0 is the first structure, 1 the second",
            cardo_domain_name(files->motions->hinge[files->lead ? files->lead[0] : 0].child, name),
            is_joint(files, "hinge") ? ".1" : "", pin ? "-0.5" : "0", pin ? "0.5" : "1");
}

static bool is_any(const bool *mask, int n)
{
    for (int r = 0; r < n; ++r)
        if (mask[r])
            return true;
    return false;
}

/* Strands and side chains that give way; strands that are cut are closed at their peptide bond. */
static cardo_status print_giving(FILE *out, const cardo_domain_files *files, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (!files->giving)
        return CARDO_OK;
    if (files->strands) {
        fputs("    <!-- Linkers and tails: their backbone turns. -->\n    <flexible", out);
        status = print_residues(out, files, files->giving, error);
        fputs(" torsions=\"phi psi\"/>\n", out);
        return status;
    }
    const bool turning = !files->turning || is_any(files->turning, files->reference->nresidue);
    if (turning || is_any(files->giving, files->reference->nresidue))
        fputs("    <!-- Strands between domains and what turns beside them give way; so do side "
              "chains that come near\n         another domain. -->\n",
              out);
    if (is_any(files->giving, files->reference->nresidue)) {
        fputs("    <flexible", out);
        status = print_residues(out, files, files->giving, error);
        fputs(" torsions=\"phi psi chi\" closure=\"rigid\"/>\n", out);
    }
    if (!turning)
        return status;
    fputs("    <flexible", out);
    if (!files->turning)
        print_attribute(out, "within", "0.6 nm");
    else if (status == CARDO_OK)
        status = print_residues(out, files, files->turning, error);
    fputs(" torsions=\"chi\"/>\n", out);
    return status;
}

static void print_ligands(FILE *out, const cardo_domain_files *files)
{
    if (files->nligand > 0)
        fputs("    <!-- Ligands: joint=\"weld\" or \"free\", then held near its site; "
              "without them: model.ligands=none. -->\n",
              out);
    for (int k = 0; k < files->nligand; ++k) {
        const cardo_domain_ligand *ligand = &files->ligand[k];
        fputs("    <ligand", out);
        print_attribute(out, "name", ligand->name);
        print_attribute(out, "residues", ligand->residues);
        print_attribute(out, "parent", ligand->body);
        print_attribute(out, "joint", ligand->free ? "free" : "weld");
        fputs("/>\n", out);
    }
}

/* The element that holds constraints, begun with the first of them. */
static void begin_constraints(FILE *out, bool *begun)
{
    if (!*begun)
        fputs("    <constraints>\n", out);
    *begun = true;
}

static int count_led(const cardo_domain_files *files, int k)
{
    int n = 0;
    for (int i = 0; i < files->motions->nhinge; ++i)
        n += files->lead[i] == k;
    return n;
}

/* Of every hinge that leads others, those that go as it does. */
static void print_symmetric(FILE *out, const cardo_domain_files *files, bool *begun)
{
    const cardo_domain_motions *m = files->motions;
    const char *suffix = is_joint(files, "hinge") || files->giving ? ".1" : "";
    bool first = true;
    for (int k = 0; files->lead && k < m->nhinge; ++k) {
        if (count_led(files, k) < 2)
            continue;
        begin_constraints(out, begun);
        if (first)
            fputs("      <!-- Copies of a hinge go by one coordinate; without this each has its "
                  "own. -->\n",
                  out);
        first = false;
        fputs("      <symmetric coordinates=\"", out);
        const char *between = "";
        for (int p = 0; p < m->ndomain; ++p) {
            char name[32];
            if (!cardo_hinge_leads(m, files->lead, k, p))
                continue;
            fprintf(out, "%s%s%s", between, cardo_domain_name(p, name), suffix);
            between = " ";
        }
        fputs("\"/>\n", out);
    }
}

/* At the places, with two numbers before and two after these. */
static void print_numbers(FILE *out, const char *name, const double *number, const double beyond[4])
{
    fprintf(out, "\n          %s=\"", name);
    for (int k = -2; k < CARDO_LED_PLACES + 2; ++k)
        cardo_print(out, "%s%.4f", k > -2 ? " " : "",
                    k < 0                  ? beyond[k + 2]
                    : k < CARDO_LED_PLACES ? number[k]
                                           : beyond[2 + k - CARDO_LED_PLACES]);
    fputc('"', out);
}

/* Two knots beyond either end keep the spline as it is there. */
static void print_led(FILE *out, const cardo_domain_files *files, bool *begun)
{
    enum { LAST = CARDO_LED_PLACES - 1 };
    for (int k = 0; k < files->nled; ++k) {
        const cardo_led_torsion *led = &files->led[k];
        const double first = led->q[0], last = led->q[LAST], way = last - first;
        begin_constraints(out, begun);
        if (k == 0)
            fputs("      <!-- Torsions, or turns of domains, that would leap go with the hinge, so "
                  "that the way back is the way there. -->\n",
                  out);
        fputs("      <coordinate-coupler", out);
        print_attribute(out, "name", led->torsion);
        print_attribute(out, "equals", led->torsion);
        cardo_print(out, " coordinates=\"%s.1\" function=\"spline\"", led->hinge);
        print_numbers(out, "knots", led->q,
                      (double[]){first - 2 * way, first - way, last + way, last + 2 * way});
        print_numbers(out, "values", led->value,
                      (double[]){led->value[0], led->value[0], led->value[LAST], led->value[LAST]});
        fputs("/>\n", out);
    }
}

static void print_constraints(FILE *out, const cardo_domain_files *files)
{
    bool begun = false;
    print_symmetric(out, files, &begun);
    print_led(out, files, &begun);
    if (begun)
        fputs("    </constraints>\n", out);
}

/* Torsions turn faster than domains; and the way that was tried can be gone again. */
static void print_flexible_studies(FILE *out)
{
    fputs("  <!-- simulate: dynamics. steps says for how long, 4 fs each; another seed makes "
          "another run. -->\n"
          "  <simulate integrator=\"baoab\" timestep=\"4 fs\" steps=\"1000\" temperature=\"300 K\" "
          "friction=\"2\" seed=\"1\"\n            report-interval=\"20\" "
          "trajectory-interval=\"100\" checkpoint-interval=\"250\"/>\n",
          out);
}

/* A way with a beginning and an end. */
static bool has_paths(const cardo_domain_files *files)
{
    return files->motions->nhinge > 0 && !files->strands &&
           (is_joint(files, "path") || is_joint(files, "hinge"));
}

static void print_slow_drive(FILE *out)
{
    fputs("  <!-- drive: there and back, at the minimum of the energy everywhere. -->\n"
          "  <drive mode=\"quasi-static\" motion=\"ramp\" from=\"0\" to=\"1\" passes=\"2\" "
          "duration=\"10 ps\"\n         timestep=\"0.5 ps\" steps=\"40\" iterations=\"300\" "
          "tolerance=\"2\" report-interval=\"1\" trajectory-interval=\"1\"/>\n",
          out);
}

/* Free energies want masses by which all freedoms are about equally fast, and these a model without constraints. Hinges that go by one coordinate have one. */
static void print_flexible_sample(FILE *out, const cardo_domain_files *files)
{
    char name[32];
    fprintf(
        out,
        "  <!-- sample: the free energy along a hinge. Masses are chosen so that all freedoms are "
        "about equally fast, which\n"
        "       wants the root held, strands held by their bonds, and nothing led: set "
        "model.base=welded,\n"
        "       model.closure=bonded and model.constraints=none. -->\n"
        "  <sample method=\"umbrella\" exchange=\"yes\" coordinate=\"%s.1\" from=\"0\" "
        "to=\"1\" steps=\"5000\" pull=\"2000\"\n"
        "          equilibration=\"1000\" probe=\"500\" round=\"50\" integrator=\"ghmc\" "
        "timestep=\"20 fs\" friction=\"4\" temperature=\"300 K\"\n"
        "          ensemble=\"fixman\" masses=\"equalized\"/>\n",
        cardo_domain_name(files->motions->hinge[files->lead ? files->lead[0] : 0].child, name));
}

static void print_studies(FILE *out, const cardo_domain_files *files)
{
    if (files->giving) {
        print_flexible_studies(out);
        if (has_paths(files)) {
            print_slow_drive(out);
            if (!files->lead)
                print_flexible_sample(out, files);
        }
        return;
    }
    fputs("  <!-- simulate: dynamics. steps says for how long, 50 fs each; another seed makes "
          "another run. -->\n"
          "  <simulate integrator=\"langevin\" timestep=\"50 fs\" steps=\"1000\" temperature=\"300 "
          "K\" "
          "friction=\"1\" seed=\"1\"\n            report-interval=\"2\" trajectory-interval=\"10\" "
          "checkpoint-interval=\"250\"/>\n",
          out);
    print_scan(out, files);
}

/* From so many atoms on far bodies act by their multipoles: sooner all pairs are hardly slower. */
enum { MANY_ATOMS = 10000 };

static void print_forcefield(FILE *out, const cardo_domain_files *files)
{
    const bool large = !files->coarse && files->reference->natom >= MANY_ATOMS;
    if (!files->coarse)
        fputs("    <!-- solvent=\"none\" is vacuum; files takes another force field. -->\n", out);
    if (large)
        fputs("    <!-- tolerance: what forces on bodies may be off by, as a share of them, for "
              "speed; "
              "0: all pairs, exactly. -->\n",
              out);
    fputs("    <forcefield", out);
    print_attribute(out, "files", files->forcefield);
    fputs(files->coarse ? "" : " solvent=\"obc2\" method=\"all-pairs\"", out);
    fputs(large ? " tolerance=\"1e-3\"/>\n" : "/>\n", out);
}

cardo_status cardo_domain_model_print(const void *self, FILE *out, cardo_error *error)
{
    const cardo_domain_files *files = self;
    print_head(out, files);
    fputs("<cardo version=\"1\">\n  <model", out);
    print_attribute(out, "name", files->name);
    if (files->start)
        print_attribute(out, "start", files->start);
    fputs(">\n", out);
    print_source(out, &files->source[0]);
    if (files->from) /* the last structure is what is gone to */
        print_source(out, files->from);
    if (!files->predicted)
        print_source(out, &files->source[1]);
    fputs("    <annotation", out);
    print_attribute(out, "file", files->annotation);
    fputs("/>\n", out);
    print_bodies(out, files);
    cardo_status status = print_giving(out, files, error);
    print_ligands(out, files);
    print_constraints(out, files);
    print_forcefield(out, files);
    fputs("  </model>\n", out);
    print_studies(out, files);
    fputs("</cardo>\n", out);
    return status;
}
