#include "cli/version.h"

#include <cardo/forces.h>
#include <cardo/memory.h>

const char *cardo_version_text(void)
{
    return CARDO_VERSION " (" CARDO_REVISION ")";
}

void cardo_print_version(FILE *stream)
{
    char *openmm = NULL;
    fprintf(stream, "cardo %s, MIT licence\n", cardo_version_text());
    fprintf(stream, "built with %s\n", CARDO_COMPILER);
    if (cardo_platforms_describe(&openmm, NULL) == CARDO_OK && openmm)
        fprintf(stream, "%s%s", openmm, "");
    cardo_free(openmm);
    fprintf(stream,
            "\nPlease cite the papers of what you used:\n"
            "  mobilizers   Seth, Sherman, Eastman & Delp 2010, Nonlinear Dyn. 62, 291\n"
            "  engine       Sherman, Seth & Delp 2011, Procedia IUTAM 2, 241\n"
            "  forces       Eastman et al. 2017, PLoS Comput. Biol. 13, e1005659 (OpenMM 7)\n"
            "  ff14SB       Maier et al. 2015, J. Chem. Theory Comput. 11, 3696\n"
            "  OBC2         Onufriev, Bashford & Case 2004, Proteins 55, 383\n");
}
