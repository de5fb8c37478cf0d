/* Where a study begins: --at and --from. */
#ifndef CARDO_CLI_FRAME_START_H
#define CARDO_CLI_FRAME_START_H

#include "cli/frame/verb.h"
#include <cardo/session.h>

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

/* Puts the session's state where --from and then --at say; realizes POSITION. */
cardo_status cardo_start_place(const cardo_command *command, cardo_session *session,
                               cardo_error *error);

#endif
