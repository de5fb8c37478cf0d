#include "sampling/mixed/mixed.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "dynamics/monte_carlo/metropolis.h"
#include "multibody/tree/operators.h"
#include "sampling/mixed/cartesian.h"
#include "sampling/mixed/torsion_moves.h"

#include <math.h>
#include <string.h>

/* Purposes of random streams, beside those of simulations of the same seed and replica. */
enum { STREAM_ATOMS = 8, STREAM_HINGES = 9, STREAM_TURNS = 10, STREAMS_PER_REPLICA = 16 };

#define OPTION(member) offsetof(cardo_mixed_options, member)
const cardo_field cardo_mixed_fields[] = {
    {"temperature", CARDO_FIELD_DOUBLE, OPTION(temperature), "K", "300", 1e-3, 1e6, NULL,
     "temperature"},
    {"seed", CARDO_FIELD_LONG, OPTION(seed), "", "1", 0, 9e15, NULL, "seed of all random numbers"},
    {"replica", CARDO_FIELD_INT, OPTION(replica), "", "0", 0, 1e8, NULL,
     "another stream of random numbers of the same seed"},
    {"hinge-moves", CARDO_FIELD_INT, OPTION(hinge_moves), "", "1", 0, 1e6, NULL,
     "moves of the hinges in a cycle"},
    {"hinge-flights", CARDO_FIELD_INT, OPTION(hinge_flights), "", "8", 1, 1e6, NULL,
     "steps of such a move"},
    {"hinge-timestep", CARDO_FIELD_DOUBLE, OPTION(hinge_timestep), "ps", "0.02", 1e-9, 1e3, NULL,
     "time step of such a move"},
    {"hinge-turns", CARDO_FIELD_INT, OPTION(hinge_turns), "", "1", 0, 1e6, NULL,
     "turns of one torsion or pin by any angle in a cycle, each an evaluation: they jump over "
     "barriers; none where the model has no such joint"},
    {"atom-moves", CARDO_FIELD_INT, OPTION(atom_moves), "", "1", 0, 1e6, NULL,
     "moves of all atoms in a cycle"},
    {"atom-flights", CARDO_FIELD_INT, OPTION(atom_flights), "", "30", 1, 1e6, NULL,
     "steps of such a move"},
    {"atom-timestep", CARDO_FIELD_DOUBLE, OPTION(atom_timestep), "ps", "0.001", 1e-9, 1, NULL,
     "time step of such a move"},
    {"burn-in", CARDO_FIELD_INT, OPTION(burn_in), "", "200", 0, 1e8, NULL,
     "first cycles, in which time steps are adapted; they are not analysed"},
    {"acceptance", CARDO_FIELD_DOUBLE, OPTION(acceptance), "", "0.8", 0.05, 0.99, NULL,
     "share of moves to be accepted, to which burn-in adapts the time steps"},
    {NULL, CARDO_FIELD_INT, 0, NULL, NULL, 0, 0, NULL, NULL},
};
#undef OPTION

struct cardo_mixed {
    const cardo_hinges *hinges;
    cardo_mixed_options options;
    cardo_cartesian atoms;
    cardo_monte_carlo_options moves; /* of the hinges */
    int nq, nu, nkeep;
    cardo_random random; /* of the hinges                         */
    cardo_torsion_moves turns;
    double *keep, *work; /* of the hinges' integrator             */
    double *good_q, *good_evaluation;
    cardo_vec3 home; /* the centre of mass at the beginning */
    long long cycles, hinge_evaluations;
    long long hinge_moves, hinge_accepted; /* after burn-in */
};

/* The hinged molecule for one cycle. */
typedef struct hinged {
    cardo_system *system;
    cardo_state *state;
    cardo_evaluator *evaluator;
} hinged;

static void hinged_clear(hinged *h)
{
    cardo_evaluator_destroy(h->evaluator);
    cardo_state_destroy(h->state);
    cardo_system_destroy(h->system);
}

static cardo_status hinged_make(const cardo_mixed *self, hinged *h, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(cardo_hinges_compile(self->hinges, self->atoms.positions, &h->system, error));
    CARDO_TRY(cardo_state_create(h->system, &h->state, error));
    CARDO_TRY(cardo_evaluator_create(h->system, self->atoms.provider, &h->evaluator, error));
    status = cardo_evaluator_add_fixman(h->evaluator, self->atoms.kT, error);
done:
    return status;
}

