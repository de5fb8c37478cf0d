/* A program that has an MPI of its own and calls the library from it, in four ranks: free energies and mode
 * columns on a communicator made from all of them and from each half, with the bits of one process; a study
 * that fails on the way; and then the program goes on with MPI, and finds itself as it was. */
#include "analysis/modes/force_stiffness.h"
#include "base/communicator_mpi.h"
#include "landscapes.h"
#include "support/support.h"
#include "support/surroundings.h"

#include <stdio.h>
#include <string.h>

enum { RANKS = 4, MOST = 1 << 16, SPEEDS = 100, GREETING = 7 };

static int failures;

static void expect(bool holds, const char *what)
{
    int rank;
    if (holds)
        return;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "rank %d: %s\n", rank, what);
    failures++;
}

typedef struct findings {
    size_t n;
    double values[MOST]; /* the study at its end */
    double K[SPEEDS * SPEEDS];
} findings;

static cardo_status find_free_energy(cardo_communicator *communicator, double to, findings *out,
                                     cardo_error *error)
{
    landscape l;
    cardo_sampling *sampling = NULL;
    landscape_make(&l, model_path, LANDSCAPE_DOUBLE_WELL, false, &cardo_integrator_langevin,
                   "umbrella");
    landscape_set(&l, "steps", "400");
    landscape_set(&l, "equilibration", "200");
    landscape_set(&l, "round", "50");
    landscape_set(&l, "windows", "12");
    landscape_set(&l, "timestep", "0.03");
    l.options.to = to;
    cardo_status status = landscape_study(&l, communicator, &sampling, error);
    if (status == CARDO_OK)
        status = landscape_run(sampling, error);
    if (status == CARDO_OK) {
        out->n = cardo_sampling_value_count(sampling);
        expect(out->n <= MOST, "more numbers than there is room for");
        if (out->n <= MOST)
            cardo_sampling_save(sampling, out->values);
    }
    cardo_sampling_destroy(sampling);
    landscape_clear(&l);
    return cardo_communicator_agree(communicator, status, error);
}

static cardo_status find_stiffness(cardo_communicator *communicator, findings *out,
                                   cardo_error *error)
{
    test_model model;
    cardo_evaluator *evaluator = NULL;
    cardo_stiffness_quality quality;
    model_chain(&model);
    expect(cardo_system_nu(model.system) == SPEEDS, "another chain");
    cardo_status status = cardo_evaluator_create(model.system, model.provider, &evaluator, error);
    if (status == CARDO_OK)
        status = cardo_force_stiffness(model.system, model.state, evaluator, 1e-4, false,
                                       communicator, out->K, &quality, error);
    const long long all = 4 * SPEEDS, size = cardo_communicator_size(communicator);
    expect(status != CARDO_OK || size == 1 || quality.evaluations < all / size + 50,
           "nobody shared the columns");
    cardo_evaluator_destroy(evaluator);
    model_destroy(&model);
    return cardo_communicator_agree(communicator, status, error);
}

static void find(cardo_communicator *communicator, findings *out)
{
    cardo_error error = {0};
    memset(out, 0, sizeof *out);
    expect(find_free_energy(communicator, 1.2, out, &error) == CARDO_OK, error.message);
    expect(find_stiffness(communicator, out, &error) == CARDO_OK, error.message);
}

static void find_among(MPI_Comm comm, const findings *alone)
{
    static findings together;
    cardo_error error = {0};
    cardo_communicator *communicator;
    char words[64], expected[64];
    int size;
    MPI_Comm_size(comm, &size);
    snprintf(expected, sizeof expected, "%d MPI ranks", size);
    if (cardo_communicator_from_mpi(comm, &communicator, &error) != CARDO_OK) {
        expect(false, error.message);
        return;
    }
    expect(strcmp(cardo_communicator_describe(communicator, words), expected) == 0, expected);
    find(communicator, &together);
    expect(alone->n > 0 && memcmp(alone, &together, sizeof together) == 0, "other bits than alone");
    cardo_communicator_destroy(communicator);
}

/* One rank fails by itself in the middle; all hear of it, and the program goes on. */
static void fail_in_one(void)
{
    static findings out;
    cardo_error error = {0};
    cardo_communicator *communicator;
    if (cardo_communicator_from_mpi(MPI_COMM_WORLD, &communicator, &error) != CARDO_OK) {
        expect(false, error.message);
        return;
    }
    cardo_status status;
    if (cardo_communicator_rank(communicator) == 2)
        status = cardo_communicator_agree(
            communicator, CARDO_FAIL(&error, CARDO_ERROR_FILE, "the disk of rank 2 is full"),
            &error);
    else
        status = find_free_energy(communicator, 1.2, &out, &error);
    expect(status == CARDO_ERROR_FILE && strcmp(error.message, "the disk of rank 2 is full") == 0,
           "a failure that not all heard of");
    cardo_communicator_destroy(communicator);
}

static void refuse_what_is_no_communicator(void)
{
    cardo_error error = {0};
    cardo_communicator *communicator;
    expect(cardo_communicator_from_mpi(MPI_COMM_NULL, &communicator, &error) ==
                   CARDO_ERROR_ARGUMENT &&
               !communicator,
           "a communicator of nobody");
}

int main(int argc, char **argv)
{
    static findings alone;
    static support_surroundings before, after;
    cardo_error error = {0};
    cardo_communicator *none;
    MPI_Comm half;
    MPI_Request request;
    int rank, size, greeting = -1, sum = 0, total = 0;
    if (cardo_communicator_from_mpi(MPI_COMM_SELF, &none, &error) != CARDO_ERROR_ARGUMENT)
        return 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    expect(size == RANKS, "four ranks are needed");
    support_look_around(&before);
    /* A message of the program's own is under way all the time, and would take any that is not its own. */
    MPI_Irecv(&greeting, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    find(NULL, &alone);
    find_among(MPI_COMM_WORLD, &alone);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    find_among(half, &alone);
    fail_in_one();
    find_among(half, &alone);
    refuse_what_is_no_communicator();
    support_look_around(&after);
    after.nfile = before.nfile; /* MPI opens some as it goes */
    failures += support_count_changes(&before, &after);
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, GREETING, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(greeting == (rank + size - 1) % size, "a greeting of somebody else");
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(sum == size * (size - 1) / 2, "a wrong sum over the ranks");
    MPI_Comm_free(&half);
    MPI_Allreduce(&failures, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    if (cardo_communicator_from_mpi(MPI_COMM_WORLD, &none, &error) != CARDO_ERROR_ARGUMENT)
        return 1;
    if (rank == 0)
        printf(
            "%zu numbers of a study and %d columns of K, the same bits alone, in %d ranks and in "
            "halves: %d failures\n",
            alone.n, SPEEDS, size, total);
    return total > 0;
}
