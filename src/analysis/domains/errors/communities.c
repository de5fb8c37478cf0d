#include "analysis/domains/errors/communities.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { MOST_SWEEPS = 100, MOST_LEVELS = 50 };

/* A graph of nodes that stand for groups of the first ones. */
typedef struct graph {
    int n;
    double *weight;   /* both ways, and twice what is inside of a node on the diagonal (n x n) */
    double *strength; /* k                                                             (n)     */
    double total;     /* 2m                                                                    */
    double resolution;
} graph;

static void clear(graph *g)
{
    cardo_free(g->weight);
    cardo_free(g->strength);
    *g = (graph){0};
}

static cardo_status allocate(graph *g, int n, double resolution, cardo_error *error)
{
    *g = (graph){.n = n, .resolution = resolution};
    cardo_status status = CARDO_ALLOCATE(&g->weight, (size_t)n * (size_t)n, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&g->strength, n, error);
    return status;
}

static void sum_up(graph *g)
{
    g->total = 0;
    for (int i = 0; i < g->n; ++i) {
        g->strength[i] = 0;
        for (int j = 0; j < g->n; ++j)
            g->strength[i] += g->weight[(size_t)i * (size_t)g->n + (size_t)j];
        g->total += g->strength[i];
    }
}

/* Moves single nodes where that is better, until none is; true: one was. tie, full: (n), scratch. */
static bool move_nodes(const graph *g, int *community, double *tie, double *full)
{
    bool any = false, moved = true;
    memset(full, 0, (size_t)g->n * sizeof *full);
    for (int i = 0; i < g->n; ++i)
        full[community[i]] += g->strength[i];
    for (int sweep = 0; sweep < MOST_SWEEPS && moved; ++sweep) {
        moved = false;
        for (int i = 0; i < g->n; ++i) {
            const int own = community[i];
            const double expected = g->resolution * g->strength[i] / g->total;
            memset(tie, 0, (size_t)g->n * sizeof *tie);
            for (int j = 0; j < g->n; ++j)
                if (j != i)
                    tie[community[j]] += g->weight[(size_t)i * (size_t)g->n + (size_t)j];
            full[own] -= g->strength[i];
            int best = own;
            double most = tie[own] - expected * full[own];
            for (int c = 0; c < g->n; ++c) {
                const double gain = tie[c] - expected * full[c];
                if (tie[c] > 0 && gain > most + 1e-10 * g->strength[i]) {
                    most = gain;
                    best = c;
                }
            }
            full[best] += g->strength[i];
            community[i] = best;
            moved |= best != own;
        }
        any |= moved;
    }
    return any;
}

/* Numbers from 0 by rising first node; number (n): scratch. Returns how many there are. */
static int renumber(int n, int *community, int *number)
{
    int count = 0;
    for (int c = 0; c < n; ++c)
        number[c] = -1;
    for (int i = 0; i < n; ++i) {
        if (number[community[i]] < 0)
            number[community[i]] = count++;
        community[i] = number[community[i]];
    }
    return count;
}

/* The graph whose nodes are the communities. */
static cardo_status join(const graph *g, const int *community, int count, graph *out,
                         cardo_error *error)
{
    cardo_status status = allocate(out, count, g->resolution, error);
    if (status != CARDO_OK)
        return status;
    for (int i = 0; i < g->n; ++i)
        for (int j = 0; j < g->n; ++j)
            out->weight[(size_t)community[i] * (size_t)count + (size_t)community[j]] +=
                g->weight[(size_t)i * (size_t)g->n + (size_t)j];
    sum_up(out);
    return CARDO_OK;
}

/* Moves nodes, then communities as nodes, and so on, from each node by itself or from what community has. */
static cardo_status climb(const graph *g, int *community, int *scratch, double *tie, double *full,
                          bool *better, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    graph level = {0}, next = {0};
    int *of_level = NULL;
    *better = move_nodes(g, community, tie, full);
    int count = renumber(g->n, community, scratch);
    CARDO_TRY(CARDO_ALLOCATE(&of_level, g->n, error));
    CARDO_TRY(join(g, community, count, &level, error));
    for (int k = 0; k < MOST_LEVELS; ++k) {
        for (int c = 0; c < level.n; ++c)
            of_level[c] = c;
        if (!move_nodes(&level, of_level, tie, full))
            break;
        *better = true;
        count = renumber(level.n, of_level, scratch);
        for (int i = 0; i < g->n; ++i)
            community[i] = of_level[community[i]];
        CARDO_TRY(join(&level, of_level, count, &next, error));
        clear(&level);
        level = next;
        next = (graph){0};
    }
done:
    clear(&level);
    clear(&next);
    cardo_free(of_level);
    return status;
}

static double modularity_of(const graph *g, const int *community, double *full)
{
    double Q = 0;
    memset(full, 0, (size_t)g->n * sizeof *full);
    for (int i = 0; i < g->n; ++i) {
        full[community[i]] += g->strength[i];
        for (int j = 0; j < g->n; ++j)
            if (community[i] == community[j])
                Q += g->weight[(size_t)i * (size_t)g->n + (size_t)j];
    }
    for (int c = 0; c < g->n; ++c)
        Q -= g->resolution * full[c] * full[c] / g->total;
    return Q / g->total;
}

cardo_status cardo_communities_find(int n, const double *weight, double resolution, int *community,
                                    int *count, double *modularity, cardo_error *error)
{
    cardo_status status;
    graph g = {0};
    int *scratch = NULL;
    double *tie = NULL, *full = NULL;
    CARDO_TRY(allocate(&g, n, resolution, error));
    CARDO_TRY(CARDO_ALLOCATE(&scratch, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&tie, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&full, n, error));
    memcpy(g.weight, weight, (size_t)n * (size_t)n * sizeof *weight);
    for (int i = 0; i < n; ++i) {
        g.weight[(size_t)i * (size_t)n + (size_t)i] = 0;
        community[i] = i;
    }
    sum_up(&g);
    bool better = g.total > 0;
    for (int k = 0; k < MOST_LEVELS && better; ++k)
        CARDO_TRY(climb(&g, community, scratch, tie, full, &better, error));
    *count = renumber(n, community, scratch);
    if (modularity)
        *modularity = g.total > 0 ? modularity_of(&g, community, full) : 0;
done:
    clear(&g);
    cardo_free(scratch);
    cardo_free(tie);
    cardo_free(full);
    return status;
}