/* Memory of the hinges' moves, sized by the molecule as it begins. */
static cardo_status open_hinges(cardo_mixed *self, cardo_error *error)
{
    cardo_status status;
    const cardo_integrator *hmc = &cardo_integrator_hmc;
    hinged h = {0};
    CARDO_TRY(hinged_make(self, &h, error));
    self->nq = cardo_system_nq(h.system);
    self->nu = cardo_system_nu(h.system);
    self->nkeep = hmc->keep_count(self->nq, self->nu);
    CARDO_TRY(CARDO_ALLOCATE(&self->keep, self->nkeep, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->work, hmc->work_count(self->nq, self->nu), error));
    CARDO_TRY(CARDO_ALLOCATE(&self->good_q, self->nq, error));
    CARDO_TRY(cardo_torsion_moves_open(&self->turns, h.system, error));
    CARDO_TRY(
        CARDO_ALLOCATE(&self->good_evaluation, cardo_evaluator_value_count(h.evaluator), error));
    if (self->nu == 0)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "the model has no joint that moves: the mixed sampler has nothing to "
                            "mix");
done:
    hinged_clear(&h);
    return status;
}

static uint32_t stream_of(const cardo_mixed_options *options, int purpose)
{
    return (uint32_t)options->replica * STREAMS_PER_REPLICA + (uint32_t)purpose;
}

/* Burn-in in moves, where it was in cycles. */
static int burn_in_moves(const cardo_mixed_options *options, int moves)
{
    const double all = (double)options->burn_in * moves;
    return all < 1e9 ? (int)all : 1000000000;
}

static void set_options(cardo_mixed *self, const cardo_mixed_options *options)
{
    self->options = *options;
    self->atoms.kT = CARDO_BOLTZMANN * options->temperature;
    self->atoms.options = (cardo_cartesian_options){
        .timestep = options->atom_timestep,
        .flights = options->atom_flights,
        .jitter = 0.1,
        .burn_in = burn_in_moves(options, options->atom_moves),
        .acceptance = options->acceptance,
    };
    cardo_fields_default(cardo_integrator_hmc.fields, &self->moves);
    self->moves.flights = options->hinge_flights;
    self->moves.burn_in = burn_in_moves(options, options->hinge_moves);
    self->moves.acceptance = options->acceptance;
    self->atoms.random =
        cardo_random_start((uint64_t)options->seed, stream_of(options, STREAM_ATOMS));
    self->random = cardo_random_start((uint64_t)options->seed, stream_of(options, STREAM_HINGES));
    self->turns.random =
        cardo_random_start((uint64_t)options->seed, stream_of(options, STREAM_TURNS));
}

static cardo_vec3 centre_of_mass(const cardo_mixed *self)
{
    cardo_vec3 sum = v3(0, 0, 0);
    double mass = 0;
    for (int i = 0; i < self->atoms.natom; ++i) {
        const double m = self->atoms.mass[i];
        sum = v3_add_scaled(sum, m, v3_load(self->atoms.positions + 3 * (size_t)i));
        mass += m;
    }
    return v3_scale(1 / mass, sum);
}

cardo_status cardo_mixed_create(const cardo_hinges *hinges, cardo_force_provider *provider,
                                const cardo_mixed_options *options, const double *positions,
                                cardo_mixed **out, cardo_error *error)
{
    cardo_status status;
    cardo_mixed *self = NULL;
    *out = NULL;
    CARDO_TRY(cardo_hinges_check(hinges, error));
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->hinges = hinges;
    self->atoms.natom = hinges->nstation;
    self->atoms.mass = hinges->mass;
    self->atoms.provider = provider;
    set_options(self, options);
    CARDO_TRY(cardo_cartesian_open(&self->atoms, error));
    memcpy(self->atoms.positions, positions, 3 * (size_t)hinges->nstation * sizeof *positions);
    self->home = centre_of_mass(self);
    CARDO_TRY(open_hinges(self, error));
    CARDO_TRY(cardo_cartesian_evaluate(&self->atoms, error));
    *out = self;
    self = NULL;
done:
    cardo_mixed_destroy(self);
    return status;
}

void cardo_mixed_destroy(cardo_mixed *self)
{
    if (!self)
        return;
    cardo_cartesian_clear(&self->atoms);
    cardo_torsion_moves_clear(&self->turns);
    cardo_free(self->keep);
    cardo_free(self->work);
    cardo_free(self->good_q);
    cardo_free(self->good_evaluation);
    cardo_free(self);
}

