/* Domains and hinges of structures, and the files that are made of them: the elbow of an antibody
 * light chain (2MCG, in the source tree), and calmodulin-like dumbbells made for the purpose. */
#include "analysis/domains/copies.h"
#include "analysis/domains/ensemble.h"
#include "analysis/domains/files.h"
#include "analysis/domains/prediction.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "base/writer.h"
#include "model/model.h"
#include "structure/atoms/selection.h"
#include "structure/atoms/superpose.h"
#include "structure/pdb/pdb.h"
#include "support/agreement.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cardo_error error;

typedef struct pair {
    cardo_structure *a, *b;
    int *match;
    cardo_domain_motions *motions;
} pair;

static void look(pair *p)
{
    cardo_domain_options options = cardo_domain_options_default();
    assert_ok(CARDO_ALLOCATE(&p->match, p->a->nresidue, &error), &error);
    assert_ok(cardo_match_residues(p->a, p->b, p->match, NULL, &error), &error);
    assert_ok(cardo_domain_motions_find(p->a, p->b, p->match, &options, &p->motions, &error),
              &error);
}

static void open_elbow(pair *p)
{
    *p = (pair){0};
    assert_ok(cardo_structure_read(support_source("pdb/2mcg_1.pdb"), 0, &p->a, &error), &error);
    assert_ok(cardo_structure_read(support_source("pdb/2mcg_2.pdb"), 0, &p->b, &error), &error);
    look(p);
}

static void close_pair(pair *p)
{
    cardo_structure_destroy(p->a);
    cardo_structure_destroy(p->b);
    cardo_free(p->match);
    cardo_domain_motions_destroy(p->motions);
}

static void describes_the_elbow(void **state)
{
    (void)state;
    pair p;
    char verdict[CARDO_VERDICT_SIZE];
    open_elbow(&p);
    const cardo_domain_motions *m = p.motions;
    assert_int_equal(m->ndomain, 2);
    assert_int_equal(m->verdict, CARDO_MOTION_HINGED);
    assert_int_equal(m->parent[0], -1);
    assert_int_equal(m->parent[1], 0);
    assert_int_equal(m->nstrand, 1);
    assert_close(m->hinge[0].fit->angle / CARDO_DEGREE, 135.54, 0.3);
    assert_close(m->rmsd_before, 1.294, 0.01);
    assert_close(m->explained, 1 - m->rmsd_left / m->rmsd_before, 1e-15);
    /* The elbow bends between 109 and 113. */
    assert_true(p.a->residue_number[m->strand[0].first] >= 107);
    assert_true(p.a->residue_number[m->strand[0].last] <= 115);
    assert_true(m->strand[0].axis_distance < 0.6);
    cardo_domain_verdict(m, p.a, verdict);
    assert_non_null(strstr(verdict, "two domains, one hinge of 135."));
    assert_non_null(strstr(verdict, "explains 91 % of 12.9"));
    close_pair(&p);
}

static void masks_leave_no_residue_out(void **state)
{
    (void)state;
    pair p;
    open_elbow(&p);
    bool *mask;
    int *times, n = p.a->nresidue;
    assert_ok(CARDO_ALLOCATE(&mask, n, &error), &error);
    assert_ok(CARDO_ALLOCATE(&times, n, &error), &error);
    for (int k = 0; k < 3; ++k) {
        if (k < 2)
            cardo_domain_mask(p.motions, n, k, mask);
        else
            cardo_hinge_mask(p.motions, n, 0, 1, mask);
        for (int r = 0; r < n; ++r)
            times[r] += mask[r];
    }
    for (int r = 0; r < n; ++r)
        assert_int_equal(times[r], 1);
    cardo_free(mask);
    cardo_free(times);
    close_pair(&p);
}

