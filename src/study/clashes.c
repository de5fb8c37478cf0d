#include "study/clashes.h"

#include "base/memory.h"
#include "base/units.h"
#include "model/clash.h"
#include "model/conformer.h"
#include "model/near.h"
#include "multibody/tree/operators.h"
#include "study/session/assembly.h"
#include "study/session/course.h"

#include <stdio.h>
#include <string.h>

enum { FRACTIONS = 11 };

static const double angstroms = 1.0 / CARDO_ANGSTROM; /* in a nm */

/* One choice of conformers: the model as it is (structure -2), of a structure, or the best. */
typedef struct choice {
    char name[64];
    int structure;
    cardo_clash_list list;
} choice;

enum { AS_BUILT = -2 };

/* Poses of the model's bodies along its paths; pose NULL: those that the paths have without constraints. */
typedef struct places {
    const cardo_session *session;
    int n;
    double fraction[FRACTIONS];
    cardo_transform *pose; /* relative to the reference (n x nbody) */
    double *positions;     /* of the place at hand (natom x 3)      */
} places;

/* Axes of bodies are ground's where the reference stands, and an atom tells where the origin has gone. */
static cardo_status keep_poses(void *context, int place, cardo_error *error)
{
    places *p = context;
    const cardo_session *session = p->session;
    const cardo_structure *s = session->model->structure[0].structure;
    const cardo_transform *X = cardo_state_X_GB(session->state);
    cardo_status status =
        cardo_station_positions(session->system, session->state, p->positions, error);
    for (int i = 0; i < s->natom && status == CARDO_OK; ++i) {
        const int b = session->model->atom_body[i];
        const cardo_mat33 R = X[b + 1].R;
        const cardo_vec3 turned = m33_mul_v3(R, v3_load(s->position + 3 * i));
        p->pose[place * session->model->nbody + b] =
            (cardo_transform){R, v3_sub(v3_load(p->positions + 3 * i), turned)};
    }
    return status;
}

static cardo_status find_places(const cardo_session *session, places *p, cardo_error *error)
{
    cardo_status status;
    *p = (places){.session = session, .n = FRACTIONS};
    for (int k = 0; k < FRACTIONS; ++k)
        p->fraction[k] = (double)k / (FRACTIONS - 1);
    if (!cardo_session_is_constrained(session) || !cardo_session_has_course(session))
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&p->pose, FRACTIONS * session->model->nbody, error));
    CARDO_TRY(
        CARDO_ALLOCATE(&p->positions, 3 * session->model->structure[0].structure->natom, error));
    CARDO_TRY(cardo_session_course(session, FRACTIONS, p->fraction, keep_poses, p, &p->n, error));
done:
    return status;
}

static cardo_status look(const places *p, choice *one, cardo_error *error)
{
    const cardo_model *model = p->session->model;
    cardo_status status;
    const cardo_structure *s = model->structure[0].structure;
    size_t size = 3 * (size_t)s->natom;
    double *position = NULL;
    bool *all = NULL;
    int *body = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&position, size, error));
    CARDO_TRY(CARDO_ALLOCATE(&all, s->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&body, s->nresidue, error));
    bool own = one->structure == AS_BUILT || !model->deposited;
    memcpy(position, own ? s->position : model->deposited, size * sizeof *position);
    memset(all, true, (size_t)s->nresidue * sizeof *all);
    cardo_model_riders(model, body);
    if (one->structure != AS_BUILT)
        CARDO_TRY(cardo_conformers_apply(model, one->structure, all, body, position, error));
    CARDO_TRY(cardo_clashes_find(model, position, p->n, p->fraction, p->pose, &one->list, error));
done:
    cardo_free(position);
    cardo_free(all);
    cardo_free(body);
    return status;
}

static cardo_status look_at_all(const places *p, choice **out, int *count, cardo_error *error)
{
    const cardo_model *model = p->session->model;
    cardo_status status = CARDO_ALLOCATE(out, model->nstructure + 2, error);
    *count = 0;
    for (int k = AS_BUILT; status == CARDO_OK && k < model->nstructure; ++k) {
        choice *one = &(*out)[(*count)++];
        one->structure = k;
        snprintf(one->name, sizeof one->name, "%.60s",
                 k == AS_BUILT               ? "as built"
                 : k == CARDO_CONFORMER_BEST ? "best"
                                             : model->structure[k].id);
        status = look(p, one, error);
    }
    return status;
}

static void clear(choice *choices, int count)
{
    for (int k = 0; k < count; ++k)
        cardo_clash_list_clear(&choices[k].list);
    cardo_free(choices);
}

/* "A:TYR14 OH - A:ALA164 CB". Returns text. */
static char *pair_text(const cardo_structure *s, const cardo_approach *clash, char text[120])
{
    char a[40], b[40];
    snprintf(text, 120, "%s %s - %s %s", cardo_residue_label(s, s->atom_residue[clash->atom[0]], a),
             s->atom_name[clash->atom[0]].text,
             cardo_residue_label(s, s->atom_residue[clash->atom[1]], b),
             s->atom_name[clash->atom[1]].text);
    return text;
}

static void add_choice(const cardo_structure *s, const choice *one, cardo_result *table)
{
    static const cardo_quantity side_chains = {"side_chains", .style = "-14s",
                                               .meaning = "of which structure, or the best"},
                                least = {"least_distance_A", "least distance", "A", "5.2f",
                                         .meaning = "of heavy atoms of different bodies"},
                                distance = {"distance_A", "distance", "A", "5.2f"},
                                place = {"q", .style = ".1f"};
    double nearest[FRACTIONS];
    const int n = one->list.nfraction;
    for (int k = 0; k < n; ++k)
        nearest[k] = angstroms * one->list.nearest[k].distance;
    cardo_result_row(table);
    cardo_result_text(table, &side_chains, one->name);
    cardo_result_vector(table, &least, n, nearest);
    cardo_result *pairs = cardo_result_table(table, "pairs", "pair");
    for (int k = 0; k < one->list.npair; ++k) {
        char text[120];
        cardo_result_row(pairs);
        cardo_result_text(pairs, &(cardo_quantity){"atoms"},
                          pair_text(s, &one->list.pair[k], text));
        cardo_result_number(pairs, &distance, angstroms * one->list.pair[k].distance);
        cardo_result_number(pairs, &place, one->list.pair[k].fraction);
    }
}

cardo_status cardo_clashes_fill(const cardo_session *session, cardo_result *into,
                                cardo_error *error)
{
    static const cardo_quantity at = {"clashes_at_q", "q", .style = "3.1f"};
    choice *choices = NULL;
    places p;
    int n = 0;
    cardo_status status;
    CARDO_TRY(find_places(session, &p, error));
    CARDO_TRY(look_at_all(&p, &choices, &n, error));
    cardo_result *table = cardo_result_table(into, "clashes", "side chains");
    for (int k = 0; k < n; ++k)
        add_choice(session->model->structure[0].structure, &choices[k], table);
    cardo_result_vector(into, &at, p.n, p.fraction);
    status = cardo_result_status(into, error);
done:
    clear(choices, n);
    cardo_free(p.pose);
    cardo_free(p.positions);
    return status;
}