/* Moves of the hinged molecule from where it is; *moved: one was accepted. */
static cardo_status move_hinged(cardo_mixed *self, hinged *h, bool *moved, cardo_error *error)
{
    cardo_status status;
    cardo_integration run = {.system = h->system,
                             .state = h->state,
                             .evaluator = h->evaluator,
                             .timestep = self->options.hinge_timestep,
                             .kT = self->atoms.kT,
                             .degrees = self->nu,
                             .random = self->random,
                             .options = &self->moves,
                             .keep = self->keep,
                             .work = self->work,
                             .nq = self->nq,
                             .nu = self->nu,
                             .good_q = self->good_q,
                             .good_evaluation = self->good_evaluation};
    CARDO_TRY(cardo_evaluate(h->evaluator, h->state, error));
    CARDO_TRY(cardo_realize(h->system, h->state, CARDO_STAGE_ACCELERATION, error));
    CARDO_TRY(cardo_integrator_hmc.start(&run, error));
    for (int k = 0; k < self->options.hinge_moves; ++k) {
        const size_t bytes = (size_t)self->nq * sizeof *self->good_q;
        memcpy(self->good_q, cardo_state_q(h->state), bytes);
        cardo_evaluator_save(h->evaluator, self->good_evaluation);
        CARDO_TRY(cardo_integrator_hmc.step(&run, error));
        const bool accepted = memcmp(self->good_q, cardo_state_q(h->state), bytes) != 0;
        *moved = *moved || accepted;
        if (self->cycles >= self->options.burn_in) {
            self->hinge_moves += 1;
            self->hinge_accepted += accepted;
        }
    }
done:
    self->random = run.random;
    self->hinge_evaluations += cardo_evaluator_count(h->evaluator);
    return status;
}

/* Where nothing was accepted the atoms stay to the bit. */
static cardo_status move_hinges(cardo_mixed *self, cardo_error *error)
{
    cardo_status status;
    hinged h = {0};
    bool moved = false;
    CARDO_TRY(hinged_make(self, &h, error));
    for (int k = 0; k < cardo_mixed_turns(self); ++k)
        CARDO_TRY(cardo_torsion_moves_make(&self->turns, h.system, h.state, &self->atoms, error));
    if (self->cycles < self->options.burn_in)
        self->turns.moves = self->turns.accepted = 0;
    if (self->options.hinge_moves > 0)
        CARDO_TRY(move_hinged(self, &h, &moved, error));
    if (moved) {
        CARDO_TRY(cardo_station_positions(h.system, h.state, self->atoms.positions, error));
        CARDO_TRY(cardo_cartesian_evaluate(&self->atoms, error));
    }
done:
    hinged_clear(&h);
    return status;
}

/* nm */
static const double farthest = 0.5;

/* Momenta are drawn with those of the whole, so it wanders; far away single precision would lose
 * digits. U does not depend on where the whole is: it may be put back. */
static cardo_status bring_home(cardo_mixed *self, cardo_error *error)
{
    const cardo_vec3 way = v3_sub(centre_of_mass(self), self->home);
    if (!(v3_norm(way) > farthest))
        return CARDO_OK;
    for (int i = 0; i < self->atoms.natom; ++i) {
        double *x = self->atoms.positions + 3 * (size_t)i;
        v3_store(x, v3_sub(v3_load(x), way));
    }
    return cardo_cartesian_evaluate(&self->atoms, error);
}

enum { TRIAL = 50 };

/* Moves of which none is accepted sample nothing, and no error bar would tell. */
static cardo_status check_moves(const cardo_mixed *self, cardo_error *error)
{
    const cardo_cartesian_count *count = &self->atoms.count;
    const cardo_integration run = {.keep = self->keep, .timestep = self->options.hinge_timestep};
    const bool atoms = count->moves > 0 && count->accepted < 1;
    const bool hinges = self->hinge_moves > 0 && self->hinge_accepted == 0;
    if (!atoms && !hinges)
        return CARDO_OK;
    return CARDO_FAIL(
        error, CARDO_ERROR_INPUT,
        "none of %.0f moves of %s was accepted: steps of %.3g ps are too long; begin with a "
        "smaller %s, or with more cycles of burn-in, which adapt it (200 are the default)",
        atoms ? count->moves : (double)self->hinge_moves, atoms ? "all atoms" : "the hinges",
        atoms ? self->options.atom_timestep * exp(count->log_step)
              : cardo_metropolis_timestep(&run),
        atoms ? "atom-timestep" : "hinge-timestep");
}