static void shares_out_what_the_target_lacks(void **state)
{
    (void)state;
    pair p;
    open_elbow(&p);
    /* The second structure without a piece of each domain. */
    bool *keep;
    cardo_structure *less;
    cardo_domain_options options = cardo_domain_options_default();
    cardo_domain_motions *found;
    assert_ok(CARDO_ALLOCATE(&keep, p.b->natom, &error), &error);
    for (int i = 0; i < p.b->natom; ++i) {
        int number = p.b->residue_number[p.b->atom_residue[i]];
        keep[i] = !(number >= 40 && number < 50) && !(number >= 150 && number < 160);
    }
    assert_ok(cardo_structure_subset(p.b, keep, &less, &error), &error);
    assert_ok(cardo_match_residues(p.a, less, p.match, NULL, &error), &error);
    assert_ok(cardo_domain_motions_find(p.a, less, p.match, &options, &found, &error), &error);
    assert_int_equal(found->nmatched, p.motions->nmatched - 20);
    assert_true(agreement_of(p.a->nresidue, found->domain, p.motions->domain) > 0.99);
    cardo_domain_motions_destroy(found);
    cardo_structure_destroy(less);
    cardo_free(keep);
    close_pair(&p);
}

static void one_structure_twice_has_no_hinge(void **state)
{
    (void)state;
    pair p = {0};
    char verdict[CARDO_VERDICT_SIZE];
    assert_ok(cardo_structure_read(support_source("pdb/2mcg_1.pdb"), 0, &p.a, &error), &error);
    assert_ok(cardo_structure_read(support_source("pdb/2mcg_1.pdb"), 0, &p.b, &error), &error);
    look(&p);
    assert_int_equal(p.motions->ndomain, 1);
    assert_int_equal(p.motions->nhinge, 0);
    assert_int_equal(p.motions->verdict, CARDO_MOTION_NONE);
    assert_non_null(strstr(cardo_domain_verdict(p.motions, p.a, verdict), "one rigid domain"));
    close_pair(&p);
}

/* Two copies of the elbow's first domain, 4.5 nm apart and joined by nothing but numbers: far from
 * touching. In the second conformation one is turned. */
static cardo_structure *dumbbell(double degrees, double apart)
{
    cardo_structure *s, *lobe;
    bool *keep;
    char *text = NULL;
    size_t size = 0;
    int serial = 0;
    assert_ok(cardo_structure_read(support_source("pdb/2mcg_1.pdb"), 0, &s, &error), &error);
    assert_ok(CARDO_ALLOCATE(&keep, s->natom, &error), &error);
    for (int i = 0; i < s->natom; ++i)
        keep[i] =
            s->residue_number[s->atom_residue[i]] <= 105 && strcmp(s->atom_name[i].text, "CA") == 0;
    assert_ok(cardo_structure_subset(s, keep, &lobe, &error), &error);
    FILE *out = open_memstream(&text, &size);
    for (int copy = 0; copy < 2; ++copy) {
        cardo_mat33 R = m33_rotation(v3_unit(v3(1, 1, 0)), copy * degrees * CARDO_DEGREE);
        for (int i = 0; i < lobe->natom; ++i) {
            cardo_vec3 at = v3_sub(v3_load(lobe->position + 3 * i), v3_load(lobe->position));
            at = v3_add(m33_mul_v3(R, at), v3(copy * apart, 0, 0));
            ++serial;
            fprintf(out, "ATOM  %5d  CA  %-3s A%4d    %8.3f%8.3f%8.3f  1.00  0.00           C\n",
                    serial, lobe->residue_name[i].text, serial, 10 * at.x, 10 * at.y, 10 * at.z);
        }
    }
    fclose(out);
    const char *path = support_write(degrees > 0 ? "b.pdb" : "a.pdb", text);
    cardo_structure_destroy(s);
    cardo_structure_destroy(lobe);
    assert_ok(cardo_structure_read(path, 0, &s, &error), &error);
    cardo_free(keep);
    free(text);
    return s;
}

