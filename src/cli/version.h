/* Who this program is: version, build, libraries, licence, how to cite. */
#ifndef CARDO_CLI_VERSION_H
#define CARDO_CLI_VERSION_H

#include <stdio.h>

void cardo_print_version(FILE *stream);
/* "0.1.0 (abc1234)": for logs and file headers. Static text. */
const char *cardo_version_text(void);

#endif
