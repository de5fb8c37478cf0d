#include "cli/processes/own_output.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

void cardo_own_output(void)
{
    const int own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    FILE *stream = own >= 0 ? fdopen(own, "w") : NULL;
    if (stream && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
        stdout = stream;
    else if (stream)
        fclose(stream);
    else if (own >= 0)
        close(own);
}
