/* A loop of torsions: the backbone of a peptide between two ends that stand still. With six torsions a weld leaves it some places and no
 * way from one to another; all are found from random starts. With a seventh it has one freedom, along which it moves round and
 * comes back. Writes what loop.gp draws to the file that is named, if one is. */
#include "walk.h"

#include <cardo/dynamics.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 7, STARTS = 1200, MOST_CLOSURES = 16, MOST_WAY = 4000 };

static const double pi = 3.14159265358979323846;
/* Of a peptide: nm and degrees. */
static const double n_ca = 0.1458, ca_c = 0.1525, c_n = 0.1329, at_ca = 111, at_c = 116.6,
                    at_n = 121.7;

static void must(cardo_status status, const cardo_error *error)
{
    if (status == CARDO_OK)
        return;
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

/* ------------ geometry ------------ */

static cardo_transform compose(cardo_transform a, cardo_transform b)
{
    cardo_transform out = a;
    double *p[3] = {&out.p.x, &out.p.y, &out.p.z};
    for (int i = 0; i < 3; ++i) {
        *p[i] += a.R.m[i][0] * b.p.x + a.R.m[i][1] * b.p.y + a.R.m[i][2] * b.p.z;
        for (int j = 0; j < 3; ++j) {
            out.R.m[i][j] = 0;
            for (int k = 0; k < 3; ++k)
                out.R.m[i][j] += a.R.m[i][k] * b.R.m[k][j];
        }
    }
    return out;
}

/* Turned about z by a torsion, or on by a bond: bent about y by what the angle leaves of half a turn, and along. */
static cardo_transform turned(double torsion)
{
    cardo_transform out = cardo_transform_identity();
    out.R.m[0][0] = out.R.m[1][1] = cos(torsion);
    out.R.m[1][0] = sin(torsion);
    out.R.m[0][1] = -sin(torsion);
    return out;
}

static cardo_transform bond(double angle, double length)
{
    cardo_transform out = cardo_transform_identity();
    const double bend = pi - angle * pi / 180;
    out.R.m[0][0] = out.R.m[2][2] = cos(bend);
    out.R.m[0][2] = sin(bend);
    out.R.m[2][0] = -sin(bend);
    out.p = (cardo_vec3){length * sin(bend), 0, length * cos(bend)};
    return out;
}

/* From the atom that one torsion's body stands at to the next: CA to C, or C over N, trans, to CA. */
static cardo_transform to_next(int torsion)
{
    if (torsion == 0)
        return cardo_transform_identity();
    return torsion % 2 ? bond(at_ca, ca_c)
                       : compose(compose(bond(at_c, c_n), turned(pi)), bond(at_n, n_ca));
}

static cardo_system *loop(int ntorsion, const double *closed)
{
    cardo_error error = {0};
    cardo_system *system;
    cardo_transform end = cardo_transform_identity();
    must(cardo_system_create(&system, &error), &error);
    for (int k = 0; k < ntorsion; ++k) {
        cardo_body_definition body = {.parent = k,
                                      .mobilizer = cardo_mobilizer_find("pin"),
                                      .X_PF = to_next(k),
                                      .X_BM = cardo_transform_identity(),
                                      .mass = {14, {0, 0, 0}, {0.1, 0.1, 0.1, 0, 0, 0}}};
        must(cardo_system_add_body(system, &body, NULL, &error), &error);
        end = compose(compose(end, to_next(k)), turned(closed[k]));
    }
    const cardo_welded_frames weld = {0, ntorsion, end, cardo_transform_identity()};
    must(cardo_system_add_constraint(system, cardo_constraint_find("weld"), "closure", &weld, NULL,
                                     &error),
         &error);
    must(cardo_system_finalize(system, &error), &error);
    return system;
}

/* Atoms of a state, one a line, and an empty line. */
static void write_atoms(FILE *file, const cardo_system *system, cardo_state *state, int ntorsion)
{
    walk_realize(system, state);
    if (!file)
        return;
    fprintf(file, "0 0 %.5f\n", -n_ca);
    for (int k = 0; k < ntorsion; ++k) {
        cardo_transform X = cardo_state_X_GB(state)[k + 1];
        fprintf(file, "%.5f %.5f %.5f\n", X.p.x, X.p.y, X.p.z);
        if (k % 2 == 1) {
            X = compose(X, bond(at_c, c_n));
            fprintf(file, "%.5f %.5f %.5f\n", X.p.x, X.p.y, X.p.z);
        }
    }
    fputc('\n', file);
}

/* ------------ six torsions: all closures ------------ */

static double uniform(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed / 4294967296.0;
}

static double farthest(const double *a, const double *b, int n)
{
    double most = 0;
    for (int i = 0; i < n; ++i)
        most = fmax(most, fabs(remainder(a[i] - b[i], 2 * pi)));
    return most;
}

static void find_closures(const double *closed, int expected, FILE *file)
{
    enum { N = 6 };
    cardo_error error = {0};
    cardo_system *system = loop(N, closed);
    cardo_state *state = walk_state(system);
    double found[MOST_CLOSURES][N], worst = 0;
    int count = 0, times[MOST_CLOSURES] = {0}, rigid = 0;
    unsigned seed = 1;
    const cardo_assembly_options any = {.size = sizeof any, .any = true};
    for (int start = 0; start < STARTS; ++start) {
        cardo_assembly made;
        double q[N];
        int same = 0, freedoms;
        for (int i = 0; i < N; ++i)
            q[i] = 2 * pi * uniform(&seed) - pi;
        cardo_state_set_q(state, q);
        if (cardo_assemble_q(system, state, &any, &made, &error))
            continue;
        worst = fmax(worst, made.violation);
        while (same < count && farthest(cardo_state_q(state), found[same], N) > 1e-6)
            ++same;
        if (same == count && count < MOST_CLOSURES) {
            memcpy(found[count++], cardo_state_q(state), sizeof found[0]);
            write_atoms(file, system, state, N);
            must(cardo_degrees_of_freedom(system, state, &freedoms, &error), &error);
            rigid += freedoms == 0;
        }
        if (same < MOST_CLOSURES)
            times[same]++;
    }
    printf("closures of six torsions (degrees), and how many of %d starts came to each\n", STARTS);
    for (int c = 0; c < count; ++c) {
        for (int i = 0; i < N; ++i)
            printf("%8.2f", remainder(found[c][i], 2 * pi) * 180 / pi);
        printf("%8d\n", times[c]);
    }
    int own = 0;
    while (own < count && farthest(closed, found[own], N) > 1e-6)
        ++own;
    walk_check("closures", count, expected, 0);
    walk_check("closures that cannot move", rigid, count, 0);
    walk_check("one of them is what the loop was made from", own < count, 1, 0);
    walk_check("position errors that are left", worst, 0, 1e-12);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

/* ------------ seven torsions: the one freedom ------------ */

/* The direction of the one freedom, of length one, that goes on along `before`. */
static void tangent(const cardo_system *system, cardo_state *state, const double *before,
                    double *out)
{
    cardo_error error = {0};
    double T[MOST * MOST], length = 0, along = 0;
    int freedoms;
    walk_realize(system, state);
    must(cardo_free_basis(system, state, T, &freedoms, &error), &error);
    if (freedoms != 1)
        walk_check("freedoms on the way", freedoms, 1, 0);
    for (int i = 0; i < MOST; ++i) {
        length += T[i * freedoms] * T[i * freedoms];
        along += T[i * freedoms] * before[i];
    }
    for (int i = 0; i < MOST; ++i)
        out[i] = T[i * freedoms] / (along < 0 ? -sqrt(length) : sqrt(length));
}

static void write_torsions(FILE *file, double at, const double *q)
{
    if (!file)
        return;
    fprintf(file, "%.4f", at);
    for (int i = 0; i < MOST; ++i)
        fprintf(file, " %.4f", q[i] * 180 / pi);
    fputc('\n', file);
}

/* Round along the freedom by small steps, and back to where it began. */
static double go_round(const cardo_system *system, cardo_state *state, double step, FILE *file)
{
    cardo_error error = {0};
    double start[MOST], q[MOST], t[MOST] = {1}, way = 0, near = HUGE_VAL;
    memcpy(start, cardo_state_q(state), sizeof start);
    tangent(system, state, t, t);
    for (int k = 0; k < MOST_WAY; ++k) {
        double ahead = 0;
        memcpy(q, cardo_state_q(state), sizeof q);
        write_torsions(file, way, q);
        for (int i = 0; i < MOST; ++i)
            ahead += (start[i] - q[i]) * t[i];
        near = farthest(start, q, MOST);
        if (k > 10 && near < step) {
            way += ahead;
            write_torsions(file, way, start);
            break;
        }
        for (int i = 0; i < MOST; ++i)
            q[i] += step * t[i];
        cardo_state_set_q(state, q);
        must(cardo_project_q(system, state, 0, &error), &error);
        way += step;
        tangent(system, state, t, t);
    }
    if (file)
        fputs("\n\n", file);
    walk_check("comes back", near, 0, step);
    return way;
}

/* A push along the freedom, no forces: the energy stays, and so does the loop. */
static void let_move(const cardo_system *system, cardo_state *state, FILE *file)
{
    static const char *const options[] = {"timestep=0.02", "temperature=300", "seed=4"};
    cardo_error error = {0};
    cardo_simulation *run;
    cardo_frame first, frame;
    cardo_end end;
    double worst = 0, most = 0;
    must(cardo_simulation_open(system, state, NULL, "verlet", 3, options, &run, &error), &error);
    must(cardo_simulation_start(run, &error), &error);
    cardo_simulation_frame(run, &first);
    for (int step = 0; step <= 1200; ++step) {
        double errors[6];
        must(cardo_simulation_run(run, step, NULL, &end, &error), &error);
        cardo_simulation_frame(run, &frame);
        must(cardo_constraint_position_errors(system, state, errors, &error), &error);
        for (int i = 0; i < 6; ++i)
            worst = fmax(worst, fabs(errors[i]));
        most = fmax(most, fabs(frame.total / first.total - 1));
        write_torsions(file, frame.time, cardo_state_q(state));
    }
    walk_check("position errors while it moves", worst, 0, 1e-12);
    walk_check("kinetic energy, relative", most, 0, 1e-6);
    cardo_simulation_destroy(run);
}

static void move_along(const double *closed, FILE *file)
{
    cardo_system *system = loop(MOST, closed);
    cardo_state *state = walk_state(system);
    cardo_state_set_q(state, closed);
    const double way = go_round(system, state, 0.01, file);
    printf("once round along the freedom of seven torsions: %.3f radian of all torsions together\n",
           way);
    cardo_state_set_q(state, closed);
    let_move(system, state, file);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

int main(int count, char **arguments)
{
    static const double degrees[MOST] = {-75, 61, -69, 73, -76, 128, -80};
    double closed[MOST];
    FILE *file = count > 1 ? fopen(arguments[1], "w") : NULL;
    for (int i = 0; i < MOST; ++i)
        closed[i] = degrees[i] * pi / 180;
    find_closures(closed, 8, file);
    if (file)
        fputs("\n", file);
    move_along(closed, file);
    if (file)
        fclose(file);
    return 0;
}