static void a_tether_is_no_hinge(void **state)
{
    (void)state;
    char verdict[CARDO_VERDICT_SIZE];
    pair p = {.a = dumbbell(0, 8), .b = dumbbell(100, 8)};
    look(&p);
    assert_int_equal(p.motions->ndomain, 2);
    assert_int_equal(p.motions->hinge[0].contacts[0], 0);
    assert_true(p.motions->hinge[0].tether);
    assert_int_equal(p.motions->verdict, CARDO_MOTION_TETHER);
    assert_close(p.motions->hinge[0].fit->angle / CARDO_DEGREE, 100, 0.1);
    cardo_domain_verdict(p.motions, p.a, verdict);
    assert_non_null(strstr(verdict, "not a rigid hinge"));
    close_pair(&p);

    /* The same lobes in contact are a hinge, though one strand joins them. */
    p = (pair){.a = dumbbell(0, 2.6), .b = dumbbell(40, 2.6)};
    look(&p);
    assert_int_equal(p.motions->ndomain, 2);
    assert_true(p.motions->hinge[0].contacts[0] > 10);
    assert_false(p.motions->hinge[0].tether);
    close_pair(&p);
}

static void print_to(const char *path, cardo_print_file print, const cardo_domain_files *files)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    assert_ok(print(files, stream, &error), &error);
    assert_int_equal(fclose(stream), 0);
}

/* NAME.domains.xml and NAME.xml, and the model that is read of them; the caller destroys it. */
static cardo_model *written(const char *name, const cardo_domain_files *files)
{
    char path[4096];
    cardo_model *model;
    snprintf(path, sizeof path, "%.4000s/%s.domains.xml", support_scratch(), name);
    print_to(path, cardo_domain_annotation_print, files);
    snprintf(path, sizeof path, "%.4000s/%s.xml", support_scratch(), name);
    print_to(path, cardo_domain_model_print, files);
    assert_ok(cardo_model_read(path, 0, NULL, &model, &error), &error);
    return model;
}

static void writes_a_model_that_reads_back(void **state)
{
    (void)state;
    pair p;
    open_elbow(&p);
    cardo_domain_files files = {
        .name = "elbow <&\"--> 1",
        .reference = p.a,
        .motions = p.motions,
        .source = {{.id = "start", .file = p.a->source}, {.id = "end", .file = p.b->source}},
        .annotation = "elbow.domains.xml",
        .forcefield = "ff14SB.xml"};
    cardo_model *model = written("elbow", &files);
    assert_string_equal(model->name, files.name);
    assert_int_equal(model->nbody, 2);
    assert_close(model->body[1].fit->angle, p.motions->hinge[0].fit->angle, 1e-12);
    assert_close(model->body[1].fit->translation, p.motions->hinge[0].fit->translation, 1e-12);
    assert_int_equal(model->ncut, 1);
    assert_true(model->has_forcefield);
    assert_int_equal(model->nstudy, 2);
    cardo_model_destroy(model);
    close_pair(&p);
}

/* As where each residue that gave way is held again; side chains may turn still. */
static void writes_a_model_in_which_no_backbone_gives_way(void **state)
{
    (void)state;
    pair p;
    bool *giving = NULL, *turning = NULL;
    open_elbow(&p);
    assert_ok(CARDO_ALLOCATE(&giving, p.a->nresidue, &error), &error);
    assert_ok(CARDO_ALLOCATE(&turning, p.a->nresidue, &error), &error);
    const cardo_domain_files files = {
        .name = "held",
        .reference = p.a,
        .motions = p.motions,
        .source = {{.id = "start", .file = p.a->source}, {.id = "end", .file = p.b->source}},
        .annotation = "held.domains.xml",
        .forcefield = "ff14SB.xml",
        .giving = giving,
        .turning = turning};
    cardo_model *model = written("held", &files);
    assert_int_equal(model->nbody, 2);
    cardo_model_destroy(model);
    for (int r = 0; r < p.a->nresidue; ++r)
        turning[r] = strcmp(cardo_structure_residue_name(p.a, r), "LEU") == 0;
    model = written("held", &files);
    assert_true(model->nbody > 2);
    cardo_model_destroy(model);
    cardo_free(giving);
    cardo_free(turning);
    close_pair(&p);
}

static void count(const char *path, const char *text, int expected)
{
    char *content;
    size_t length;
    int found = 0;
    assert_ok(cardo_read_file(path, 0, &content, &length, &error), &error);
    for (const char *at = content; (at = strstr(at, text)) != NULL; at += strlen(text))
        ++found;
    if (found != expected)
        print_message("%s has '%s' %d times\n", path, text, found);
    assert_int_equal(found, expected);
    cardo_free(content);
}

