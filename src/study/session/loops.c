#include "study/session/loops.h"

#include "base/linalg.h"
#include "base/memory.h"
#include "study/session/course.h"

#include <math.h>

enum { MOST_ROWS = 6 };

/* Adds the mobilities of a body's joint, but for those of paths. */
static void take_joint(const cardo_session *session, int body, bool *taken, int *count)
{
    cardo_body_info info;
    cardo_system_body(session->system, body, &info);
    for (int j = 0; j < info.nu && !session->model->body[body - 1].fit; ++j) {
        taken[info.u_first + j] = true;
        ++*count;
    }
}

/* Marks the mobilities of the loop that a constraint between two bodies closes (nu); returns how many. */
static int mark_loop(const cardo_session *session, int one, int other, bool *taken)
{
    int count = 0;
    while (one != other) { /* a parent's number is smaller than its children's */
        int *inner = one > other ? &one : &other;
        cardo_body_info info;
        cardo_system_body(session->system, *inner, &info);
        take_joint(session, *inner, taken, &count);
        *inner = info.parent;
    }
    return count;
}

/* Rank of n rows of G (nu) in the columns that are taken, by the eigenvalues of G G^T with rows made unit vectors. */
static cardo_status find_rank(const double *G, int n, int nu, const bool *taken, int *rank,
                              cardo_error *error)
{
    double square[MOST_ROWS * MOST_ROWS], values[MOST_ROWS];
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double product = 0, one = 0, other = 0;
            for (int k = 0; k < nu; ++k)
                if (taken[k]) {
                    product += G[i * nu + k] * G[j * nu + k];
                    one += G[i * nu + k] * G[i * nu + k];
                    other += G[j * nu + k] * G[j * nu + k];
                }
            square[i * n + j] = one > 0 && other > 0 ? product / sqrt(one * other) : 0;
        }
    *rank = 0;
    const cardo_status status = cardo_symmetric_eigen(n, square, values, error);
    for (int i = 0; i < n && status == CARDO_OK; ++i)
        *rank += values[i] > 1e-11;
    return status;
}

static cardo_status add_loop(const cardo_session *session, const cardo_model_cut *cut,
                             int constraint, const double *G, bool *taken, cardo_result *table,
                             cardo_error *error)
{
    const int nu = cardo_system_nu(session->system);
    cardo_constraint_info info;
    int rank = 0;
    cardo_system_constraint(session->system, constraint, &info, NULL);
    for (int k = 0; k < nu; ++k)
        taken[k] = false;
    const int torsions = mark_loop(session, cut->body[0] + 1, cut->body[1] + 1, taken);
    const cardo_status status = find_rank(G + (size_t)info.first_position * (size_t)nu,
                                          info.nposition, nu, taken, &rank, error);
    cardo_result_row(table);
    cardo_result_text(table, &(cardo_quantity){"loop"}, info.name);
    cardo_result_integer(table, &(cardo_quantity){"torsions"}, torsions);
    cardo_result_integer(table, &(cardo_quantity){"rows"}, info.nposition);
    cardo_result_integer(table, &(cardo_quantity){"rank"}, rank);
    cardo_result_integer(table, &(cardo_quantity){"freedoms"}, torsions - rank);
    if (cardo_session_has_course(session))
        cardo_result_text(table, &(cardo_quantity){"beside"}, "q");
    return status;
}

cardo_status cardo_loops_fill(const cardo_session *session, cardo_result *into, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_model *model = session->model;
    const int nu = cardo_system_nu(session->system);
    cardo_constraint_counts counts;
    cardo_result *table = NULL;
    double *G = NULL;
    bool *taken = NULL;
    int constraint = 0; /* the model's first ones close its strands, in the order of the cuts */
    cardo_system_constraint_counts(session->system, &counts);
    CARDO_TRY(CARDO_ALLOCATE(&G, (size_t)counts.nrow * (size_t)nu + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&taken, nu + 1, error));
    CARDO_TRY(cardo_constraint_matrix(session->system, session->state, G, error));
    for (int c = 0; c < model->ncut; ++c) {
        if (!model->cut[c].rigid)
            continue;
        if (!table)
            table = cardo_result_table(into, "loops", "loop");
        CARDO_TRY(add_loop(session, &model->cut[c], constraint++, G, taken, table, error));
    }
done:
    cardo_free(G);
    cardo_free(taken);
    return status;
}
