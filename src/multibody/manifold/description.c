#include "multibody/manifold/description.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "cardo/stabilization.h"
#include "multibody/tree/operators.h"

#include <math.h>

/* Numbers enter a hash rounded, so that another mathematical library's last bit does not change it.
 */
static unsigned long long hash_numbers(const double *values, size_t n, unsigned long long hash)
{
    for (size_t k = 0; k < n; ++k) {
        long long rounded = fabs(values[k]) < 1e10 ? llround(values[k] * 1e7) : -1;
        hash = cardo_hash(&rounded, sizeof rounded, hash);
    }
    return hash;
}

static void write_bodies(FILE *stream, const cardo_system *system)
{
    for (int body = 1; body < cardo_system_nbody(system); ++body) {
        cardo_body_info info;
        cardo_system_body(system, body, &info);
        cardo_print(
            stream,
            "model.body.%d name %s, mobilizer %s%s%s, parent %d, stations %d, mass %.9g Da, "
            "inertia %.9g %.9g %.9g\n",
            body, info.name ? info.name : "", cardo_mobilizer_name(info.mobilizer),
            info.reversed ? " reversed" : "", info.euler ? " in Euler angles" : "", info.parent,
            info.nstation, info.mass.mass, info.mass.inertia[0], info.mass.inertia[1],
            info.mass.inertia[2]);
        unsigned long long frames = hash_numbers((const double *)&info.X_PF, 12, 0);
        frames = hash_numbers((const double *)&info.X_BM, 12, frames);
        fprintf(stream, "model.body.%d.frames %016llx\n", body, frames);
    }
}

static void write_constraints(FILE *stream, const cardo_system *system, const cardo_state *state)
{
    cardo_constraint_info info;
    for (int i = 0; cardo_system_constraint(system, i, &info, NULL) == CARDO_OK; ++i)
        cardo_print(stream,
                    "model.constraint.%d name %s, kind %s%s, rows %d of positions, %d of "
                    "velocities, %d of accelerations\n",
                    i, info.name ? info.name : "", cardo_constraint_name(info.constraint),
                    cardo_state_has_constraint(state, i) ? "" : " off at the start", info.nposition,
                    info.nvelocity, info.nacceleration);
}

/* Of systems that are not projected. */
static void write_stabilization(FILE *stream, cardo_stabilization s)
{
    if (s.method != CARDO_STABILIZATION_PROJECTION)
        cardo_print(
            stream,
            "model.stabilization %s, alpha %.17g, beta %.17g, stiffness %.17g, omega %.17g, mu "
            "%.17g, solves %d\n",
            cardo_stabilization_name(s.method), s.alpha, s.beta, s.stiffness, s.omega, s.mu,
            s.solves);
}

/* Errors, products and offsets of rows tell what their parameters are: all are switched on and looked at where the state stands. */
static cardo_status write_rows(FILE *stream, const cardo_system *system, cardo_state *state,
                               cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_constraint_counts counts;
    double *numbers = NULL, *speeds = NULL;
    const int nu = cardo_system_nu(system);
    cardo_system_constraint_counts(system, &counts);
    if (counts.nconstraint == 0)
        return CARDO_OK;
    write_constraints(stream, system, state);
    write_stabilization(stream, cardo_system_stabilization(system));
    for (int i = 0; i < counts.nconstraint; ++i)
        CARDO_TRY(cardo_state_set_constraint(state, i, true, error));
    CARDO_TRY(CARDO_ALLOCATE(&numbers, 3 * counts.nrow, error));
    CARDO_TRY(CARDO_ALLOCATE(&speeds, nu, error));
    for (int k = 0; k < nu; ++k)
        speeds[k] = 0.1 * (k + 1.0) / nu;
    cardo_state_set_u(state, speeds);
    CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_VELOCITY, error));
    CARDO_TRY(cardo_constraint_position_errors(system, state, numbers, error));
    CARDO_TRY(cardo_constraint_velocity_errors(system, state, numbers + counts.nrow, error));
    CARDO_TRY(cardo_constraint_bias(system, state, numbers + 2 * counts.nrow, error));
    fprintf(stream, "model.constraints %016llx\n",
            hash_numbers(numbers, 3 * (size_t)counts.nrow, 0));
done:
    cardo_free(numbers);
    cardo_free(speeds);
    return status;
}

/* In pieces, as their array would take as much as a large molecule's structure. */
static unsigned long long hash_stations(const cardo_system *system, const cardo_state *state)
{
    enum { PIECE = 1024 };
    double positions[3 * PIECE];
    const int nstation = cardo_system_nstation(system);
    unsigned long long hash = 0;
    for (int first = 0; first < nstation; first += PIECE) {
        const int n = nstation - first < PIECE ? nstation - first : PIECE;
        cardo_station_positions_of(system, state, first, n, positions);
        hash = hash_numbers(positions, 3 * (size_t)n, hash);
    }
    return hash;
}

/* Poses away from the reference tell what the parameters of mobilizers are, which the system does
 * not show. */
static cardo_status write_probes(FILE *stream, const cardo_system *system, cardo_error *error)
{
    cardo_status status;
    cardo_state *state = NULL;
    double *numbers = NULL;
    int nq = cardo_system_nq(system);
    CARDO_TRY(cardo_state_create(system, &state, error));
    CARDO_TRY(CARDO_ALLOCATE(&numbers, nq, error));
    CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_POSITION, error));
    fprintf(stream, "model.stations.positions %016llx\n", hash_stations(system, state));
    const double *q = cardo_state_q(state);
    for (int k = 0; k < nq; ++k)
        numbers[k] = q[k] + 0.1 * (k + 1.0) / nq;
    if (nq > 0)
        cardo_state_set_q(state, numbers);
    CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_POSITION, error));
    const cardo_transform *poses = cardo_state_X_GB(state);
    fprintf(stream, "model.poses %016llx\n",
            hash_numbers((const double *)poses, 12 * (size_t)cardo_system_nbody(system), 0));
    status = write_rows(stream, system, state, error);
done:
    cardo_free(numbers);
    cardo_state_destroy(state);
    return status;
}

cardo_status cardo_write_model_description(FILE *stream, const cardo_system *system,
                                           const cardo_force_provider *provider, cardo_error *error)
{
    fprintf(stream, "model.bodies %d\nmodel.coordinates %d\nmodel.speeds %d\nmodel.stations %d\n",
            cardo_system_nbody(system), cardo_system_nq(system), cardo_system_nu(system),
            cardo_system_nstation(system));
    write_bodies(stream, system);
    cardo_status status = write_probes(stream, system, error);
    fprintf(stream, "provider %s\n", provider ? provider->name : "none");
    fprintf(stream, "provider.terms");
    for (int k = 0; provider && k < provider->nterm; ++k)
        fprintf(stream, " %s", provider->term_names[k]);
    fprintf(stream, "\n");
    return status;
}

cardo_status cardo_model_description(const cardo_system *system,
                                     const cardo_force_provider *provider, char **text,
                                     cardo_error *error)
{
    cardo_text_stream out;
    *text = NULL;
    cardo_status status = cardo_text_stream_open(&out, error);
    if (status == CARDO_OK)
        status = cardo_text_stream_close(
            &out, cardo_write_model_description(out.stream, system, provider, error), text, error);
    return status;
}