/* Three elbows about an axis 6 nm away, of alpha carbons; those from `resting` on stay as the first structure is. */
static cardo_structure *ring(const pair *p, bool second, int resting)
{
    char *text = NULL, name[32];
    size_t size = 0;
    int serial = 0;
    FILE *out = open_memstream(&text, &size);
    for (int copy = 0; copy < 3; ++copy) {
        const bool moved = second && copy < resting;
        const cardo_structure *s = moved ? p->b : p->a;
        const cardo_transform *fit = &p->motions->hinge[0].fit->fit[1];
        const cardo_mat33 R = m33_rotation(v3(0, 0, 1), copy * 120 * CARDO_DEGREE);
        for (int i = 0; i < s->natom; ++i) {
            const int r = s->atom_residue[i];
            if (strcmp(s->atom_name[i].text, "CA") != 0)
                continue;
            cardo_vec3 at = v3_load(s->position + 3 * i);
            if (moved)
                at = v3_add(m33_mul_v3(fit->R, at), fit->p);
            at = m33_mul_v3(R, v3_add(at, v3(6, 0, 0)));
            fprintf(out, "ATOM  %5d  CA  %-3s %c%4d    %8.3f%8.3f%8.3f  1.00  0.00           C\n",
                    ++serial, s->residue_name[r].text, 'A' + copy, s->residue_number[r], 10 * at.x,
                    10 * at.y, 10 * at.z);
        }
    }
    fclose(out);
    snprintf(name, sizeof name, "ring%d.pdb", second);
    const char *path = support_write(name, text);
    cardo_structure *made;
    assert_ok(cardo_structure_read(path, 0, &made, &error), &error);
    free(text);
    return made;
}

/* The hinges of a ring are copies, but for that of a copy that does not move. */
static void hinges_of_a_ring_are_copies(void **state)
{
    (void)state;
    pair elbow;
    open_elbow(&elbow);
    for (int moving = 3; moving >= 2; --moving) {
        char names[64];
        int lead[3];
        pair p = {.a = ring(&elbow, false, 3), .b = ring(&elbow, true, moving)};
        look(&p);
        assert_int_equal(p.motions->nhinge, moving);
        cardo_hinge_copies(p.a, p.motions, lead);
        for (int k = 1; k < moving; ++k)
            assert_int_equal(lead[k], lead[0]);
        /* each closes as the elbow does by itself, whatever all stationary domains are centred at */
        for (int k = 0; k < moving; ++k)
            assert_close(p.motions->hinge[k].fit->percent_closure,
                         elbow.motions->hinge[0].fit->percent_closure, 2);
        assert_int_equal(p.motions->hinge[lead[0]].child, 1);
        assert_int_equal(
            cardo_hinge_copies_text(p.motions, lead, lead[0], " ", ".1", names, sizeof names),
            moving);
        assert_string_equal(names,
                            moving == 3 ? "domain2.1 domain3.1 domain4.1" : "domain2.1 domain3.1");
        const cardo_domain_files files = {
            .name = "ring",
            .reference = p.a,
            .motions = p.motions,
            .source = {{.id = "start", .file = p.a->source}, {.id = "end", .file = p.b->source}},
            .annotation = "ring.domains.xml",
            .forcefield = "kim-hummer.xml",
            .coarse = true,
            .lead = lead};
        cardo_model *model = written("ring", &files);
        assert_int_equal(model->nconstraint, moving - 1);
        cardo_model_destroy(model);
        /* one that turns by less is no copy */
        p.motions->hinge[lead[0]].fit->angle *= 0.9;
        const int other = lead[0];
        cardo_hinge_copies(p.a, p.motions, lead);
        assert_int_equal(lead[other], other);
        for (int k = 0; k < moving; ++k)
            assert_true(k == other || lead[k] != other);
        close_pair(&p);
    }
    close_pair(&elbow);
}

