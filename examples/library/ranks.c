/* mpirun -n 4 ranks MODEL.xml: the free energy along a model's hinge, shared out over the ranks of a program that has an MPI of its
 * own. Every rank calls the same functions, and has the same result to the bit, whatever their number. */
#include <cardo/cardo.h>
#include <cardo/mpi.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    const char *const sample[] = {"method=umbrella", "to=0.03", "windows=4", "steps=1000",
                                  "equilibration=500"};
    const cardo_run_options how = {.size = sizeof how, .noption = 5, .option = sample};
    cardo_session_options opening = {.size = sizeof opening};
    cardo_session *session = NULL;
    cardo_result *result = NULL;
    cardo_error error;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    cardo_status status =
        cardo_communicator_from_mpi(MPI_COMM_WORLD, &opening.communicator, &error);
    if (status == CARDO_OK)
        status = cardo_session_open(argc > 1 ? argv[1] : "", &opening, NULL, &session, &error);
    if (status == CARDO_OK)
        status = cardo_session_run(session, "sample", &how, &result, &error);
    if (status != CARDO_OK)
        fprintf(stderr, "rank %d: %s\n", rank, error.message);
    const cardo_result *profile = rank == 0 && result ? cardo_result_find(result, "profile") : NULL;
    if (profile)
        cardo_result_print(profile, "csv", stdout, &error);
    cardo_result_destroy(result);
    cardo_session_close(session);
    cardo_communicator_destroy(opening.communicator);
    MPI_Finalize();
    return status != CARDO_OK;
}
