/* cardo version: what this program is, what it was built with, and what to cite. */
#include "cli/frame/version.h"

#include "cli/frame/verb.h"

#include <cardo/forces.h>
#include <cardo/memory.h>

#include <stdio.h>

static cardo_status run(const cardo_command *command, cardo_error *error)
{
    (void)command;
    (void)error;
    char *openmm = NULL;
    printf("cardo %s, MIT licence\nbuilt with %s\n", cardo_version_text(), CARDO_COMPILER);
    if (cardo_platforms_describe(&openmm, NULL) == CARDO_OK && openmm)
        printf("%s", openmm);
    cardo_free(openmm);
    printf("\nPlease cite the papers of what you used:\n"
           "  mobilizers   Seth, Sherman, Eastman & Delp 2010, Nonlinear Dyn. 62, 291\n"
           "  engine       Sherman, Seth & Delp 2011, Procedia IUTAM 2, 241\n"
           "  forces       Eastman et al. 2017, PLoS Comput. Biol. 13, e1005659 (OpenMM 7)\n"
           "  ff14SB       Maier et al. 2015, J. Chem. Theory Comput. 11, 3696\n"
           "  OBC2         Onufriev, Bashford & Case 2004, Proteins 55, 383\n");
    return CARDO_OK;
}

static const cardo_option options[] = {{0}};

const cardo_verb cardo_verb_version = {
    .name = "version",
    .synopsis = "",
    .summary = "versions, and what to cite",
    .description = "Prints the versions of this program and of what it was built with, and the "
                   "papers to cite. cardo --version does the same.",
    .options = options,
    .run = run,
};