static void writes_scripts(void **state)
{
    (void)state;
    pair p;
    char path[4096];
    open_elbow(&p);
    cardo_domain_files files = {
        .name = "elbow",
        .reference = p.a,
        .motions = p.motions,
        .source = {{.id = "start", .file = "a.pdb"}, {.id = "end", .file = "b.pdb"}},
        .forcefield = "ff14SB.xml"};
    snprintf(path, sizeof path, "%s/elbow.pml", support_scratch());
    print_to(path, cardo_domain_pymol_print, &files);
    count(path, "load ", 2);
    count(path, "select domain", 2);
    count(path, "CONE, ", 1);
    count(path, "alter_state 0, end, ", 1);
    snprintf(path, sizeof path, "%s/elbow.cxc", support_scratch());
    print_to(path, cardo_domain_chimerax_print, &files);
    count(path, "open \"", 2);
    count(path, "shape cone", 1);
    count(path, "view matrix models #2,", 1);
    close_pair(&p);
}

static void places_an_ensemble(void **state)
{
    (void)state;
    pair p;
    open_elbow(&p);
    /* A third structure halfway along the screw, and a fourth nearly at the start. */
    const double shares[2] = {0.5, 0.1};
    const cardo_path_fit *fit = p.motions->hinge[0].fit;
    cardo_structure *between[2];
    int *self, chosen[2];
    double rmsd;
    assert_ok(CARDO_ALLOCATE(&self, p.a->nresidue, &error), &error);
    for (int r = 0; r < p.a->nresidue; ++r)
        self[r] = r;
    for (int k = 0; k < 2; ++k) {
        assert_ok(cardo_structure_read(support_source("pdb/2mcg_1.pdb"), 0, &between[k], &error),
                  &error);
        cardo_transform X = cardo_path_fit_screw(fit, shares[k]);
        for (int i = 0; i < between[k]->natom; ++i) {
            double *at = between[k]->position + 3 * i;
            if (p.motions->domain[between[k]->atom_residue[i]] == 1)
                v3_store(at, xform_point(X, v3_load(at)));
        }
        cardo_hinge_state at;
        assert_ok(cardo_hinge_states(p.a, p.motions, between[k], self, &at, &error), &error);
        assert_close(at.share, shares[k], 1e-9);
        assert_close(at.angle, shares[k] * fit->angle, 1e-9);
        assert_close(at.rmsd, 0, 1e-9);
    }
    cardo_ensemble_member member[4] = {
        {between[0], NULL}, {between[1], self}, {p.b, p.match}, {p.a, self}};
    assert_ok(cardo_ensemble_extremes(4, member, chosen, &rmsd, &error), &error);
    assert_int_equal(chosen[0], 2);
    assert_int_equal(chosen[1], 3);
    assert_close(rmsd, p.motions->rmsd_before, 1e-9);
    for (int k = 0; k < 2; ++k)
        cardo_structure_destroy(between[k]);
    cardo_free(self);
    close_pair(&p);
}

static void predicts_the_elbow(void **state)
{
    (void)state;
    pair p;
    char verdict[CARDO_VERDICT_SIZE];
    cardo_domain_options options = cardo_domain_options_default();
    cardo_domain_prediction *prediction;
    open_elbow(&p);
    assert_ok(cardo_domains_predict(p.a, 1.5, &options, &prediction, &error), &error);
    assert_int_equal(prediction->motions->ndomain, 2);
    assert_true(agreement_of(p.a->nresidue, prediction->motions->domain, p.motions->domain) > 0.95);
    cardo_domain_verdict(prediction->motions, p.a, verdict);
    assert_null(strstr(verdict, "degrees"));
    assert_non_null(strstr(verdict, "of the mode"));
    cardo_domain_prediction_destroy(prediction);
    close_pair(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(describes_the_elbow),
        cmocka_unit_test(masks_leave_no_residue_out),
        cmocka_unit_test(shares_out_what_the_target_lacks),
        cmocka_unit_test(one_structure_twice_has_no_hinge),
        cmocka_unit_test(a_tether_is_no_hinge),
        cmocka_unit_test(writes_a_model_that_reads_back),
        cmocka_unit_test(writes_a_model_in_which_no_backbone_gives_way),
        cmocka_unit_test(hinges_of_a_ring_are_copies),
        cmocka_unit_test(writes_scripts),
        cmocka_unit_test(places_an_ensemble),
        cmocka_unit_test(predicts_the_elbow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