cardo_status cardo_mixed_cycle(cardo_mixed *self, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < self->options.atom_moves && status == CARDO_OK; ++k)
        status = cardo_cartesian_move(&self->atoms, error);
    if (status == CARDO_OK && self->options.hinge_moves + self->options.hinge_turns > 0)
        status = move_hinges(self, error);
    if (status == CARDO_OK)
        status = bring_home(self, error);
    self->cycles += status == CARDO_OK;
    if (status == CARDO_OK && self->cycles == self->options.burn_in + TRIAL)
        status = check_moves(self, error);
    return status;
}

long long cardo_mixed_cycles(const cardo_mixed *self)
{
    return self->cycles;
}

const double *cardo_mixed_positions(const cardo_mixed *self)
{
    return self->atoms.positions;
}

double cardo_mixed_energy(const cardo_mixed *self)
{
    return self->atoms.energy;
}

int cardo_mixed_turns(const cardo_mixed *self)
{
    return self->turns.npin > 0 ? self->options.hinge_turns : 0;
}

long long cardo_mixed_evaluations(const cardo_mixed *self)
{
    return self->atoms.evaluations + self->hinge_evaluations;
}

void cardo_mixed_report(const cardo_mixed *self, char *text, size_t size)
{
    const cardo_cartesian_count *count = &self->atoms.count;
    const cardo_integration run = {.keep = self->keep, .timestep = self->options.hinge_timestep};
    const double moves = (double)self->hinge_moves, accepted = (double)self->hinge_accepted;
    int used =
        cardo_format(text, size,
                     "atoms: %.0f of %.0f moves accepted (%.1f %%), step %.3g ps\n"
                     "hinges: %.0f of %.0f moves accepted (%.1f %%), step %.3g ps\n",
                     count->accepted, count->moves, 100 * count->accepted / fmax(count->moves, 1),
                     self->options.atom_timestep * exp(count->log_step), accepted, moves,
                     100 * accepted / fmax(moves, 1), cardo_metropolis_timestep(&run));
    if (self->turns.moves > 0 && used > 0 && (size_t)used < size)
        cardo_format(text + used, size - (size_t)used, "turns: %.0f of %.0f accepted (%.2f %%)\n",
                     self->turns.accepted, self->turns.moves,
                     100 * self->turns.accepted / self->turns.moves);
}

/* positions, counts of atoms' moves, the hinges' keep; cycles, positions of both streams, evaluations
 * of both, moves of hinges and those accepted; position, moves and accepted ones of the turns. */
enum { COUNTS = sizeof(cardo_cartesian_count) / sizeof(double), OTHERS = 10 };

int cardo_mixed_value_count(const cardo_mixed *self)
{
    return 3 * self->atoms.natom + COUNTS + self->nkeep + OTHERS;
}

void cardo_mixed_save(const cardo_mixed *self, double *values)
{
    const size_t n = 3 * (size_t)self->atoms.natom;
    memcpy(values, self->atoms.positions, n * sizeof *values);
    memcpy(values + n, &self->atoms.count, sizeof self->atoms.count);
    memcpy(values + n + COUNTS, self->keep, (size_t)self->nkeep * sizeof *values);
    double *others = values + n + COUNTS + self->nkeep;
    others[0] = (double)self->cycles;
    others[1] = (double)self->atoms.random.position;
    others[2] = (double)self->random.position;
    others[3] = (double)self->atoms.evaluations;
    others[4] = (double)self->hinge_evaluations;
    others[5] = (double)self->hinge_moves;
    others[6] = (double)self->hinge_accepted;
    others[7] = (double)self->turns.random.position;
    others[8] = self->turns.moves;
    others[9] = self->turns.accepted;
}

cardo_status cardo_mixed_restore(cardo_mixed *self, const double *values, cardo_error *error)
{
    const size_t n = 3 * (size_t)self->atoms.natom;
    const double *others = values + n + COUNTS + self->nkeep;
    memcpy(self->atoms.positions, values, n * sizeof *values);
    memcpy(&self->atoms.count, values + n, sizeof self->atoms.count);
    memcpy(self->keep, values + n + COUNTS, (size_t)self->nkeep * sizeof *values);
    const cardo_status status = cardo_cartesian_evaluate(&self->atoms, error);
    self->cycles = (long long)others[0];
    self->atoms.random.position = (uint64_t)others[1];
    self->random.position = (uint64_t)others[2];
    self->atoms.evaluations = (long long)others[3];
    self->hinge_evaluations = (long long)others[4];
    self->hinge_moves = (long long)others[5];
    self->hinge_accepted = (long long)others[6];
    self->turns.random.position = (uint64_t)others[7];
    self->turns.moves = others[8];
    self->turns.accepted = others[9];
    return status;
}
