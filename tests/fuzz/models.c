#include "fuzz/models.h"

#include "fuzz/file.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>

enum { RESIDUES = 16 };

static void write_helix(const char *name, double bend)
{
    char text[81 * RESIDUES + 1];
    size_t used = 0;
    for (int i = 0; i < RESIDUES; ++i) {
        double turn = 1.745 * i, side = i < RESIDUES / 2 ? 0 : bend * (i - RESIDUES / 2);
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "ATOM  %5d  CA  ALA A%4d    %8.3f%8.3f%8.3f  1.00  0.00\n", i + 1,
                                 i + 1, 2.3 * cos(turn) + side, 2.3 * sin(turn), 1.5 * i);
    }
    fuzz_text_file(name, text);
}

void fuzz_write_structures(void)
{
    write_helix("open.pdb", 0);
    write_helix("closed.pdb", 0.5);
}

void fuzz_read_model(const char *path)
{
    cardo_model *model = NULL;
    cardo_system *system = NULL;
    cardo_error error = {0};
    cardo_status status = cardo_model_read(path, 0, NULL, &model, &error);
    if (status == CARDO_OK)
        status = cardo_model_compile(model, NULL, &system, &error);
    fuzz_require(status == CARDO_OK || error.message[0], "an error without words");
    cardo_system_destroy(system);
    cardo_model_destroy(model);
}
