#include "sampling/variables/slow.h"

#include "base/memory.h"
#include "base/units.h"
#include "multibody/mobilizers/descriptor.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A coordinate, and the inertia that its speed carries. */
typedef struct candidate {
    int body, k, q;
    double inertia;
} candidate;

static void describe(const cardo_system *system, const cardo_state *start, const candidate *c,
                     cardo_slow *slow)
{
    cardo_body_info info;
    const int n = slow->n++;
    cardo_system_body(system, c->body, &info);
    const char *coordinate = cardo_joint_q_name(cardo_system_joint(system, c->body), c->k);
    slow->q[n] = c->q;
    slow->period[n] = info.mobilizer == &cardo_mobilizer_pin ? 2 * CARDO_PI : 0;
    slow->start[n] = cardo_state_q(start)[c->q];
    snprintf(slow->name[n], sizeof slow->name[n], "%.30s.%.30s", info.name ? info.name : "body",
             coordinate ? coordinate : "q");
}

/* Keeps the list in order of inertia, the largest first. */
static void insert(candidate *list, int *n, candidate c)
{
    int at = *n < CARDO_MOST_SLOW ? (*n)++ : CARDO_MOST_SLOW - 1;
    if (at == CARDO_MOST_SLOW - 1 && list[at].inertia >= c.inertia)
        return;
    for (; at > 0 && list[at - 1].inertia < c.inertia; --at)
        list[at] = list[at - 1];
    list[at] = c;
}

/* A free base moves as a whole, which is no one's free energy. */
static bool is_free_base(const cardo_body_info *info)
{
    return info->parent == 0 && info->nu == 6;
}

cardo_status cardo_slow_choose(const cardo_system *system, const cardo_state *start,
                               const cardo_variable *variable, cardo_slow *slow, cardo_error *error)
{
    cardo_status status;
    candidate list[CARDO_MOST_SLOW] = {{0}};
    double *direction = NULL, *momentum = NULL;
    const int nu = cardo_system_nu(system);
    int n = 0, speed = -1;
    *slow = (cardo_slow){0};
    CARDO_TRY(CARDO_ALLOCATE(&direction, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&momentum, nu, error));
    cardo_variable_speed(variable, &speed);
    for (int body = 1; body < cardo_system_nbody(system); ++body) {
        cardo_body_info info;
        cardo_system_body(system, body, &info);
        if (is_free_base(&info) || cardo_system_joint(system, body)->mobilizer->multiply_n)
            continue;
        for (int k = 0; k < info.nu; ++k) {
            const int u = info.u_first + k;
            if (u == speed)
                continue;
            direction[u] = 1;
            CARDO_TRY(cardo_multiply_m(system, start, direction, momentum, error));
            direction[u] = 0;
            insert(list, &n, (candidate){body, k, info.q_first + k, momentum[u]});
        }
    }
    for (int i = 0; i < n; ++i)
        describe(system, start, &list[i], slow);
done:
    cardo_free(direction);
    cardo_free(momentum);
    return status;
}

void cardo_slow_read(const cardo_slow *slow, const double *q, double *values)
{
    for (int i = 0; i < slow->n; ++i)
        values[i] = slow->period[i] > 0 ? remainder(q[slow->q[i]] - slow->start[i], slow->period[i])
                                        : q[slow->q[i]];
}
