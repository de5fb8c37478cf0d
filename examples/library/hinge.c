/* hinge FIRST.pdb SECOND.pdb: the hinge between two crystal structures, and the free energy along it. */
#include <cardo/cardo.h>
#include <stdio.h>
#include <stdlib.h>

static cardo_error error;
static void must(cardo_status status)
{
    if (status != CARDO_OK)
        exit(fprintf(stderr, "%s\n", error.message) > 0);
}

int main(int argc, char **argv)
{
    const char *const make[] = {"name=hinge", "forcefield=kim-hummer.xml"};
    const char *const walk[] = {"method=umbrella", "to=0.03", "windows=4", "steps=1000", "bins=15"};
    cardo_run_options find = {.size = sizeof find, .noption = 2, .option = make, .ninput = 2};
    cardo_run_options sample = {.size = sizeof sample, .noption = 5, .option = walk};
    cardo_session *session;
    cardo_files *folder;
    cardo_result *hinge, *profile;
    long long n;
    find.input = argc == 3 ? (const char *const *)argv + 1 : (exit(2), NULL);
    must(cardo_files_open("hinge", "domains", true, &folder, &error));
    find.writer = cardo_files_writer(folder);
    must(cardo_session_create(NULL, &session, &error));
    must(cardo_session_run(session, "domains", &find, &hinge, &error));
    cardo_session_close(session);
    cardo_files_close(folder);
    must(cardo_session_open("hinge/hinge.xml", NULL, NULL, &session, &error));
    must(cardo_session_run(session, "sample", &sample, &profile, &error));
    const double *q = cardo_result_doubles_at(profile, "profile/xi", &n);
    const double *F = cardo_result_doubles_at(profile, "profile/F_kJ_per_mol", &n);
    const double *sigma = cardo_result_doubles_at(profile, "profile/sigma_kJ_per_mol", &n);
    for (long long k = 0; k < n; ++k)
        printf("q = %.4f  F = %6.2f +- %.2f kJ/mol\n", q[k], F[k], sigma[k]);
    cardo_result_destroy(hinge);
    cardo_result_destroy(profile);
    cardo_session_close(session);
}
