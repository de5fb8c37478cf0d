/* Where a study begins: --at and --from. */
#ifndef CARDO_CLI_START_H
#define CARDO_CLI_START_H

#include "cli/setup.h"

/* The options, for every verb that begins somewhere. */
#define CARDO_START_OPTIONS                                                                        \
    {"at", 'a', "BODY=VALUE",                                                                      \
     "put a body's coordinate there first (BODY.K=VALUE: its K-th); may be repeated"},             \
    {                                                                                              \
        "from", 0, "FILE",                                                                         \
            "begin at the coordinates in FILE, for this model: coordinates.csv of cardo "          \
            "minimize, or "                                                                        \
            "the last row of trajectory.csv"                                                       \
    }

/* Index of the q that NAME[.k] means: a body's only coordinate, or its k-th from 1. */
cardo_status cardo_find_coordinate(const cardo_system *system, const char *name, size_t length,
                                   int *q, cardo_error *error);

/* Puts the setup's state where --from and then --at say; realizes POSITION. */
cardo_status cardo_start_place(const cardo_command *command, cardo_setup *setup,
                               cardo_error *error);

/* Writes the coordinates of the state as FILE for --from: a line "name,value" for each. */
cardo_status cardo_write_coordinates(const cardo_setup *setup, const char *path,
                                     cardo_error *error);

#endif
